// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// The strip that the convolution has read stays in L2 for the sum: the input is
// read once, not twice.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.00{{[0-9]}} times the least; 1 groups
// CHECK-LABEL: @shared
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 3, size = {{[0-9]+}}>
// CHECK: ane.elementwise sub {{.*}}ane.tile = #ane.tile<group = 0, dim = 3, size = {{[0-9]+}}>
func.func @shared(%x: tensor<1x384x1x4096xf16>) -> tensor<1x384x1x4096xf16> {
  %w = ane.constant dense<2.600000e-03> : tensor<1x384x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x384x1x4096xf16>, tensor<1x384x1x1xf16> -> tensor<1x1x1x4096xf16>
  %1 = ane.elementwise sub %x, %0 : tensor<1x384x1x4096xf16>, tensor<1x1x1x4096xf16> -> tensor<1x384x1x4096xf16>
  return %1 : tensor<1x384x1x4096xf16>
}
