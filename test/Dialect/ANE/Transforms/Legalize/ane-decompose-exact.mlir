// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize}" -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-127: computes the same
// CHECK-NOT: computes the same

// Rewrites that change no bit of a result that f32 can hold. What comes out is legal,
// and the definitions of the ops give the same values before and after.

// A window that starts one column in front of the image and ends one behind it.
func.func @max_1x3_s2_border(%x: tensor<1x4x1x64xf16>) -> tensor<1x4x1x33xf16> {
  %y = ane.pool max %x {kernel = array<i64: 1, 3>, strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 2, 1>}
     : tensor<1x4x1x64xf16> -> tensor<1x4x1x33xf16>
  return %y : tensor<1x4x1x33xf16>
}

func.func @max_2x2_s2(%x: tensor<1x3x6x8xf16>) -> tensor<1x3x3x4xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x3x6x8xf16> -> tensor<1x3x3x4xf16>
  return %y : tensor<1x3x3x4xf16>
}

func.func @max_3x3_s2_front_pad(%x: tensor<1x3x8x8xf16>) -> tensor<1x3x4x4xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
     : tensor<1x3x8x8xf16> -> tensor<1x3x4x4xf16>
  return %y : tensor<1x3x4x4xf16>
}

func.func @max_3x3_s1_pad(%x: tensor<1x2x5x7xf16>) -> tensor<1x2x5x7xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x2x5x7xf16> -> tensor<1x2x5x7xf16>
  return %y : tensor<1x2x5x7xf16>
}

func.func @max_3x3_s2_pad_relu(%x: tensor<1x2x9x9xf16>) -> tensor<1x2x5x5xf16> {
  %r = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x9x9xf16> -> tensor<1x2x9x9xf16>
  %y = ane.pool max %r {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x2x9x9xf16> -> tensor<1x2x5x5xf16>
  return %y : tensor<1x2x5x5xf16>
}

func.func @max_5x4_s1_uneven_pad(%x: tensor<1x2x9x8xf16>) -> tensor<1x2x10x8xf16> {
  %y = ane.pool max %x {kernel = array<i64: 5, 4>, strides = array<i64: 1, 1>, pad = array<i64: 2, 3, 1, 2>}
     : tensor<1x2x9x8xf16> -> tensor<1x2x10x8xf16>
  return %y : tensor<1x2x10x8xf16>
}

func.func @max_window_over_image(%x: tensor<1x1x3x3xf16>) -> tensor<1x1x5x5xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 2>}
     : tensor<1x1x3x3xf16> -> tensor<1x1x5x5xf16>
  return %y : tensor<1x1x5x5xf16>
}

func.func @max_1x3_s2(%x: tensor<1x2x5x9xf16>) -> tensor<1x2x3x5xf16> {
  %y = ane.pool max %x {kernel = array<i64: 1, 3>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 1>}
     : tensor<1x2x5x9xf16> -> tensor<1x2x3x5xf16>
  return %y : tensor<1x2x3x5xf16>
}

func.func @max_3x1_s1(%x: tensor<1x2x5x4xf16>) -> tensor<1x2x5x4xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 1>, strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 0>}
     : tensor<1x2x5x4xf16> -> tensor<1x2x5x4xf16>
  return %y : tensor<1x2x5x4xf16>
}

func.func @max_4x4_s4(%x: tensor<1x2x8x8xf16>) -> tensor<1x2x2x2xf16> {
  %y = ane.pool max %x {kernel = array<i64: 4, 4>, strides = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x2x8x8xf16> -> tensor<1x2x2x2xf16>
  return %y : tensor<1x2x2x2xf16>
}

func.func @max_rows_only_stride(%x: tensor<1x2x9x3xf16>) -> tensor<1x2x9x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 3>, pad = array<i64: 1, 1, 0, 0>}
     : tensor<1x2x9x3xf16> -> tensor<1x2x9x1xf16>
  return %y : tensor<1x2x9x1xf16>
}

func.func @max_image(%x: tensor<1x2x5x20xf16>) -> tensor<1x2x1x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 5, 20>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x2x5x20xf16> -> tensor<1x2x1x1xf16>
  return %y : tensor<1x2x1x1xf16>
}

func.func @max_batch(%x: tensor<2x2x6x6xf16>) -> tensor<2x2x3x3xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<2x2x6x6xf16> -> tensor<2x2x3x3xf16>
  return %y : tensor<2x2x3x3xf16>
}

