// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file --verify-diagnostics
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file 2>/dev/null | FileCheck %s --implicit-check-not='func.func @'

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// The result of the second task lies over the source that dies there, in the
// same place; the third one's lies over the tiles of the first.
// CHECK: func.func @good(
func.func @good(%x: !d, %y: !d {ane.output}) {
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
!e = memref<1x8x4x8xf16, strided<[64, 32, 8, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// Element by element a result may take the place of a source that dies there,
// but only at the same strides.
func.func @in_place(%x: !d, %y: !d {ane.output}) {
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  // expected-note @+1 {{it has 0 to 512 in tasks 1 to 2}}
  %u = ane.task -> !a attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !a
    ane.yield %r : !a
  }
  // expected-error @+1 {{takes bytes 0 to 512 of L2 in tasks 2 to 3, which another holds [memory_c2]}}
  %v = ane.task -> !e attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !a -> !e
    ane.yield %r : !e
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !e -> !c
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
func.func @overlap(%x: !d, %y: !d {ane.output}) {
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
func.func @tiles(%x: !d, %y: !d {ane.output}) {
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

func.func @too_high(%x: !d, %y: !d {ane.output}) {
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

func.func @scratch(%x: !d, %y: !d {ane.output}) attributes {ane.scratch_bytes = 4096 : i64} {
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
func.func @interleaved(%x: !d, %y: !e {ane.output}) {
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_interleave %s {factor = 8 : i64} : !a -> !c
    // expected-error @+1 {{takes bytes 1245184 to 2228224 of L2 in tasks 0 to 0, but there are 2097152 [memory_c1]}}
    ane.dma_store %r, %y : !c, !e
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!e = memref<1x8x4x8xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>

// The caller does not write rows of all channels.
// expected-error @+1 {{has a surface of 'memref<1x8x4x8xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>', but rows follow each other at the next multiple of 64 bytes, planes and images without a gap; run ane-assign-layout [memory_c3]}}
func.func @surface(%x: !e, %y: !d {ane.output}) {
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 56, 1], offset: 512>, #ane.space<l2>>

// Each row begins in the last channel of the one before.
func.func @itself(%x: !d, %y: !d {ane.output}) {
  %t = ane.task -> !b attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    // expected-error @+1 {{writes byte 1136 of 'memref<1x8x4x8xf16, strided<[64, 8, 56, 1], offset: 512>, #ane.space<l2>>' twice [memory_c4]}}
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !b
    ane.yield %r : !b
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !b -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 56, 1], offset: 512>, #ane.space<l2>>

!w = memref<1x1x4x512xf16, strided<[2048, 2048, 512, 1]>, #ane.space<dram>>
!s = memref<1x1x4x512xf16, strided<[128, 128, 128, 1]>, #ane.space<l2>>
!r = memref<1x1x4x512xf16, strided<[128, 128, 128, 1], offset: 512>, #ane.space<l2>>

// Tiles of one row do not meet, nor strips of a wide one; those of two do.
func.func @tile_itself(%x: !d, %y: !d {ane.output}, %w: !w, %z: !w {ane.output}) {
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %w : !w -> !s
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !s -> !r
    ane.dma_store %r, %z : !r, !w
  }
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !a
    ane.dma_store %r, %y : !a, !d
  }
  ane.task attributes {tile_height = 2 : i64} {
    // expected-error @+1 {{has tiles of 'memref<1x8x4x8xf16, strided<[64, 8, 56, 1], offset: 512>, #ane.space<l2>>', whose rows lie over each other [memory_c4]}}
    %s = ane.dma_load %x : !d -> !b
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !b -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// The task that writes the buffer comes too late.
func.func @early(%x: !d, %y: !d {ane.output}) attributes {ane.scratch_bytes = 2048 : i64} {
  // expected-note @+1 {{it is here}}
  %p = ane.buffer {offset = 0 : i64} : !d
  ane.task attributes {tile_height = 4 : i64} {
    // expected-error @+1 {{source 1 reads byte 0 of 'memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>', which no task before task 0 writes [memory_c5]}}
    %s = ane.dma_load %p : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %p : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// Nobody writes the last two rows of the result.
// expected-error @+1 {{the caller reads byte 128 of 'memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>', which no task before task 1 writes [memory_c5]}}
func.func @half(%x: !d, %y: !d {ane.output}) { // expected-note {{it is here}}
  %x0 = ane.subview %x[0, 0, 0, 0] : !d -> !h
  %y0 = ane.subview %y[0, 0, 0, 0] : !d -> !h
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %x0 : !h -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y0 : !c, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!ah = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!ch = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// Half of the first result, half of another that was written over it.
func.func @torn(%x: !d, %y: !d {ane.output}) {
  %p = ane.l2_buffer : !a
  %p0 = ane.subview %p[0, 0, 0, 0] : !a -> !ah
  %x0 = ane.subview %x[0, 0, 0, 0] : !d -> !h
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.keep %r, %p : !a, !a
  }
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %x0 : !h -> !ch
    %r = ane.pe_unary %s {scale = 3.0 : f32} : !ch -> !ah
    ane.keep %r, %p0 : !ah, !ah
  }
  ane.task attributes {tile_height = 4 : i64} {
    // expected-error @+1 {{source 1 reads the result of task 0 in L2, but task 1 wrote over a part of it, at byte 0x0 [memory_c6]}}
    %r = ane.pe_unary %p {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

func.func @input(%x: !d) {
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    // expected-error @+1 {{which is a constant or an argument without ane.output [memory_c7]}}
    ane.dma_store %r, %x : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, #ane.space<dram>>
!a = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

func.func @nowhere(%x: !d, %y: !d {ane.output}) {
  // expected-error @+1 {{has no layout; run ane-assign-layout and ane-allocate-l2 before ane-verify-memory}}
  %x0 = ane.subview %x[0, 0, 0, 0] : !d -> !h
  %y0 = ane.subview %y[0, 0, 0, 0] : !d -> !h
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %x0 : !h -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y0 : !c, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!u = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// Of a place that two tensors share, the second needs the first rows only, so
// that another one may lie over the others.
// CHECK: func.func @shared(
func.func @shared(%x: !d, %g: !h, %y: !d {ane.output}, %z: !h {ane.output}) {
  %p = ane.l2_buffer {shared} : !a
  %v = ane.subview %p[0, 0, 0, 0] : !a -> !a
  %w = ane.subview %p[0, 0, 0, 0] : !a -> !b
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.keep %r, %v : !a, !a
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %g : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !b
    ane.keep %r, %w : !b, !b
  }
  %t = ane.task -> !u attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %g : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !u
    ane.yield %r : !u
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_elementwise add %w, %t : !b, !u -> !e
    ane.dma_store %r, %z : !e, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!u = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// Not as long as the first is there.
func.func @shared_too_early(%x: !d, %g: !h, %y: !d {ane.output}, %z: !h {ane.output}) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 2}}
  %p = ane.l2_buffer {shared} : !a
  %v = ane.subview %p[0, 0, 0, 0] : !a -> !a
  %w = ane.subview %p[0, 0, 0, 0] : !a -> !b
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.keep %r, %v : !a, !a
  }
  // expected-error @+1 {{takes bytes 256 to 512 of L2 in tasks 1 to 4, which another holds [memory_c2]}}
  %t = ane.task -> !u attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %g : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !u
    ane.yield %r : !u
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %g : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !b
    ane.keep %r, %w : !b, !b
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_elementwise add %w, %t : !b, !u -> !e
    ane.dma_store %r, %z : !e, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!u = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// What one of them has written is not the other one's.
func.func @shared_contents(%x: !d, %g: !h, %y: !h {ane.output}) {
  // expected-note @+1 {{it is here}}
  %p = ane.l2_buffer {shared} : !a
  %v = ane.subview %p[0, 0, 0, 0] : !a -> !a
  %w = ane.subview %p[0, 0, 0, 0] : !a -> !b
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.keep %r, %v : !a, !a
  }
  ane.task attributes {tile_height = 2 : i64} {
    // expected-error @+1 {{source 1 reads byte 0 of 'memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>', which no task before task 1 writes [memory_c5]}}
    %r = ane.pe_unary %w {scale = 2.0 : f32} : !b -> !e
    ane.dma_store %r, %y : !e, !h
  }
  return
}

// -----

// Bytes of rows that are beyond any number are beyond L2.
!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!w = memref<1x8x4x8xf16, strided<[64, 8, 2305843009213693952, 1], offset: 256>, #ane.space<l2>>

func.func @rows_beyond_numbers(%x: !d, %y: !d {ane.output}) {
  ane.task attributes {tile_height = 4 : i64} {
    // expected-error@+1 {{takes bytes 512 to 9223372036854775807 of L2 in tasks 0 to 0, but there are 2097152 [memory_c1]}}
    %s = ane.dma_load %x : !d -> !w
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !w -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}
