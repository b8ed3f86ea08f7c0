// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-assign-layout,ane-allocate-l2))' | FileCheck %s

// A value that a later task reads lies in front of the tiles of both.
// CHECK-LABEL: func @resident
// CHECK: ane.task -> memref<1x64x1x1xf16, strided<[512, 8, 512, 1]>, #ane.space<l2>>
// CHECK: ane.dma_load {{.*}} offset: 512>, #ane.space<l2>>
// CHECK: ane.dma_load {{.*}} offset: 512>, #ane.space<l2>>
func.func @resident(%x: memref<1x64x1x1xf16, #ane.space<dram>>, %y: memref<1x64x1x1xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x64x1x1xf16, #ane.space<l2>> {
    %s = ane.dma_load %x : memref<1x64x1x1xf16, #ane.space<dram>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x64x1x1xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.yield %r : memref<1x64x1x1xf16, #ane.space<l2>>
  }
  ane.task {
    %s = ane.dma_load %x : memref<1x64x1x1xf16, #ane.space<dram>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    %r = ane.pe_elementwise add %s, %t : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  return
}