func.func @conv_dilated(%x: tensor<1x2x9x9xf16>) -> tensor<1x3x9x9xf16> {
  %w = ane.constant dense<[[[[-0.125, -0.5, 0.375], [0.875, -0.75, -1.0], [0.875, 0.0, -0.125]], [[-0.25, 0.875, 0.875], [0.5, -0.5, -0.125], [-0.5, 1.0, 0.5]]], [[[-1.0, -0.75, -0.375], [-0.875, 0.125, -1.0], [0.0, 0.875, 0.5]], [[0.625, 0.5, 0.75], [-0.5, 0.375, -0.625], [-0.875, -0.5, 0.875]]], [[[-0.25, 0.0, 0.625], [0.125, 0.625, 1.0], [0.5, 0.375, 0.625]], [[-0.125, 0.25, -1.0], [0.0, -0.375, 0.25], [-0.625, -0.25, 0.0]]]]> : tensor<3x2x3x3xf16>
  %b = ane.constant dense<[0.125, -0.625, -0.75]> : tensor<3xf16>
  %y = ane.conv %x, %w bias %b {strides = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, groups = 1 : i64, activation = #ane.act<relu>}
     : tensor<1x2x9x9xf16>, tensor<3x2x3x3xf16>, tensor<3xf16> -> tensor<1x3x9x9xf16>
  return %y : tensor<1x3x9x9xf16>
}

func.func @conv_dilated_uneven(%x: tensor<1x2x9x9xf16>) -> tensor<1x2x6x7xf16> {
  %w = ane.constant dense<[[[[0.875, 0.875, -0.75], [0.375, -0.75, 0.625]], [[-0.5, -1.0, 0.125], [0.625, 0.625, -0.625]]], [[[-0.875, -0.875, 0.5], [0.25, 0.0, 1.0]], [[-0.125, -0.875, 0.125], [-1.0, -0.75, -0.625]]]]> : tensor<2x2x2x3xf16>
  %y = ane.conv %x, %w {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 3, 1>, groups = 1 : i64}
     : tensor<1x2x9x9xf16>, tensor<2x2x2x3xf16> -> tensor<1x2x6x7xf16>
  return %y : tensor<1x2x6x7xf16>
}

func.func @conv_dilated_1x1(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<[[[[-0.875]], [[-0.25]]], [[[0.625]], [[0.125]]]]> : tensor<2x2x1x1xf16>
  %y = ane.conv %x, %w {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>, groups = 1 : i64}
     : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

func.func @conv_stride_4(%x: tensor<1x2x13x13xf16>) -> tensor<1x3x4x4xf16> {
  %w = ane.constant dense<[[[[0.0, -0.5, -0.875], [0.25, 0.25, 0.375], [-0.5, 0.5, 0.5]], [[0.75, 1.0, 0.5], [-0.625, 1.0, 0.0], [0.625, -0.125, 0.125]]], [[[0.625, 0.0, 1.0], [0.125, 0.25, -1.0], [0.625, 0.25, -1.0]], [[0.5, -0.5, -0.875], [0.25, 0.75, 0.375], [0.375, 0.0, 0.875]]], [[[-1.0, -0.875, -1.0], [0.375, 0.0, 0.75], [0.125, 0.25, -0.375]], [[0.375, -0.375, 0.25], [0.375, 0.0, 0.125], [0.5, -0.625, -1.0]]]]> : tensor<3x2x3x3xf16>
  %b = ane.constant dense<[-0.5, 0.125, 1.0]> : tensor<3xf16>
  %y = ane.conv %x, %w bias %b {strides = array<i64: 4, 4>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = #ane.act<relu>}
     : tensor<1x2x13x13xf16>, tensor<3x2x3x3xf16>, tensor<3xf16> -> tensor<1x3x4x4xf16>
  return %y : tensor<1x3x4x4xf16>
}

func.func @conv_stride_of_one_row(%x: tensor<1x2x3x9xf16>) -> tensor<1x3x1x4xf16> {
  %w = ane.constant dense<[[[[-0.125, 0.0, -0.125], [0.25, -0.375, 0.625], [-0.625, -0.625, 0.25]], [[0.25, -0.125, 0.75], [-0.375, -0.75, 0.25], [-0.25, 0.75, 0.0]]], [[[-0.125, -0.625, -0.875], [1.0, -0.25, 0.25], [-0.375, 0.0, 0.25]], [[-0.75, 0.375, -0.5], [0.625, 0.125, 1.0], [0.0, 0.75, 0.375]]], [[[0.625, 0.125, 0.625], [0.625, -0.875, 0.625], [-0.5, -0.25, -1.0]], [[0.875, 1.0, 0.625], [-0.125, -0.875, 0.75], [1.0, 0.125, 0.25]]]]> : tensor<3x2x3x3xf16>
  %y = ane.conv %x, %w {strides = array<i64: 7, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64}
     : tensor<1x2x3x9xf16>, tensor<3x2x3x3xf16> -> tensor<1x3x1x4xf16>
  return %y : tensor<1x3x1x4xf16>
}

func.func @conv_scale(%x: tensor<1x2x5x5xf16>) -> tensor<1x3x3x3xf16> {
  %w = ane.constant dense<[[[[-0.125, -0.75, 0.125], [-0.625, -0.125, -0.875], [-0.875, 1.0, -0.25]], [[0.625, -0.875, -1.0], [0.875, -0.625, -0.375], [1.0, 0.125, -0.125]]], [[[-1.0, 1.0, 0.625], [-0.875, -0.625, 0.25], [-0.5, 0.0, 0.875]], [[-0.875, 0.375, -0.125], [-0.25, -0.625, -0.625], [-0.375, -0.125, 0.0]]], [[[-0.5, -1.0, 0.875], [0.5, -0.875, 0.0], [-0.125, 0.0, 1.0]], [[1.0, 0.625, -0.875], [0.875, 0.25, -1.0], [-0.875, -0.5, -0.875]]]]> : tensor<3x2x3x3xf16>
  %b = ane.constant dense<[-0.625, -0.875, -0.75]> : tensor<3xf16>
  %s = ane.constant dense<[0.875, -0.875, -0.75]> : tensor<3xf16>
  %y = ane.conv %x, %w bias %b scale %s {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = #ane.act<relu>}
     : tensor<1x2x5x5xf16>, tensor<3x2x3x3xf16>, tensor<3xf16> scale tensor<3xf16> -> tensor<1x3x3x3xf16>
  return %y : tensor<1x3x3x3xf16>
}

func.func @conv_grouped_bias(%x: tensor<1x4x5x5xf16>) -> tensor<1x6x5x5xf16> {
  %w = ane.constant dense<[[[[1.0, 1.0, 0.875], [0.25, -0.375, 0.25], [-0.75, 0.375, 0.5]], [[0.5, 0.125, 0.375], [0.0, -0.25, 0.25], [0.625, -0.625, -0.5]]], [[[-1.0, 0.5, -0.75], [-0.375, -0.875, 0.375], [0.75, 0.5, -0.875]], [[0.625, -0.875, 0.375], [0.875, 0.25, 0.625], [0.625, 0.75, -1.0]]], [[[-0.125, -0.25, 0.0], [-0.75, 0.625, -0.125], [0.625, -0.5, -1.0]], [[0.25, 0.375, 0.0], [-0.625, 0.75, -0.625], [1.0, 0.5, -0.625]]], [[[0.25, -0.625, -1.0], [0.875, -0.5, -0.125], [0.5, -0.875, 1.0]], [[-0.75, -0.625, 0.5], [-0.375, -1.0, 0.25], [-0.625, -1.0, -0.625]]], [[[0.875, 0.125, 0.125], [-0.75, -0.875, 1.0], [1.0, -0.125, -0.625]], [[-0.625, -0.875, 0.25], [-0.375, -0.75, -0.125], [-0.375, -0.125, 0.75]]], [[[0.5, 0.0, 0.375], [0.5, 0.375, 0.625], [-0.75, 0.5, 1.0]], [[-0.125, 0.625, -0.375], [0.625, 1.0, 0.875], [-0.5, 0.5, -0.5]]]]> : tensor<6x2x3x3xf16>
  %b = ane.constant dense<[-0.375, -0.625, 0.875, 0.875, 1.0, 0.75]> : tensor<6xf16>
  %y = ane.conv %x, %w bias %b {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, activation = #ane.act<relu>}
     : tensor<1x4x5x5xf16>, tensor<6x2x3x3xf16>, tensor<6xf16> -> tensor<1x6x5x5xf16>
  return %y : tensor<1x6x5x5xf16>
}

func.func @conv_transposed(%x: tensor<1x3x4x5xf16>) -> tensor<1x2x5x5xf16> {
  %w = ane.constant dense<[[[[-0.375, -0.5], [0.0, -0.25], [-0.5, 1.0]], [[0.25, -0.125], [0.125, 0.625], [0.0, -0.25]]], [[[0.125, -1.0], [0.0, 0.875], [0.5, -0.25]], [[-0.375, 0.375], [-0.125, 0.25], [0.875, -0.5]]], [[[0.625, 0.875], [-0.25, 0.75], [-1.0, 0.875]], [[-0.75, 0.5], [-0.875, 0.75], [-0.125, -0.125]]]]> : tensor<3x2x3x2xf16>
  %b = ane.constant dense<[-0.75, -0.25]> : tensor<2xf16>
  %y = ane.conv_transpose %x, %w bias %b {strides = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
     : tensor<1x3x4x5xf16>, tensor<3x2x3x2xf16>, tensor<2xf16> -> tensor<1x2x5x5xf16>
  return %y : tensor<1x2x5x5xf16>
}

func.func @conv_transposed_grouped_dilated(%x: tensor<1x4x4x5xf16>) -> tensor<1x6x6x7xf16> {
  %w = ane.constant dense<[[[[0.0, -0.125, -0.25], [0.0, -0.5, -0.375]], [[-0.875, 0.0, -0.375], [-0.875, 0.25, -0.375]], [[0.625, -0.75, -0.75], [-0.625, -0.75, 0.0]]], [[[0.125, -0.875, 0.375], [0.75, 0.25, -1.0]], [[-1.0, 0.25, 0.25], [0.625, 0.5, 0.875]], [[-0.75, -0.25, 0.875], [0.5, -0.5, 0.25]]], [[[-0.625, 0.0, -0.75], [0.625, -0.625, 0.75]], [[1.0, 0.0, -0.625], [1.0, 0.375, 0.375]], [[0.75, 0.125, 0.0], [-0.625, 0.25, 1.0]]], [[[-0.625, 0.875, 1.0], [0.375, -0.875, 0.125]], [[-0.375, -0.5, -0.375], [0.375, 0.75, -0.625]], [[-0.625, -0.5, 0.25], [0.625, 0.125, -0.375]]]]> : tensor<4x3x2x3xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 1>, groups = 2 : i64, activation = #ane.act<relu>}
     : tensor<1x4x4x5xf16>, tensor<4x3x2x3xf16> -> tensor<1x6x6x7xf16>
  return %y : tensor<1x6x6x7xf16>
}

func.func @conv_floor(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<[[[[0.75]], [[0.875]]], [[[0.125]], [[-0.375]]]]> : tensor<2x2x1x1xf16>
  %y = ane.conv %x, %w {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, activation = #ane.act<abs>}
     : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

func.func @conv_flattened(%x: tensor<1x2x3x4xf16>) -> tensor<1x5x1x1xf16> {
  %w = ane.constant dense<[[[[-0.75]], [[-0.625]], [[-0.375]], [[0.5]], [[0.375]], [[-0.625]], [[0.0]], [[0.0]], [[0.5]], [[-0.875]], [[-0.5]], [[-0.875]], [[0.875]], [[1.0]], [[0.0]], [[-0.125]], [[1.0]], [[0.375]], [[0.25]], [[0.5]], [[0.75]], [[-0.75]], [[0.375]], [[0.875]]], [[[-0.625]], [[-0.5]], [[0.0]], [[-0.625]], [[-0.625]], [[-0.625]], [[-0.375]], [[-0.25]], [[0.625]], [[0.5]], [[-0.5]], [[-0.5]], [[0.5]], [[-0.25]], [[1.0]], [[-0.375]], [[-0.375]], [[-0.25]], [[0.0]], [[0.375]], [[0.125]], [[-1.0]], [[0.75]], [[0.625]]], [[[0.5]], [[0.25]], [[0.125]], [[0.875]], [[1.0]], [[0.125]], [[0.875]], [[-1.0]], [[-0.25]], [[-1.0]], [[-0.625]], [[-0.125]], [[0.875]], [[-0.375]], [[1.0]], [[0.75]], [[-0.25]], [[-0.25]], [[1.0]], [[-0.25]], [[-0.875]], [[1.0]], [[0.75]], [[-0.625]]], [[[0.125]], [[-0.5]], [[-0.5]], [[0.75]], [[-0.75]], [[-0.875]], [[-1.0]], [[0.375]], [[-0.125]], [[1.0]], [[-0.75]], [[0.875]], [[-1.0]], [[0.25]], [[0.25]], [[0.25]], [[0.375]], [[-0.5]], [[-0.75]], [[-0.875]], [[-0.75]], [[0.25]], [[-0.25]], [[-0.75]]], [[[-0.25]], [[0.625]], [[-0.125]], [[0.875]], [[0.25]], [[-0.625]], [[-0.875]], [[0.625]], [[-0.75]], [[-0.25]], [[-0.375]], [[0.5]], [[0.875]], [[0.875]], [[-0.75]], [[0.625]], [[-0.25]], [[0.875]], [[0.125]], [[-1.0]], [[0.75]], [[0.75]], [[0.5]], [[0.75]]]]> : tensor<5x24x1x1xf16>
  %r = ane.reshape %x : tensor<1x2x3x4xf16> -> tensor<1x24x1x1xf16>
  %y = ane.conv %r, %w : tensor<1x24x1x1xf16>, tensor<5x24x1x1xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @add_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise add %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_add(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise add %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @add_splat(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x3x4x5xf32>
  %y = ane.elementwise add %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @add_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.375]], [[0.75]], [[-0.875]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise add %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_add(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.0]], [[0.375]], [[0.375]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise add %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @add_map(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.75, 1.0, 0.375, 0.5, -0.125], [-1.0, -0.25, 0.0, 0.375, -0.5], [0.75, -0.25, -0.375, -0.25, -1.0], [-0.375, 0.5, 1.0, -0.375, -1.0]]]]> : tensor<1x1x4x5xf16>
  %y = ane.elementwise add %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @sub_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise sub %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_sub(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise sub %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @sub_splat(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x3x4x5xf32>
  %y = ane.elementwise sub %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @sub_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.5]], [[-0.625]], [[-0.375]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise sub %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_sub(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.75]], [[0.875]], [[-0.375]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise sub %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @sub_map(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.875, -1.0, 0.5, 0.75, 0.25], [0.625, -0.875, -0.875, -0.125, 0.5], [-0.875, 0.5, 0.875, -1.0, -0.125], [-0.125, -0.625, 0.5, 0.875, -0.25]]]]> : tensor<1x1x4x5xf16>
  %y = ane.elementwise sub %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mul_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise mul %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_mul(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise mul %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mul_splat(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x3x4x5xf32>
  %y = ane.elementwise mul %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mul_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.375]], [[0.25]], [[-0.625]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise mul %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_mul(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.375]], [[-0.625]], [[-0.875]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise mul %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mul_map(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.125, 0.0, 0.75, 0.125, 0.875], [-0.125, 0.0, -1.0, 0.25, 0.375], [0.25, -0.75, -0.875, 0.625, -0.75], [-1.0, -0.625, -1.0, -0.75, -1.0]]]]> : tensor<1x1x4x5xf16>
  %y = ane.elementwise mul %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @max_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise max %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_max(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise max %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @max_splat(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x3x4x5xf32>
  %y = ane.elementwise max %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @max_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.375]], [[1.0]], [[-0.875]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise max %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_max(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.875]], [[-0.875]], [[-0.25]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise max %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @max_map(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[1.0, 0.25, -0.25, 0.875, 0.25], [0.875, 0.375, -0.875, 0.5, 0.125], [0.5, -0.75, 0.125, -0.375, 0.625], [-0.625, 1.0, 0.5, 0.25, 0.5]]]]> : tensor<1x1x4x5xf16>
  %y = ane.elementwise max %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @min_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise min %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_min(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise min %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @min_splat(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x3x4x5xf32>
  %y = ane.elementwise min %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @min_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.375]], [[0.5]], [[0.375]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise min %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_min(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.375]], [[0.375]], [[0.625]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise min %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @min_map(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[0.75, -0.125, 0.75, 0.875, 0.375], [0.0, -0.375, 1.0, 0.5, 0.875], [-0.875, -0.5, -0.375, -1.0, 0.75], [-0.75, -0.625, 0.25, -0.125, -0.875]]]]> : tensor<1x1x4x5xf16>
  %y = ane.elementwise min %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @add_broadcast_left(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise add %z, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @sub_broadcast_left(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise sub %z, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mul_broadcast_left(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise mul %z, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @max_broadcast_left(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise max %z, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @min_broadcast_left(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise min %z, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @add_batch(%x: tensor<2x3x4x5xf16>, %z: tensor<1x3x4x5xf16>) -> tensor<2x3x4x5xf16> {
  %y = ane.elementwise add %x, %z {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<2x3x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<2x3x4x5xf16>
  return %y : tensor<2x3x4x5xf16>
}

func.func @mul_batch_map(%x: tensor<3x2x4x5xf16>) -> tensor<3x2x4x5xf16> {
  %c = ane.constant dense<[[[[-0.875, 0.75, 0.75, 0.25, 0.375], [-1.0, -0.75, -0.25, 0.5, -0.625], [0.25, 0.125, -0.625, 0.75, -0.75], [-0.25, -0.125, -0.875, -0.5, -0.5]], [[-1.0, -0.625, -0.125, 0.125, -0.25], [-0.125, 1.0, 0.625, 1.0, 0.25], [-0.25, 0.75, -0.375, -0.75, -0.875], [-0.625, -1.0, -0.625, -0.25, 0.0]]]]> : tensor<1x2x4x5xf16>
  %y = ane.elementwise mul %x, %c  : tensor<3x2x4x5xf16>, tensor<1x2x4x5xf16> -> tensor<3x2x4x5xf16>
  return %y : tensor<3x2x4x5xf16>
}

func.func @div_number(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<4.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise div %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_2(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_3(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @rank_2(%x: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %c = ane.constant dense<[[-0.75, -0.625, 0.75, 0.5]]> : tensor<1x4xf16>
  %y = ane.elementwise add %x, %c  : tensor<3x4xf16>, tensor<1x4xf16> -> tensor<3x4xf16>
  return %y : tensor<3x4xf16>
}

func.func @rank_1(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c = ane.constant dense<3.0> : tensor<1xf16>
  %y = ane.elementwise mul %x, %c  : tensor<4xf16>, tensor<1xf16> -> tensor<4xf16>
  return %y : tensor<4xf16>
}

func.func @rank_5(%x: tensor<1x2x3x2x2xf16>, %z: tensor<1x2x3x2x2xf16>) -> tensor<1x2x3x2x2xf16> {
  %y = ane.elementwise add %x, %z  : tensor<1x2x3x2x2xf16>, tensor<1x2x3x2x2xf16> -> tensor<1x2x3x2x2xf16>
  return %y : tensor<1x2x3x2x2xf16>
}

func.func @neg(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.activation %x {function = #ane.act<neg>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @rank_3_relu(%x: tensor<2x3x4xf16>) -> tensor<2x3x4xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<2x3x4xf16> -> tensor<2x3x4xf16>
  return %y : tensor<2x3x4xf16>
}

func.func @sum_1(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @sum_2(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x7xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x7xf16>
  return %y : tensor<1x5x1x7xf16>
}

func.func @sum_3(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x6x1xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x1xf16>
  return %y : tensor<1x5x6x1xf16>
}

func.func @sum_123(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1, 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

func.func @sum_23(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x1xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @sum_13(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x1xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x1xf16>
  return %y : tensor<1x1x6x1xf16>
}

func.func @max_1(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @max_2(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x7xf16> {
  %y = ane.reduce max %x {axes = array<i64: 2>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x7xf16>
  return %y : tensor<1x5x1x7xf16>
}

func.func @max_3(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x6x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x1xf16>
  return %y : tensor<1x5x6x1xf16>
}

func.func @max_123(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1, 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

func.func @max_23(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @max_13(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x1xf16>
  return %y : tensor<1x1x6x1xf16>
}

func.func @min_1(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce min %x {axes = array<i64: 1>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @min_2(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x7xf16> {
  %y = ane.reduce min %x {axes = array<i64: 2>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x7xf16>
  return %y : tensor<1x5x1x7xf16>
}

func.func @min_3(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x6x1xf16> {
  %y = ane.reduce min %x {axes = array<i64: 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x1xf16>
  return %y : tensor<1x5x6x1xf16>
}

func.func @min_123(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce min %x {axes = array<i64: 1, 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

func.func @min_23(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x1xf16> {
  %y = ane.reduce min %x {axes = array<i64: 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @min_13(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x1xf16> {
  %y = ane.reduce min %x {axes = array<i64: 1, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x1xf16>
  return %y : tensor<1x1x6x1xf16>
}

func.func @sum_tall(%x: tensor<1x2x64x3xf16>) -> tensor<1x2x1x3xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x2x64x3xf16> -> tensor<1x2x1x3xf16>
  return %y : tensor<1x2x1x3xf16>
}

func.func @sum_rank_2(%x: tensor<6x4xf16>) -> tensor<1x4xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 0>} : tensor<6x4xf16> -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

func.func @sum_of_one(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 0, 1>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @slice_columns(%x: tensor<1x3x9x80xf16>) -> tensor<1x2x3x6xf16> {
  %y = ane.slice %x {offsets = array<i64: 0, 1, 2, 37>, sizes = array<i64: 1, 2, 3, 6>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x9x80xf16> -> tensor<1x2x3x6xf16>
  return %y : tensor<1x2x3x6xf16>
}

func.func @slice_far_columns(%x: tensor<1x3x9x80xf16>) -> tensor<1x3x9x17xf16> {
  %y = ane.slice %x {offsets = array<i64: 0, 0, 0, 63>, sizes = array<i64: 1, 3, 9, 17>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x9x80xf16> -> tensor<1x3x9x17xf16>
  return %y : tensor<1x3x9x17xf16>
}

func.func @slice_stride_2(%x: tensor<1x3x9x80xf16>) -> tensor<1x3x4x7xf16> {
  %y = ane.slice %x {offsets = array<i64: 0, 0, 1, 5>, sizes = array<i64: 1, 3, 4, 7>, strides = array<i64: 1, 1, 2, 2>} : tensor<1x3x9x80xf16> -> tensor<1x3x4x7xf16>
  return %y : tensor<1x3x4x7xf16>
}

func.func @slice_rank_2(%x: tensor<4x6xf16>) -> tensor<2x3xf16> {
  %y = ane.slice %x {offsets = array<i64: 1, 2>, sizes = array<i64: 2, 3>, strides = array<i64: 1, 1>} : tensor<4x6xf16> -> tensor<2x3xf16>
  return %y : tensor<2x3xf16>
}

func.func @pad_all_sides(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x7x7xf16> {
  %y = ane.pad %x {low = array<i64: 0, 0, 1, 2>, high = array<i64: 0, 0, 3, 1>} : tensor<1x2x3x4xf16> -> tensor<1x2x7x7xf16>
  return %y : tensor<1x2x7x7xf16>
}

func.func @pad_behind(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x5x6xf16> {
  %y = ane.pad %x {low = array<i64: 0, 0, 0, 0>, high = array<i64: 0, 0, 2, 2>} : tensor<1x2x3x4xf16> -> tensor<1x2x5x6xf16>
  return %y : tensor<1x2x5x6xf16>
}

func.func @pad_in_front(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x5x6xf16> {
  %y = ane.pad %x {low = array<i64: 0, 0, 2, 2>, high = array<i64: 0, 0, 0, 0>} : tensor<1x2x3x4xf16> -> tensor<1x2x5x6xf16>
  return %y : tensor<1x2x5x6xf16>
}

func.func @concat_columns(%x: tensor<1x2x3x4xf16>, %z: tensor<1x2x3x5xf16>, %u: tensor<1x2x3x1xf16>) -> tensor<1x2x3x10xf16> {
  %y = ane.concat %x, %z, %u {axis = 3 : i64} : tensor<1x2x3x4xf16>, tensor<1x2x3x5xf16>, tensor<1x2x3x1xf16> -> tensor<1x2x3x10xf16>
  return %y : tensor<1x2x3x10xf16>
}

func.func @concat_rank_3(%x: tensor<2x3x4xf16>, %z: tensor<2x5x4xf16>) -> tensor<2x8x4xf16> {
  %y = ane.concat %x, %z {axis = 1 : i64} : tensor<2x3x4xf16>, tensor<2x5x4xf16> -> tensor<2x8x4xf16>
  return %y : tensor<2x8x4xf16>
}

func.func @add_wide_rows(%x: tensor<1x130x2x8192xf16>, %z: tensor<1x1x2x8192xf16>) -> tensor<1x130x2x8192xf16> {
  %y = ane.elementwise add %x, %z : tensor<1x130x2x8192xf16>, tensor<1x1x2x8192xf16> -> tensor<1x130x2x8192xf16>
  return %y : tensor<1x130x2x8192xf16>
}

func.func @relu_wide_rows(%x: tensor<1x130x1x8192xf16>) -> tensor<1x130x1x8192xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x130x1x8192xf16> -> tensor<1x130x1x8192xf16>
  return %y : tensor<1x130x1x8192xf16>
}

// Windows and strides that no register has.

func.func @max_3x3_s3(%x: tensor<1x2x9x9xf16>) -> tensor<1x2x3x3xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x2x9x9xf16> -> tensor<1x2x3x3xf16>
  return %y : tensor<1x2x3x3xf16>
}

func.func @max_rows_of_two(%x: tensor<2x2x7x8xf16>) -> tensor<2x2x4x8xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 1>, strides = array<i64: 2, 1>, pad = array<i64: 0, 1, 0, 0>}
     : tensor<2x2x7x8xf16> -> tensor<2x2x4x8xf16>
  return %y : tensor<2x2x4x8xf16>
}

func.func @max_columns_of_two(%x: tensor<1x2x4x9xf16>) -> tensor<1x2x4x5xf16> {
  %y = ane.pool max %x {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>}
     : tensor<1x2x4x9xf16> -> tensor<1x2x4x5xf16>
  return %y : tensor<1x2x4x5xf16>
}

func.func @max_wide(%x: tensor<1x2x5x40xf16>) -> tensor<1x2x2x6xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 33>, strides = array<i64: 2, 3>, pad = array<i64: 1, 0, 5, 4>}
     : tensor<1x2x5x40xf16> -> tensor<1x2x2x6xf16>
  return %y : tensor<1x2x2x6xf16>
}

func.func @max_stride_leaves_rows(%x: tensor<1x2x2x2xf16>) -> tensor<1x2x1x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 1, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x2x2x2xf16> -> tensor<1x2x1x1xf16>
  return %y : tensor<1x2x1x1xf16>
}

func.func @transposed_4x4_s2(%x: tensor<1x3x3x4xf16>) -> tensor<1x2x6x8xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0, 2.0], [-1.0, 1.0, -2.0, 0.0], [2.0, -1.0, 1.0, -2.0], [0.0, 2.0, -1.0, 1.0]], [[-2.0, 0.0, 2.0, -1.0], [1.0, -2.0, 0.0, 2.0], [-1.0, 1.0, -2.0, 0.0], [2.0, -1.0, 1.0, -2.0]]], [[[0.0, 2.0, -1.0, 1.0], [-2.0, 0.0, 2.0, -1.0], [1.0, -2.0, 0.0, 2.0], [-1.0, 1.0, -2.0, 0.0]], [[2.0, -1.0, 1.0, -2.0], [0.0, 2.0, -1.0, 1.0], [-2.0, 0.0, 2.0, -1.0], [1.0, -2.0, 0.0, 2.0]]], [[[-1.0, 1.0, -2.0, 0.0], [2.0, -1.0, 1.0, -2.0], [0.0, 2.0, -1.0, 1.0], [-2.0, 0.0, 2.0, -1.0]], [[1.0, -2.0, 0.0, 2.0], [-1.0, 1.0, -2.0, 0.0], [2.0, -1.0, 1.0, -2.0], [0.0, 2.0, -1.0, 1.0]]]]> : tensor<3x2x4x4xf16>
  %b = ane.constant dense<[-1.0, 0.0]> : tensor<2xf16>
  %s = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %y = ane.conv_transpose %x, %w bias %b scale %s {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, activation = #ane.act<relu>}
     : tensor<1x3x3x4xf16>, tensor<3x2x4x4xf16>, tensor<2xf16> scale tensor<2xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

func.func @transposed_3x3_s2_two_images(%x: tensor<2x2x3x3xf16>) -> tensor<2x2x6x6xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0], [2.0, -1.0, 1.0], [-2.0, 0.0, 2.0]], [[-1.0, 1.0, -2.0], [0.0, 2.0, -1.0], [1.0, -2.0, 0.0]]], [[[2.0, -1.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 1.0, -2.0]], [[0.0, 2.0, -1.0], [1.0, -2.0, 0.0], [2.0, -1.0, 1.0]]]]> : tensor<2x2x3x3xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>}
     : tensor<2x2x3x3xf16>, tensor<2x2x3x3xf16> -> tensor<2x2x6x6xf16>
  return %y : tensor<2x2x6x6xf16>
}

func.func @transposed_each_channel_s4_dilated(%x: tensor<1x3x2x3xf16>) -> tensor<1x3x3x10xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0], [2.0, -1.0, 1.0]]], [[[-2.0, 0.0, 2.0], [-1.0, 1.0, -2.0]]], [[[0.0, 2.0, -1.0], [1.0, -2.0, 0.0]]]]> : tensor<3x1x2x3xf16>
  %b = ane.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf16>
  %y = ane.conv_transpose %x, %w bias %b {strides = array<i64: 1, 4>, pad = array<i64: 0, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 3 : i64}
     : tensor<1x3x2x3xf16>, tensor<3x1x2x3xf16>, tensor<3xf16> -> tensor<1x3x3x10xf16>
  return %y : tensor<1x3x3x10xf16>
}

func.func @transposed_kernel_smaller_than_stride(%x: tensor<1x2x2x2xf16>) -> tensor<1x1x3x3xf16> {
  %w = ane.constant dense<[[[[1.0]]], [[[-2.0]]]]> : tensor<2x1x1x1xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
     : tensor<1x2x2x2xf16>, tensor<2x1x1x1xf16> -> tensor<1x1x3x3xf16>
  return %y : tensor<1x1x3x3xf16>
}

func.func @transposed_s3(%x: tensor<1x2x2x3xf16>) -> tensor<1x2x6x9xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0], [2.0, -1.0, 1.0], [-2.0, 0.0, 2.0]], [[-1.0, 1.0, -2.0], [0.0, 2.0, -1.0], [1.0, -2.0, 0.0]]], [[[2.0, -1.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 1.0, -2.0]], [[0.0, 2.0, -1.0], [1.0, -2.0, 0.0], [2.0, -1.0, 1.0]]]]> : tensor<2x2x3x3xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
     : tensor<1x2x2x3xf16>, tensor<2x2x3x3xf16> -> tensor<1x2x6x9xf16>
  return %y : tensor<1x2x6x9xf16>
}

func.func @stride_of_columns_dilated_two_images(%x: tensor<2x2x4x7xf16>) -> tensor<2x3x4x3xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0], [2.0, -1.0, 1.0]], [[-2.0, 0.0, 2.0], [-1.0, 1.0, -2.0]]], [[[0.0, 2.0, -1.0], [1.0, -2.0, 0.0]], [[2.0, -1.0, 1.0], [-2.0, 0.0, 2.0]]], [[[-1.0, 1.0, -2.0], [0.0, 2.0, -1.0]], [[1.0, -2.0, 0.0], [2.0, -1.0, 1.0]]]]> : tensor<3x2x2x3xf16>
  %s = ane.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf16>
  %y = ane.conv %x, %w scale %s {strides = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>}
     : tensor<2x2x4x7xf16>, tensor<3x2x2x3xf16> scale tensor<3xf16> -> tensor<2x3x4x3xf16>
  return %y : tensor<2x3x4x3xf16>
}

func.func @stride_4_of_one_window(%x: tensor<1x2x4x2xf16>) -> tensor<1x2x1x1xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0], [0.0, 2.0]]], [[[-1.0, 1.0], [-2.0, 0.0]]]]> : tensor<2x1x2x2xf16>
  %s = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %y = ane.conv %x, %w scale %s {strides = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64}
     : tensor<1x2x4x2xf16>, tensor<2x1x2x2xf16> scale tensor<2xf16> -> tensor<1x2x1x1xf16>
  return %y : tensor<1x2x1x1xf16>
}

