// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Zeros between the pixels.

func.func @net(%a: tensor<1x4x5x6xf16>) -> tensor<1x6x10x12xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<4x6x4x4xf16>
  %0 = ane.conv_transpose %a, %w {strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x5x6xf16>, tensor<4x6x4x4xf16> -> tensor<1x6x10x12xf16>
  return %0 : tensor<1x6x10x12xf16>
}
