// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.004

// Weights that are data: padding, strides and dilations that differ, groups, a function after
// the sums, and a transposed convolution with a stride.

func.func @net(%x: tensor<2x4x9x12xf16>, %w: tensor<6x2x3x2xf16>, %b: tensor<6xf16>, %t: tensor<6x1x3x3xf16>)
    -> (tensor<2x6x9x4xf16>, tensor<2x2x18x6xf16>) {
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>, dilations = array<i64: 1, 2>, groups = 2 : i64,
                                pad = array<i64: 1, 1, 0, 1>, strides = array<i64: 1, 3>}
     : tensor<2x4x9x12xf16>, tensor<6x2x3x2xf16>, tensor<6xf16> -> tensor<2x6x9x4xf16>
  %1 = ane.conv_transpose %0, %t {groups = 2 : i64, pad = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 2>}
     : tensor<2x6x9x4xf16>, tensor<6x1x3x3xf16> -> tensor<2x2x18x6xf16>
  return %0, %1 : tensor<2x6x9x4xf16>, tensor<2x2x18x6xf16>
}
