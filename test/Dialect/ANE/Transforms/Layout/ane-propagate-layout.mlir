// RUN: ane-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ane-propagate-layout))' | FileCheck %s

// CHECK-LABEL: func.func @activation
// CHECK: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<relu>} : tensor<1x4x8x6xf16> -> tensor<1x4x8x6xf16>
// CHECK: %[[T:.*]] = ane.transpose %[[A]] {perm = array<i64: 0, 2, 3, 1>}
// CHECK: return %[[T]]
func.func @activation(%x: tensor<1x4x8x6xf16>) -> tensor<1x8x6x4xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x8x6x4xf16> -> tensor<1x8x6x4xf16>
  return %1 : tensor<1x8x6x4xf16>
}

// -----

// The epilogue comes along.

// CHECK-LABEL: func.func @constant_operand
// CHECK: %[[M:.*]] = ane.constant dense<{{.*}}1.000000e+00{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}4.000000e+00{{.*}} : tensor<1x4x1x1xf32>
// CHECK: %[[S:.*]] = ane.elementwise sub %[[M]], %arg0 {activation = #ane.act<relu>, scale = 2.000000e+00 : f32} : tensor<1x4x1x1xf32>, tensor<1x4x8x6xf16> -> tensor<1x4x8x6xf16>
// CHECK: ane.transpose %[[S]]
func.func @constant_operand(%x: tensor<1x4x8x6xf16>) -> tensor<1x8x6x4xf16> {
  %c = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32>
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.elementwise sub %c, %0 {activation = #ane.act<relu>, scale = 2.0 : f32} : tensor<1x1x1x4xf32>, tensor<1x8x6x4xf16> -> tensor<1x8x6x4xf16>
  return %1 : tensor<1x8x6x4xf16>
}

// -----

// CHECK-LABEL: func.func @two_operands
// CHECK: %[[S:.*]] = ane.elementwise add %arg0, %arg1 : tensor<1x4x8x6xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x8x6xf16>
// CHECK: ane.transpose %[[S]]
func.func @two_operands(%x: tensor<1x4x8x6xf16>, %y: tensor<1x4x1x1xf16>) -> tensor<1x8x6x4xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.transpose %y {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x1x1xf16> -> tensor<1x1x1x4xf16>
  %2 = ane.elementwise add %0, %1 : tensor<1x8x6x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x8x6x4xf16>
  return %2 : tensor<1x8x6x4xf16>
}

// -----

// Moving one operand would only move the transpose to the other.

// CHECK-LABEL: func.func @one_of_two_operands
// CHECK: %[[T:.*]] = ane.transpose %arg0
// CHECK: ane.elementwise add %[[T]], %arg1
func.func @one_of_two_operands(%x: tensor<1x4x8x6xf16>, %y: tensor<1x8x6x4xf16>) -> tensor<1x8x6x4xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.elementwise add %0, %y : tensor<1x8x6x4xf16>, tensor<1x8x6x4xf16> -> tensor<1x8x6x4xf16>
  return %1 : tensor<1x8x6x4xf16>
}

// -----

// A reshape that only drops ones: the constant follows, broadcast or not.

// CHECK-LABEL: func.func @trivial_reshape
// CHECK-DAG: %[[ROW:.*]] = ane.{{reshape|constant}} {{.*}}tensor<1x10x1x1xf32>
// CHECK: %[[A:.*]] = ane.elementwise add %arg0, %{{.*}} : tensor<1x10x1x1xf16>, tensor<1x10x1x1xf32> -> tensor<1x10x1x1xf16>
// CHECK: %[[M:.*]] = ane.elementwise mul %[[A]], %{{.*}} : tensor<1x10x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x10x1x1xf16>
// CHECK: ane.reshape %[[M]] : tensor<1x10x1x1xf16> -> tensor<1x10xf16>
func.func @trivial_reshape(%x: tensor<1x10x1x1xf16>) -> tensor<1x10xf16> {
  %c = ane.constant dense<0.5> : tensor<1x10xf32>
  %d = ane.constant dense<3.0> : tensor<1x1xf32>
  %0 = ane.reshape %x : tensor<1x10x1x1xf16> -> tensor<1x10xf16>
  %1 = ane.elementwise add %0, %c : tensor<1x10xf16>, tensor<1x10xf32> -> tensor<1x10xf16>
  %2 = ane.elementwise mul %1, %d : tensor<1x10xf16>, tensor<1x1xf32> -> tensor<1x10xf16>
  return %2 : tensor<1x10xf16>
}

// -----

