// RUN: ane-opt %s --ane-split-windows | FileCheck %s

// A pixel of the input makes a block of 2 x 2: four channels of one convolution for each
// channel, put side by side and below each other.
// CHECK-LABEL: @transposed
// CHECK: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<12x4x1x1xf32>
// CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] : tensor<1x4x4x4xf16>, tensor<12x4x1x1xf32> -> tensor<1x12x4x4xf16>
// CHECK: %[[COLUMNS:.*]] = ane.interleave %[[Y]] {factor = 2 : i64} : tensor<1x12x4x4xf16> -> tensor<1x6x4x8xf16>
// CHECK: %[[SPLIT:.*]] = ane.reshape %[[COLUMNS]] : tensor<1x6x4x8xf16> -> tensor<3x2x4x8xf16>
// CHECK: %[[ROWS:.*]] = ane.transpose %[[SPLIT]] {perm = array<i64: 0, 2, 1, 3>} : tensor<3x2x4x8xf16> -> tensor<3x4x2x8xf16>
// CHECK: ane.reshape %[[ROWS]] : tensor<3x4x2x8xf16> -> tensor<1x3x8x8xf16>
func.func @transposed(%x: tensor<1x4x4x4xf16>) -> tensor<1x3x8x8xf16> {
  %w = ane.constant dense<1.0> : tensor<4x3x2x2xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
  return %y : tensor<1x3x8x8xf16>
}

// A stride that the engine does not have, as wide as the window: its pixels are channels.
// CHECK-LABEL: @patches
// CHECK: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<8x256x1x1xf32>
// CHECK: %[[BLOCKS:.*]] = ane.reshape %arg0 : tensor<1x4x16x16xf16> -> tensor<1x4x2x8x2x8xf16>
// CHECK: %[[PIXELS:.*]] = ane.transpose %[[BLOCKS]] {perm = array<i64: 0, 1, 3, 5, 2, 4>}
// CHECK: %[[X:.*]] = ane.reshape %[[PIXELS]] : tensor<1x4x8x8x2x2xf16> -> tensor<1x256x2x2xf16>
// CHECK: ane.conv %[[X]], %[[W]] : tensor<1x256x2x2xf16>, tensor<8x256x1x1xf32> -> tensor<1x8x2x2xf16>
func.func @patches(%x: tensor<1x4x16x16xf16>) -> tensor<1x8x2x2xf16> {
  %w = ane.constant dense<1.0> : tensor<8x4x8x8xf16>
  %y = ane.conv %x, %w {strides = array<i64: 8, 8>} : tensor<1x4x16x16xf16>, tensor<8x4x8x8xf16> -> tensor<1x8x2x2xf16>
  return %y : tensor<1x8x2x2xf16>
}

// Weights that are data: a product of matrices.
// CHECK-LABEL: @data
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x4x8x8xf16> -> tensor<1x1x4x64xf16>
// CHECK: %[[Y:.*]] = ane.matmul %{{.*}}, %[[X]] : tensor<1x1x8x4xf16>, tensor<1x1x4x64xf16> -> tensor<1x1x8x64xf16>
// CHECK: ane.reshape %[[Y]] : tensor<1x1x8x64xf16> -> tensor<1x8x8x8xf16>
func.func @data(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x1x1xf16>) -> tensor<1x8x8x8xf16> {
  %y = ane.conv %x, %w : tensor<1x4x8x8xf16>, tensor<8x4x1x1xf16> -> tensor<1x8x8x8xf16>
  return %y : tensor<1x8x8x8xf16>
}

// What the engine has stays, also what other passes expand.
// CHECK-LABEL: @others
// CHECK-NEXT: ane.pool average %arg0
// CHECK-NEXT: return
func.func @others(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x4x8x8xf16> -> tensor<1x4x4x4xf16>
  return %y : tensor<1x4x4x4xf16>
}

// Channels of blocks that are more than an image has: some of the image's each.
// CHECK-LABEL: @channels_of_blocks
// CHECK: ane.conv %{{.*}} bias %{{.*}} : tensor<1x65535x2x1xf16>
// CHECK: ane.conv %{{[^:]*}} : tensor<1x24465x2x1xf16>
// CHECK: ane.elementwise add
// CHECK: ane.activation %{{.*}} {function = #ane.act<relu>}
func.func @channels_of_blocks(%x: tensor<1x30000x6x1xf16>) -> tensor<1x2x2x1xf16> {
  %w = ane.constant dense<1.0> : tensor<2x30000x3x1xf16>
  %b = ane.constant dense<1.0> : tensor<2xf16>
  %y = ane.conv %x, %w bias %b {strides = array<i64: 3, 1>, activation = #ane.act<relu>} : tensor<1x30000x6x1xf16>, tensor<2x30000x3x1xf16>, tensor<2xf16> -> tensor<1x2x2x1xf16>
  return %y : tensor<1x2x2x1xf16>
}
