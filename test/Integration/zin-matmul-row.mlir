// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=2

// One row.

func.func @net(%a: tensor<1x1x64xf16>) -> tensor<1x1x96xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x96x64xf16>
  %0 = ane.matmul %a, %w {transpose_rhs} : tensor<1x1x64xf16>, tensor<1x96x64xf16> -> tensor<1x1x96xf16>
  return %0 : tensor<1x1x96xf16>
}
