// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Squares over rows and columns.

func.func @net(%a: tensor<2x4x5x6xf16>) -> tensor<2x4x1x1xf16> {
  %0 = ane.reduce mean_square %a {axes = array<i64: 2, 3>} : tensor<2x4x5x6xf16> -> tensor<2x4x1x1xf16>
  return %0 : tensor<2x4x1x1xf16>
}
