// RUN: ane-opt %s --ane-recognize --split-input-file | FileCheck %s

// CHECK-LABEL: @log1p
// CHECK-NEXT: ane.activation %arg0 {function = #ane.act<log1p>}
// CHECK-NEXT: return
func.func @log1p(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %s = ane.elementwise add %one, %x : tensor<1x1x1x1xf32>, tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %y = ane.activation %s {function = #ane.act<log>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  return %y : tensor<1x2x3x4xf16>
}

// -----

// CHECK-LABEL: @expm1
// CHECK-NEXT: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<expm1>}
// CHECK-NEXT: %[[B:.*]] = ane.activation %arg0 {function = #ane.act<expm1>}
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @expm1(%x: tensor<1x2x3x4xf16>) -> (tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) {
  %one = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %less = ane.constant dense<-1.0> : tensor<1x1x1x1xf32>
  %p = ane.activation %x {function = #ane.act<exp>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %y = ane.elementwise sub %p, %one : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x3x4xf16>
  %z = ane.elementwise add %p, %less : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x3x4xf16>
  return %y, %z : tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>
}

// -----

// That of 1 and a power is a softplus, and other numbers are none of these.
// CHECK-LABEL: @others
// CHECK-NOT: log1p
// CHECK-NOT: expm1
func.func @others(%x: tensor<1x2x3x4xf16>) -> (tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) {
  %one = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %two = ane.constant dense<2.0> : tensor<1x1x1x1xf32>
  %p = ane.activation %x {function = #ane.act<exp>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %s = ane.elementwise add %p, %one : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x3x4xf16>
  %y = ane.activation %s {function = #ane.act<log>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %z = ane.elementwise sub %p, %two : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x3x4xf16>
  return %y, %z : tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>
}
