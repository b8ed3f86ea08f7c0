// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// The least of all.

func.func @net(%a: tensor<1x4x5x6xf16>) -> tensor<1x1x1x1xf16> {
  %0 = ane.reduce min %a {axes = array<i64: 1, 2, 3>} : tensor<1x4x5x6xf16> -> tensor<1x1x1x1xf16>
  return %0 : tensor<1x1x1x1xf16>
}
