// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// All of it the other way round.

func.func @net(%a: tensor<2x5x20x7xf16>) -> tensor<7x20x5x2xf16> {
  %0 = ane.transpose %a {perm = array<i64: 3, 2, 1, 0>} : tensor<2x5x20x7xf16> -> tensor<7x20x5x2xf16>
  return %0 : tensor<7x20x5x2xf16>
}
