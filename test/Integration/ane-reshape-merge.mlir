// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Rows joined.

func.func @net(%a: tensor<1x4x6x7xf16>) -> tensor<1x4x1x42xf16> {
  %0 = ane.activation %a {function = #ane.act<relu>} : tensor<1x4x6x7xf16> -> tensor<1x4x6x7xf16>
  %1 = ane.reshape %0 : tensor<1x4x6x7xf16> -> tensor<1x4x1x42xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x4x1x42xf16> -> tensor<1x4x1x42xf16>
  return %2 : tensor<1x4x1x42xf16>
}
