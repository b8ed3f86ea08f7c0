// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/sum.hwx > %t.theirs
// RUN: %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: words compared, 0 differences

// Two sources on the PE. The inputs were declared in this order.
func.func @net(%y: tensor<1x64x1x1xf16> {ane.name = "image2"}, %x: tensor<1x64x1x1xf16> {ane.name = "image"}) -> (tensor<1x64x1x1xf16> {ane.name = "probs@output"}) {
  %0 = ane.elementwise add %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %0 : tensor<1x64x1x1xf16>
}
