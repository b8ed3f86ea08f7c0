// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Every other channel and every third row.

func.func @net(%a: tensor<1x8x10x17xf16>) -> tensor<1x4x3x17xf16> {
  %0 = ane.slice %a {offsets = array<i64: 0, 1, 1, 0>, sizes = array<i64: 1, 4, 3, 17>, strides = array<i64: 1, 2, 3, 1>} : tensor<1x8x10x17xf16> -> tensor<1x4x3x17xf16>
  return %0 : tensor<1x4x3x17xf16>
}
