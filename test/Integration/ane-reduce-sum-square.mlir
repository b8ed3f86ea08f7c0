// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// The sum of squares of a row.

func.func @net(%a: tensor<1x4x5x6xf16>) -> tensor<1x4x5x1xf16> {
  %0 = ane.reduce sum_square %a {axes = array<i64: 3>} : tensor<1x4x5x6xf16> -> tensor<1x4x5x1xf16>
  return %0 : tensor<1x4x5x1xf16>
}
