// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-assign-layout))' --split-input-file --verify-diagnostics | FileCheck %s

// Rows of 64 bytes; the views see a part of the buffer.
// CHECK-LABEL: func @planar
// CHECK-SAME: memref<2x3x5x7xf16, strided<[480, 160, 32, 1]>, #ane.space<dram>>
// CHECK-SAME: memref<1x1x2x33xf16, strided<[128, 128, 64, 1]>, #ane.space<dram>>
// CHECK: ane.buffer : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
// CHECK: ane.subview {{.*}} -> memref<1x4x2x4xf16, strided<[1024, 128, 32, 1], offset: 544>, #ane.space<dram>>
// CHECK: ane.subview {{.*}} -> memref<1x4x4x4xf16, strided<[1024, 128, 32, 1], offset: 512>, #ane.space<dram>>
// CHECK: ane.reshape_view {{.*}} -> memref<1x1x16x4xf16, strided<[512, 512, 32, 1], offset: 512>, #ane.space<dram>>
func.func @planar(%a: memref<2x3x5x7xf16, #ane.space<dram>>, %b: memref<1x1x2x33xf16, #ane.space<dram>>) {
  %0 = ane.buffer : memref<1x8x4x4xf16, #ane.space<dram>>
  %1 = ane.subview %0[0, 4, 1, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x2x4xf16, #ane.space<dram>>
  %2 = ane.subview %0[0, 4, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  %3 = ane.reshape_view %2 : memref<1x4x4x4xf16, #ane.space<dram>> -> memref<1x1x16x4xf16, #ane.space<dram>>
  return
}

// What is defined elsewhere has no tensors here.
// CHECK: func.func private @elsewhere(memref<1x4x4x4xf16, #ane.space<dram>>)
func.func private @elsewhere(memref<1x4x4x4xf16, #ane.space<dram>>)

// -----

// The rows of a box that leaves out rows have two distances.
func.func @ragged(%a: memref<1x8x4x4xf16, #ane.space<dram>>) {
  %0 = ane.subview %a[0, 0, 1, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x2x4xf16, #ane.space<dram>>
  // expected-error @+1 {{whose rows do not have one distance; copy it first}}
  %1 = ane.reshape_view %0 : memref<1x8x2x4xf16, #ane.space<dram>> -> memref<1x16x1x4xf16, #ane.space<dram>>
  return
}

// -----

// expected-error @+1 {{has a tensor of rank 3, but DRAM layouts have rank 4}}
func.func @rank(%a: memref<8x4x4xf16, #ane.space<dram>>) {
  return
}
