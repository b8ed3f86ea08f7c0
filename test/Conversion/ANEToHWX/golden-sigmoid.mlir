// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks{stretch-tables=false},ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/sigmoid.hwx > %t.theirs
// RUN: %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: words compared, 0 differences

// A table, with samples and the values outside the domain by rule.
func.func @net(%x: tensor<1x1x1x77xf16> {ane.name = "image"}) -> (tensor<1x1x1x77xf16> {ane.name = "probs@output"}) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x77xf16> -> tensor<1x1x1x77xf16>
  return %0 : tensor<1x1x1x77xf16>
}
