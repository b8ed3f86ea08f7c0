// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Space to depth: blocks exchanged one after the other.

func.func @net(%a: tensor<1x3x8x10xf16>) -> tensor<1x12x4x5xf16> {
  %0 = ane.reshape %a : tensor<1x3x8x10xf16> -> tensor<1x3x4x2x5x2xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 1, 3, 5, 2, 4>} : tensor<1x3x4x2x5x2xf16> -> tensor<1x3x2x2x4x5xf16>
  %2 = ane.reshape %1 : tensor<1x3x2x2x4x5xf16> -> tensor<1x12x4x5xf16>
  return %2 : tensor<1x12x4x5xf16>
}
