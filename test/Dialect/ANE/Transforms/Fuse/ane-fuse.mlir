// RUN: ane-opt %s --ane-fuse --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-fuse=flavour=zin-9.509 --split-input-file | FileCheck %s --check-prefix=ZIN

// The batch norm of a source: ((y - mean) * factor) * gamma + beta, with a bias
// and a relu. Channel 0: a = 2 * 3, b = 6 * (0.5 - 1) + 10; channel 1: a = 4 * 0.5.
// CHECK-LABEL: func @batch_norm
func.func @batch_norm(%x: tensor<1x1x4x4xf16>) -> tensor<1x2x4x4xf16> {
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<{{\[\[\[\[}}6.000000e+00]]], {{\[\[\[}}-2.000000e+00]]]]> : tensor<2x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = ane.constant dense<[7.000000e+00, -2.000000e+00]> : tensor<2xf32>
  // CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] bias %[[B]] {activation = #ane.act<relu>} : tensor<1x1x4x4xf16>, tensor<2x1x1x1xf32>, tensor<2xf32> -> tensor<1x2x4x4xf16>
  // CHECK-NEXT: return %[[Y]]
  %w = ane.constant dense<[[[[1.0]]], [[[-1.0]]]]> : tensor<2x1x1x1xf32>
  %bias = ane.constant dense<[0.5, 0.0]> : tensor<2xf32>
  %mean = ane.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %factor = ane.constant dense<[[[[2.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %gamma = ane.constant dense<[[[[3.0]], [[0.5]]]]> : tensor<1x2x1x1xf32>
  %beta = ane.constant dense<[[[[10.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.conv %x, %w bias %bias : tensor<1x1x4x4xf16>, tensor<2x1x1x1xf32>, tensor<2xf32> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise sub %0, %mean : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %factor, %1 : tensor<1x2x1x1xf32>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise mul %2, %gamma : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise add %3, %beta : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %5 = ane.activation %4 {function = #ane.act<clamp, 0.0, 3.40282347E+38>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %5 : tensor<1x2x4x4xf16>
}

// c - y, y / c, the epilogue of an elementwise op, and a scale that was there:
// y = 2 * w; (8 - y) / 4 = -y / 4 + 2; scale 3 and bias 1: -1.5 * w + 7.
// CHECK-LABEL: func @affine_forms
func.func @affine_forms(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<-1.500000e+00> : tensor<1x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = ane.constant dense<7.000000e+00> : tensor<1xf32>
  // CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] bias %[[B]] : tensor
  // CHECK-NEXT: return %[[Y]]
  %w = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %s = ane.constant dense<2.0> : tensor<1xf32>
  %eight = ane.constant dense<8.0> : tensor<1x1x1x1xf32>
  %four = ane.constant dense<4.0> : tensor<1x1x1x1xf32>
  %0 = ane.conv %x, %w scale %s : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> scale tensor<1xf32> -> tensor<1x1x4x4xf16>
  %1 = ane.elementwise sub %eight, %0 : tensor<1x1x1x1xf32>, tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  %2 = ane.elementwise div %1, %four {scale = 3.0 : f32, bias = 1.0 : f32} : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  return %2 : tensor<1x1x4x4xf16>
}

// Output channels of a transposed convolution are dimension 1 of the weight.
// CHECK-LABEL: func @conv_transpose
func.func @conv_transpose(%x: tensor<1x1x2x2xf16>) -> tensor<1x2x2x2xf16> {
  // CHECK: %[[W:.*]] = ane.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}3.000000e+00]]]]> : tensor<1x2x1x1xf32>
  // CHECK: ane.conv_transpose %arg0, %[[W]] : tensor
  %w = ane.constant dense<1.0> : tensor<1x2x1x1xf32>
  %c = ane.constant dense<[[[[2.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.conv_transpose %x, %w : tensor<1x1x2x2xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x2x2xf16>
  %1 = ane.elementwise mul %0, %c : tensor<1x2x2x2xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x2x2xf16>
  return %1 : tensor<1x2x2x2xf16>
}

// Of weights that are no constants the factor becomes the scale. Weights above the range of f16
// are not made.
// CHECK-LABEL: func @scale_operand
func.func @scale_operand(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x1x1xf16>) -> (tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>) {
  // CHECK-DAG: %[[S:.*]] = ane.constant dense<2.000000e+00> : tensor<1xf32>
  // CHECK-DAG: %[[T:.*]] = ane.constant dense<1.000000e+03> : tensor<1x1x1x1xf32>
  // CHECK-DAG: %[[V:.*]] = ane.constant dense<1.000000e+02> : tensor<1x1x1x1xf32>
  // CHECK: ane.conv %arg0, %arg1 scale %[[S]]
  // CHECK: %[[Y:.*]] = ane.conv %arg0, %[[V]] : tensor
  // CHECK: ane.elementwise{{ +}}mul %[[Y]], %[[T]]
  %two = ane.constant dense<2.0> : tensor<1x1x1x1xf32>
  %0 = ane.conv %x, %w : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x4x4xf16>
  %1 = ane.elementwise mul %0, %two : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  %v = ane.constant dense<100.0> : tensor<1x1x1x1xf32>
  %thousand = ane.constant dense<1000.0> : tensor<1x1x1x1xf32>
  %2 = ane.conv %x, %v : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  %3 = ane.elementwise mul %2, %thousand : tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  return %1, %3 : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>
}

// Not affine for a channel, used twice, behind an activation, constant by row.
// CHECK-LABEL: func @not_affine
func.func @not_affine(%x: tensor<1x1x2x2xf16>) -> (tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>) {
  %w = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf32>
  %row = ane.constant dense<[[[[2.0], [3.0]]]]> : tensor<1x1x2x1xf32>
  // CHECK: ane.conv
  // CHECK: ane.elementwise div
  %0 = ane.conv %x, %w : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  %1 = ane.elementwise div %c, %0 : tensor<1x1x1x1xf32>, tensor<1x1x2x2xf16> -> tensor<1x1x2x2xf16>
  // CHECK: ane.conv
  // CHECK: ane.elementwise mul
  %2 = ane.conv %x, %w : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  %3 = ane.elementwise mul %2, %c : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  // CHECK: ane.conv
  // CHECK: ane.elementwise mul
  %4 = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  %5 = ane.elementwise mul %4, %c : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  // CHECK: ane.conv
  // CHECK: ane.elementwise mul
  %6 = ane.conv %x, %w : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  %7 = ane.elementwise mul %6, %row : tensor<1x1x2x2xf16>, tensor<1x1x2x1xf32> -> tensor<1x1x2x2xf16>
  return %1, %2, %3, %5, %7 : tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>
}

// -----

// CHECK-LABEL: func @epilogues
func.func @epilogues(%x: tensor<1x2x4x4xf16>, %y: tensor<1x2x4x4xf16>, %m: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  // (x + y) * 0.5 * 4 - 1, then relu
  // CHECK: ane.elementwise add %arg0, %arg1 {activation = #ane.act<relu>, bias = -1.000000e+00 : f32, scale = 2.000000e+00 : f32}
  %half = ane.constant dense<0.5> : tensor<1x1x1x1xf32>
  %four = ane.constant dense<4.0> : tensor<1x1x1x1xf32>
  %one = ane.constant dense<1.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise add %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise mul %0, %half : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %four, %1 : tensor<1x1x1x1xf32>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise sub %2, %one : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %4 = ane.activation %3 {function = #ane.act<relu>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  // CHECK: ane.matmul %arg0, %arg2 {activation = #ane.act<tanh>}
  %5 = ane.matmul %x, %m : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %6 = ane.activation %5 {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %4, %6 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// Behind a concat all of its inputs take the activation, or none.
// CHECK-LABEL: func @concat
func.func @concat(%x: tensor<1x2x4x4xf16>, %y: tensor<1x2x4x4xf16>) -> (tensor<1x4x4x4xf16>, tensor<1x4x4x4xf16>) {
  // CHECK: ane.elementwise add {{.*}} {activation = #ane.act<tanh>}
  // CHECK: ane.elementwise mul {{.*}} {activation = #ane.act<tanh>}
  // CHECK-NEXT: ane.concat
  // CHECK-NOT: ane.activation
  %0 = ane.elementwise add %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise mul %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.concat %0, %1 {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x4x4x4xf16>
  %3 = ane.activation %2 {function = #ane.act<tanh>} : tensor<1x4x4x4xf16> -> tensor<1x4x4x4xf16>
  // CHECK: %[[M:.*]] = ane.elementwise max %arg0, %arg1 : tensor
  // CHECK: ane.concat %[[M]], %arg0
  // CHECK: ane.activation
  %4 = ane.elementwise max %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %5 = ane.concat %4, %x {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x4x4x4xf16>
  %6 = ane.activation %5 {function = #ane.act<tanh>} : tensor<1x4x4x4xf16> -> tensor<1x4x4x4xf16>
  return %3, %6 : tensor<1x4x4x4xf16>, tensor<1x4x4x4xf16>
}

// -----

// A second activation, a second user, and a pooling, which has no epilogue.
// CHECK-LABEL: func @no_epilogue
func.func @no_epilogue(%x: tensor<1x2x4x4xf16>, %y: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x3x3xf16>) {
  // CHECK: ane.elementwise add {{.*}} {activation = #ane.act<tanh>}
  // CHECK: ane.activation {{.*}}<relu>
  %0 = ane.elementwise add %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.activation %0 {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.activation %1 {function = #ane.act<relu>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  // CHECK: ane.elementwise mul %arg0, %arg1 : tensor
  // CHECK: ane.activation {{.*}}<relu>
  %3 = ane.elementwise mul %x, %y : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.activation %3 {function = #ane.act<relu>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  // CHECK: ane.pool max
  // CHECK: ane.activation {{.*}}<relu>
  %5 = ane.pool max %x {kernel = array<i64: 2, 2>} : tensor<1x2x4x4xf16> -> tensor<1x2x3x3xf16>
  %6 = ane.activation %5 {function = #ane.act<relu>} : tensor<1x2x3x3xf16> -> tensor<1x2x3x3xf16>
  return %2, %3, %4, %6 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x3x3xf16>
}

// -----

// CHECK-LABEL: func @idioms
func.func @idioms(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>) {
  %zeros = ane.constant dense<0.0> : tensor<1x2x4x4xf32>
  %six = ane.constant dense<6.0> : tensor<1x1x1x1xf32>
  %low = ane.constant dense<-1.0> : tensor<1x1x1x1xf32>
  // CHECK-DAG: ane.activation %arg0 {function = #ane.act<relu>}
  %0 = ane.elementwise max %zeros, %x : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  // CHECK-DAG: ane.activation %arg0 {function = #ane.act<clamp, 0.000000e+00, 6.000000e+00>}
  %1 = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise min %1, %six : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  // CHECK-DAG: ane.activation %arg0 {function = #ane.act<clamp, -1.000000e+00, 6.000000e+00>}
  %3 = ane.elementwise max %x, %low : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise min %3, %six : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  // CHECK-DAG: ane.reduce mean %arg0 {axes = array<i64: 2, 3>}
  %count = ane.constant dense<0.0625> : tensor<1x1x1x1xf32>
  %5 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x2x4x4xf16> -> tensor<1x2x1x1xf16>
  %6 = ane.elementwise mul %5, %count : tensor<1x2x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x1x1xf16>
  // CHECK-NOT: ane.elementwise
  // CHECK: return
  return %0, %2, %4, %6 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>
}

// CHECK-LABEL: func @swish
func.func @swish(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  // CHECK-DAG: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<silu>}
  // CHECK-DAG: %[[B:.*]] = ane.activation %arg0 {function = #ane.act<hard_swish>}
  // CHECK-DAG: %[[C:.*]] = ane.activation %arg0 {function = #ane.act<hard_swish>}
  // CHECK-DAG: %[[D:.*]] = ane.activation %arg0 {function = #ane.act<hard_sigmoid, 0.16666666666666666, 5.000000e-01>}
  // CHECK: return %[[A]], %{{.*}}, %{{.*}}, %[[D]]
  %three = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %six = ane.constant dense<6.0> : tensor<1x1x1x1xf32>
  %sixth = ane.constant dense<0.16666667> : tensor<1x1x1x1xf32>
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %silu = ane.elementwise mul %x, %0 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  // (x * clamp(x + 3, 0, 6)) / 6
  %1 = ane.elementwise add %x, %three : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.activation %1 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise mul %x, %2 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise div %3, %six : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  // x * (clamp(x + 3, 0, 6) * (1 / 6))
  %5 = ane.elementwise add %x, %three : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %6 = ane.activation %5 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %7 = ane.elementwise mul %6, %sixth : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %8 = ane.elementwise mul %7, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %9 = ane.elementwise add %x, %three : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %10 = ane.activation %9 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %11 = ane.elementwise mul %10, %sixth : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  return %silu, %4, %8, %11 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// x * tanh(softplus(x)), with its factors either way; not where somebody else reads the gate.
// CHECK-LABEL: func @mish
func.func @mish(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  // CHECK-NEXT: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<mish>}
  // CHECK-NEXT: %[[B:.*]] = ane.activation %[[A]] {function = #ane.act<mish>}
  // CHECK-NEXT: %[[S:.*]] = ane.activation %[[B]] {function = #ane.act<softplus>}
  // CHECK-NEXT: %[[T:.*]] = ane.activation %[[S]] {function = #ane.act<tanh>}
  // CHECK-NEXT: %[[C:.*]] = ane.elementwise mul %[[B]], %[[T]]
  // CHECK-NEXT: return %[[B]], %[[T]], %[[C]]
  %0 = ane.activation %x {function = #ane.act<softplus>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.activation %0 {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %x, %1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.activation %2 {function = #ane.act<softplus>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.activation %3 {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %5 = ane.elementwise mul %4, %2 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %6 = ane.activation %5 {function = #ane.act<softplus>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %7 = ane.activation %6 {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %8 = ane.elementwise mul %5, %7 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %5, %7, %8 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// A threshold where the gate is zero anyway, as public converters write it; one above makes zeros of other values.
// CHECK-LABEL: func @threshold
// CHECK-DAG: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<hard_swish>}
// CHECK-DAG: %[[B:.*]] = ane.elementwise mul
// CHECK: return %[[A]], %[[B]]
func.func @threshold(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %0 = ane.activation %x {function = #ane.act<thresholded_relu, -3.001953125>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.activation %x {function = #ane.act<hard_sigmoid, 0.16666666666666666, 0.5>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %0, %1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.activation %x {function = #ane.act<thresholded_relu, -2.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.activation %x {function = #ane.act<hard_sigmoid, 0.16666666666666666, 0.5>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %5 = ane.elementwise mul %3, %4 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %2, %5 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// The sigmoid is needed anyway, the factor is not 1 / 6, the count is another, an
// upper bound that f16 reaches.
// CHECK-LABEL: func @no_idiom
func.func @no_idiom(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>, tensor<1x2x4x4xf16>) {
  // CHECK: ane.activation {{.*}}sigmoid
  // CHECK: ane.elementwise mul
  // CHECK: ane.elementwise add {{.*}}clamp
  // CHECK-NOT: hard
  // CHECK: ane.reduce sum
  // CHECK: ane.activation {{.*}}<clamp, 0.000000e+00, 1.000000e+03>
  %three = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %fifth = ane.constant dense<0.2> : tensor<1x1x1x1xf32>
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise mul %x, %0 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise add %x, %three : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.activation %2 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise mul %3, %fifth : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %5 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x2x4x4xf16> -> tensor<1x2x1x1xf16>
  %6 = ane.elementwise mul %5, %fifth : tensor<1x2x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x1x1xf16>
  %7 = ane.activation %x {function = #ane.act<clamp, 0.0, 1000.0>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %0, %1, %4, %6, %7 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>, tensor<1x2x4x4xf16>
}

// -----

// CHECK-LABEL: func @pads
func.func @pads(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x3x3xf16>) -> (tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>) {
  // CHECK: ane.conv %arg0, %arg1 {pad = array<i64: 1, 1, 1, 1>}
  %0 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x4xf16> -> tensor<1x1x5x5xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 0, 1, 0, 1>} : tensor<1x1x5x5xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x4x4xf16>
  // CHECK: ane.pool average %arg0 {count_include_pad, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
  %2 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %3 = ane.pool average %2 {kernel = array<i64: 3, 3>} : tensor<1x1x6x6xf16> -> tensor<1x1x4x4xf16>
  // CHECK: ane.pool max %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
  %4 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = -65504.0 : f32} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %5 = ane.pool max %4 {kernel = array<i64: 3, 3>} : tensor<1x1x6x6xf16> -> tensor<1x1x4x4xf16>
  // No element of a relu is below the 0 of the pad.
  // CHECK: %[[R:.*]] = ane.activation
  // CHECK: ane.pool max %[[R]] {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
  %6 = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  %7 = ane.pad %6 {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %8 = ane.pool max %7 {kernel = array<i64: 3, 3>} : tensor<1x1x6x6xf16> -> tensor<1x1x4x4xf16>
  return %1, %3, %5, %8 : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>
}

// Another value, as large as the window, a maximum where 0 may win, an average that
// does not count its own padding.
// CHECK-LABEL: func @pads_that_stay
func.func @pads_that_stay(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x3x3xf16>, %k: tensor<1x1x1x1xf16>) -> (tensor<1x1x4x4xf16>, tensor<1x1x6x6xf16>, tensor<1x1x4x4xf16>, tensor<1x1x6x6xf16>) {
  // CHECK: ane.pad
  // CHECK: ane.conv
  %0 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 1.0 : f32} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %1 = ane.conv %0, %w : tensor<1x1x6x6xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x4x4xf16>
  // CHECK: ane.pad
  // CHECK: ane.conv
  %2 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %3 = ane.conv %2, %k : tensor<1x1x6x6xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x6x6xf16>
  // CHECK: ane.pad
  // CHECK: ane.pool max
  %4 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %5 = ane.pool max %4 {kernel = array<i64: 3, 3>} : tensor<1x1x6x6xf16> -> tensor<1x1x4x4xf16>
  // CHECK: ane.pad
  // CHECK: ane.pool average
  %6 = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x6x6xf16>
  %7 = ane.pool average %6 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x1x6x6xf16> -> tensor<1x1x6x6xf16>
  return %1, %3, %5, %7 : tensor<1x1x4x4xf16>, tensor<1x1x6x6xf16>, tensor<1x1x4x4xf16>, tensor<1x1x6x6xf16>
}

// The last row and column of 56 are in no window of a 1x1 with stride 2.
// CHECK-LABEL: func @crops
func.func @crops(%x: tensor<1x1x56x56xf16>, %w: tensor<1x1x1x1xf16>) -> (tensor<1x1x28x28xf16>, tensor<1x1x28x28xf16>) {
  // CHECK: ane.conv %arg0, %arg1 {strides = array<i64: 2, 2>} : tensor<1x1x56x56xf16>
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 55, 55>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x56x56xf16> -> tensor<1x1x55x55xf16>
  %1 = ane.conv %0, %w {strides = array<i64: 2, 2>} : tensor<1x1x55x55xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x28x28xf16>
  // CHECK: ane.pool max %arg0 {{.*}} tensor<1x1x56x56xf16>
  %2 = ane.pool max %0 {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>} : tensor<1x1x55x55xf16> -> tensor<1x1x28x28xf16>
  return %1, %2 : tensor<1x1x28x28xf16>, tensor<1x1x28x28xf16>
}

// A window more would fit, the start is cut off, padding stands where rows would
// come back.
// CHECK-LABEL: func @crops_that_stay
func.func @crops_that_stay(%x: tensor<1x1x8x8xf16>, %w: tensor<1x1x1x1xf16>, %v: tensor<1x1x3x3xf16>) -> (tensor<1x1x4x3xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>) {
  // CHECK-COUNT-3: ane.slice
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 8, 6>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x8x8xf16> -> tensor<1x1x8x6xf16>
  %1 = ane.conv %0, %w {strides = array<i64: 2, 2>} : tensor<1x1x8x6xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x4x3xf16>
  %2 = ane.slice %x {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 1, 7, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x8x8xf16> -> tensor<1x1x7x8xf16>
  %3 = ane.conv %2, %w {strides = array<i64: 2, 2>} : tensor<1x1x7x8xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x4x4xf16>
  %4 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 7, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x8x8xf16> -> tensor<1x1x7x8xf16>
  %5 = ane.conv %4, %v {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x1x7x8xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x4x4xf16>
  return %1, %3, %5 : tensor<1x1x4x3xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>
}

// -----

// Constants of positions and of windows are one; a row for channels stays.

// CHECK-LABEL: func.func @summands
// CHECK: %[[C:.*]] = ane.elementwise{{ +}}add %{{.*}} : tensor<1x3x1x2xf32>, tensor<2x1x1x2xf32> -> tensor<2x3x1x2xf32>
// CHECK: ane.elementwise{{ +}}add %arg0, %[[C]] {activation = #ane.act<relu>} : tensor<2x3x1x2xf16>
// CHECK: ane.elementwise{{ +}}add %arg0, %{{.*}} : tensor<2x3x1x2xf16>, tensor<1x3x1x1xf32>
// CHECK: ane.elementwise{{ +}}add %{{.*}} : tensor<2x3x1x2xf16>, tensor<2x1x1x2xf32>
// Two masks would be beyond f16.
// CHECK-COUNT-2: ane.elementwise{{ +}}add %{{.*}} : tensor<2x3x1x2xf16>, tensor<{{1x3|2x1}}x1x2xf32>
func.func @summands(%x: tensor<2x3x1x2xf16>) -> (tensor<2x3x1x2xf16>, tensor<2x3x1x2xf16>, tensor<2x3x1x2xf16>) {
  %b = ane.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]]> : tensor<1x3x1x2xf32>
  %c = ane.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %r = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32>
  %0 = ane.elementwise add %x, %b : tensor<2x3x1x2xf16>, tensor<1x3x1x2xf32> -> tensor<2x3x1x2xf16>
  %1 = ane.elementwise add %0, %c {activation = #ane.act<relu>} : tensor<2x3x1x2xf16>, tensor<2x1x1x2xf32> -> tensor<2x3x1x2xf16>
  %2 = ane.elementwise add %x, %r : tensor<2x3x1x2xf16>, tensor<1x3x1x1xf32> -> tensor<2x3x1x2xf16>
  %3 = ane.elementwise add %2, %c : tensor<2x3x1x2xf16>, tensor<2x1x1x2xf32> -> tensor<2x3x1x2xf16>
  %m = ane.constant dense<[[[[0.0, -65504.0]], [[0.0, 0.0]], [[0.0, 0.0]]]]> : tensor<1x3x1x2xf32>
  %n = ane.constant dense<[[[[0.0, -30000.0]]], [[[0.0, 0.0]]]]> : tensor<2x1x1x2xf32>
  %4 = ane.elementwise add %x, %m : tensor<2x3x1x2xf16>, tensor<1x3x1x2xf32> -> tensor<2x3x1x2xf16>
  %5 = ane.elementwise add %4, %n : tensor<2x3x1x2xf16>, tensor<2x1x1x2xf32> -> tensor<2x3x1x2xf16>
  return %1, %3, %5 : tensor<2x3x1x2xf16>, tensor<2x3x1x2xf16>, tensor<2x3x1x2xf16>
}

// -----

// Roots of squares that f16 does not hold.
// CHECK-LABEL: func @roots
// CHECK: %[[D:.*]] = ane.reduce{{ +}}mean_square %arg0 {activation = #ane.act<rsqrt>, axes = array<i64: 1>}
// CHECK: %[[R:.*]] = ane.activation %[[D]] {function = #ane.act<reciprocal>}
// CHECK: %[[N:.*]] = ane.reduce{{ +}}sum_square %arg0 {activation = #ane.act<rsqrt, 5.000000e-01>, axes = array<i64: 3>}
// CHECK: return %[[R]], %[[N]]
// ZIN-LABEL: func @roots
// ZIN: #ane.act<sqrt>
func.func @roots(%x: tensor<1x8x4x32xf16>) -> (tensor<1x1x4x32xf16>, tensor<1x8x4x1xf16>) {
  %half = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %0 = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<1x8x4x32xf16> -> tensor<1x1x4x32xf16>
  %1 = ane.activation %0 {function = #ane.act<sqrt>} : tensor<1x1x4x32xf16> -> tensor<1x1x4x32xf16>
  %2 = ane.reduce sum_square %x {axes = array<i64: 3>} : tensor<1x8x4x32xf16> -> tensor<1x8x4x1xf16>
  %3 = ane.elementwise add %2, %half : tensor<1x8x4x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x4x1xf16>
  %4 = ane.activation %3 {function = #ane.act<rsqrt>} : tensor<1x8x4x1xf16> -> tensor<1x8x4x1xf16>
  return %1, %4 : tensor<1x1x4x32xf16>, tensor<1x8x4x1xf16>
}

// -----

// A pad and a slice in front of the transpose of an image with channels last.
// CHECK-LABEL: func @pad_before_transpose
// CHECK: %[[T:.*]] = ane.transpose %arg0 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x2xf16> -> tensor<1x2x8x8xf16>
// CHECK-NEXT: %[[Y:.*]] = ane.pool max %[[T]] {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16> -> tensor<1x2x4x4xf16>
// CHECK-NEXT: return %[[Y]]
func.func @pad_before_transpose(%x: tensor<1x8x8x2xf16>) -> tensor<1x2x4x4xf16> {
  %0 = ane.pad %x {low = array<i64: 0, 1, 1, 0>, high = array<i64: 0, 1, 0, 0>, value = -65504.0 : f32} : tensor<1x8x8x2xf16> -> tensor<1x10x9x2xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x10x9x2xf16> -> tensor<1x2x10x9xf16>
  %2 = ane.pool max %1 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>} : tensor<1x2x10x9xf16> -> tensor<1x2x4x4xf16>
  return %2 : tensor<1x2x4x4xf16>
}

// CHECK-LABEL: func @slice_before_transpose
// CHECK: %[[T:.*]] = ane.transpose %arg0
// CHECK-NEXT: ane.conv %[[T]], %{{.*}} {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
func.func @slice_before_transpose(%x: tensor<1x8x8x2xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<2x2x1x1xf16>
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x8x2xf16> -> tensor<1x7x7x2xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x7x7x2xf16> -> tensor<1x2x7x7xf16>
  %2 = ane.conv %1, %w {strides = array<i64: 2, 2>} : tensor<1x2x7x7xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  return %2 : tensor<1x2x4x4xf16>
}

// -----

// The engine has one factor, which f16 ends at 65504: 8192 * 8 is beyond, and
// 2^-13 / 8 below what has all digits.
// CHECK-LABEL: func @factors_of_half
// CHECK: %[[A:.*]] = ane.elementwise mul %arg0
// CHECK: %[[B:.*]] = ane.elementwise mul %[[A]]
// CHECK: %[[C:.*]] = ane.elementwise mul %arg0
// CHECK: %[[D:.*]] = ane.elementwise mul %[[C]]
// CHECK: return %[[B]], %[[D]]
func.func @factors_of_half(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %large = ane.constant dense<8192.0> : tensor<1x1x1x1xf16>
  %small = ane.constant dense<1.220703125e-4> : tensor<1x1x1x1xf16>
  %eight = ane.constant dense<8.0> : tensor<1x1x1x1xf16>
  %eighth = ane.constant dense<0.125> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise mul %x, %large : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise mul %0, %eight : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %x, %small : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise mul %2, %eighth : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1, %3 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// One channel of two would lose its bits; beside a summand nobody sees them.
// CHECK-LABEL: func @small_channel
// CHECK: ane.conv
// CHECK: ane.elementwise mul
// CHECK-LABEL: func @hidden_channel
// CHECK: ane.conv
// CHECK-NOT: ane.elementwise
// CHECK: return
func.func @small_channel(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %w = ane.constant dense<0.002> : tensor<2x2x1x1xf16>
  %a = ane.constant dense<[[[[1.0]], [[0.001]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.conv %x, %w : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x3x4xf16>
  %1 = ane.elementwise mul %0, %a : tensor<1x2x3x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}
func.func @hidden_channel(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %w = ane.constant dense<0.002> : tensor<2x2x1x1xf16>
  %a = ane.constant dense<[[[[1.0]], [[0.001]]]]> : tensor<1x2x1x1xf32>
  %b = ane.constant dense<[[[[0.0]], [[0.5]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.conv %x, %w : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x3x4xf16>
  %1 = ane.elementwise mul %0, %a : tensor<1x2x3x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x3x4xf16>
  %2 = ane.elementwise add %1, %b : tensor<1x2x3x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x3x4xf16>
  return %2 : tensor<1x2x3x4xf16>
}
