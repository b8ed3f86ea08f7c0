// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Columns of the result that no row can start at go by way of a buffer.

func.func @net(%a: tensor<1x1x48x70xf16>, %b: tensor<1x1x23x48xf16>) -> tensor<1x1x70x23xf16> {
  %0 = ane.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<1x1x48x70xf16>, tensor<1x1x23x48xf16> -> tensor<1x1x70x23xf16>
  return %0 : tensor<1x1x70x23xf16>
}
