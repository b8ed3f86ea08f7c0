// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=0.5 --high=4 --max-err=0.002

// A quotient.

func.func @net(%a: tensor<1x5x6x7xf16>, %b: tensor<1x5x6x7xf16>) -> tensor<1x5x6x7xf16> {
  %0 = ane.elementwise div %a, %b : tensor<1x5x6x7xf16>, tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  return %0 : tensor<1x5x6x7xf16>
}
