// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Copies along all dimensions.

func.func @net(%a: tensor<1x3x2x9xf16>) -> tensor<2x6x6x36xf16> {
  %0 = ane.tile %a {repeats = array<i64: 2, 2, 3, 4>} : tensor<1x3x2x9xf16> -> tensor<2x6x6x36xf16>
  return %0 : tensor<2x6x6x36xf16>
}