func.func @large_window_with_scale(%x: tensor<1x2x3x20xf16>) -> tensor<1x2x3x3xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0]], [[2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0]]], [[[-2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0]], [[-1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 1.0, -2.0]]]]> : tensor<2x2x1x18xf16>
  %s = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %y = ane.conv %x, %w scale %s {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
     : tensor<1x2x3x20xf16>, tensor<2x2x1x18xf16> scale tensor<2xf16> -> tensor<1x2x3x3xf16>
  return %y : tensor<1x2x3x3xf16>
}

// Halves go to the even number beside them.
func.func @round(%x: tensor<1x2x3x16xf16>) -> tensor<1x2x3x16xf16> {
  %k = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %h = ane.elementwise mul %x, %k : tensor<1x2x3x16xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x3x16xf16>
  %y = ane.activation %h {function = #ane.act<round>} : tensor<1x2x3x16xf16> -> tensor<1x2x3x16xf16>
  return %y : tensor<1x2x3x16xf16>
}

// Images.
func.func @reduce_images(%x: tensor<3x2x4x5xf16>) -> (tensor<1x2x4x5xf16>, tensor<1x1x4x1xf16>) {
  %y = ane.reduce max %x {axes = array<i64: 0>} : tensor<3x2x4x5xf16> -> tensor<1x2x4x5xf16>
  %z = ane.reduce sum %x {axes = array<i64: 0, 1, 3>} : tensor<3x2x4x5xf16> -> tensor<1x1x4x1xf16>
  return %y, %z : tensor<1x2x4x5xf16>, tensor<1x1x4x1xf16>
}

func.func @pad_row(%x: tensor<7xf16>) -> tensor<12xf16> {
  %y = ane.pad %x {low = array<i64: 5>, high = array<i64: 0>, value = -0.5 : f32} : tensor<7xf16> -> tensor<12xf16>
  return %y : tensor<12xf16>
}

func.func @matmul_floor(%x: tensor<1x1x4x5xf16>, %z: tensor<1x1x5x3xf16>) -> tensor<1x1x4x3xf16> {
  %y = ane.matmul %x, %z {activation = #ane.act<floor>} : tensor<1x1x4x5xf16>, tensor<1x1x5x3xf16> -> tensor<1x1x4x3xf16>
  return %y : tensor<1x1x4x3xf16>
}

// A scale and a bias that arrive at run time.
func.func @conv_epilogue_at_run_time(%x: tensor<1x2x3x4xf16>, %s: tensor<2xf16>, %b: tensor<2xf16>) -> tensor<1x2x3x4xf16> {
  %w = ane.constant dense<[[[[1.0]], [[2.0]]], [[[-1.0]], [[0.5]]]]> : tensor<2x2x1x1xf16>
  %y = ane.conv %x, %w bias %b scale %s {activation = #ane.act<relu>} : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16>, tensor<2xf16> scale tensor<2xf16> -> tensor<1x2x3x4xf16>
  return %y : tensor<1x2x3x4xf16>
}

func.func @transposed_bias_at_run_time(%x: tensor<1x2x3x4xf16>, %b: tensor<1xf16>) -> tensor<1x1x6x8xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0], [0.5, -1.0]]], [[[2.0, 1.0], [1.0, -2.0]]]]> : tensor<2x1x2x2xf16>
  %y = ane.conv_transpose %x, %w bias %b {strides = array<i64: 2, 2>} : tensor<1x2x3x4xf16>, tensor<2x1x2x2xf16>, tensor<1xf16> -> tensor<1x1x6x8xf16>
  return %y : tensor<1x1x6x8xf16>
}

