// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// An image as one row.

func.func @net(%a: tensor<1x6x5x7xf16>) -> tensor<1x210xf16> {
  %0 = ane.activation %a {function = #ane.act<relu>} : tensor<1x6x5x7xf16> -> tensor<1x6x5x7xf16>
  %1 = ane.reshape %0 : tensor<1x6x5x7xf16> -> tensor<1x210xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x210xf16> -> tensor<1x210xf16>
  return %2 : tensor<1x210xf16>
}
