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

// Where there are rows, too, these become one.
// CHECK-LABEL: @norm_of_channels
// CHECK: ane.rms_norm %{{.*}} {axes = array<i64: 2>, {{.*}}} : tensor<1x2000x6x16xf16>
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

// Products of elements and their sums along rows, for more matrices than there
// are tasks; of one row and one column nothing is summed.
// CHECK-LABEL: @matrices
// CHECK-NOT: ane.matmul
// CHECK: ane.elementwise mul %{{.*}} -> tensor<1x35000x12x2xf16>
// CHECK-NOT: ane.matmul
// CHECK: ane.reduce sum %{{.*}} {axes = array<i64: 3>} : tensor<1x35000x12x2xf16>
// CHECK: ane.activation %{{.*}} {function = #ane.act<relu>}
// CHECK-LABEL: @outer
// CHECK-NOT: ane.transpose
// CHECK: ane.elementwise mul %{{.*}}, %{{.*}} : tensor<1x300x4x1xf16>, tensor<1x300x1x16xf16> -> tensor<1x300x4x16xf16>
// CHECK-NEXT: ane.reshape %{{.*}} : tensor<1x300x4x16xf16> -> tensor<10x30x4x16xf16>
// CHECK-LABEL: @few_matrices
// CHECK: ane.matmul
func.func @matrices(%x: tensor<70000x1x2x3xf16>, %y: tensor<70000x1x2x4xf16>) -> tensor<70000x1x3x4xf16> {
  %z = ane.matmul %x, %y {transpose_lhs, activation = #ane.act<relu>} : tensor<70000x1x2x3xf16>, tensor<70000x1x2x4xf16> -> tensor<70000x1x3x4xf16>
  return %z : tensor<70000x1x3x4xf16>
}
func.func @outer(%x: tensor<10x30x4x1xf16>, %y: tensor<10x30x1x16xf16>) -> tensor<10x30x4x16xf16> {
  %z = ane.matmul %x, %y : tensor<10x30x4x1xf16>, tensor<10x30x1x16xf16> -> tensor<10x30x4x16xf16>
  return %z : tensor<10x30x4x16xf16>
}
func.func @few_matrices(%x: tensor<700x1x2x3xf16>, %y: tensor<700x1x2x4xf16>) -> tensor<700x1x3x4xf16> {
  %z = ane.matmul %x, %y {transpose_lhs} : tensor<700x1x2x3xf16>, tensor<700x1x2x4xf16> -> tensor<700x1x3x4xf16>
  return %z : tensor<700x1x3x4xf16>
}

// 2,000 images of 5 rows, with the border above: each has 6 rows, an even number,
// of one image, and 3 of its result, of which 2 count.
// CHECK-LABEL: @windows
// CHECK: ane.pad %{{.*}} {high = array<i64: 0, 0, 0, 0>, low = array<i64: 0, 0, 1, 0>{{.*}}} : tensor<1x2000x5x4xf16> -> tensor<1x2000x6x4xf16>
// CHECK: ane.conv {{.*}}pad = array<i64: 0, 1, 1, 1>, strides = array<i64: 2, 1>} : tensor<1x1x12000x4xf16>, tensor<2x1x3x3xf16> -> tensor<1x2x6000x4xf16>
// CHECK: ane.slice %{{.*}} sizes = array<i64: 1, 2000, 2, 4>
// CHECK: ane.concat %{{.*}} {axis = 2 : i64} : tensor<1x2000x2x4xf16>, tensor<1x2000x2x4xf16> -> tensor<1x2000x4x4xf16>
func.func @windows(%x: tensor<2000x1x5x4xf16>, %w: tensor<2x1x3x3xf16>) -> tensor<2000x2x2x4xf16> {
  %y = ane.conv %x, %w {strides = array<i64: 2, 1>, pad = array<i64: 1, 0, 1, 1>} : tensor<2000x1x5x4xf16>, tensor<2x1x3x3xf16> -> tensor<2000x2x2x4xf16>
  return %y : tensor<2000x2x2x4xf16>
}

// More images than rows of one, in groups; and where channels are more than the
// images, each image is on its own.
// CHECK-LABEL: @groups_of_windows
// CHECK-COUNT-3: ane.conv_transpose {{.*}} -> tensor<1x1x{{[0-9]+}}x6xf16>
// CHECK-NOT: ane.conv_transpose
// CHECK-LABEL: @channels_of_windows
// CHECK: ane.conv %arg0
func.func @groups_of_windows(%x: tensor<9000x1x2x3xf16>, %w: tensor<1x1x2x2xf16>) -> tensor<9000x1x4x6xf16> {
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>} : tensor<9000x1x2x3xf16>, tensor<1x1x2x2xf16> -> tensor<9000x1x4x6xf16>
  return %y : tensor<9000x1x4x6xf16>
}
func.func @channels_of_windows(%x: tensor<300x200x2x3xf16>, %w: tensor<200x200x1x1xf16>) -> tensor<300x200x2x3xf16> {
  %y = ane.conv %x, %w : tensor<300x200x2x3xf16>, tensor<200x200x1x1xf16> -> tensor<300x200x2x3xf16>
  return %y : tensor<300x200x2x3xf16>
}