// CHECK-LABEL: func.func @trivial_reshape_broadcast
// CHECK: ane.elementwise add %arg0, %{{.*}} : tensor<1x3x1x5xf16>, tensor<1x3x1x1xf32> -> tensor<1x3x1x5xf16>
func.func @trivial_reshape_broadcast(%x: tensor<1x3x1x5xf16>) -> tensor<3x5xf16> {
  %c = ane.constant dense<0.5> : tensor<3x1xf32>
  %0 = ane.reshape %x : tensor<1x3x1x5xf16> -> tensor<3x5xf16>
  %1 = ane.elementwise add %0, %c : tensor<3x5xf16>, tensor<3x1xf32> -> tensor<3x5xf16>
  return %1 : tensor<3x5xf16>
}

// -----

// A constant that has all of the merged dimensions, or none, has a form in front.
// CHECK-LABEL: func.func @merging_reshape
// CHECK: %[[A:.*]] = ane.elementwise add %arg0, %{{.*}} : tensor<1x3x4x5xf16>, tensor<1x3x4x1xf32> -> tensor<1x3x4x5xf16>
// CHECK: %[[M:.*]] = ane.elementwise mul %[[A]], %{{.*}} : tensor<1x3x4x5xf16>, tensor<1x1x1x5xf32> -> tensor<1x3x4x5xf16>
// CHECK: ane.reshape %[[M]] : tensor<1x3x4x5xf16> -> tensor<12x5xf16>
func.func @merging_reshape(%x: tensor<1x3x4x5xf16>) -> tensor<12x5xf16> {
  %c = ane.constant dense<0.5> : tensor<12x1xf32>
  %d = ane.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %0 = ane.reshape %x : tensor<1x3x4x5xf16> -> tensor<12x5xf16>
  %1 = ane.elementwise add %0, %c : tensor<12x5xf16>, tensor<12x1xf32> -> tensor<12x5xf16>
  %2 = ane.elementwise mul %1, %d : tensor<12x5xf16>, tensor<1x5xf32> -> tensor<12x5xf16>
  return %2 : tensor<12x5xf16>
}

// -----

// One that broadcasts over a part of what is split has none.
// CHECK-LABEL: func.func @splitting_reshape
// CHECK: %[[R:.*]] = ane.reshape %arg0
// CHECK: ane.elementwise add %[[R]]
func.func @splitting_reshape(%x: tensor<12x5xf16>) -> tensor<3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<3x1x1xf32>
  %0 = ane.reshape %x : tensor<12x5xf16> -> tensor<3x4x5xf16>
  %1 = ane.elementwise add %0, %c : tensor<3x4x5xf16>, tensor<3x1x1xf32> -> tensor<3x4x5xf16>
  return %1 : tensor<3x4x5xf16>
}

// -----

// What has numbers for each dimension follows them: comparisons, choices,
// repetitions. Conversions stay at the border.
// CHECK-LABEL: func.func @other_ops
// CHECK: %[[C:.*]] = ane.compare gt %arg0, %{{.*}} : tensor<1x4x8x6xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x8x6xf16>
// CHECK: %[[T:.*]] = ane.tile %[[C]] {repeats = array<i64: 1, 1, 2, 1>} : tensor<1x4x8x6xf16> -> tensor<1x4x16x6xf16>
// CHECK: %[[P:.*]] = ane.transpose %[[T]]
// CHECK: ane.cast %[[P]]
func.func @other_ops(%x: tensor<1x4x8x6xf16>) -> tensor<1x16x6x4xui8> {
  %c = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf16>
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.compare gt %0, %c : tensor<1x8x6x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x8x6x4xf16>
  %2 = ane.tile %1 {repeats = array<i64: 1, 2, 1, 1>} : tensor<1x8x6x4xf16> -> tensor<1x16x6x4xf16>
  %3 = ane.cast %2 : tensor<1x16x6x4xf16> -> tensor<1x16x6x4xui8>
  return %3 : tensor<1x16x6x4xui8>
}

// -----

