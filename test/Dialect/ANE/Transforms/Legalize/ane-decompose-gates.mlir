// RUN: ane-opt %s --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 --split-input-file | FileCheck %s --check-prefix=ZIN

// A table of x g(x) is off by some thousandths near zero, whatever x is. In images, where its
// size is not known, there is a table of 2 g - 1, which is odd, a product and a sum.

// CHECK-LABEL: @behind_a_convolution
// CHECK: %[[X:.*]] = ane.conv %arg0, %{{[^{]*}} : tensor<1x4x8x8xf16>
// CHECK: %[[H:.*]] = ane.activation %[[X]] {function = #ane.act<scaled_tanh, 1.000000e+00, 5.000000e-01>}
// CHECK: %[[P:.*]] = ane.elementwise mul %[[X]], %[[H]]
// CHECK: ane.elementwise add %[[P]], %[[X]] {scale = 5.000000e-01 : f32}
// ZIN-LABEL: @behind_a_convolution
// ZIN: ane.conv {{.*}}#ane.act<silu>
func.func @behind_a_convolution(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<4x4x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<silu>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// That of hard swish has no curve, so it is exact.
// CHECK-LABEL: @hard_swish
// CHECK: %[[G:.*]] = ane.activation %arg0 {function = #ane.act<hard_sigmoid, 0.1666{{[0-9]*}}, 5.0{{.*}}>}
// CHECK: ane.elementwise mul %arg0, %[[G]]
func.func @hard_swish(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<hard_swish>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// CHECK-LABEL: @elu
// CHECK: %[[N:.*]] = ane.elementwise max %arg0,
// CHECK: %[[G:.*]] = ane.activation %[[N]] {function = #ane.act<elu_factor, 2.000000e+00>}
// CHECK: ane.elementwise mul %[[N]], %[[G]]
func.func @elu(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<elu, 2.0>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// What weights make of a norm is about 1, of which the table is fine.
// CHECK-LABEL: @behind_a_norm
// CHECK: ane.conv {{.*}}#ane.act<silu, 1.33
// CHECK-NOT: sigmoid
func.func @behind_a_norm(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<4x4x1x1xf16>
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %y = ane.conv %n, %w {activation = #ane.act<silu>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// Nobody knows the size of what weights make of tokens alone.
// CHECK-LABEL: @of_tokens
// CHECK: ane.conv {{.*}}#ane.act<scaled_tanh
// CHECK-NOT: #ane.act<silu
func.func @of_tokens(%x: tensor<1x4x1x8xf16>) -> tensor<1x4x1x8xf16> {
  %w = ane.constant dense<0.5> : tensor<4x4x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<silu>} : tensor<1x4x1x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x1x8xf16>
  return %y : tensor<1x4x1x8xf16>
}
