// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// 32 tasks, each for as many output channels as the NEs have coefficients for, read 8.4 MB each.
// A strip stays in L2 for all of them: the coefficients for each strip are less than that.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, {{[345]}}.{{[0-9]+}} times the least; 1 groups, exact
// CHECK-LABEL: @passes
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = {{[0-9]+}}>
func.func @passes(%x: tensor<1x1024x64x64xf16>) -> tensor<1x1024x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<1024x1024x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x1024x64x64xf16>, tensor<1024x1024x3x3xf16> -> tensor<1x1024x64x64xf16>
  return %0 : tensor<1x1024x64x64xf16>
}
