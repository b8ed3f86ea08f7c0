// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Channels and columns exchanged: one pass.

func.func @net(%a: tensor<1x20x3x70xf16>) -> tensor<1x70x3x20xf16> {
  %0 = ane.transpose %a {perm = array<i64: 0, 3, 2, 1>} : tensor<1x20x3x70xf16> -> tensor<1x70x3x20xf16>
  return %0 : tensor<1x70x3x20xf16>
}
