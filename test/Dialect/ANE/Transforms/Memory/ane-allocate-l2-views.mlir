// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-assign-layout,ane-allocate-l2))' --split-input-file --verify-diagnostics | FileCheck %s

// In L2 an element lies at [row][channel][column]: a slice of rows or channels
// is an offset. A place lives from the first writer to the last reader; a source
// that is kept has one, too.
// CHECK-LABEL: func @views
// CHECK: %[[B:.*]] = ane.l2_buffer : memref<1x16x4x8xf16, strided<[128, 8, 128, 1]>, #ane.space<l2>>
// CHECK: %[[C:.*]] = ane.l2_buffer : memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// CHECK: ane.subview %[[B]][0, 8, 0, 0] : {{.*}} -> memref<1x8x4x8xf16, strided<[128, 8, 128, 1], offset: 64>, #ane.space<l2>>
// CHECK: ane.subview %[[B]][0, 0, 1, 0] {{.*}} -> memref<1x16x2x8xf16, strided<[128, 8, 256, 1], offset: 128>, #ane.space<l2>>
// CHECK: ane.dma_load {{.*}} -> memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
// CHECK: ane.pe_unary {{.*}} -> memref<1x8x4x8xf16, strided<[128, 8, 128, 1], offset: 64>, #ane.space<l2>>
func.func @views(%x: memref<1x8x4x8xf16, #ane.space<dram>>, %y: memref<1x16x2x8xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x16x4x8xf16, #ane.space<l2>>
  %c = ane.l2_buffer : memref<1x8x4x8xf16, #ane.space<l2>>
  %u = ane.subview %b[0, 0, 0, 0] : memref<1x16x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
  %v = ane.subview %b[0, 8, 0, 0] : memref<1x16x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
  %h = ane.subview %b[0, 0, 1, 0] {strides = array<i64: 1, 1, 2, 1>} : memref<1x16x4x8xf16, #ane.space<l2>> -> memref<1x16x2x8xf16, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : memref<1x8x4x8xf16, #ane.space<dram>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.keep %s, %c : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
    %r = ane.pe_unary %s {scale = 2.0 : f32} : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.keep %r, %v : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.ne_bypass %c : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.keep %r, %u : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.ne_bypass %h : memref<1x16x2x8xf16, #ane.space<l2>> -> memref<1x16x2x8xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x16x2x8xf16, #ane.space<l2>>, memref<1x16x2x8xf16, #ane.space<dram>>
  }
  return
}

// -----

// CHECK-LABEL: func @planar
// CHECK: ane.l2_buffer {planar} : memref<1x8x4x8xf16, strided<[256, 32, 8, 1]>, #ane.space<l2>>
// CHECK: ane.reshape_view {{.*}} -> memref<1x32x1x8xf16, strided<[256, 8, 8, 1]>, #ane.space<l2>>
func.func @planar(%x: memref<1x8x4x8xf16, #ane.space<dram>>, %y: memref<1x32x1x8xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer {planar} : memref<1x8x4x8xf16, #ane.space<l2>>
  %v = ane.reshape_view %b : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x32x1x8xf16, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x8xf16, #ane.space<dram>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    %r = ane.pe_unary %s {scale = 2.0 : f32} : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.keep %r, %b : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.pe_unary %v {scale = 2.0 : f32} : memref<1x32x1x8xf16, #ane.space<l2>> -> memref<1x32x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x32x1x8xf16, #ane.space<l2>>, memref<1x32x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @reshaped(%x: memref<1x8x4x8xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x8x4x8xf16, #ane.space<l2>>
  // expected-error @+1 {{which has no strides in L2; keep it in DRAM or copy it}}
  %v = ane.reshape_view %b : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x32x1x8xf16, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x8xf16, #ane.space<dram>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    %r = ane.pe_unary %s {scale = 2.0 : f32} : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.keep %r, %b : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @too_much(%x: memref<1x64x128x128xf16, #ane.space<dram>>) {
  // expected-error @+1 {{keeps 2101248 bytes in L2 at 0, but only 2097152 can be used; keep less with ane-keep-in-l2}}
  %b = ane.l2_buffer : memref<1x64x128x128xf16, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x : memref<1x64x128x128xf16, #ane.space<dram>> -> memref<1x64x128x128xf16, #ane.space<l2>>
    %r = ane.pe_unary %s {scale = 2.0 : f32} : memref<1x64x128x128xf16, #ane.space<l2>> -> memref<1x64x128x128xf16, #ane.space<l2>>
    ane.keep %r, %b : memref<1x64x128x128xf16, #ane.space<l2>>, memref<1x64x128x128xf16, #ane.space<l2>>
  }
  return
}

// -----

// Channels lie side by side only behind L2, which rows of all pass through.
!x = memref<1x960x1x600xf16, #ane.space<dram>>
!y = memref<1x120x1x4800xf16, #ane.space<dram>>
func.func @interleaved(%x: !x, %y: !y {ane.output}) {
  ane.task {
    %0 = ane.dma_load %x : !x -> memref<1x960x1x600xf16, #ane.space<l2>>
    // expected-error @+1 {{needs 1152032 bytes of L2 for the smallest tile of its sources and 983040 for a row of its result, but 2097152 are left for them}}
    %1 = ane.pe_interleave %0 {factor = 8 : i64} : memref<1x960x1x600xf16, #ane.space<l2>> -> memref<1x120x1x4800xf16, #ane.space<l2>>
    ane.dma_store %1, %y : memref<1x120x1x4800xf16, #ane.space<l2>>, !y
  }
  return
}
