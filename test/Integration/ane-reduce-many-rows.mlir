// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// More rows than one pass counts.

func.func @net(%a: tensor<1x2x8400x4xf16>) -> tensor<1x2x8400x1xf16> {
  %0 = ane.reduce max %a {axes = array<i64: 3>} : tensor<1x2x8400x4xf16> -> tensor<1x2x8400x1xf16>
  return %0 : tensor<1x2x8400x1xf16>
}
