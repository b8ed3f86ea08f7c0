// RUN: ane-opt %s --ane-cut-long-rows | FileCheck %s
// RUN: ane-opt %s --ane-tile-images=early | FileCheck %s --check-prefix=EARLY

// Images and channels are alike to a function of elements.
// CHECK-LABEL: @elements
// CHECK: ane.activation %{{.*}} {function = #ane.act<relu>} : tensor<1x6000x4x4xf16>
// EARLY-LABEL: @elements
// EARLY: ane.activation %{{.*}} {function = #ane.act<relu>} : tensor<1x6000x4x4xf16>
func.func @elements(%x: tensor<2000x3x4x4xf16>) -> tensor<2000x3x4x4xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<2000x3x4x4xf16> -> tensor<2000x3x4x4xf16>
  return %y : tensor<2000x3x4x4xf16>
}

// A batch is none of these.
// CHECK-LABEL: @batch
// CHECK: ane.activation %arg0 {function = #ane.act<relu>} : tensor<64x3x4x4xf16>
func.func @batch(%x: tensor<64x3x4x4xf16>) -> tensor<64x3x4x4xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<64x3x4x4xf16> -> tensor<64x3x4x4xf16>
  return %y : tensor<64x3x4x4xf16>
}

// The sum over channels keeps them apart: they are rows.
// CHECK-LABEL: @softmax
// CHECK: ane.softmax %{{.*}} {axis = 2 : i64} : tensor<1x2000x6x1xf16>
func.func @softmax(%x: tensor<2000x6x1x1xf16>) -> tensor<2000x6x1x1xf16> {
  %y = ane.softmax %x {axis = 1 : i64} : tensor<2000x6x1x1xf16> -> tensor<2000x6x1x1xf16>
  return %y : tensor<2000x6x1x1xf16>
}

// Neither is possible where there are rows, too.
// CHECK-LABEL: @norm_of_channels
// CHECK: ane.rms_norm %arg0 {{.*}} : tensor<2000x6x4x4xf16>
func.func @norm_of_channels(%x: tensor<2000x6x4x4xf16>) -> tensor<2000x6x4x4xf16> {
  %y = ane.rms_norm %x {axes = array<i64: 1>, epsilon = 0.01 : f32} : tensor<2000x6x4x4xf16> -> tensor<2000x6x4x4xf16>
  return %y : tensor<2000x6x4x4xf16>
}

// One number for each channel is the same for all its rows.
// CHECK-LABEL: @of_channels
// CHECK-DAG: %[[X:.*]] = ane.reshape %arg0 : tensor<2000x3x2x4xf16> -> tensor<1x2000x6x4xf16>
// CHECK-DAG: %[[C:.*]] = ane.constant dense<{{.*}}1.000000e+00{{.*}}1.000000e+00{{.*}}2.000000e+00{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}3.000000e+00{{.*}}> : tensor<1x1x6x1xf32>
// CHECK: ane.elementwise add %[[X]], %[[C]] : tensor<1x2000x6x4xf16>, tensor<1x1x6x1xf32>
func.func @of_channels(%x: tensor<2000x3x2x4xf16>) -> tensor<2000x3x2x4xf16> {
  %c = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise add %x, %c : tensor<2000x3x2x4xf16>, tensor<1x3x1x1xf16> -> tensor<2000x3x2x4xf16>
  return %y : tensor<2000x3x2x4xf16>
}

// Windows are of one channel each.
// CHECK-LABEL: @pool
// CHECK: ane.pool max %{{.*}} : tensor<1x6000x4x4xf16> -> tensor<1x6000x2x2xf16>
func.func @pool(%x: tensor<2000x3x4x4xf16>) -> tensor<2000x3x2x2xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<2000x3x4x4xf16> -> tensor<2000x3x2x2xf16>
  return %y : tensor<2000x3x2x2xf16>
}

// Two products of elements and their sum, for more matrices than there are tasks.
// CHECK-LABEL: @matrices
// CHECK-NOT: ane.matmul
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise add
// CHECK: ane.activation %{{.*}} {function = #ane.act<relu>}
// CHECK-LABEL: @few_matrices
// CHECK: ane.matmul
func.func @matrices(%x: tensor<70000x1x2x3xf16>, %y: tensor<70000x1x2x4xf16>) -> tensor<70000x1x3x4xf16> {
  %z = ane.matmul %x, %y {transpose_lhs, activation = #ane.act<relu>} : tensor<70000x1x2x3xf16>, tensor<70000x1x2x4xf16> -> tensor<70000x1x3x4xf16>
  return %z : tensor<70000x1x3x4xf16>
}
func.func @few_matrices(%x: tensor<700x1x2x3xf16>, %y: tensor<700x1x2x4xf16>) -> tensor<700x1x3x4xf16> {
  %z = ane.matmul %x, %y {transpose_lhs} : tensor<700x1x2x3xf16>, tensor<700x1x2x4xf16> -> tensor<700x1x3x4xf16>
  return %z : tensor<700x1x3x4xf16>
}
