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

// An input of f32 may have more bits than f16: it becomes two, of the names that a program would give, and
// the digits of both come to the angle. Its other users get the halves.
// CHECK-LABEL: @pair
// CHECK-SAME: %[[P:.*]]: tensor<1x1x1x4xf32> {ane.name = "input0"}, %[[LOW:[^:]*]]: tensor<1x1x1x4xf16> {ane.low, ane.name = "input0.low_"}, %{{.*}}: tensor<1x1x1x4xf16> {ane.name = "input1"}) -> (tensor<1x8x1x4xf16> {ane.name = "input0.low"}, tensor<1x1x1x4xf16> {ane.name = "output1"})
// CHECK: %[[HIGH:.*]] = ane.cast %[[P]]
// CHECK: ane.activation %[[LOW]] {function = #ane.act<trunc>}
// CHECK: ane.activation %[[LOW]] {function = #ane.act<fraction>}
// CHECK: ane.elementwise add %[[HIGH]], %arg2
func.func @pair(%p: tensor<1x1x1x4xf32>, %q: tensor<1x1x1x4xf16>) -> (tensor<1x8x1x4xf16> {ane.name = "input0.low"}, tensor<1x1x1x4xf16>) {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %h = ane.cast %p : tensor<1x1x1x4xf32> -> tensor<1x1x1x4xf16>
  %a = ane.elementwise mul %h, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.activation %a {function = #ane.act<sin>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  %z = ane.elementwise add %h, %q : tensor<1x1x1x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16>
  return %y, %z : tensor<1x8x1x4xf16>, tensor<1x1x1x4xf16>
}

// What is known to be small loses nothing that counts.
// CHECK-LABEL: @small
// CHECK-NOT: ane.low
// CHECK: return
func.func @small(%p: tensor<1x1x1x4xf32> {ane.range = [-2.0, 2.0]}) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %h = ane.cast %p : tensor<1x1x1x4xf32> -> tensor<1x1x1x4xf16>
  %a = ane.elementwise mul %h, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.activation %a {function = #ane.act<sin>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %y : tensor<1x8x1x4xf16>
}

// A sum of inputs and numbers: none of it is rounded, each input has its digits. What moves the sum moves both halves.
// CHECK-LABEL: @sums
// CHECK-SAME: %[[P:.*]]: tensor<4xf32> {{.*}}, %[[LOW:.*]]: tensor<4xf16> {ane.low, ane.name = "p.low"}, %[[Q:.*]]: tensor<1x1x1x4xf16>
// CHECK: ane.reshape %[[LOW]] : tensor<4xf16> -> tensor<1x1x1x4xf16>
// CHECK-NOT: ane.elementwise add %[[Q]], %[[Q]]
// CHECK: %[[TRUNC:.*]] = ane.elementwise mul %[[Q]], %{{.*}} : tensor<1x1x1x4xf16>, tensor<1x1x1x1xf32>
// CHECK: ane.activation %[[TRUNC]] {function = #ane.act<trunc>}
// CHECK: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x8x1x4xf16>, tensor<1x8x1x1xf32>
func.func @sums(%p: tensor<4xf32> {ane.name = "p"}, %q: tensor<1x1x1x4xf16>) -> tensor<1x8x1x4xf16> {
  %f = ane.constant dense<0.3> : tensor<1x8x1x1xf32>
  %c = ane.constant dense<1000.5> : tensor<1x1x1x1xf32>
  %h = ane.cast %p : tensor<4xf32> -> tensor<4xf16>
  %r = ane.reshape %h : tensor<4xf16> -> tensor<1x1x1x4xf16>
  %d = ane.elementwise sub %r, %q {scale = 0.5 : f32} : tensor<1x1x1x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16>
  %s = ane.elementwise add %d, %c : tensor<1x1x1x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x4xf16>
  %a = ane.elementwise mul %s, %f : tensor<1x1x1x4xf16>, tensor<1x8x1x1xf32> -> tensor<1x8x1x4xf16>
  %y = ane.activation %a {function = #ane.act<sin>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
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
