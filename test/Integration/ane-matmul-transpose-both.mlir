// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Both operands are: the result is stored with channels and columns exchanged.

func.func @net(%a: tensor<1x2x48x70xf16>, %b: tensor<1x2x40x48xf16>) -> tensor<1x2x70x40xf16> {
  %0 = ane.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<1x2x48x70xf16>, tensor<1x2x40x48xf16> -> tensor<1x2x70x40xf16>
  return %0 : tensor<1x2x70x40xf16>
}