// Factors of channels go into the next weights, but not beside a bias that is
// not known.
func.func @factors_with_bias_at_run_time(%x: tensor<1x8x4x4xf16>, %b: tensor<8xf16>) -> (tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>) {
  %w0 = ane.constant dense<2.0> : tensor<8x1x1x1xf16>
  %w1 = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %0 = ane.conv %x, %w0 {groups = 8 : i64} : tensor<1x8x4x4xf16>, tensor<8x1x1x1xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.conv %0, %w1 bias %b : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16>, tensor<8xf16> -> tensor<1x8x4x4xf16>
  %2 = ane.conv %x, %w0 bias %b {groups = 8 : i64} : tensor<1x8x4x4xf16>, tensor<8x1x1x1xf16>, tensor<8xf16> -> tensor<1x8x4x4xf16>
  %3 = ane.conv %2, %w1 : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x4x4xf16>
  return %1, %3 : tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>
}

// More rows than L2 has columns for.
func.func @rows_as_image(%x: tensor<1x1x16384x64xf16>) -> tensor<1x1x16384x1xf16> {
  %w = ane.constant dense<0.5> : tensor<1x1x64x1xf16>
  %y = ane.matmul %x, %w : tensor<1x1x16384x64xf16>, tensor<1x1x64x1xf16> -> tensor<1x1x16384x1xf16>
  return %y : tensor<1x1x16384x1xf16>
}

