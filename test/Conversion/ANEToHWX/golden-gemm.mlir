// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/gemm.hwx > %t.theirs
// RUN: %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: words compared, 0 differences

// A matrix product as a convolution: 16 engines with 32 lanes.
func.func @net(%x: tensor<1x512x1x1xf16> {ane.name = "image"}) -> (tensor<1x512x1x1xf16> {ane.name = "probs@output"}) {
  %w = ane.constant dense<0.0> : tensor<512x512x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x512x1x1xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x1x1xf16>
  return %0 : tensor<1x512x1x1xf16>
}
