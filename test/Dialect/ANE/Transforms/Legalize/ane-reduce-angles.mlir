// RUN: ane-opt %s --ane-reduce-angles | FileCheck %s

// The product is of digits of the position; the sine of a computed value stays.
// CHECK-LABEL: @angles
// CHECK-NOT: ane.elementwise mul %arg0, %arg0
// CHECK: {function = #ane.act<trunc>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<sin>}
func.func @angles(%p: tensor<1x1x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.activation %a {function = #ane.act<sin>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}

// CHECK-LABEL: @computed
// CHECK: ane.activation %arg0 {function = #ane.act<tanh>}
// CHECK-NEXT: ane.activation %{{.*}} {function = #ane.act<sin>}
func.func @computed(%x: tensor<1x8x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %a = ane.activation %x {function = #ane.act<tanh>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  %y = ane.activation %a {function = #ane.act<sin>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}
