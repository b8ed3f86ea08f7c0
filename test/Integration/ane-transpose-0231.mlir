// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Channels to the end.

func.func @net(%a: tensor<1x5x20x70xf16>) -> tensor<1x20x70x5xf16> {
  %0 = ane.transpose %a {perm = array<i64: 0, 2, 3, 1>} : tensor<1x5x20x70xf16> -> tensor<1x20x70x5xf16>
  return %0 : tensor<1x20x70x5xf16>
}
