// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0 --step=0.25

// Exact for equal numbers, too.

func.func @net(%a: tensor<1x5x6x7xf16>, %b: tensor<1x5x1x1xf16>) -> tensor<1x5x6x7xf16> {
  %0 = ane.compare ge %a, %b : tensor<1x5x6x7xf16>, tensor<1x5x1x1xf16> -> tensor<1x5x6x7xf16>
  return %0 : tensor<1x5x6x7xf16>
}
