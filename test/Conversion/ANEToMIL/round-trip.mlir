// Every op of the tensor level, to MIL and back, computes what it did.
//
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline={convert-ane-to-mil,convert-mil-to-ane} tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline={convert-ane-to-mil,convert-mil-to-ane} tolerance=0.001 positive" -o /dev/null 2>&1 | FileCheck %s --check-prefix=POSITIVE
// CHECK-COUNT-18: @main computes the same
// POSITIVE-COUNT-18: @main computes the same

func.func @main(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x4x7xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0], [1.0, 0.0, 2.0]]], [[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0], [1.0, 0.0, 2.0]]], [[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0], [1.0, 0.0, 2.0]]], [[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0], [1.0, 0.0, 2.0]]]]> : tensor<4x1x3x3xf32>
  %s = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = ane.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  %y = ane.conv %x, %w bias %b scale %s {strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, groups = 4, activation = #ane.act<silu>}
    : tensor<1x4x8x8xf16>, tensor<4x1x3x3xf32>, tensor<4xf16> scale tensor<4xf32> -> tensor<1x4x4x7xf16>
  return %y : tensor<1x4x4x7xf16>
}

// -----

func.func @main(%x: tensor<1x2x3x3xf16>) -> tensor<1x1x6x7xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0]]], [[[1.0, 2.0, 0.5], [0.25, -1.0, 1.0]]]]> : tensor<2x1x2x3xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, activation = #ane.act<relu>} : tensor<1x2x3x3xf16>, tensor<2x1x2x3xf16> -> tensor<1x1x6x7xf16>
  return %y : tensor<1x1x6x7xf16>
}

// -----

