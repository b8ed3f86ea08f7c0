// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// Depthwise is one group in which each output channel has its own input; a
// uniform scale is the multiplier, the table stands in front of every stream.
// CHECK: CoeffBfrSize[0 to 15] = 0xc0
// CHECK: Cin = 20, Cout = 20
// CHECK: GroupConvCfg = {UnicastCin = 1, UnicastEn, NumGroups = 1}
// CHECK: NonlinearMode = LUT
// CHECK: PostScale = {PostScale = 1.25E-1}
func.func @depthwise(%x: tensor<1x20x16x16xf16>) -> tensor<1x20x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<20x1x3x3xf16>
  %s = ane.constant dense<0.125> : tensor<20xf16>
  %0 = ane.conv %x, %w scale %s {activation = #ane.act<sigmoid>, pad = array<i64: 1, 1, 1, 1>, groups = 20 : i64} : tensor<1x20x16x16xf16>, tensor<20x1x3x3xf16> scale tensor<20xf16> -> tensor<1x20x16x16xf16>
  return %0 : tensor<1x20x16x16xf16>
}
