// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-propagate-layout" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=AFTER --implicit-check-not=ane.matmul

// The rewrites compute the same: the elements of a weight land where the window
// reads them.

// CHECK-COUNT-12: computes the same: largest difference 0
// AFTER-COUNT-4: ane.conv
// AFTER-COUNT-3: ane.conv

func.func @flattened(%x: tensor<1x2x2x3xf16>) -> tensor<1x1x2xf16> {
  %w = ane.constant dense<[[[1.0, -2.0], [3.0, 4.0], [0.5, 6.0], [7.0, 8.0], [-9.0, 10.0], [11.0, 12.0], [13.0, -14.0], [15.0, 1.5], [17.0, 18.0], [1.0, 2.0], [2.0, 2.5], [3.0, -2.0]]]> : tensor<1x12x2xf32>
  %0 = ane.reshape %x : tensor<1x2x2x3xf16> -> tensor<1x1x12xf16>
  %1 = ane.matmul %0, %w : tensor<1x1x12xf16>, tensor<1x12x2xf32> -> tensor<1x1x2xf16>
  return %1 : tensor<1x1x2xf16>
}

func.func @flattened_nhwc(%x: tensor<1x2x2x3xf16>) -> tensor<1x1x2xf16> {
  %w = ane.constant dense<[[[1.0, -2.0], [3.0, 4.0], [0.5, 6.0], [7.0, 8.0], [-9.0, 10.0], [11.0, 12.0], [13.0, -14.0], [15.0, 1.5], [17.0, 18.0], [1.0, 2.0], [2.0, 2.5], [3.0, -2.0]]]> : tensor<1x12x2xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x2x2x3xf16> -> tensor<1x2x3x2xf16>
  %0 = ane.reshape %t : tensor<1x2x3x2xf16> -> tensor<1x1x12xf16>
  %1 = ane.matmul %0, %w : tensor<1x1x12xf16>, tensor<1x12x2xf32> -> tensor<1x1x2xf16>
  return %1 : tensor<1x1x2xf16>
}

func.func @flattened_whcn(%x: tensor<1x2x2x3xf16>) -> tensor<1x2xf16> {
  %w = ane.constant dense<[[1.0, -2.0, 3.0, 4.0, 0.5, 6.0, 7.0, 8.0, -9.0, 10.0, 11.0, 12.0], [13.0, -14.0, 15.0, 1.5, 17.0, 18.0, 1.0, 2.0, 2.0, 2.5, 3.0, -2.0]]> : tensor<2x12xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x2x3xf16> -> tensor<1x3x2x2xf16>
  %0 = ane.reshape %t : tensor<1x3x2x2xf16> -> tensor<1x12xf16>
  %1 = ane.matmul %0, %w {transpose_rhs} : tensor<1x12xf16>, tensor<2x12xf32> -> tensor<1x2xf16>
  return %1 : tensor<1x2xf16>
}

func.func @pixels(%x: tensor<1x2x2x3xf16>) -> tensor<1x6x3xf16> {
  %w = ane.constant dense<[[[1.0, -2.0, 0.5], [3.0, 4.0, 1.5]]]> : tensor<1x2x3xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x2x2x3xf16> -> tensor<1x2x3x2xf16>
  %0 = ane.reshape %t : tensor<1x2x3x2xf16> -> tensor<1x6x2xf16>
  %1 = ane.matmul %0, %w : tensor<1x6x2xf16>, tensor<1x2x3xf32> -> tensor<1x6x3xf16>
  return %1 : tensor<1x6x3xf16>
}

func.func @unread_slice(%x: tensor<1x2x6x8xf16>) -> tensor<1x2x3x4xf16> {
  %w = ane.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[-4.0]]]]> : tensor<2x2x1x1xf32>
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 5, 7>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x6x8xf16> -> tensor<1x2x5x7xf16>
  %1 = ane.conv %0, %w {strides = array<i64: 2, 2>} : tensor<1x2x5x7xf16>, tensor<2x2x1x1xf32> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}

