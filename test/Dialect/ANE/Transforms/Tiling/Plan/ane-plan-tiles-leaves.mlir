// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles,ane-tile,ane-form-tasks,ane-keep-in-l2))" | FileCheck %s --check-prefix=COPY

// The second convolution needs a row beside the strip of the first result, which leaves the
// group: a strip of it with these rows stays in L2, and its own rows are copied from there.
// CHECK-LABEL: @leaves
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = [[ROWS:[0-9]+]]>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = [[ROWS]]>
// COPY-LABEL: @leaves
// COPY-NOT: ane.buffer
// COPY: ane.ne_conv
// COPY: ane.keep
// COPY: ane.task
// COPY-NOT: ane.dma_load
// COPY: ane.ne_bypass
// COPY: ane.dma_store
// COPY: ane.task
// COPY-NOT: ane.dma_load
// COPY: ane.ne_conv
// COPY: ane.dma_store
func.func @leaves(%x: tensor<1x3x256x256xf16>) -> (tensor<1x32x256x256xf16>, tensor<1x2x256x256xf16>) {
  %w = ane.constant dense<0.125> : tensor<32x3x3x3xf16>
  %v = ane.constant dense<0.125> : tensor<2x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x256x256xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<2x32x3x3xf16> -> tensor<1x2x256x256xf16>
  return %0, %1 : tensor<1x32x256x256xf16>, tensor<1x2x256x256xf16>
}
