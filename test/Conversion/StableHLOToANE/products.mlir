// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// CHECK-LABEL: func.func @dense
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x8xf16>, tensor<8x4xf32> -> tensor<1x4xf16>
func.func @dense(%x: tensor<1x8xf32>) -> tensor<1x4xf32> {
  %w = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

// Matrices that lie transposed are not moved; those with heads in the middle are.

// CHECK-LABEL: func.func @orders
// CHECK: ane.matmul %{{.*}}, %{{.*}} {transpose_lhs, transpose_rhs} : tensor<2x5x3xf16>, tensor<2x4x5xf16> -> tensor<2x3x4xf16>
// CHECK: %[[Q:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>} : tensor<1x6x2x8xf16> -> tensor<1x2x6x8xf16>
// CHECK: ane.matmul %[[Q]], %{{.*}} : tensor<1x2x6x8xf16>, tensor<1x2x8x6xf16> -> tensor<1x2x6x6xf16>
func.func @orders(%x: tensor<2x5x3xf32>, %y: tensor<2x4x5xf32>, %q: tensor<1x6x2x8xf32>) -> (tensor<2x3x4xf32>, tensor<1x2x6x6xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<2x5x3xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.dot_general %q, %q, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<1x6x2x8xf32>, tensor<1x6x2x8xf32>) -> tensor<1x2x6x6xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<1x2x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @vectors
// CHECK: ane.matmul %{{.*}} -> tensor<3x1xf16>
// CHECK: ane.reshape %{{.*}} : tensor<3x1xf16> -> tensor<3xf16>
func.func @vectors(%x: tensor<3x4xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A start that changes something is combined.

// CHECK-LABEL: func.func @reductions
// CHECK: ane.reduce sum %{{.*}} {axes = array<i64: 0, 2>} : tensor<2x3x4xf16> -> tensor<1x3x1xf16>
// CHECK-NEXT: %[[R:.*]] = ane.reshape %{{.*}} : tensor<1x3x1xf16> -> tensor<3xf16>
// CHECK: ane.elementwise add %[[R]], %{{.*}} : tensor<3xf16>, tensor<1xf32> -> tensor<3xf16>
// CHECK: ane.reduce max %{{.*}} {axes = array<i64: 1>}
// CHECK-NOT: ane.elementwise
func.func @reductions(%x: tensor<2x3x4xf32>) -> (tensor<3xf32>, tensor<2x4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%x init: %inf) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<3xf32>, tensor<2x4xf32>
}
