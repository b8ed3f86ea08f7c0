// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Dimensions of 1 are repeated by the planar engine.

func.func @net(%a: tensor<1x5x1x20xf16>) -> tensor<1x5x7x20xf16> {
  %0 = ane.tile %a {repeats = array<i64: 1, 1, 7, 1>} : tensor<1x5x1x20xf16> -> tensor<1x5x7x20xf16>
  return %0 : tensor<1x5x7x20xf16>
}
