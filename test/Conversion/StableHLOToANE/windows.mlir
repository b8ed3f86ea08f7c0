// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// CHECK-LABEL: func.func @conv
// CHECK: %[[X:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>}
// CHECK: %[[W:.*]] = ane.transpose %{{.*}} {perm = array<i64: 3, 2, 0, 1>} : tensor<3x3x3x4xf32> -> tensor<4x3x3x3xf32>
// CHECK: %[[Y:.*]] = ane.conv %[[X]], %[[W]] {pad = array<i64: 0, 1, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf32> -> tensor<1x4x4x4xf16>
// CHECK: ane.transpose %[[Y]] {perm = array<i64: 0, 2, 3, 1>}
func.func @conv(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x4xf32> {
  %w = stablehlo.constant dense<0.5> : tensor<3x3x3x4xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// In our order nothing is moved; a sequence is an image of one row.

// CHECK-LABEL: func.func @orders
// CHECK-NOT: ane.transpose
// CHECK: ane.conv %{{.*}} {dilations = array<i64: 2, 2>, groups = 4 : i64} : tensor<1x4x9x9xf16>, tensor<8x1x3x3xf32> -> tensor<1x8x5x5xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x4x1x9xf16>, tensor<2x4x1x3xf32> -> tensor<1x2x1x7xf16>
func.func @orders(%x: tensor<1x4x9x9xf32>, %s: tensor<1x4x9xf32>) -> (tensor<1x8x5x5xf32>, tensor<1x2x7xf32>) {
  %w = stablehlo.constant dense<0.5> : tensor<8x1x3x3xf32>
  %v = stablehlo.constant dense<0.5> : tensor<2x4x3xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x9x9xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x5x5xf32>
  %1 = stablehlo.convolution(%s, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x9xf32>, tensor<2x4x3xf32>) -> tensor<1x2x7xf32>
  return %0, %1 : tensor<1x8x5x5xf32>, tensor<1x2x7xf32>
}

// -----

// Pixels that lie apart: a transposed convolution, whose kernel is reversed once more.

// CHECK-LABEL: func.func @transposed
// CHECK: ane.conv_transpose %{{.*}} {pad = array<i64: 0, 0, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x3x4x4xf16>, tensor<3x5x2x2xf32> -> tensor<1x5x8x6xf16>
func.func @transposed(%x: tensor<1x3x4x4xf32>) -> tensor<1x5x8x6xf32> {
  %w = stablehlo.constant dense<0.5> : tensor<5x3x2x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [0, 0]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<5x3x2x2xf32>) -> tensor<1x5x8x6xf32>
  return %0 : tensor<1x5x8x6xf32>
}

// -----

// A sum is an average times the elements of a window.

// CHECK-LABEL: func.func @pools
// CHECK: ane.pool max %{{.*}} {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x3x8x8xf16> -> tensor<1x3x4x4xf16>
// CHECK: %[[A:.*]] = ane.pool average %{{.*}} {count_include_pad, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>
// CHECK: ane.constant dense<9.000000e+00>
// CHECK: ane.elementwise mul %[[A]]
func.func @pools(%x: tensor<1x8x8x3xf32>) -> (tensor<1x4x4x3xf32>, tensor<1x8x8x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %inf) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x8x8x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x8x8x3xf32>, tensor<f32>) -> tensor<1x8x8x3xf32>
  return %0, %1 : tensor<1x4x4x3xf32>, tensor<1x8x8x3xf32>
}

// -----

// The gradient of a maximum pooling: one of each window is equal to the maximum,
// and the first.
// CHECK-LABEL: func @scatter(
// CHECK-COUNT-4: ane.slice
// CHECK-COUNT-3: ane.elementwise max
// CHECK: %[[ONE:.*]] = ane.compare eq
// CHECK: ane.elementwise mul %[[ONE]]
// CHECK: %[[TWO:.*]] = ane.compare eq
// CHECK: %[[BOTH:.*]] = ane.elementwise max %[[ONE]], %[[TWO]]
// CHECK: ane.elementwise sub %[[BOTH]], %[[ONE]]
// CHECK: ane.concat {{.*}} -> tensor<1x3x4x2x2xf16>
// CHECK: ane.conv_transpose {{.*}}groups = 3 : i64{{.*}} tensor<1x12x2x2xf16>, tensor<12x1x2x2xf32> -> tensor<1x3x4x4xf16>
func.func @scatter(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
