// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// CHECK-LABEL: func.func @broadcast
// CHECK: %[[R:.*]] = ane.reshape %{{.*}} : tensor<4xf16> -> tensor<1x4x1xf16>
// CHECK: ane.tile %[[R]] {repeats = array<i64: 2, 1, 3>} : tensor<1x4x1xf16> -> tensor<2x4x3xf16>
func.func @broadcast(%x: tensor<4xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// Dimensions may change their order.

// CHECK-LABEL: func.func @broadcast_order
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 1, 0>} : tensor<2x4xf16> -> tensor<4x2xf16>
func.func @broadcast_order(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @moves
// CHECK: ane.reshape %{{.*}} : tensor<2x6xf16> -> tensor<3x4xf16>
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 1, 0>}
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 2>, strides = array<i64: 2, 1>} : tensor<4x3xf16> -> tensor<2x2xf16>
// CHECK: ane.concat %{{.*}} {axis = 1 : i64} : tensor<2x2xf16>, tensor<2x6xf16> -> tensor<2x8xf16>
func.func @moves(%x: tensor<2x6xf32>) -> tensor<2x8xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.slice %1 [1:4:2, 0:2] : (tensor<4x3xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.concatenate %2, %x, dim = 1 : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// Negative padding takes elements away.

// CHECK-LABEL: func.func @pad
// CHECK: %[[S:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 2>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<2x6xf16> -> tensor<2x4xf16>
// CHECK: ane.pad %[[S]] {high = array<i64: 0, 3>, low = array<i64: 1, 0>, value = 5.000000e-01 : f32} : tensor<2x4xf16> -> tensor<3x7xf16>
func.func @pad(%x: tensor<2x6xf32>) -> tensor<3x7xf32> {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [1, -2], high = [0, 3], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// -----

// CHECK-LABEL: func.func @counted
// CHECK: %[[I:.*]] = ane.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00{{\]\]}}> : tensor<1x3xf32>
// CHECK: ane.tile %[[I]] {repeats = array<i64: 2, 1>} : tensor<1x3xf32> -> tensor<2x3xf32>
func.func @counted(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.convert %0 : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %x, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