func.func @compare_constant_first(%x: tensor<1x2x2x3xf16>) -> tensor<1x2x2x3xf16> {
  %k = ane.constant dense<[[[[0.5], [-0.5]]]]> : tensor<1x1x2x1xf32>
  %y = ane.compare ge %k, %x : tensor<1x1x2x1xf32>, tensor<1x2x2x3xf16> -> tensor<1x2x2x3xf16>
  return %y : tensor<1x2x2x3xf16>
}

// Rows that are too long are several; the argument has one surface for both uses.
func.func @long_rows(%x: tensor<17024xf16>) -> tensor<17024xf16> {
  %k = ane.constant dense<0.5> : tensor<1xf32>
  %0 = ane.elementwise mul %x, %k : tensor<17024xf16>, tensor<1xf32> -> tensor<17024xf16>
  %y = ane.elementwise max %x, %0 : tensor<17024xf16>, tensor<17024xf16> -> tensor<17024xf16>
  return %y : tensor<17024xf16>
}

// Rotary embeddings: rows and channels, either half negated.

func.func @rotary_rows(%x: tensor<1x3x4x5xf16>, %cos: tensor<1x1x4x5xf16>, %sin: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %low = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x4x5xf16> -> tensor<1x3x2x5xf16>
  %high = ane.slice %x {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 3, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x4x5xf16> -> tensor<1x3x2x5xf16>
  %negated = ane.activation %high {function = #ane.act<neg>} : tensor<1x3x2x5xf16> -> tensor<1x3x2x5xf16>
  %turned = ane.concat %negated, %low {axis = 2 : i64} : tensor<1x3x2x5xf16>, tensor<1x3x2x5xf16> -> tensor<1x3x4x5xf16>
  %a = ane.elementwise mul %x, %cos : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  %b = ane.elementwise mul %turned, %sin : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  %y = ane.elementwise add %a, %b {scale = 0.5 : f32} : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @rotary_channels(%x: tensor<1x4x2x5xf16>, %cos: tensor<1x4x1x5xf16>, %sin: tensor<1x4x1x5xf16>) -> tensor<1x4x2x5xf16> {
  %low = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x2x5xf16> -> tensor<1x2x2x5xf16>
  %high = ane.slice %x {offsets = array<i64: 0, 2, 0, 0>, sizes = array<i64: 1, 2, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x2x5xf16> -> tensor<1x2x2x5xf16>
  %one = ane.constant dense<-1.0> : tensor<1x1x1x1xf16>
  %negated = ane.elementwise mul %low, %one : tensor<1x2x2x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x2x5xf16>
  %turned = ane.concat %high, %negated {axis = 1 : i64} : tensor<1x2x2x5xf16>, tensor<1x2x2x5xf16> -> tensor<1x4x2x5xf16>
  %a = ane.elementwise mul %cos, %x : tensor<1x4x1x5xf16>, tensor<1x4x2x5xf16> -> tensor<1x4x2x5xf16>
  %b = ane.elementwise mul %sin, %turned : tensor<1x4x1x5xf16>, tensor<1x4x2x5xf16> -> tensor<1x4x2x5xf16>
  %y = ane.elementwise add %b, %a : tensor<1x4x2x5xf16>, tensor<1x4x2x5xf16> -> tensor<1x4x2x5xf16>
  return %y : tensor<1x4x2x5xf16>
}

// Two convolutions take every second pixel of a large image of one channel; each is
// itself what a shortcut would become.
func.func @max_of_one_channel(%x: tensor<1x1x704x704xf16>) -> tensor<1x1x352x352xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x1x704x704xf16> -> tensor<1x1x352x352xf16>
  return %y : tensor<1x1x352x352xf16>
}