// CHECK-LABEL: func.func @named_dimensions
// CHECK: %[[P:.*]] = ane.pad %arg0 {high = array<i64: 0, 3, 1, 0>, low = array<i64: 0, 0, 1, 2>, value = 1.000000e+00 : f32} : tensor<1x4x8x6xf16> -> tensor<1x7x10x8xf16>
// CHECK: %[[S:.*]] = ane.slice %[[P]] {offsets = array<i64: 0, 3, 1, 2>, sizes = array<i64: 1, 4, 5, 6>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x7x10x8xf16> -> tensor<1x4x5x6xf16>
// CHECK: %[[C:.*]] = ane.concat %[[S]], %{{.*}} {axis = 2 : i64} : tensor<1x4x5x6xf16>, tensor<1x4x2x6xf16> -> tensor<1x4x7x6xf16>
// CHECK: %[[R:.*]] = ane.reduce max %[[C]] {axes = array<i64: 1, 3>} : tensor<1x4x7x6xf16> -> tensor<1x1x7x1xf16>
// CHECK-NOT: ane.transpose
func.func @named_dimensions(%x: tensor<1x4x8x6xf16>) -> tensor<1x7x1x1xf16> {
  %c = ane.constant dense<0.5> : tensor<1x2x6x4xf16>
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.pad %0 {low = array<i64: 0, 1, 2, 0>, high = array<i64: 0, 1, 0, 3>, value = 1.0 : f32} : tensor<1x8x6x4xf16> -> tensor<1x10x8x7xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 1, 2, 3>, sizes = array<i64: 1, 5, 6, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x10x8x7xf16> -> tensor<1x5x6x4xf16>
  %3 = ane.concat %2, %c {axis = 1 : i64} : tensor<1x5x6x4xf16>, tensor<1x2x6x4xf16> -> tensor<1x7x6x4xf16>
  %4 = ane.reduce max %3 {axes = array<i64: 2, 3>} : tensor<1x7x6x4xf16> -> tensor<1x7x1x1xf16>
  return %4 : tensor<1x7x1x1xf16>
}

// -----

// CHECK-LABEL: func.func @concat_of_mixed
// CHECK: %[[T:.*]] = ane.transpose %arg0
// CHECK: ane.concat %[[T]], %arg1
func.func @concat_of_mixed(%x: tensor<1x4x8x6xf16>, %y: tensor<1x8x6x4xf16>) -> tensor<1x8x6x8xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.concat %0, %y {axis = 3 : i64} : tensor<1x8x6x4xf16>, tensor<1x8x6x4xf16> -> tensor<1x8x6x8xf16>
  return %1 : tensor<1x8x6x8xf16>
}

// -----

// A fully connected layer behind a flattened image: a window over the image.

