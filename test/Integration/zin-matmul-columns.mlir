// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=1

// Columns are pixels as they are; the matrix is stored the other way round.

func.func @net(%a: tensor<1x64x40xf16>) -> tensor<1x40x96xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x64x96xf16>
  %0 = ane.matmul %a, %w {transpose_lhs} : tensor<1x64x40xf16>, tensor<1x64x96xf16> -> tensor<1x40x96xf16>
  return %0 : tensor<1x40x96xf16>
}
