// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize} tolerance=0.0005" -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-21: computes the same
// CHECK-NOT: computes the same

// Rewrites with a factor 1/n in f16: 2^-11 of the value.

func.func @average_2x2_s2(%x: tensor<1x3x6x8xf16>) -> tensor<1x3x3x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x3x6x8xf16> -> tensor<1x3x3x4xf16>
  return %y : tensor<1x3x3x4xf16>
}

func.func @average_3x3_pad(%x: tensor<1x3x6x7xf16>) -> tensor<1x3x6x7xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x3x6x7xf16> -> tensor<1x3x6x7xf16>
  return %y : tensor<1x3x6x7xf16>
}

func.func @average_3x3_pad_counted(%x: tensor<1x3x6x7xf16>) -> tensor<1x3x6x7xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, count_include_pad}
     : tensor<1x3x6x7xf16> -> tensor<1x3x6x7xf16>
  return %y : tensor<1x3x6x7xf16>
}

func.func @average_3x3_s2_uneven_pad(%x: tensor<1x3x6x8xf16>) -> tensor<1x3x3x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
     : tensor<1x3x6x8xf16> -> tensor<1x3x3x4xf16>
  return %y : tensor<1x3x3x4xf16>
}

func.func @average_global(%x: tensor<1x5x7x7xf16>) -> tensor<1x5x1x1xf16> {
  %y = ane.pool average %x {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x5x7x7xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @average_image(%x: tensor<1x5x16x16xf16>) -> tensor<1x5x1x1xf16> {
  %y = ane.pool average %x {kernel = array<i64: 16, 16>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x5x16x16xf16> -> tensor<1x5x1x1xf16>
  return %y : tensor<1x5x1x1xf16>
}

func.func @average_4x4_s4(%x: tensor<1x2x8x8xf16>) -> tensor<1x2x2x2xf16> {
  %y = ane.pool average %x {kernel = array<i64: 4, 4>, strides = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<1x2x8x8xf16> -> tensor<1x2x2x2xf16>
  return %y : tensor<1x2x2x2xf16>
}

func.func @mean_1(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 1>} : tensor<1x5x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @mean_2(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x1x7xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 2>} : tensor<1x5x6x7xf16> -> tensor<1x5x1x7xf16>
  return %y : tensor<1x5x1x7xf16>
}

func.func @mean_3(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x6x1xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 3>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x1xf16>
  return %y : tensor<1x5x6x1xf16>
}

func.func @mean_123(%x: tensor<1x5x6x7xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 1, 2, 3>} : tensor<1x5x6x7xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

func.func @sum_square_of_one(%x: tensor<1x1x6x7xf16>) -> tensor<1x1x6x7xf16> {
  %y = ane.reduce sum_square %x {axes = array<i64: 1>} : tensor<1x1x6x7xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

func.func @average_wide_padded(%x: tensor<1x2x3x30xf16>) -> tensor<1x2x3x7xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 20>, strides = array<i64: 1, 3>, pad = array<i64: 1, 1, 6, 4>}
     : tensor<1x2x3x30xf16> -> tensor<1x2x3x7xf16>
  return %y : tensor<1x2x3x7xf16>
}

func.func @average_rows_of_three(%x: tensor<2x2x9x4xf16>) -> tensor<2x2x3x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 1>, strides = array<i64: 3, 1>, pad = array<i64: 0, 0, 0, 0>}
     : tensor<2x2x9x4xf16> -> tensor<2x2x3x4xf16>
  return %y : tensor<2x2x3x4xf16>
}

func.func @average_high_counted(%x: tensor<1x1x40x3xf16>) -> tensor<1x1x6x3xf16> {
  %y = ane.pool average %x {kernel = array<i64: 33, 2>, strides = array<i64: 2, 1>, pad = array<i64: 4, 0, 1, 0>, count_include_pad}
     : tensor<1x1x40x3xf16> -> tensor<1x1x6x3xf16>
  return %y : tensor<1x1x6x3xf16>
}

// Of one element each: not of the columns.
func.func @norms_of_one(%x: tensor<1x3x1x6xf16>) -> (tensor<1x3x1x6xf16>, tensor<1x3x1x6xf16>) {
  %y = ane.softmax %x {axis = 2 : i64} : tensor<1x3x1x6xf16> -> tensor<1x3x1x6xf16>
  %z = ane.layer_norm %x {axes = array<i64: 0, 2>, epsilon = 0.5 : f32} : tensor<1x3x1x6xf16> -> tensor<1x3x1x6xf16>
  return %y, %z : tensor<1x3x1x6xf16>, tensor<1x3x1x6xf16>
}

// Functions whose tables get a larger argument.
func.func @stretched(%x: tensor<1x2x3x4xf16>) -> (tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) {
  %w = ane.constant dense<[[[[1.5]], [[2.0]]], [[[-1.0]], [[0.75]]]]> : tensor<2x2x1x1xf16>
  %b = ane.constant dense<[0.75, -1.5]> : tensor<2xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<silu>} : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16>, tensor<2xf16> -> tensor<1x2x3x4xf16>
  %1 = ane.conv %x, %w {activation = #ane.act<gelu>} : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x3x4xf16>
  %2 = ane.conv %x, %w {activation = #ane.act<gelu_tanh>} : tensor<1x2x3x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x3x4xf16>
  return %0, %1, %2 : tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>
}

// Parts of matrices that are mostly zeros.

func.func @resize_columns_in_parts(%x: tensor<1x1x1x1100xf16>) -> tensor<1x1x1x1000xf16> {
  %y = ane.resize bilinear %x {half_pixel} : tensor<1x1x1x1100xf16> -> tensor<1x1x1x1000xf16>
  return %y : tensor<1x1x1x1000xf16>
}
func.func @resize_rows_in_parts(%x: tensor<1x1x1000x1xf16>) -> tensor<1x1x1100x1xf16> {
  %y = ane.resize bilinear %x {align_corners} : tensor<1x1x1000x1xf16> -> tensor<1x1x1100x1xf16>
  return %y : tensor<1x1x1100x1xf16>
}
func.func @spread_columns_in_parts(%x: tensor<1x1x1x600xf16>) -> tensor<1x1x1x1798xf16> {
  %w = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 1, 3>} : tensor<1x1x1x600xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x1798xf16>
  return %y : tensor<1x1x1x1798xf16>
}

// Powers of numbers of either sign with exponents that are not known, but whole.
func.func @whole_powers(%x: tensor<1x3x4x5xf16>, %z: tensor<1x3x1x1xf16>) -> (tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16>) {
  %four = ane.constant dense<4.0> : tensor<1x1x1x1xf16>
  %3 = ane.constant dense<-3.0> : tensor<1x1x1x1xf16>
  %zero = ane.constant dense<0.0> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise mul %z, %four {activation = #ane.act<abs>} : tensor<1x3x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x1x1xf16>
  %y = ane.activation %0 {function = #ane.act<floor>} : tensor<1x3x1x1xf16> -> tensor<1x3x1x1xf16>
  %1 = ane.elementwise mul %x, %four : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  %2 = ane.activation %1 {function = #ane.act<floor>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  %4 = ane.activation %2 {function = #ane.act<abs>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  %a = ane.elementwise pow %2, %y : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  %b = ane.elementwise pow %3, %4 : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  %c = ane.elementwise pow %zero, %4 : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %a, %b, %c : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16>
}
