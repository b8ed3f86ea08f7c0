// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Neither length divides the other.

func.func @net(%a: tensor<1x3x4x6xf16>) -> tensor<1x1x8x9xf16> {
  %0 = ane.activation %a {function = #ane.act<relu>} : tensor<1x3x4x6xf16> -> tensor<1x3x4x6xf16>
  %1 = ane.reshape %0 : tensor<1x3x4x6xf16> -> tensor<1x1x8x9xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x1x8x9xf16> -> tensor<1x1x8x9xf16>
  return %2 : tensor<1x1x8x9xf16>
}
