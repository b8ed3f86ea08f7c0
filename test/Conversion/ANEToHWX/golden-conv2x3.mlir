// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/conv2x3.hwx > %t.theirs
// RUN: %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: words compared, 0 differences

// A convolution 1x1 with 3 channels: 3 of 4 engines have a stream.
func.func @net(%x: tensor<1x3x1x1xf16> {ane.name = "image"}) -> (tensor<1x3x1x1xf16> {ane.name = "probs@output"}) {
  %w = ane.constant dense<3.0> : tensor<3x3x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x3x1x1xf16>, tensor<3x3x1x1xf16> -> tensor<1x3x1x1xf16>
  return %0 : tensor<1x3x1x1xf16>
}
