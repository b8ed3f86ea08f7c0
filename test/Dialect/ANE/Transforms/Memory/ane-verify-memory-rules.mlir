// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file --verify-diagnostics
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file 2>/dev/null | FileCheck %s --implicit-check-not='func.func @'

// One rule each that nothing but these functions holds the pass to. What has an error
// is not printed either.

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!g = memref<1x16x1x8xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
!k = memref<16x8x1x1xf16, #ane.space<kernel>>
!r = memref<1x16x4x8xf16, strided<[128, 8, 128, 1], offset: 512>, #ane.space<l2>>
!o = memref<1x16x4x8xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>>

func.func @kernel(%x: !d, %y: !o {ane.output}) attributes {ane.scratch_bytes = 1024 : i64} {
  // expected-note @+1 {{it is here}}
  %b = ane.buffer {offset = 0 : i64} : !g
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    // expected-error @+1 {{the kernel reads byte 0 of 'memref<1x16x1x8xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>', which no task before task 0 writes [memory_c5]}}
    %k = ane.kernel_load from %b : !g -> !k
    %r = ane.ne_conv %s, %k : !a, !k -> !r
    ane.dma_store %r, %y : !r, !o
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!e = memref<1x8x4x8xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>

func.func @constant() {
  %t = ane.constant dense<1.0> : tensor<1x8x4x8xf16>
  // expected-error @+1 {{has a surface of 'memref<1x8x4x8xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>'}}
  %c = ane.constant_buffer %t : tensor<1x8x4x8xf16> -> !e
  return
}

// -----

// The caller writes from the first byte on.
// expected-error @+1 {{has a surface of 'memref<1x8x4x8xf16, strided<[1024, 128, 32, 1], offset: 32>, #ane.space<dram>>'}}
func.func @surface_offset(%x: memref<1x8x4x8xf16, strided<[1024, 128, 32, 1], offset: 32>, #ane.space<dram>>) {
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!u = memref<1x8x4x8xf16, strided<[?, ?, ?, 1], offset: ?>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// Distances that are left open are none.
func.func @open_strides(%x: !d, %y: !d {ane.output}) attributes {ane.scratch_bytes = 2048 : i64} {
  // expected-error @+1 {{has no layout; allocate memory first}}
  %b = ane.buffer {offset = 0 : i64} : !u
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %b : !c, !u
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// An offset behind which no tensor can end.
func.func @last_byte(%x: !d, %y: !d {ane.output}) attributes {ane.scratch_bytes = 2048 : i64} {
  // expected-error @+1 {{of scratch memory in tasks 0 to 0, but there are 2048 [memory_c1]}}
  %b = ane.buffer {offset = 9223372036854775744 : i64} : !d
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %b : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>

// Nobody needs the result, which lies over the tiles of its own task.
func.func @unused_result(%x: !d) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 0}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    // expected-error @+1 {{takes bytes 0 to 512 of L2 in tasks 0 to 0, which another holds [memory_c2]}}
    %s = ane.dma_load %x : !d -> !a
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !a -> !a
    ane.yield %r : !a
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 192>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

// A staged result has all rows of a tile in L2, a streamed one as much as the engine
// has under way.
func.func @staged(%x: !d, %y: !d {ane.output}, %z: !d {ane.output}) {
  // expected-note @+1 {{it has 384 to 896 in tasks 0 to 2}}
  %t = ane.task -> !b attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !b
    ane.yield %r : !b
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !b -> !a
    ane.dma_store %r, %y {residency = #ane.residency<streamed>} : !a, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 3.0 : f32} : !b -> !a
    // expected-error @+1 {{takes bytes 0 to 512 of L2 in tasks 2 to 2, which another holds [memory_c2]}}
    ane.dma_store %r, %z {residency = #ane.residency<staged>} : !a, !d
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

// What lies in DRAM may be written over in part; what lies in L2, if all of it is written
// again before anybody reads it.
// CHECK: func.func @written_again
func.func @written_again(%x: !d, %y: !d {ane.output}, %z: !d {ane.output}) {
  %p = ane.l2_buffer : !a
  %p0 = ane.subview %p[0, 0, 0, 0] : !a -> !ah
  %x0 = ane.subview %x[0, 0, 0, 0] : !d -> !h
  %y0 = ane.subview %y[0, 0, 0, 0] : !d -> !h
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
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 4.0 : f32} : !c -> !a
    ane.keep %r, %p : !a, !a
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %p {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %p0 {scale = 3.0 : f32} : !ah -> !ch
    ane.dma_store %r, %y0 : !ch, !h
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %y : !d -> !c
    %r = ane.pe_unary %s {scale = 3.0 : f32} : !c -> !a
    ane.dma_store %r, %z : !a, !d
  }
  return
}
