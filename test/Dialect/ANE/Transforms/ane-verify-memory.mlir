// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file --verify-diagnostics

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// The result of the second task lies over the source that dies there, in the
// same place; the third one's lies over the tiles of the first.
func.func @good(%x: !d, %y: !d) {
  %p = ane.l2_buffer : !a
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !a
    ane.keep %r, %p : !a, !a
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %p {scale = 2.0 : f32} : !a -> !a
    ane.keep %r, %p : !a, !a
  }
  %t = ane.task -> !b attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %p {scale = 2.0 : f32} : !a -> !b
    ane.yield %r : !b
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %t, %p : !b, !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// The first result is still needed when the second is written over half of it.
func.func @overlap(%x: !d, %y: !d) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 2}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  // expected-error @+1 {{takes bytes 256 to 768 of L2 in tasks 1 to 2, which another holds [memory_c2]}}
  %u = ane.task -> !b attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !b
    ane.yield %r : !b
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %t, %u : !a, !b -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// A tile of a task that needs nothing of it streams over a tensor.
func.func @tiles(%x: !d, %y: !d) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 2}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  ane.task attributes {tile_height = 2 : i64} {
    // expected-error @+1 {{takes bytes 0 to 256 of L2 in tasks 1 to 1, which another holds [memory_c2]}}
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!e = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 1048448>, #ane.space<l2>>

func.func @too_high(%x: !d, %y: !d) {
  // expected-error @+1 {{takes bytes 2096896 to 2097408 of L2 in tasks 0 to 1, but there are 2097152 [memory_c1]}}
  %t = ane.task -> !e attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !e
    ane.yield %r : !e
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !e -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

func.func @scratch(%x: !d, %y: !d) attributes {ane.scratch_bytes = 4096 : i64} {
  // expected-note @+1 {{it has 0 to 2000 in tasks 0 to 1}}
  %p = ane.buffer {offset = 0 : i64} : !d
  // expected-error @+1 {{takes bytes 1024 to 3024 of scratch memory in tasks 1 to 2, which another holds [memory_c2]}}
  %q = ane.buffer {offset = 1024 : i64} : !d
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %p : !c, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %p : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %q : !c, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %q : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x960x1x512xf16, strided<[491520, 512, 512, 1]>, #ane.space<dram>>
!e = memref<1x120x1x4096xf16, strided<[491520, 4096, 4096, 1]>, #ane.space<dram>>
!a = memref<1x960x1x512xf16, strided<[491520, 512, 491520, 1], offset: 131072>, #ane.space<l2>>
!c = memref<1x120x1x4096xf16, strided<[491520, 4096, 491520, 1], offset: 622592>, #ane.space<l2>>

// Channels lie side by side only behind L2, which a row of all passes through.
func.func @interleaved(%x: !d, %y: !e) {
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_interleave %s {factor = 8 : i64} : !a -> !c
    // expected-error @+1 {{takes bytes 1245184 to 2228224 of L2 in tasks 0 to 0, but there are 2097152 [memory_c1]}}
    ane.dma_store %r, %y : !c, !e
  }
  return
}
