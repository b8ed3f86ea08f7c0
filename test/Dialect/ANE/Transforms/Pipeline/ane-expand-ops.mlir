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

// Channels of two heads that are all turned are those of the turned whole, which the
// convolution stores. Where one is not, or is turned another way, each turns its own.
// CHECK-LABEL: func @turned_heads
// CHECK: %[[CONV:.*]] = ane.conv %arg0
// CHECK: %[[WHOLE:.*]] = ane.transpose %[[CONV]] {perm = array<i64: 0, 3, 2, 1>} : tensor<1x64x8x16xf16> -> tensor<1x16x8x64xf16>
// CHECK-DAG: ane.slice %[[WHOLE]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 8, 32>
// CHECK-DAG: ane.slice %[[WHOLE]] {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 16, 8, 32>
// CHECK-NOT: ane.transpose
// CHECK: return
func.func @turned_heads(%x: tensor<1x16x8x16xf16>) -> (tensor<1x16x8x32xf16>, tensor<1x16x8x32xf16>) {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  %y = ane.conv %x, %w : tensor<1x16x8x16xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x8x16xf16>
  %a = ane.slice %y {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x8x16xf16> -> tensor<1x32x8x16xf16>
  %b = ane.slice %y {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 1, 32, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x8x16xf16> -> tensor<1x32x8x16xf16>
  %c = ane.transpose %a {perm = array<i64: 0, 3, 2, 1>} : tensor<1x32x8x16xf16> -> tensor<1x16x8x32xf16>
  %d = ane.transpose %b {perm = array<i64: 0, 3, 2, 1>} : tensor<1x32x8x16xf16> -> tensor<1x16x8x32xf16>
  return %c, %d : tensor<1x16x8x32xf16>, tensor<1x16x8x32xf16>
}

// CHECK-LABEL: func @heads_turned_apart
// CHECK: ane.slice
// CHECK-COUNT-2: ane.transpose
func.func @heads_turned_apart(%x: tensor<1x16x8x16xf16>) -> (tensor<1x16x8x32xf16>, tensor<1x8x16x32xf16>) {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  %y = ane.conv %x, %w : tensor<1x16x8x16xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x8x16xf16>
  %a = ane.slice %y {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x8x16xf16> -> tensor<1x32x8x16xf16>
  %b = ane.slice %y {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 1, 32, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x8x16xf16> -> tensor<1x32x8x16xf16>
  %c = ane.transpose %a {perm = array<i64: 0, 3, 2, 1>} : tensor<1x32x8x16xf16> -> tensor<1x16x8x32xf16>
  %d = ane.transpose %b {perm = array<i64: 0, 2, 3, 1>} : tensor<1x32x8x16xf16> -> tensor<1x8x16x32xf16>
  return %c, %d : tensor<1x16x8x32xf16>, tensor<1x8x16x32xf16>
}
