// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Two channels in a row, of several images.

func.func @net(%a: tensor<3x4x2x9xf16>) -> tensor<3x2x2x18xf16> {
  %0 = ane.interleave %a {factor = 2 : i64} : tensor<3x4x2x9xf16> -> tensor<3x2x2x18xf16>
  return %0 : tensor<3x2x2x18xf16>
}
