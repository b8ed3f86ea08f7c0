// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/concat.hwx > %t.theirs
// RUN: %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: words compared, 0 differences

// Two chained tasks that copy to their place. The inputs were declared in this
// order.
func.func @net(%b: tensor<1x16x1x1xf16> {ane.name = "input_1"}, %a: tensor<1x16384x1x1xf16> {ane.name = "input_0"}) -> (tensor<1x16400x1x1xf16> {ane.name = "output@output"}) {
  %0 = ane.concat %a, %b {axis = 1 : i64} : tensor<1x16384x1x1xf16>, tensor<1x16x1x1xf16> -> tensor<1x16400x1x1xf16>
  return %0 : tensor<1x16400x1x1xf16>
}
