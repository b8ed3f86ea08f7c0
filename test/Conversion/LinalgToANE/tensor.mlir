// RUN: ane-opt %s --convert-linalg-to-ane --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @shapes
// CHECK: ane.reshape %{{.*}} : tensor<1x4x6xf16> -> tensor<4x6xf16>
// CHECK: ane.reshape %{{.*}} : tensor<4x6xf16> -> tensor<2x2x6xf16>
// CHECK: ane.pad %{{.*}} {high = array<i64: 0, 0, 2>, low = array<i64: 0, 1, 0>, value = 1.000000e+00 : f32} : tensor<2x2x6xf16> -> tensor<2x3x8xf16>
// CHECK: %[[S:.*]] = ane.slice %{{.*}} {offsets = array<i64: 1, 0, 2>, sizes = array<i64: 1, 3, 2>, strides = array<i64: 1, 1, 2>} : tensor<2x3x8xf16> -> tensor<1x3x2xf16>
// CHECK: %[[R:.*]] = ane.reshape %[[S]] : tensor<1x3x2xf16> -> tensor<3x2xf16>
// CHECK: ane.concat %[[R]], %{{.*}} {axis = 1 : i64} : tensor<3x2xf16>, tensor<3x1xf16> -> tensor<3x3xf16>
func.func @shapes(%x: tensor<1x4x6xf32>) -> tensor<3x3xf32> {
  %c = arith.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %one = arith.constant 1.0 : f32
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x4x6xf32> into tensor<4x6xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  %2 = tensor.pad %1 low[0, 1, 0] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : f32
  } : tensor<2x2x6xf32> to tensor<2x3x8xf32>
  %3 = tensor.extract_slice %2[1, 0, 2] [1, 3, 2] [1, 1, 2] : tensor<2x3x8xf32> to tensor<3x2xf32>
  %4 = tensor.concat dim(1) %3, %c : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %4 : tensor<3x3xf32>
}

// -----

// What lies before and behind a box, along one dimension after the other.

// CHECK-LABEL: func.func @insert
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[D:.*]] = ane.cast %arg1
// CHECK: %[[L:.*]] = ane.slice %[[D]] {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 1>
// CHECK: %[[R:.*]] = ane.slice %[[D]] {offsets = array<i64: 1, 3>, sizes = array<i64: 2, 1>
// CHECK: %[[B:.*]] = ane.concat %[[L]], %[[X]], %[[R]] {axis = 1 : i64}
// CHECK: %[[T:.*]] = ane.slice %[[D]] {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 4>
// CHECK: ane.concat %[[T]], %[[B]] {axis = 0 : i64}
func.func @insert(%x: tensor<2x2xf32>, %d: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = tensor.insert_slice %x into %d[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Boxes side by side in a tensor that holds nothing, in any order: a row above
// two pieces.

// CHECK-LABEL: func.func @filled
// CHECK-SAME: %arg0: tensor<1x4xf32>, %arg1: tensor<2x1xf32>, %arg2: tensor<2x3xf32>
// CHECK-DAG: %[[A:.*]] = ane.cast %arg0
// CHECK-DAG: %[[B:.*]] = ane.cast %arg1
// CHECK-DAG: %[[C:.*]] = ane.cast %arg2
// CHECK: %[[D:.*]] = ane.concat %[[B]], %[[C]] {axis = 1 : i64} : tensor<2x1xf16>, tensor<2x3xf16> -> tensor<2x4xf16>
// CHECK: ane.concat %[[A]], %[[D]] {axis = 0 : i64} : tensor<1x4xf16>, tensor<2x4xf16> -> tensor<3x4xf16>
func.func @filled(%a: tensor<1x4xf32>, %b: tensor<2x1xf32>, %c: tensor<2x3xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = tensor.insert_slice %c into %e[1, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<3x4xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
  %2 = tensor.insert_slice %b into %1[1, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----

// A box in a tensor of one number is padding, with strides between elements, too.

// CHECK-LABEL: func.func @gaps
// CHECK: %[[R:.*]] = ane.reshape %{{.*}} : tensor<2x3xf16> -> tensor<2x3x1x1xf16>
// CHECK: %[[P:.*]] = ane.pad %[[R]] {high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 0, 0>, value = 5.000000e+00 : f32} : tensor<2x3x1x1xf16> -> tensor<2x3x2x1xf16>
// CHECK: %[[F:.*]] = ane.reshape %[[P]] : tensor<2x3x2x1xf16> -> tensor<2x6xf16>
// CHECK: %[[S:.*]] = ane.slice %[[F]] {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 5>, strides = array<i64: 1, 1>}
// CHECK: ane.pad %[[S]] {high = array<i64: 1, 1>, low = array<i64: 0, 2>, value = 5.000000e+00 : f32} : tensor<2x5xf16> -> tensor<3x8xf16>
func.func @gaps(%x: tensor<2x3xf32>) -> tensor<3x8xf32> {
  %fives = arith.constant dense<5.0> : tensor<3x8xf32>
  %0 = tensor.insert_slice %x into %fives[0, 2] [2, 3] [1, 2] : tensor<2x3xf32> into tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
