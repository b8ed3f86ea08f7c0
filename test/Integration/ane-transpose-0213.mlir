// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Channels and rows: strides only.

func.func @net(%a: tensor<2x5x20x70xf16>) -> tensor<2x20x5x70xf16> {
  %0 = ane.transpose %a {perm = array<i64: 0, 2, 1, 3>} : tensor<2x5x20x70xf16> -> tensor<2x20x5x70xf16>
  return %0 : tensor<2x20x5x70xf16>
}
