// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Columns to the front.

func.func @net(%a: tensor<2x5x20x70xf16>) -> tensor<2x70x5x20xf16> {
  %0 = ane.transpose %a {perm = array<i64: 0, 3, 1, 2>} : tensor<2x5x20x70xf16> -> tensor<2x70x5x20xf16>
  return %0 : tensor<2x70x5x20xf16>
}
