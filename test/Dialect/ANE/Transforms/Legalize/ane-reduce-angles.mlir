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

// A sine that the product applies itself, with a factor of its own and a summand of more than one turn.
// CHECK-LABEL: @applied
// CHECK: {function = #ane.act<trunc>}
// CHECK: %[[P:.*]] = ane.constant dense<1.00000{{.*}}> : tensor<1x1x1x1xf32>
// CHECK: %[[A:.*]] = ane.elementwise add %{{.*}}, %[[P]] : tensor<1x8x1x4xf16>
// CHECK-NEXT: ane.activation %[[A]] {function = #ane.act<cos>}
// CHECK-NOT: activation = #ane.act<cos>
func.func @applied(%p: tensor<1x1x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %y = ane.elementwise mul %p, %f {scale = 2.0 : f32, bias = 7.28318548 : f32, activation = #ane.act<cos>} : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}

// A constant that comes to the angle.
// CHECK-LABEL: @phase
// CHECK: {function = #ane.act<trunc>}
// CHECK: ane.elementwise add %{{.*}}, %{{.*}} {activation = #ane.act<sin>}
func.func @phase(%p: tensor<1x1x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %c = ane.constant dense<0.5> : tensor<1x8x1x1xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.elementwise add %a, %c {activation = #ane.act<sin>} : tensor<1x8x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}

// What is not a constant is no angle that could be reduced.
// CHECK-LABEL: @unknown
// CHECK-NOT: trunc
func.func @unknown(%p: tensor<1x1x1x4xf16>, %c: tensor<1x8x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.elementwise add %a, %c {activation = #ane.act<sin>} : tensor<1x8x1x4xf16>, tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}
