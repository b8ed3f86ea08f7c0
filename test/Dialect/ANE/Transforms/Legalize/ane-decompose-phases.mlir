// RUN: ane-opt %s --split-input-file --ane-decompose | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline={func.func(ane-decompose)}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-6: computes the same

// Each pixel of a block has a window of two by two on the image before.

// CHECK-LABEL: func @transposed
// CHECK-COUNT-4: ane.conv %{{.*}} {activation = #ane.act<relu>, pad = array<i64: {{[01], [01], [01], [01]}}>} : tensor<1x4x5x16xf16>, tensor<6x4x2x2xf32>, tensor<6xf32> -> tensor<1x6x5x16xf16>
// CHECK: ane.interleave %{{.*}} {factor = 2 : i64} : tensor<1x12x5x16xf16> -> tensor<1x6x5x32xf16>
// CHECK: ane.concat %{{.*}} {axis = 3 : i64} : tensor<1x6x5x32xf16>, tensor<1x6x5x32xf16>
// ZIN-LABEL: func @transposed
// ZIN-NOT: ane.interleave
// ZIN: tensor<6x4x4x4xf32>
func.func @transposed(%a: tensor<1x4x5x16xf16>) -> tensor<1x6x10x32xf16> {
  %w = ane.constant dense<0.5> : tensor<4x6x4x4xf32>
  %b = ane.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %y = ane.conv_transpose %a, %w bias %b {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, activation = #ane.act<relu>} : tensor<1x4x5x16xf16>, tensor<4x6x4x4xf32>, tensor<6xf32> -> tensor<1x6x10x32xf16>
  return %y : tensor<1x6x10x32xf16>
}

// -----

// Of three taps, odd pixels have two below them, even ones one. The last row
// has no pair.

// CHECK-LABEL: func @odd
// CHECK-DAG: tensor<3x2x1x1xf32> -> tensor<1x3x5x6xf16>
// CHECK-DAG: tensor<3x2x1x2xf32> -> tensor<1x3x5x6xf16>
// CHECK-DAG: tensor<3x2x2x1xf32> -> tensor<1x3x5x6xf16>
// CHECK-DAG: tensor<3x2x2x2xf32> -> tensor<1x3x5x6xf16>
// CHECK: ane.concat %{{.*}} {axis = 2 : i64} : tensor<3x5x1x12xf16>, tensor<3x5x1x12xf16>
// CHECK: ane.slice %{{.*}} sizes = array<i64: 1, 3, 9, 12>
func.func @odd(%a: tensor<1x2x5x6xf16>) -> tensor<1x3x9x12xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[0.5, 1.0, 1.5], [2.0, 2.5, 3.0], [3.5, 4.0, 4.5]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0], [-7.0, 8.0, -9.0]]], [[[1.5, 2.5, 3.5], [4.5, 5.5, 6.5], [7.5, 8.5, 9.5]], [[1.0, 1.0, 2.0], [2.0, 3.0, 3.0], [4.0, 4.0, 5.0]], [[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]]]> : tensor<2x3x3x3xf32>
  %y = ane.conv_transpose %a, %w {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 0>} : tensor<1x2x5x6xf16>, tensor<2x3x3x3xf32> -> tensor<1x3x9x12xf16>
  return %y : tensor<1x3x9x12xf16>
}

// -----

// Taps on the same pixel are one, whose weight is their sum: 1 + 2, 3 in odd
// columns.

// CHECK-LABEL: func @repeated
// CHECK-NOT: ane.resize
// CHECK: dense<{{\[\[\[\[}}5.0{{0*}}e+00, 1.6{{0*}}e+01], [7.0{{0*}}e+00, 1.7{{0*}}e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-COUNT-4: ane.conv
// CHECK: ane.interleave
// ZIN-LABEL: func @repeated
// ZIN: tensor<1x1x3x3xf32>
func.func @repeated(%a: tensor<1x1x4x8xf16>) -> tensor<1x1x8x16xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %x = ane.resize nearest %a : tensor<1x1x4x8xf16> -> tensor<1x1x8x16xf16>
  %y = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x1x8x16xf16>, tensor<1x1x3x3xf32> -> tensor<1x1x8x16xf16>
  return %y : tensor<1x1x8x16xf16>
}

// -----

// Of a row, four columns in turn.

// CHECK-LABEL: func @row
// CHECK-COUNT-4: tensor<3x2x1x2xf32> -> tensor<1x3x1x9xf16>
// CHECK: ane.interleave %{{.*}} {factor = 4 : i64} : tensor<1x12x1x9xf16> -> tensor<1x3x1x36xf16>
func.func @row(%a: tensor<1x2x1x9xf16>) -> tensor<1x3x1x36xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]], [[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]], [[-1.0, 2.0, -3.0, 4.0, -5.0, 6.0, -7.0, 8.0]]], [[[1.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0]], [[2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0]], [[1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0]]]]> : tensor<2x3x1x8xf32>
  %y = ane.conv_transpose %a, %w {strides = array<i64: 1, 4>, pad = array<i64: 0, 0, 2, 2>} : tensor<1x2x1x9xf16>, tensor<2x3x1x8xf32> -> tensor<1x3x1x36xf16>
  return %y : tensor<1x3x1x36xf16>
}

// -----

// Both columns of a block need the same three pixels: one convolution, with the
// bias of each channel twice.

// CHECK-LABEL: func @shared
// CHECK: dense<[1.0{{0*}}e+00, 1.0{{0*}}e+00, 2.0{{0*}}e+00, 2.0{{0*}}e+00]> : tensor<4xf32>
// CHECK-COUNT-2: ane.conv %{{.*}} bias %{{.*}} tensor<4x1x3x3xf32>, tensor<4xf32> -> tensor<1x4x3x4xf16>
func.func @shared(%a: tensor<1x1x3x4xf16>) -> tensor<1x2x6x8xf16> {
  %w = ane.constant dense<0.5> : tensor<2x1x5x5xf32>
  %b = ane.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x = ane.resize nearest %a : tensor<1x1x3x4xf16> -> tensor<1x1x6x8xf16>
  %y = ane.conv %x, %w bias %b {pad = array<i64: 2, 2, 2, 2>} : tensor<1x1x6x8xf16>, tensor<2x1x5x5xf32>, tensor<2xf32> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// -----

// No padding of a convolution is as wide as its window: all pixels of a block
// are one convolution, with a window that all of them need.

// CHECK-LABEL: func @wide
// CHECK: ane.conv {{.*}}, tensor<8x2x2x2xf32>
// CHECK-NOT: ane.conv
func.func @wide(%a: tensor<1x2x4x4xf16>) -> tensor<1x2x9x9xf16> {
  %w = ane.constant dense<0.5> : tensor<2x2x3x3xf32>
  %y = ane.conv_transpose %a, %w {strides = array<i64: 2, 2>} : tensor<1x2x4x4xf16>, tensor<2x2x3x3xf32> -> tensor<1x2x9x9xf16>
  return %y : tensor<1x2x9x9xf16>
}