func.func @main(%a: tensor<1x2x4xf16>, %b: tensor<3x3x4xf16>) -> tensor<3x2x3xf16> {
  %y = ane.matmul %a, %b {transpose_rhs, activation = #ane.act<tanh>} : tensor<1x2x4xf16>, tensor<3x3x4xf16> -> tensor<3x2x3xf16>
  return %y : tensor<3x2x3xf16>
}

// -----

func.func @main(%x: tensor<1x2x4x4xf16>, %y: tensor<1x2x1x1xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %k = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise add %x, %y {scale = 2.0 : f32, bias = -1.0 : f32, activation = #ane.act<relu>} : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise sub %0, %y : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %1, %k : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise max %2, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise min %3, %k : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %5 = ane.elementwise div %4, %k : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %6 = ane.elementwise pow %a, %k : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  return %0, %5, %6 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// -----

// Functions that are exact here, and those of all numbers.
func.func @main(%x: tensor<1x1x1x32xf16>) -> tensor<1x1x16x32xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %1 = ane.activation %x {function = #ane.act<leaky_relu, 0.125>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %2 = ane.activation %x {function = #ane.act<clamp, -1.0, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %3 = ane.activation %x {function = #ane.act<elu, 1.0>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %4 = ane.activation %x {function = #ane.act<gelu>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %5 = ane.activation %x {function = #ane.act<gelu_tanh>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %6 = ane.activation %x {function = #ane.act<gelu_sigmoid>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %7 = ane.activation %x {function = #ane.act<hard_sigmoid, 0.25, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %8 = ane.activation %x {function = #ane.act<hard_swish>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %9 = ane.activation %x {function = #ane.act<thresholded_relu, 1.0>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %10 = ane.activation %x {function = #ane.act<scaled_tanh, 2.0, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %11 = ane.activation %x {function = #ane.act<where_nonzero, 2.0, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %12 = ane.activation %x {function = #ane.act<where_positive, 2.0, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %13 = ane.activation %x {function = #ane.act<where_negative, 2.0, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %14 = ane.activation %x {function = #ane.act<neg>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %15 = ane.activation %x {function = #ane.act<softsign>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %y = ane.concat %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 {axis = 2 : i64} : tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16> -> tensor<1x1x16x32xf16>
  return %y : tensor<1x1x16x32xf16>
}

// -----

func.func @main(%x: tensor<1x1x1x32xf16>) -> tensor<1x1x15x32xf16> {
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %0 = ane.activation %x {function = #ane.act<atan>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %1 = ane.activation %x {function = #ane.act<ceil>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %2 = ane.activation %x {function = #ane.act<floor>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %3 = ane.activation %x {function = #ane.act<round>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %4 = ane.activation %x {function = #ane.act<sign>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %5 = ane.activation %x {function = #ane.act<square>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %6 = ane.activation %x {function = #ane.act<exp>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %7 = ane.activation %x {function = #ane.act<exp2>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %8 = ane.activation %x {function = #ane.act<softplus>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %9 = ane.activation %a {function = #ane.act<sqrt>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %10 = ane.activation %a {function = #ane.act<rsqrt, 0.5>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %11 = ane.activation %x {function = #ane.act<erf>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %12 = ane.activation %x {function = #ane.act<sin>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %13 = ane.activation %x {function = #ane.act<cos>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %14 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %y = ane.concat %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 {axis = 2 : i64} : tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16> -> tensor<1x1x15x32xf16>
  return %y : tensor<1x1x15x32xf16>
}

// -----

// Logarithms and reciprocals, away from 0.
func.func @main(%x: tensor<1x1x1x32xf16>) -> tensor<1x1x3x32xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1x1x1xf16>
  %b = ane.activation %x {function = #ane.act<abs>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %a = ane.elementwise add %b, %one : tensor<1x1x1x32xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x32xf16>
  %0 = ane.activation %a {function = #ane.act<log>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %1 = ane.activation %a {function = #ane.act<log2>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %2 = ane.activation %a {function = #ane.act<reciprocal>} : tensor<1x1x1x32xf16> -> tensor<1x1x1x32xf16>
  %y = ane.concat %0, %1, %2 {axis = 2 : i64} : tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16>, tensor<1x1x1x32xf16> -> tensor<1x1x3x32xf16>
  return %y : tensor<1x1x3x32xf16>
}

// -----

// Truth is a number, or the condition of a selection, or both.
func.func @main(%x: tensor<1x2x1x8xf16>, %y: tensor<1x1x1x8xf16>) -> (tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>) {
  %0 = ane.compare gt %x, %y : tensor<1x2x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x2x1x8xf16>
  %1 = ane.select %0, %x, %y : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x2x1x8xf16>
  %2 = ane.compare le %1, %x : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16> -> tensor<1x2x1x8xf16>
  %3 = ane.compare lt %x, %y : tensor<1x2x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x2x1x8xf16>
  %4 = ane.elementwise add %2, %3 : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16> -> tensor<1x2x1x8xf16>
  %5 = ane.compare eq %4, %0 : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16> -> tensor<1x2x1x8xf16>
  %6 = ane.compare ne %5, %3 : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16> -> tensor<1x2x1x8xf16>
  %7 = ane.compare ge %6, %x : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16> -> tensor<1x2x1x8xf16>
  %8 = ane.select %x, %7, %y : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x2x1x8xf16>
  return %1, %7, %8 : tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>
}

// -----

func.func @main(%x: tensor<1x3x9x9xf16>) -> (tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>) {
  %0 = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x9x9xf16> -> tensor<1x3x5x5xf16>
  %1 = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x9x9xf16> -> tensor<1x3x5x5xf16>
  %2 = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, count_include_pad} : tensor<1x3x9x9xf16> -> tensor<1x3x5x5xf16>
  return %0, %1, %2 : tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>
}

// -----

func.func @main(%x: tensor<1x3x4x5xf16>) -> (tensor<1x3x1x1xf16>, tensor<1x1x4x5xf16>, tensor<1x3x1x5xf16>, tensor<1x3x4x1xf16>, tensor<1x3x4x1xf16>) {
  %0 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x3x4x5xf16> -> tensor<1x3x1x1xf16>
  %1 = ane.reduce mean %x {axes = array<i64: 1>} : tensor<1x3x4x5xf16> -> tensor<1x1x4x5xf16>
  %2 = ane.reduce max %x {axes = array<i64: 2>} : tensor<1x3x4x5xf16> -> tensor<1x3x1x5xf16>
  %3 = ane.reduce min %x {axes = array<i64: 3>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x1xf16>
  %4 = ane.reduce sum_square %x {axes = array<i64: 3>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x1xf16>
  return %0, %1, %2, %3, %4 : tensor<1x3x1x1xf16>, tensor<1x1x4x5xf16>, tensor<1x3x1x5xf16>, tensor<1x3x4x1xf16>, tensor<1x3x4x1xf16>
}

// -----

// MIL has no mean of squares, and no function behind a reduction.
func.func @main(%x: tensor<1x3x4x5xf16>) -> (tensor<1x3x4x1xf16>, tensor<1x1x4x5xf16>) {
  %0 = ane.reduce mean_square %x {axes = array<i64: 3>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x1xf16>
  %1 = ane.reduce max %x {axes = array<i64: 1>, activation = #ane.act<relu>} : tensor<1x3x4x5xf16> -> tensor<1x1x4x5xf16>
  return %0, %1 : tensor<1x3x4x1xf16>, tensor<1x1x4x5xf16>
}

// -----

func.func @main(%x: tensor<1x4x2x6xf16>) -> (tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>) {
  %g = ane.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf16>
  %b = ane.constant dense<[0.0, 1.0, 0.0, -1.0, 0.0, 2.0]> : tensor<6xf32>
  %c = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %0 = ane.softmax %x {axis = 1 : i64} : tensor<1x4x2x6xf16> -> tensor<1x4x2x6xf16>
  %1 = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 3>, epsilon = 0.0625 : f32} : tensor<1x4x2x6xf16> gamma tensor<6xf16> beta tensor<6xf32> -> tensor<1x4x2x6xf16>
  %2 = ane.layer_norm %x {axes = array<i64: 1, 3>, epsilon = 0.0625 : f32} : tensor<1x4x2x6xf16> -> tensor<1x4x2x6xf16>
  %3 = ane.rms_norm %x gamma %c {axes = array<i64: 1>, epsilon = 0.0625 : f32} : tensor<1x4x2x6xf16> gamma tensor<4xf16> -> tensor<1x4x2x6xf16>
  return %0, %1, %2, %3 : tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>, tensor<1x4x2x6xf16>
}

// -----

func.func @main(%x: tensor<1x2x4x4xf16>, %y: tensor<1x3x4x4xf16>) -> (tensor<1x5x4x4xf16>, tensor<1x2x2x2xf16>, tensor<1x2x7x4xf16>, tensor<1x4x2x4xf16>, tensor<32xf16>, tensor<1x4x4x8xf16>) {
  %0 = ane.concat %x, %y {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x3x4x4xf16> -> tensor<1x5x4x4xf16>
  %1 = ane.slice %x {offsets = array<i64: 0, 0, 0, 1>, sizes = array<i64: 1, 2, 2, 2>, strides = array<i64: 1, 1, 2, 2>} : tensor<1x2x4x4xf16> -> tensor<1x2x2x2xf16>
  %2 = ane.pad %x {low = array<i64: 0, 0, 1, 0>, high = array<i64: 0, 0, 2, 0>, value = 0.5 : f32} : tensor<1x2x4x4xf16> -> tensor<1x2x7x4xf16>
  %3 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x4x4xf16> -> tensor<1x4x2x4xf16>
  %4 = ane.reshape %x : tensor<1x2x4x4xf16> -> tensor<32xf16>
  %5 = ane.tile %x {repeats = array<i64: 1, 2, 1, 2>} : tensor<1x2x4x4xf16> -> tensor<1x4x4x8xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<1x5x4x4xf16>, tensor<1x2x2x2xf16>, tensor<1x2x7x4xf16>, tensor<1x4x2x4xf16>, tensor<32xf16>, tensor<1x4x4x8xf16>
}

// -----

// Names are those of the surfaces.
func.func @main(%x: tensor<4xf32> {ane.name = "a"}) -> (tensor<4xf32> {ane.name = "b"}) {
  %0 = ane.cast %x : tensor<4xf32> -> tensor<4xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<4xf16> -> tensor<4xf16>
  %2 = ane.cast %1 : tensor<4xf16> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Six dimensions, of which two stay neighbours.
func.func @main(%x: tensor<2x24x5x4xf16>) -> tensor<2x6x10x8xf16> {
  %0 = ane.reshape %x : tensor<2x24x5x4xf16> -> tensor<2x6x2x2x5x4xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<2x6x2x2x5x4xf16> -> tensor<2x6x2x2x5x4xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<2x6x2x2x5x4xf16> -> tensor<2x6x5x2x4x2xf16>
  %3 = ane.elementwise add %2, %2 : tensor<2x6x5x2x4x2xf16>, tensor<2x6x5x2x4x2xf16> -> tensor<2x6x5x2x4x2xf16>
  %4 = ane.reshape %3 : tensor<2x6x5x2x4x2xf16> -> tensor<2x6x10x8xf16>
  return %4 : tensor<2x6x10x8xf16>
}

// -----

// Seven, of which none do: one after the other goes to its place.
func.func @main(%x: tensor<2x3x4x5xf16>, %y: tensor<2x60xf16>) -> (tensor<4x30xf16>, tensor<2x60xf16>) {
  %0 = ane.reshape %x : tensor<2x3x4x5xf16> -> tensor<2x3x1x2x2x5x1xf16>
  %1 = ane.transpose %0 {perm = array<i64: 4, 3, 6, 5, 2, 0, 1>} : tensor<2x3x1x2x2x5x1xf16> -> tensor<2x2x1x5x1x2x3xf16>
  %2 = ane.reshape %1 : tensor<2x2x1x5x1x2x3xf16> -> tensor<4x30xf16>
  %3 = ane.reshape %y : tensor<2x60xf16> -> tensor<2x1x2x5x2x3x1xf16>
  %4 = ane.reshape %3 : tensor<2x1x2x5x2x3x1xf16> -> tensor<2x2x5x2x3x1xf16>
  %5 = ane.transpose %4 {perm = array<i64: 4, 2, 1, 0, 5, 3>} : tensor<2x2x5x2x3x1xf16> -> tensor<3x5x2x2x1x2xf16>
  %6 = ane.reshape %5 : tensor<3x5x2x2x1x2xf16> -> tensor<2x60xf16>
  return %2, %6 : tensor<4x30xf16>, tensor<2x60xf16>
}

// -----

// Choices of two numbers, and of what the condition repeats.
func.func @main(%x: tensor<1x2x3x4xf16>, %y: tensor<1x2x1x1xf16>) -> (tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) {
  %0 = ane.activation %x {function = #ane.act<where_positive, 3.0, -2.0>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %k = ane.constant dense<0.5> : tensor<1x1x1x1xf32>
  %1 = ane.select %0, %y, %k : tensor<1x2x3x4xf16>, tensor<1x2x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x3x4xf16>
  %2 = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %3 = ane.select %2, %k, %y : tensor<1x2x3x4xf16>, tensor<1x1x1x1xf32>, tensor<1x2x1x1xf16> -> tensor<1x2x3x4xf16>
  return %0, %1, %3 : tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>
}

// -----

// As products and softmax: on the engine, the operation of MIL has no mask.
func.func @main(%q: tensor<1x4x6x8xf16>, %k: tensor<1x2x8x5xf16>, %v: tensor<1x2x5x8xf16>, %m: tensor<1x1x6x5xf16>) -> tensor<1x4x6x8xf16> {
  %y = ane.attention %q, %k, %v mask %m {scale = 2.500000e-01 : f32, transpose_key}
     : tensor<1x4x6x8xf16>, tensor<1x2x8x5xf16>, tensor<1x2x5x8xf16> mask tensor<1x1x6x5xf16> -> tensor<1x4x6x8xf16>
  return %y : tensor<1x4x6x8xf16>
}
