// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Columns further right than a kernel is wide.

func.func @net(%a: tensor<1x4x5x90xf16>) -> tensor<1x2x5x41xf16> {
  %0 = ane.slice %a {offsets = array<i64: 0, 1, 0, 37>, sizes = array<i64: 1, 2, 5, 41>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x5x90xf16> -> tensor<1x2x5x41xf16>
  return %0 : tensor<1x2x5x41xf16>
}
