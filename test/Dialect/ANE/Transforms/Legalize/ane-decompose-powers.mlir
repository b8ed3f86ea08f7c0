// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize}" -o /dev/null 2>&1 | FileCheck %s
// CHECK: computes the same

// Powers of what is below zero, which has no logarithm.
func.func @powers(%x: tensor<1x2x3x4xf16>) -> (tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) {
  %zero = ane.constant dense<0.0> : tensor<1x1x1x1xf16>
  %three = ane.constant dense<-3.0> : tensor<1x1x1x1xf16>
  %nine = ane.constant dense<9.0> : tensor<1x1x1x1xf16>
  %four = ane.constant dense<4.0> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise pow %x, %zero : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x3x4xf16>
  %1 = ane.elementwise sub %x, %four : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x3x4xf16>
  %2 = ane.elementwise pow %1, %three : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x3x4xf16>
  %3 = ane.elementwise pow %x, %nine : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x3x4xf16>
  return %0, %2, %3 : tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>
}
