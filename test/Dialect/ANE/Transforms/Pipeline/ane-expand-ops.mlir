// RUN: ane-opt %s --ane-expand-ops | FileCheck %s

// CHECK-LABEL: @average
// CHECK: %[[W:.*]] = ane.constant dense<2.500000e-01> : tensor<64x1x2x2xf16>
// CHECK: ane.conv %arg0, %[[W]] {groups = 64 : i64, strides = array<i64: 2, 2>}
func.func @average(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x64x8x8xf16> -> tensor<1x64x4x4xf16>
  return %y : tensor<1x64x4x4xf16>
}

// CHECK-LABEL: @softmax
// CHECK: %[[MOST:.*]] = ane.reduce max %arg0 {axes = array<i64: 3>}
// CHECK: %[[BELOW:.*]] = ane.elementwise sub %arg0, %[[MOST]] {scale = 1.44{{[0-9]*}} : f32}
// CHECK: %[[POWERS:.*]] = ane.activation %[[BELOW]] {function = #ane.act<exp2>}
// CHECK: %[[SHARE:.*]] = ane.reduce sum %[[POWERS]] {activation = #ane.act<reciprocal>, axes = array<i64: 3>}
// CHECK: ane.elementwise mul %[[POWERS]], %[[SHARE]]
func.func @softmax(%x: tensor<1x3x8x40xf16>) -> tensor<1x3x8x40xf16> {
  %y = ane.softmax %x {axis = 3 : i64} : tensor<1x3x8x40xf16> -> tensor<1x3x8x40xf16>
  return %y : tensor<1x3x8x40xf16>
}
