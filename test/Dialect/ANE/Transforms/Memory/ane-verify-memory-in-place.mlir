// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file --verify-diagnostics
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-verify-memory))' --split-input-file 2>/dev/null | FileCheck %s --implicit-check-not='func.func @'

// A result may take the place of a source: element by element, if that goes with
// the task, and all of it.

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// The other source lies somewhere else.
// CHECK: func.func @other_source(
func.func @other_source(%x: !d, %y: !d {ane.output}) {
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  %u = ane.task -> !b attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !b
    ane.yield %r : !b
  }
  %v = ane.task -> !b attributes {tile_height = 4 : i64} {
    %r = ane.pe_elementwise add %t, %u : !a, !b -> !b
    ane.yield %r : !b
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !b -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// Another task needs the source, too.
func.func @needed_later(%x: !d, %y: !d {ane.output}, %z: !d {ane.output}) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 2}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  // expected-error @+1 {{takes bytes 0 to 512 of L2 in tasks 1 to 3, which another holds [memory_c2]}}
  %u = ane.task -> !a attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !a
    ane.yield %r : !a
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %t {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %z : !c, !d
  }
  return
}

// -----

!d = memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x1x8xf16, strided<[64, 8, 8, 1]>, #ane.space<l2>>
!c = memref<1x8x1x8xf16, strided<[64, 8, 8, 1], offset: 512>, #ane.space<l2>>
// Channels become columns: what is written first has not been read.
func.func @exchanged(%x: !d, %y: !d {ane.output}) {
  // expected-note @+1 {{it has 0 to 128 in tasks 0 to 1}}
  %t = ane.task -> !a attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  // expected-error @+1 {{takes bytes 0 to 128 of L2 in tasks 1 to 2, which another holds [memory_c2]}}
  %u = ane.task -> !a attributes {tile_height = 1 : i64} {
    %r = ane.ne_bypass %t {exchange} : !a -> !a
    ane.yield %r : !a
  }
  ane.task attributes {tile_height = 1 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x1x8xf16, strided<[64, 8, 8, 1]>, #ane.space<l2>>
!c = memref<1x8x1x8xf16, strided<[64, 8, 8, 1], offset: 512>, #ane.space<l2>>
!k = memref<8x8x1x1xf16, #ane.space<kernel>>
// Each output channel needs all input channels.
func.func @convolved(%x: !d, %y: !d {ane.output}) {
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  // expected-note @+1 {{it has 0 to 128 in tasks 0 to 1}}
  %t = ane.task -> !a attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  // expected-error @+1 {{takes bytes 0 to 128 of L2 in tasks 1 to 2, which another holds [memory_c2]}}
  %u = ane.task -> !a attributes {tile_height = 1 : i64} {
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> !k
    %r = ane.ne_conv %t, %k : !a, !k -> !a
    ane.yield %r : !a
  }
  ane.task attributes {tile_height = 1 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !a -> !c
    ane.dma_store %r, %y : !c, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!f = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// The first half of a source.
func.func @first_half(%x: !d, %y: !h {ane.output}) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 1}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  %v = ane.subview %t[0, 0, 0, 0] : !a -> !f
  // expected-error @+1 {{takes bytes 0 to 256 of L2 in tasks 1 to 2, which another holds [memory_c2]}}
  %u = ane.task -> !f attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !f -> !f
    ane.yield %r : !f
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !f -> !e
    ane.dma_store %r, %y : !e, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!f = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// The second half.
func.func @second_half(%x: !d, %y: !h {ane.output}) {
  // expected-note @+1 {{it has 0 to 512 in tasks 0 to 1}}
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.yield %r : !a
  }
  %v = ane.subview %t[0, 0, 2, 0] : !a -> !f
  // expected-error @+1 {{takes bytes 256 to 512 of L2 in tasks 1 to 2, which another holds [memory_c2]}}
  %u = ane.task -> !f attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : !f -> !f
    ane.yield %r : !f
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %u {scale = 2.0 : f32} : !f -> !e
    ane.dma_store %r, %y : !e, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!h = memref<1x8x2x8xf16, strided<[512, 64, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!f = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!g = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 128>, #ane.space<l2>>
!m = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 64>, #ane.space<l2>>
!e = memref<1x8x2x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// Views of a place that is not shared are parts of one tensor.
// CHECK: func.func @views(
func.func @views(%x: !h, %y: !h {ane.output}) {
  %p = ane.l2_buffer : !a
  %0 = ane.subview %p[0, 0, 0, 0] : !a -> !f
  %1 = ane.subview %p[0, 0, 2, 0] : !a -> !g
  %2 = ane.subview %p[0, 0, 1, 0] : !a -> !m
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %x : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !f
    ane.keep %r, %0 : !f, !f
  }
  ane.task attributes {tile_height = 2 : i64} {
    %s = ane.dma_load %x : !h -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !g
    ane.keep %r, %1 : !g, !g
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %2 {scale = 2.0 : f32} : !m -> !e
    ane.dma_store %r, %y : !e, !h
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// Who is in no task needs no place.
// CHECK: func.func @unused(
func.func @unused(%x: !d, %y: !d {ane.output}) {
  %p = ane.l2_buffer : !a
  %q = ane.l2_buffer : memref<1x8x4x8xf16, #ane.space<l2>>
  %b = ane.buffer : memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
func.func @no_offset(%x: !d, %y: !d {ane.output}) {
  // expected-error @+1 {{has no offset; run ane-allocate-dram}}
  %b = ane.buffer : !d
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.dma_store %r, %b : !a, !d
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %b : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}

// -----

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!l = memref<1x8x4x8xf16, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
func.func @no_layout(%x: !d, %y: !d {ane.output}) {
  // expected-error @+1 {{has no layout; allocate memory first}}
  %b = ane.buffer {offset = 0 : i64} : !l
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.dma_store %r, %b : !a, !l
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %b : !l -> !c
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !c -> !a
    ane.dma_store %r, %y : !a, !d
  }
  return
}
