// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Rows cut at multiples of 64 bytes: the same bytes.

func.func @net(%a: tensor<1x1x40x128xf16>) -> tensor<1x40x4x32xf16> {
  %0 = ane.activation %a {function = #ane.act<relu>} : tensor<1x1x40x128xf16> -> tensor<1x1x40x128xf16>
  %1 = ane.reshape %0 : tensor<1x1x40x128xf16> -> tensor<1x40x4x32xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x40x4x32xf16> -> tensor<1x40x4x32xf16>
  return %2 : tensor<1x40x4x32xf16>
}
