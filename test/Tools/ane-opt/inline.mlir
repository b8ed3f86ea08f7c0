// Calls are inlined, as errors about them advise.
// RUN: not ane-compile %s --function=f -o %t.hwx 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: ane-opt %s --inline | FileCheck %s
// ERROR: inline the callee first (ane-opt --inline)

func.func private @ours(%x: tensor<1x8xf16>) -> tensor<1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8xf16> -> tensor<1x8xf16>
  return %0 : tensor<1x8xf16>
}

func.func private @theirs(%x: tensor<1x8xf16>) -> tensor<1x8xf16> {
  %0 = tosa.exp %x : (tensor<1x8xf16>) -> tensor<1x8xf16>
  return %0 : tensor<1x8xf16>
}

// CHECK-LABEL: func.func @f(
// CHECK-NOT: call
// CHECK: ane.activation
// CHECK: tosa.exp
func.func @f(%x: tensor<1x8xf16>) -> tensor<1x8xf16> {
  %0 = func.call @ours(%x) : (tensor<1x8xf16>) -> tensor<1x8xf16>
  %1 = func.call @theirs(%0) : (tensor<1x8xf16>) -> tensor<1x8xf16>
  return %1 : tensor<1x8xf16>
}