// CHECK-LABEL: func.func @flattened
// CHECK: %[[W:.*]] = ane.{{.*}} -> tensor<10x16x5x4xf32>
// CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] {activation = #ane.act<relu>} : tensor<1x16x5x4xf16>, tensor<10x16x5x4xf32> -> tensor<1x10x1x1xf16>
// CHECK: ane.reshape %[[Y]] : tensor<1x10x1x1xf16> -> tensor<1x1x10xf16>
func.func @flattened(%x: tensor<1x16x5x4xf16>) -> tensor<1x1x10xf16> {
  %w = ane.constant dense_resource<w> : tensor<1x320x10xf32>
  %0 = ane.reshape %x : tensor<1x16x5x4xf16> -> tensor<1x1x320xf16>
  %1 = ane.matmul %0, %w {activation = #ane.act<relu>} : tensor<1x1x320xf16>, tensor<1x320x10xf32> -> tensor<1x1x10xf16>
  return %1 : tensor<1x1x10xf16>
}

// -----

// The same in NHWC: the columns of the weight are in another order.

// CHECK-LABEL: func.func @flattened_nhwc
// CHECK: %[[R:.*]] = ane.reshape %{{.*}} : tensor<{{.*}}xf32> -> tensor<10x5x4x16xf32>
// CHECK: %[[W:.*]] = ane.transpose %[[R]] {perm = array<i64: 0, 3, 1, 2>} : tensor<10x5x4x16xf32> -> tensor<10x16x5x4xf32>
// CHECK: ane.conv %arg0, %[[W]]
func.func @flattened_nhwc(%x: tensor<1x16x5x4xf16>) -> tensor<1x1x10xf16> {
  %w = ane.constant dense_resource<w> : tensor<1x320x10xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x16x5x4xf16> -> tensor<1x5x4x16xf16>
  %0 = ane.reshape %t : tensor<1x5x4x16xf16> -> tensor<1x1x320xf16>
  %1 = ane.matmul %0, %w : tensor<1x1x320xf16>, tensor<1x320x10xf32> -> tensor<1x1x10xf16>
  return %1 : tensor<1x1x10xf16>
}

// -----

// A row that is no image is one pixel.

// CHECK-LABEL: func.func @row
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x320xf16> -> tensor<1x320x1x1xf16>
// CHECK: ane.conv %[[X]], %{{.*}} : tensor<1x320x1x1xf16>, tensor<10x320x1x1xf32> -> tensor<1x10x1x1xf16>
func.func @row(%x: tensor<1x320xf16>) -> tensor<1x10xf16> {
  %w = ane.constant dense_resource<w> : tensor<10x320xf32>
  %1 = ane.matmul %x, %w {transpose_rhs} : tensor<1x320xf16>, tensor<10x320xf32> -> tensor<1x10xf16>
  return %1 : tensor<1x10xf16>
}

// -----

// Pixels times a matrix in NHWC.

// CHECK-LABEL: func.func @pixels
// CHECK: %[[Y:.*]] = ane.conv %arg0, %{{.*}} : tensor<1x16x5x4xf16>, tensor<10x16x1x1xf32> -> tensor<1x10x5x4xf16>
// CHECK: %[[T:.*]] = ane.transpose %[[Y]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x10x5x4xf16> -> tensor<1x5x4x10xf16>
// CHECK: ane.reshape %[[T]] : tensor<1x5x4x10xf16> -> tensor<1x20x10xf16>
func.func @pixels(%x: tensor<1x16x5x4xf16>) -> tensor<1x20x10xf16> {
  %w = ane.constant dense_resource<w> : tensor<1x16x10xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x16x5x4xf16> -> tensor<1x5x4x16xf16>
  %0 = ane.reshape %t : tensor<1x5x4x16xf16> -> tensor<1x20x16xf16>
  %1 = ane.matmul %0, %w : tensor<1x20x16xf16>, tensor<1x16x10xf32> -> tensor<1x20x10xf16>
  return %1 : tensor<1x20x10xf16>
}

// -----

// Pixels as columns, as behind an image that is flattened; and back again.

// CHECK-LABEL: func.func @pixels_in_columns
// CHECK: %[[Y:.*]] = ane.conv %arg0, %{{.*}} : tensor<1x16x5x4xf16>, tensor<10x16x1x1xf32> -> tensor<1x10x5x4xf16>
// CHECK: return %[[Y]]
func.func @pixels_in_columns(%x: tensor<1x16x5x4xf16>) -> tensor<1x10x5x4xf16> {
  %w = ane.constant dense_resource<w> : tensor<1x16x10xf32>
  %0 = ane.reshape %x : tensor<1x16x5x4xf16> -> tensor<1x16x20xf16>
  %1 = ane.matmul %0, %w {transpose_lhs} : tensor<1x16x20xf16>, tensor<1x16x10xf32> -> tensor<1x20x10xf16>
  %2 = ane.reshape %1 : tensor<1x20x10xf16> -> tensor<1x5x4x10xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x5x4x10xf16> -> tensor<1x10x5x4xf16>
  return %3 : tensor<1x10x5x4xf16>
}

// -----

// Tokens become an image; other pixels would be a movement.

// CHECK-LABEL: func.func @movements
// CHECK: %[[Y:.*]] = ane.reshape %arg0 : tensor<1x16x1x20xf16> -> tensor<1x16x5x4xf16>
// CHECK: %[[Z:.*]] = ane.transpose
// CHECK: return %[[Y]], %[[Z]]
func.func @movements(%x: tensor<1x16x1x20xf16>) -> (tensor<1x16x5x4xf16>, tensor<1x16x4x5xf16>) {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x16x1x20xf16> -> tensor<1x1x20x16xf16>
  %1 = ane.reshape %0 : tensor<1x1x20x16xf16> -> tensor<1x5x4x16xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x5x4x16xf16> -> tensor<1x16x5x4xf16>
  %3 = ane.transpose %1 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x5x4x16xf16> -> tensor<1x16x4x5xf16>
  return %2, %3 : tensor<1x16x5x4xf16>, tensor<1x16x4x5xf16>
}

// -----

// CHECK-LABEL: func.func @features
// CHECK: ane.layer_norm %{{.*}} {axes = array<i64: 1>{{.*}} : tensor<1x16x1x20xf16> gamma tensor<16xf32> beta tensor<16xf32> -> tensor<1x16x1x20xf16>
func.func @features(%x: tensor<1x16x5x4xf16>) -> tensor<1x20x16xf16> {
  %c = ane.constant dense<2.0> : tensor<16xf32>
  %0 = ane.reshape %x : tensor<1x16x5x4xf16> -> tensor<1x16x20xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1>} : tensor<1x16x20xf16> -> tensor<1x20x16xf16>
  %2 = ane.layer_norm %1 gamma %c beta %c {axes = array<i64: 2>, epsilon = 1.0E-5 : f32} : tensor<1x20x16xf16> gamma tensor<16xf32> beta tensor<16xf32> -> tensor<1x20x16xf16>
  return %2 : tensor<1x20x16xf16>
}

// -----

// Rows that are not pixels stay a matrix multiplication.

