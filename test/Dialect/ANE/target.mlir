// Verifiers measure with the limits of the module's target, at every nesting: what h14 takes, h13
// refuses, and the other way round.

// RUN: ane-opt %s --split-input-file --verify-diagnostics | FileCheck %s

!tiles = memref<1x8x1x32xf16, #ane.space<l2>>
!result = memref<1x32x1x32xf16, #ane.space<l2>>
// Passes of 16 engines each.
// CHECK: module attributes {ane.target = "h14"}
// CHECK: ane.kernel_load from
module attributes {ane.target = "h14"} {
func.func @passes(%x: memref<1x8x1x32xf16, #ane.space<dram>>, %w: memref<1x32x1x8xf16, #ane.space<dram>>,
                  %y: memref<1x32x1x32xf16, #ane.space<dram>> {ane.output}) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x1x32xf16, #ane.space<dram>> -> !tiles
    %k = ane.kernel_load from %w : memref<1x32x1x8xf16, #ane.space<dram>> -> memref<32x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : !tiles, memref<32x8x1x1xf16, #ane.space<kernel>> -> !result
    ane.dma_store %r, %y : !result, memref<1x32x1x32xf16, #ane.space<dram>>
  }
  return
}
}

// -----

!tiles = memref<1x8x1x32xf16, #ane.space<l2>>
!result = memref<1x32x1x32xf16, #ane.space<l2>>
module attributes {ane.target = "h14"} {
module attributes {ane.target = "h13"} {
func.func @passes(%x: memref<1x8x1x32xf16, #ane.space<dram>>, %w: memref<1x32x1x8xf16, #ane.space<dram>>,
                  %y: memref<1x32x1x32xf16, #ane.space<dram>> {ane.output}) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x1x32xf16, #ane.space<dram>> -> !tiles
    // expected-error @+1 {{reads 32 planes, but there are 16 engines: h13 takes at most one plane each [kernel_load_c6]}}
    %k = ane.kernel_load from %w : memref<1x32x1x8xf16, #ane.space<dram>> -> memref<32x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : !tiles, memref<32x8x1x1xf16, #ane.space<kernel>> -> !result
    ane.dma_store %r, %y : !result, memref<1x32x1x32xf16, #ane.space<dram>>
  }
  return
}
}
}

// -----

// CHECK: module attributes {ane.target = "h14"}
// CHECK: ane.ne_conv
module attributes {ane.target = "h14"} {
func.func @kernel(%x: memref<1x8x4x64xf16, #ane.space<l2>>, %y: memref<1x8x4x49xf16, #ane.space<dram>>) {
  %w = ane.constant dense<1.0> : tensor<8x8x1x16xf16>
  ane.task {
    %k = ane.kernel_load weight %w : tensor<8x8x1x16xf16> -> memref<8x8x1x16xf16, #ane.space<kernel>>
    %r = ane.ne_conv %x, %k : memref<1x8x4x64xf16, #ane.space<l2>>, memref<8x8x1x16xf16, #ane.space<kernel>> -> memref<1x8x4x49xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x49xf16, #ane.space<l2>>, memref<1x8x4x49xf16, #ane.space<dram>>
  }
  return
}
}
