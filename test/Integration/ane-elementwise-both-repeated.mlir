// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.001

// Both operands are repeated.

func.func @net(%a: tensor<1x5x1x7xf16>, %b: tensor<1x1x6x1xf16>) -> tensor<1x5x6x7xf16> {
  %0 = ane.elementwise sub %a, %b : tensor<1x5x1x7xf16>, tensor<1x1x6x1xf16> -> tensor<1x5x6x7xf16>
  return %0 : tensor<1x5x6x7xf16>
}
