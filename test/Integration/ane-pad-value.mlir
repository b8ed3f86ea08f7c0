// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// A border of a number other than 0, also along the channels.

func.func @net(%a: tensor<1x3x4x9xf16>) -> tensor<1x4x5x12xf16> {
  %0 = ane.pad %a {low = array<i64: 0, 1, 0, 2>, high = array<i64: 0, 0, 1, 1>, value = 3.5 : f32} : tensor<1x3x4x9xf16> -> tensor<1x4x5x12xf16>
  return %0 : tensor<1x4x5x12xf16>
}