// Borders of images, channels and rows are no borders of one dimension, but one
// after the other they are. 252,348 images are no channels of a surface.
// CHECK-LABEL: @borders
// CHECK-SAME: tensor<4x63087x1x1xf16> {ane.shape = array<i64: 252348, 1, 1, 1>}
// CHECK-SAME: {ane.shape = array<i64: 252358, 4, 2, 1>}
// CHECK: return
func.func @borders(%x: tensor<252348x1x1x1xf16>) -> tensor<252358x4x2x1xf16> {
  %y = ane.pad %x {low = array<i64: 5, 1, 0, 0>, high = array<i64: 5, 2, 1, 0>, value = -0.5 : f32} : tensor<252348x1x1x1xf16> -> tensor<252358x4x2x1xf16>
  return %y : tensor<252358x4x2x1xf16>
}

// CHECK-LABEL: @copies
// CHECK-SAME: tensor<3x65536x1x8xf16> {ane.shape = array<i64: 196608, 1, 1, 8>}
// CHECK-NOT: ane.tile
// CHECK: return
func.func @copies(%x: tensor<65536x1x1x8xf16>) -> tensor<196608x1x1x8xf16> {
  %y = ane.tile %x {repeats = array<i64: 3, 1, 1, 1>} : tensor<65536x1x1x8xf16> -> tensor<196608x1x1x8xf16>
  return %y : tensor<196608x1x1x8xf16>
}

// A window of one row that moves by two gets another one.
// CHECK-LABEL: @short_windows
// CHECK: ane.conv_transpose {{.*}} : tensor<1x1x6000x1xf16>, tensor<1x1x2x1xf16> -> tensor<1x1x12000x1xf16>
func.func @short_windows(%x: tensor<1000x1x6x1xf16>) -> tensor<1000x1x11x1xf16> {
  %w = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 1>} : tensor<1000x1x6x1xf16>, tensor<1x1x1x1xf16> -> tensor<1000x1x11x1xf16>
  return %y : tensor<1000x1x11x1xf16>
}

// A surface is joined through all shapes on the way to it.
// CHECK-LABEL: @shapes
// CHECK-SAME: (%arg0: tensor<1x40000x2x8xf16> {ane.shape = array<i64: 40000, 2, 8, 1>}) -> (tensor<1x40000x2x8xf16> {ane.shape = array<i64: 40000, 2, 8, 1>})
// CHECK-NOT: tensor<40000x2
// CHECK: return
func.func @shapes(%x: tensor<40000x2x8x1xf16>) -> tensor<40000x2x8x1xf16> {
  %0 = ane.reshape %x : tensor<40000x2x8x1xf16> -> tensor<40000x2x1x8xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<40000x2x1x8xf16> -> tensor<40000x2x1x8xf16>
  %2 = ane.reshape %1 : tensor<40000x2x1x8xf16> -> tensor<40000x2x8x1xf16>
  return %2 : tensor<40000x2x8x1xf16>
}

// An argument that nobody reads, and one that two ops read.
// CHECK-LABEL: @uses
// CHECK-SAME: (%arg0: tensor<1x40000x16x1xf16> {ane.shape = array<i64: 40000, 2, 8, 1>}, %arg1: tensor<40000x2x8x1xf16>)
func.func @uses(%x: tensor<40000x2x8x1xf16>, %y: tensor<40000x2x8x1xf16>) -> (tensor<40000x2x8x1xf16>, tensor<40000x2x8x1xf16>) {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<40000x2x8x1xf16> -> tensor<40000x2x8x1xf16>
  %1 = ane.activation %x {function = #ane.act<abs>} : tensor<40000x2x8x1xf16> -> tensor<40000x2x8x1xf16>
  return %0, %1 : tensor<40000x2x8x1xf16>, tensor<40000x2x8x1xf16>
}

// Two planes, or two rows, between others.
// CHECK-LABEL: @exchange_planes
// CHECK-COUNT-2: ane.slice %{{.*}} sizes = array<i64: 1, 700, 3, 5>, strides = array<i64: 1, 1, 1, 1>}
// CHECK: ane.concat %{{.*}} {axis = 2 : i64} : tensor<1x2100x1x5xf16>, tensor<1x2100x1x5xf16> -> tensor<1x2100x2x5xf16>
func.func @exchange_planes(%x: tensor<700x2x3x5xf16>) -> tensor<700x3x2x5xf16> {
  %y = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<700x2x3x5xf16> -> tensor<700x3x2x5xf16>
  return %y : tensor<700x3x2x5xf16>
}
// CHECK-LABEL: @exchange_rows
// CHECK-COUNT-2: ane.slice %{{.*}} sizes = array<i64: 1, 700, 3, 5>, strides = array<i64: 1, 1, 2, 1>}
// CHECK: ane.concat %{{.*}} {axis = 2 : i64} : tensor<1x700x3x5xf16>, tensor<1x700x3x5xf16> -> tensor<1x700x6x5xf16>
func.func @exchange_rows(%x: tensor<700x3x2x5xf16>) -> tensor<700x2x3x5xf16> {
  %y = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<700x3x2x5xf16> -> tensor<700x2x3x5xf16>
  return %y : tensor<700x2x3x5xf16>
}
