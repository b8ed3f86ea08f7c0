// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.01 --intermediates=0

// Sound: L2 does not hold what is between two convolutions of a row. Strips of its
// columns stay there.

func.func @net(%x: tensor<1x4x1x16000xf16>) -> tensor<1x2x1x8000xf16> {
  %a = ane.constant dense<[[[[0.5, -0.25, 0.125]]], [[[0.25, 1.0, -0.5]]]]> : tensor<2x1x1x3xf16>
  %v = ane.constant dense<0.0625> : tensor<64x4x1x3xf16>
  %w = ane.constant dense<0.03125> : tensor<2x64x1x3xf16>
  %h = ane.conv %x, %v {pad = array<i64: 0, 0, 1, 1>, activation = #ane.act<relu>} : tensor<1x4x1x16000xf16>, tensor<64x4x1x3xf16> -> tensor<1x64x1x16000xf16>
  %y = ane.conv %h, %w {pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 2>} : tensor<1x64x1x16000xf16>, tensor<2x64x1x3xf16> -> tensor<1x2x1x8000xf16>
  %z = ane.conv %y, %a {pad = array<i64: 0, 0, 1, 1>, groups = 2 : i64} : tensor<1x2x1x8000xf16>, tensor<2x1x1x3xf16> -> tensor<1x2x1x8000xf16>
  return %z : tensor<1x2x1x8000xf16>
}
