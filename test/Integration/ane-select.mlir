// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0 --step=0.5

// One of two tensors; the condition is repeated over channels.

func.func @net(%c: tensor<1x1x6x7xf16>, %a: tensor<1x5x6x7xf16>, %b: tensor<1x5x6x7xf16>) -> tensor<1x5x6x7xf16> {
  %0 = ane.select %c, %a, %b : tensor<1x1x6x7xf16>, tensor<1x5x6x7xf16>, tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  return %0 : tensor<1x5x6x7xf16>
}