// CHECK-LABEL: func.func @rows
// CHECK: ane.matmul
func.func @rows(%x: tensor<1x20x16xf16>) -> tensor<1x20x10xf16> {
  %w = ane.constant dense_resource<w> : tensor<1x16x10xf32>
  %1 = ane.matmul %x, %w : tensor<1x20x16xf16>, tensor<1x16x10xf32> -> tensor<1x20x10xf16>
  return %1 : tensor<1x20x10xf16>
}

// -----

// CHECK-LABEL: func.func @mean
// CHECK-NOT: ane.reduce
// CHECK: ane.pool average %arg0 {kernel = array<i64: 7, 5>} : tensor<1x4x7x5xf16> -> tensor<1x4x1x1xf16>
// CHECK-NOT: ane.elementwise
func.func @mean(%x: tensor<1x4x7x5xf16>) -> tensor<1x4x1x1xf16> {
  %n = ane.constant dense<35.0> : tensor<1xf32>
  %r = ane.activation %n {function = #ane.act<reciprocal>} : tensor<1xf32> -> tensor<1xf32>
  %f = ane.reshape %r : tensor<1xf32> -> tensor<1x1x1x1xf32>
  %0 = ane.reduce sum %x {axes = array<i64: 3>} : tensor<1x4x7x5xf16> -> tensor<1x4x7x1xf16>
  %1 = ane.reduce sum %0 {axes = array<i64: 2>} : tensor<1x4x7x1xf16> -> tensor<1x4x1x1xf16>
  %2 = ane.elementwise mul %f, %1 : tensor<1x1x1x1xf32>, tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>
  return %2 : tensor<1x4x1x1xf16>
}

// -----

// CHECK-LABEL: func.func @mean_by_division
// CHECK: ane.reduce mean %arg0 {axes = array<i64: 1>}
func.func @mean_by_division(%x: tensor<1x8x7x5xf16>) -> tensor<1x1x7x5xf16> {
  %n = ane.constant dense<8.0> : tensor<1x1x1x1xf32>
  %0 = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x8x7x5xf16> -> tensor<1x1x7x5xf16>
  %1 = ane.elementwise div %0, %n : tensor<1x1x7x5xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x7x5xf16>
  return %1 : tensor<1x1x7x5xf16>
}

// -----

// Another factor is no mean.

// CHECK-LABEL: func.func @sum
// CHECK: ane.reduce sum %arg0 {axes = array<i64: 2, 3>}
// CHECK: ane.elementwise mul
func.func @sum(%x: tensor<1x4x7x5xf16>) -> tensor<1x4x1x1xf16> {
  %f = ane.constant dense<0.5> : tensor<1x1x1x1xf32>
  %0 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x4x7x5xf16> -> tensor<1x4x1x1xf16>
  %1 = ane.elementwise mul %0, %f : tensor<1x4x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x1x1xf16>
  return %1 : tensor<1x4x1x1xf16>
}

// -----

// Columns that no window reads need no slice.

// CHECK-LABEL: func.func @unread_slice
// CHECK: ane.conv %arg0, %arg1 {strides = array<i64: 2, 2>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x4x4xf16>
// CHECK: ane.pool max %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x4x8x8xf16> -> tensor<1x4x4x3xf16>
func.func @unread_slice(%x: tensor<1x4x8x8xf16>, %w: tensor<4x4x1x1xf16>) -> (tensor<1x4x4x4xf16>, tensor<1x4x4x3xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 7, 7>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x7x7xf16>
  %1 = ane.conv %0, %w {strides = array<i64: 2, 2>} : tensor<1x4x7x7xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x4x4xf16>
  %2 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 8, 7>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x7xf16>
  %3 = ane.pool max %2 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x4x8x7xf16> -> tensor<1x4x4x3xf16>
  return %1, %3 : tensor<1x4x4x4xf16>, tensor<1x4x4x3xf16>
}

// -----

// Here the last window would read it, there would be more of them, or the front is
// cut off.

// CHECK-LABEL: func.func @read_slice
// CHECK: %[[A:.*]] = ane.slice
// CHECK: ane.conv %[[A]]
// CHECK: %[[B:.*]] = ane.slice
// CHECK: ane.conv %[[B]]
// CHECK: %[[C:.*]] = ane.slice
// CHECK: ane.conv %[[C]]
func.func @read_slice(%x: tensor<1x4x8x8xf16>, %w: tensor<4x4x1x1xf16>, %v: tensor<4x4x3x3xf16>) -> (tensor<1x4x3x3xf16>, tensor<1x4x4x4xf16>, tensor<1x4x4x4xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 6>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x6x6xf16>
  %1 = ane.conv %0, %w {strides = array<i64: 2, 2>} : tensor<1x4x6x6xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x3x3xf16>
  %2 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 7, 7>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x7x7xf16>
  %3 = ane.conv %2, %v {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x7x7xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x4x4xf16>
  %4 = ane.slice %x {offsets = array<i64: 0, 0, 1, 1>, sizes = array<i64: 1, 4, 7, 7>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x7x7xf16>
  %5 = ane.conv %4, %w {strides = array<i64: 2, 2>} : tensor<1x4x7x7xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x4x4xf16>
  return %1, %3, %5 : tensor<1x4x3x3xf16>, tensor<1x4x4x4xf16>, tensor<1x4x4x4xf16>
}

// -----

// CHECK-LABEL: func.func @factors
// CHECK-NEXT: %[[N:.*]] = ane.constant dense<3.0
// CHECK-NEXT: %[[A:.*]] = ane.elementwise mul %arg0, %[[N]]
// CHECK-NEXT: return %arg0, %arg0, %[[A]]
func.func @factors(%x: tensor<1x4x8x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %n = ane.constant dense<4.0> : tensor<1x1x1x1xf32>
  %q = ane.constant dense<0.25> : tensor<1x1x1x1xf32>
  %m = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise mul %x, %n : tensor<1x4x8x8xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x8xf16>
  %1 = ane.elementwise div %0, %n : tensor<1x4x8x8xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x8xf16>
  %2 = ane.elementwise mul %0, %q : tensor<1x4x8x8xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x8xf16>
  %3 = ane.elementwise mul %1, %m : tensor<1x4x8x8xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x8xf16>
  return %1, %2, %3 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

// -----

// Softmax and norms name dimensions; they follow them.

// CHECK-LABEL: func.func @norms
// CHECK: %[[S:.*]] = ane.softmax %arg0 {axis = 1 : i64} : tensor<1x4x8x6xf16>
// CHECK: %[[L:.*]] = ane.layer_norm %[[S]] gamma %{{.*}} {axes = array<i64: 1>
// CHECK: %[[R:.*]] = ane.rms_norm %[[L]] {axes = array<i64: 2, 3>
// CHECK: ane.transpose %[[R]] {perm = array<i64: 0, 2, 3, 1>}
func.func @norms(%x: tensor<1x4x8x6xf16>) -> tensor<1x8x6x4xf16> {
  %g = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x6xf16> -> tensor<1x8x6x4xf16>
  %0 = ane.softmax %t {axis = 3 : i64} : tensor<1x8x6x4xf16> -> tensor<1x8x6x4xf16>
  %1 = ane.layer_norm %0 gamma %g {axes = array<i64: 3>, epsilon = 1.0e-3 : f32} : tensor<1x8x6x4xf16> gamma tensor<4xf32> -> tensor<1x8x6x4xf16>
  %2 = ane.rms_norm %1 {axes = array<i64: 1, 2>, epsilon = 1.0e-3 : f32} : tensor<1x8x6x4xf16> -> tensor<1x8x6x4xf16>
  return %2 : tensor<1x8x6x4xf16>
}

// -----

// Convolutions along a sequence have it in a row of columns, and so has what is
// between them.

// CHECK-LABEL: func.func @sequence
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x2x9x1xf16> -> tensor<1x2x1x9xf16>
// CHECK: %[[C:.*]] = ane.conv %[[X]], %{{.*}} {pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 2>} : tensor<1x2x1x9xf16>, tensor<2x2x1x3xf32> -> tensor<1x2x1x4xf16>
// CHECK-NEXT: %[[N:.*]] = ane.layer_norm %[[C]] {axes = array<i64: 3>{{.*}}} : tensor<1x2x1x4xf16>
// CHECK-NEXT: %[[S:.*]] = ane.slice %[[N]] {offsets = array<i64: 0, 0, 0, 1>, sizes = array<i64: 1, 2, 1, 3>
// CHECK: %[[D:.*]] = ane.conv %[[S]], %{{.*}} : tensor<1x2x1x3xf16>, tensor<2x1x1x2xf32> -> tensor<1x2x1x2xf16>
// CHECK-NEXT: %[[P:.*]] = ane.pad %[[D]] {high = array<i64: 0, 0, 0, 1>, low = array<i64: 0, 0, 0, 0>
// CHECK: %[[R:.*]] = ane.rms_norm %[[P]] gamma %{{.*}} {axes = array<i64: 3>
// CHECK-NEXT: ane.reshape %[[R]] : tensor<1x2x1x3xf16> -> tensor<1x2x3xf16>
func.func @sequence(%x: tensor<1x2x9x1xf16>) -> tensor<1x2x3xf16> {
  %w = ane.constant dense<0.5> : tensor<2x2x3x1xf32>
  %v = ane.constant dense<2.0> : tensor<2x1x2x1xf32>
  %0 = ane.conv %x, %w {strides = array<i64: 2, 1>, pad = array<i64: 1, 0, 0, 0>} : tensor<1x2x9x1xf16>, tensor<2x2x3x1xf32> -> tensor<1x2x4x1xf16>
  %1 = ane.layer_norm %0 {axes = array<i64: 2, 3>, epsilon = 1.0e-3 : f32} : tensor<1x2x4x1xf16> -> tensor<1x2x4x1xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 2, 3, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x4x1xf16> -> tensor<1x2x3x1xf16>
  %3 = ane.conv %2, %v {groups = 2 : i64} : tensor<1x2x3x1xf16>, tensor<2x1x2x1xf32> -> tensor<1x2x2x1xf16>
  %4 = ane.reshape %3 : tensor<1x2x2x1xf16> -> tensor<1x2x2xf16>
  %5 = ane.pad %4 {low = array<i64: 0, 0, 0>, high = array<i64: 0, 0, 1>} : tensor<1x2x2xf16> -> tensor<1x2x3xf16>
  %g = ane.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %6 = ane.rms_norm %5 gamma %g {axes = array<i64: 2>, epsilon = 1.0e-3 : f32} : tensor<1x2x3xf16> gamma tensor<3xf32> -> tensor<1x2x3xf16>
  return %6 : tensor<1x2x3xf16>
}

// -----

// A recurrent layer takes one row after the other.

// CHECK-LABEL: func.func @steps
// CHECK: ane.conv %arg0, %{{.*}} : tensor<1x2x9x1xf16>, tensor<4x2x1x1xf32> -> tensor<1x4x9x1xf16>
// CHECK-COUNT-2: ane.slice {{.*}} : tensor<1x4x9x1xf16> -> tensor<1x4x1x1xf16>
func.func @steps(%x: tensor<1x2x9x1xf16>) -> (tensor<1x4x1x1xf16>, tensor<1x4x1x1xf16>) {
  %w = ane.constant dense<0.5> : tensor<4x2x1x1xf32>
  %b = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32>
  %0 = ane.conv %x, %w : tensor<1x2x9x1xf16>, tensor<4x2x1x1xf32> -> tensor<1x4x9x1xf16>
  %1 = ane.elementwise add %0, %b : tensor<1x4x9x1xf16>, tensor<1x4x1x1xf32> -> tensor<1x4x9x1xf16>
  %2 = ane.activation %1 {function = #ane.act<tanh>} : tensor<1x4x9x1xf16> -> tensor<1x4x9x1xf16>
  %3 = ane.slice %2 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x9x1xf16> -> tensor<1x4x1x1xf16>
  %4 = ane.slice %2 {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 4, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x9x1xf16> -> tensor<1x4x1x1xf16>
  return %3, %4 : tensor<1x4x1x1xf16>, tensor<1x4x1x1xf16>
}

// -----

// CHECK-LABEL: func.func @transposed_sequence
// CHECK: ane.conv_transpose %{{.*}} {pad = array<i64: 0, 0, 1, 2>, strides = array<i64: 1, 4>} : tensor<1x2x1x9xf16>, tensor<2x3x1x7xf32> -> tensor<1x3x1x36xf16>
func.func @transposed_sequence(%x: tensor<1x2x9x1xf16>) -> tensor<1x3x36x1xf16> {
  %w = ane.constant dense<0.5> : tensor<2x3x7x1xf32>
  %0 = ane.conv_transpose %x, %w {strides = array<i64: 4, 1>, pad = array<i64: 1, 2, 0, 0>} : tensor<1x2x9x1xf16>, tensor<2x3x7x1xf32> -> tensor<1x3x36x1xf16>
  return %0 : tensor<1x3x36x1xf16>
}

// -----

// Heads of one token are no image that a window covers: their row is one pixel.

// CHECK-LABEL: func.func @token
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x2x1x16xf16> -> tensor<1x32x1x1xf16>
// CHECK: ane.conv %[[X]], %{{.*}} : tensor<1x32x1x1xf16>, tensor<3x32x1x1xf32> -> tensor<1x3x1x1xf16>
func.func @token(%x: tensor<1x2x1x16xf16>) -> tensor<1x1x3xf16> {
  %w = ane.constant dense<0.5> : tensor<1x32x3xf32>
  %t = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<1x2x1x16xf16> -> tensor<1x1x2x16xf16>
  %r = ane.reshape %t : tensor<1x1x2x16xf16> -> tensor<1x1x32xf16>
  %0 = ane.matmul %r, %w : tensor<1x1x32xf16>, tensor<1x32x3xf32> -> tensor<1x1x3xf16>
  return %0 : tensor<1x1x3xf16>
}

// -----

// A factor for each channel that the network computes, where channels come
// last: squeeze and excite.

// CHECK-LABEL: func.func @excite
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x4x6xf16>, %[[Z:.*]]: tensor<1x8x1x1xf16>)
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise{{ +}}mul %[[Z]], %[[X]] : tensor<1x8x1x1xf16>, tensor<1x8x4x6xf16> -> tensor<1x8x4x6xf16>
// CHECK-NEXT: return %[[Y]]
func.func @excite(%x: tensor<1x8x4x6xf16>, %z: tensor<1x8x1x1xf16>) -> tensor<1x8x4x6xf16> {
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x8x4x6xf16> -> tensor<1x4x6x8xf16>
  %f = ane.transpose %z {perm = array<i64: 0, 2, 3, 1>} : tensor<1x8x1x1xf16> -> tensor<1x1x1x8xf16>
  %m = ane.elementwise mul %f, %t : tensor<1x1x1x8xf16>, tensor<1x4x6x8xf16> -> tensor<1x4x6x8xf16>
  %y = ane.transpose %m {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x6x8xf16> -> tensor<1x8x4x6xf16>
  return %y : tensor<1x8x4x6xf16>
}

// -----

// Here the dimensions of the operand change their order.

// CHECK-LABEL: func.func @rows_and_channels
// CHECK: ane.transpose
func.func @rows_and_channels(%x: tensor<1x8x4x6xf16>, %z: tensor<1x4x1x8xf16>) -> tensor<1x8x4x6xf16> {
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x8x4x6xf16> -> tensor<1x4x6x8xf16>
  %m = ane.elementwise mul %t, %z : tensor<1x4x6x8xf16>, tensor<1x4x1x8xf16> -> tensor<1x4x6x8xf16>
  %y = ane.transpose %m {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x6x8xf16> -> tensor<1x8x4x6xf16>
  return %y : tensor<1x8x4x6xf16>
}

// A shuffle of the channels of two values: each goes to its places.
// CHECK-LABEL: func @shuffle(
// CHECK-NOT: ane.transpose
// CHECK: %[[A:.*]] = ane.reshape %arg0 : tensor<1x4x5x6xf16> -> tensor<1x4x1x5x6xf16>
// CHECK: %[[B:.*]] = ane.reshape %arg1 : tensor<1x4x5x6xf16> -> tensor<1x4x1x5x6xf16>
// CHECK: ane.concat %[[A]], %[[B]] {axis = 2 : i64}
// CHECK-NOT: ane.transpose
// CHECK-LABEL: func @not_shuffle(
// CHECK: ane.transpose
func.func @shuffle(%a: tensor<1x4x5x6xf16>, %b: tensor<1x4x5x6xf16>) -> tensor<1x8x5x6xf16> {
  %0 = ane.concat %a, %b {axis = 1 : i64} : tensor<1x4x5x6xf16>, tensor<1x4x5x6xf16> -> tensor<1x8x5x6xf16>
  %1 = ane.reshape %0 : tensor<1x8x5x6xf16> -> tensor<1x2x4x5x6xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<1x2x4x5x6xf16> -> tensor<1x4x2x5x6xf16>
  %3 = ane.reshape %2 : tensor<1x4x2x5x6xf16> -> tensor<1x8x5x6xf16>
  return %3 : tensor<1x8x5x6xf16>
}
func.func @not_shuffle(%a: tensor<1x4x5x6xf16>, %b: tensor<1x4x5x6xf16>) -> tensor<1x8x5x6xf16> {
  %0 = ane.concat %a, %b {axis = 1 : i64} : tensor<1x4x5x6xf16>, tensor<1x4x5x6xf16> -> tensor<1x8x5x6xf16>
  %1 = ane.reshape %0 : tensor<1x8x5x6xf16> -> tensor<1x4x2x5x6xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<1x4x2x5x6xf16> -> tensor<1x2x4x5x6xf16>
  %3 = ane.reshape %2 : tensor<1x2x4x5x6xf16> -> tensor<1x8x5x6xf16>
  return %3 : tensor<1x8x5x6xf16>
}

// -----

// What has no elements does not move.
// CHECK-LABEL: @no_elements
// CHECK: %[[R:.*]] = ane.reshape %arg0 : tensor<0x3xf16> -> tensor<0xf16>
// CHECK: ane.activation %[[R]]
func.func @no_elements(%x: tensor<0x3xf16>) -> tensor<0xf16> {
  %0 = ane.reshape %x : tensor<0x3xf16> -> tensor<0xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<0xf16> -> tensor<0xf16>
  return %1 : tensor<0xf16>
}
