// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// The left operand is stored the other way round.

func.func @net(%a: tensor<1x2x48x33xf16>, %b: tensor<1x2x48x70xf16>) -> tensor<1x2x33x70xf16> {
  %0 = ane.matmul %a, %b {transpose_lhs} : tensor<1x2x48x33xf16>, tensor<1x2x48x70xf16> -> tensor<1x2x33x70xf16>
  return %0 : tensor<1x2x33x70xf16>
}
