// RUN: ane-compile %s --function=second -o %t.hwx && ane-translate --dump-hwx %t.hwx | FileCheck %s
// RUN: not ane-compile %s --function=third -o %t.none.hwx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ane-compile %s -o %t.none.hwx 2>&1 | FileCheck %s --check-prefix=WHICH

// Ops of the dialect need no import, so one of several functions is only chosen.
// CHECK-NOT: first
// CHECK: second_output
// NONE: error: there is no function 'third' in the module; it has 'first', 'second'
// WHICH: error: the module has 2 functions ('first', 'second'), but a program has one; choose it with --function=NAME

func.func @first(%x: tensor<1x8x4x4xf16> {ane.name = "first_input"}) -> tensor<1x8x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

func.func @second(%x: tensor<1x8x4x4xf16>) -> (tensor<1x8x4x4xf16> {ane.name = "second_output"}) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}
