// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Rank 3.

func.func @net(%a: tensor<4x20x33xf16>) -> tensor<33x4x20xf16> {
  %0 = ane.transpose %a {perm = array<i64: 2, 0, 1>} : tensor<4x20x33xf16> -> tensor<33x4x20xf16>
  return %0 : tensor<33x4x20xf16>
}
