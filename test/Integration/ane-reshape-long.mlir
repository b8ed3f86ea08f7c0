// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// More rows are joined than one row has columns.

func.func @net(%a: tensor<1x8x8250x2xf16>) -> tensor<1x8x4125x4xf16> {
  %0 = ane.activation %a {function = #ane.act<relu>} : tensor<1x8x8250x2xf16> -> tensor<1x8x8250x2xf16>
  %1 = ane.reshape %0 : tensor<1x8x8250x2xf16> -> tensor<1x8x4125x4xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x8x4125x4xf16> -> tensor<1x8x4125x4xf16>
  return %2 : tensor<1x8x4125x4xf16>
}
