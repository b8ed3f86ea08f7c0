// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Rows and columns exchanged.

func.func @net(%a: tensor<1x5x20x70xf16>) -> tensor<1x5x70x20xf16> {
  %0 = ane.transpose %a {perm = array<i64: 0, 1, 3, 2>} : tensor<1x5x20x70xf16> -> tensor<1x5x70x20xf16>
  return %0 : tensor<1x5x70x20xf16>
}