func.func @broadcast_constants(%x: tensor<1x2x2x3xf16>) -> tensor<1x2x3x2xf16> {
  %w = ane.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[-4.0]]]]> : tensor<2x2x1x1xf32>
  %c = ane.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %h = ane.constant dense<[[[[3.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %y = ane.conv %x, %w : tensor<1x2x2x3xf16>, tensor<2x2x1x1xf32> -> tensor<1x2x2x3xf16>
  %t = ane.transpose %y {perm = array<i64: 0, 2, 3, 1>} : tensor<1x2x2x3xf16> -> tensor<1x2x3x2xf16>
  %0 = ane.elementwise mul %t, %c : tensor<1x2x3x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x2x3x2xf16>
  %1 = ane.elementwise sub %h, %0 : tensor<1x2x1x1xf32>, tensor<1x2x3x2xf16> -> tensor<1x2x3x2xf16>
  return %1 : tensor<1x2x3x2xf16>
}

// From an image to tokens and to an image of other rows.
func.func @pixels_in_columns(%x: tensor<1x2x2x6xf16>) -> tensor<1x3x4x3xf16> {
  %w = ane.constant dense<[[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]]> : tensor<1x2x3xf32>
  %c = ane.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = ane.reshape %x : tensor<1x2x2x6xf16> -> tensor<1x2x12xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1>} : tensor<1x2x12xf16> -> tensor<1x12x2xf16>
  %2 = ane.rms_norm %1 gamma %c {axes = array<i64: 2>, epsilon = 1.0E-5 : f32} : tensor<1x12x2xf16> gamma tensor<2xf32> -> tensor<1x12x2xf16>
  %3 = ane.matmul %2, %w : tensor<1x12x2xf16>, tensor<1x2x3xf32> -> tensor<1x12x3xf16>
  %4 = ane.reshape %3 : tensor<1x12x3xf16> -> tensor<1x4x3x3xf16>
  %5 = ane.transpose %4 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x3x3xf16> -> tensor<1x3x4x3xf16>
  return %5 : tensor<1x3x4x3xf16>
}

// More pixels than a row can have: masks that are sums of the channels of an image.
// AFTER-LABEL: func.func @masks(
// AFTER-DAG: %[[M:.*]] = ane.reshape %arg0 : tensor<1x3x2xf16> -> tensor<1x1x3x2xf16>
// AFTER-DAG: %[[X:.*]] = ane.transpose %arg1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x2x128x129xf16> -> tensor<1x128x2x129xf16>
// AFTER: %[[R:.*]] = ane{{[.]}}matmul %[[M]], %[[X]] : tensor<1x1x3x2xf16>, tensor<1x128x2x129xf16> -> tensor<1x128x3x129xf16>
// AFTER: ane.transpose %[[R]]
// AFTER: ane{{[.]}}matmul {{.*}} {transpose_lhs} : tensor<1x1x2x3xf16>
func.func @masks(%m: tensor<1x3x2xf16>, %x: tensor<1x2x128x129xf16>, %n: tensor<2x3xf16>) -> (tensor<1x3x128x129xf16>, tensor<3x128x129xf16>) {
  %0 = ane.reshape %x : tensor<1x2x128x129xf16> -> tensor<1x2x16512xf16>
  %1 = ane.matmul %m, %0 : tensor<1x3x2xf16>, tensor<1x2x16512xf16> -> tensor<1x3x16512xf16>
  %2 = ane.reshape %1 : tensor<1x3x16512xf16> -> tensor<1x3x128x129xf16>
  %3 = ane.reshape %x : tensor<1x2x128x129xf16> -> tensor<2x16512xf16>
  %4 = ane.matmul %n, %3 {transpose_lhs} : tensor<2x3xf16>, tensor<2x16512xf16> -> tensor<3x16512xf16>
  %5 = ane.reshape %4 : tensor<3x16512xf16> -> tensor<3x128x129xf16>
  return %2, %5 : tensor<1x3x128x129xf16>, tensor<3x128x129xf16>
}

// The matrix is computed first, so that strips of the image go through both; not where it is made
// of the image.
// AFTER-LABEL: func.func @masks_last(
// AFTER: ane.activation %arg1 {function = #ane.act<exp>}
// AFTER: ane.activation %arg0 {function = #ane.act<relu>}
// AFTER: ane{{[.]}}matmul
func.func @masks_last(%x: tensor<1x2x128x129xf16>, %m: tensor<1x3x2xf16>) -> tensor<1x3x128x129xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x128x129xf16> -> tensor<1x2x128x129xf16>
  %n = ane.activation %m {function = #ane.act<exp>} : tensor<1x3x2xf16> -> tensor<1x3x2xf16>
  %0 = ane.reshape %y : tensor<1x2x128x129xf16> -> tensor<1x2x16512xf16>
  %1 = ane.matmul %n, %0 : tensor<1x3x2xf16>, tensor<1x2x16512xf16> -> tensor<1x3x16512xf16>
  %2 = ane.reshape %1 : tensor<1x3x16512xf16> -> tensor<1x3x128x129xf16>
  return %2 : tensor<1x3x128x129xf16>
}
// AFTER-LABEL: func.func @masks_of_the_image(
// AFTER: ane.reduce
// AFTER: ane{{[.]}}matmul
func.func @masks_of_the_image(%x: tensor<1x2x128x129xf16>) -> tensor<1x1x128x129xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x128x129xf16> -> tensor<1x2x128x129xf16>
  %n = ane.reduce max %y {axes = array<i64: 2, 3>} : tensor<1x2x128x129xf16> -> tensor<1x2x1x1xf16>
  %m = ane.reshape %n : tensor<1x2x1x1xf16> -> tensor<1x1x2xf16>
  %0 = ane.reshape %y : tensor<1x2x128x129xf16> -> tensor<1x2x16512xf16>
  %1 = ane.matmul %m, %0 : tensor<1x1x2xf16>, tensor<1x2x16512xf16> -> tensor<1x1x16512xf16>
  %2 = ane.reshape %1 : tensor<1x1x16512xf16> -> tensor<1x1x128x129xf16>
  return %2 : tensor<1x1x128x129xf16>
}

// The factors of the tokens move with what all heads are.
func.func @rotated(%x: tensor<1x3x4x5xf16>, %y: tensor<1x3x4x5xf16>, %cos: tensor<1x5x1x4xf16>, %sin: tensor<1x5x1x4xf16>) -> tensor<1x5x3x4xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x3x4x5xf16> -> tensor<1x5x3x4xf16>
  %1 = ane.elementwise mul %0, %cos : tensor<1x5x3x4xf16>, tensor<1x5x1x4xf16> -> tensor<1x5x3x4xf16>
  %2 = ane.transpose %y {perm = array<i64: 0, 3, 1, 2>} : tensor<1x3x4x5xf16> -> tensor<1x5x3x4xf16>
  %3 = ane.elementwise mul %2, %sin : tensor<1x5x3x4xf16>, tensor<1x5x1x4xf16> -> tensor<1x5x3x4xf16>
  %4 = ane.elementwise add %1, %3 : tensor<1x5x3x4xf16>, tensor<1x5x3x4xf16> -> tensor<1x5x3x4xf16>
  return %4 : tensor<1x5x3x4xf16>
}

// A smaller layer, with its weights, moves in front of another op.
func.func @early(%x: tensor<1x4x2x3xf16>) -> (tensor<1x4x2x3xf16>, tensor<1x4x2x1xf16>, tensor<1x2x2x3xf16>) {
  %image = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x2x3xf16> -> tensor<1x4x2x3xf16>
  %0 = ane.activation %image {function = #ane.act<neg>} : tensor<1x4x2x3xf16> -> tensor<1x4x2x3xf16>
  %1 = ane.reduce max %0 {axes = array<i64: 3>} : tensor<1x4x2x3xf16> -> tensor<1x4x2x1xf16>
  %w = ane.constant dense<[[[[1.0]], [[-2.0]], [[3.0]], [[0.5]]], [[[4.0]], [[1.5]], [[-0.25]], [[2.0]]]]> : tensor<2x4x1x1xf32>
  %2 = ane.conv %image, %w : tensor<1x4x2x3xf16>, tensor<2x4x1x1xf32> -> tensor<1x2x2x3xf16>
  return %0, %1, %2 : tensor<1x4x2x3xf16>, tensor<1x4x2x1xf16>, tensor<1x2x2x3xf16>
}
