// RUN: ane-opt %s --ane-unify-rank | FileCheck %s

// CHECK-LABEL: @three
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<3x5x7xf16> -> tensor<1x3x5x7xf16>
// CHECK: %[[Y:.*]] = ane.reshape %arg1 : tensor<3x1x7xf16> -> tensor<1x3x1x7xf16>
// CHECK: %[[Z:.*]] = ane.elementwise add %[[X]], %[[Y]] : tensor<1x3x5x7xf16>, tensor<1x3x1x7xf16> -> tensor<1x3x5x7xf16>
// CHECK: ane.reshape %[[Z]] : tensor<1x3x5x7xf16> -> tensor<3x5x7xf16>
func.func @three(%x: tensor<3x5x7xf16>, %y: tensor<3x1x7xf16>) -> tensor<3x5x7xf16> {
  %z = ane.elementwise add %x, %y : tensor<3x5x7xf16>, tensor<3x1x7xf16> -> tensor<3x5x7xf16>
  return %z : tensor<3x5x7xf16>
}

// The axis moves with its dimension.
// CHECK-LABEL: @softmax
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<5x7xf16> -> tensor<1x1x5x7xf16>
// CHECK: ane.softmax %[[X]] {axis = 3 : i64} : tensor<1x1x5x7xf16>
func.func @softmax(%x: tensor<5x7xf16>) -> tensor<5x7xf16> {
  %z = ane.softmax %x {axis = 1 : i64} : tensor<5x7xf16> -> tensor<5x7xf16>
  return %z : tensor<5x7xf16>
}

// Dimensions that no op tells apart become one.
// CHECK-LABEL: @five
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<2x3x4x5x6xf16> -> tensor<2x12x5x6xf16>
// CHECK: %[[Z:.*]] = ane.activation %[[X]] {function = #ane.act<relu>} : tensor<2x12x5x6xf16>
// CHECK: ane.reshape %[[Z]] : tensor<2x12x5x6xf16> -> tensor<2x3x4x5x6xf16>
func.func @five(%x: tensor<2x3x4x5x6xf16>) -> tensor<2x3x4x5x6xf16> {
  %z = ane.activation %x {function = #ane.act<relu>} : tensor<2x3x4x5x6xf16> -> tensor<2x3x4x5x6xf16>
  return %z : tensor<2x3x4x5x6xf16>
}
