// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.003 --step=0.5

// Minus infinity where a mask is not set, as in attention.

func.func @net(%c: tensor<1x5x6x7xf16>, %a: tensor<1x5x6x7xf16>) -> tensor<1x5x6x7xf16> {
  %n = ane.constant dense<0xFC00> : tensor<1x5x6x7xf16>
  %0 = ane.select %c, %a, %n : tensor<1x5x6x7xf16>, tensor<1x5x6x7xf16>, tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  %1 = ane.softmax %0 {axis = 3 : i64} : tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  return %1 : tensor<1x5x6x7xf16>
}
