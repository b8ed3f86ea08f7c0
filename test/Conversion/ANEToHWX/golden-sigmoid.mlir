// REQUIRES: golden
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --dump-format=json %t.hwx > %t.ours
// RUN: ane-translate --dump-hwx --dump-format=json %golden/hwx/sigmoid.hwx > %t.theirs
// RUN: not %python %S/Inputs/compare-programs.py %t.ours %t.theirs | FileCheck %s
// CHECK: task 0 register 0xc810: ours 3d55, theirs 3c00
// CHECK: constants:
// CHECK: words compared, 2 differences

// A table of our own, which is nearer to the function: it is looked up at 4/3 of the
// argument. All other words are those of the file.
func.func @net(%x: tensor<1x1x1x77xf16> {ane.name = "image"}) -> (tensor<1x1x1x77xf16> {ane.name = "probs@output"}) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x77xf16> -> tensor<1x1x1x77xf16>
  return %0 : tensor<1x1x1x77xf16>
}
