// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Every third column.

func.func @net(%a: tensor<1x4x5x90xf16>) -> tensor<1x4x5x29xf16> {
  %0 = ane.slice %a {offsets = array<i64: 0, 0, 0, 2>, sizes = array<i64: 1, 4, 5, 29>, strides = array<i64: 1, 1, 1, 3>} : tensor<1x4x5x90xf16> -> tensor<1x4x5x29xf16>
  return %0 : tensor<1x4x5x29xf16>
}
