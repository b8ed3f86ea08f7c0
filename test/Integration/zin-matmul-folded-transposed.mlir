// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=4

// The same from columns: exchanged twice.

func.func @net(%a: tensor<1x64x32xf16>) -> tensor<1x32x1024xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x1024x64xf16>
  %0 = ane.matmul %a, %w {transpose_lhs, transpose_rhs} : tensor<1x64x32xf16>, tensor<1x1024x64xf16> -> tensor<1x32x1024xf16>
  return %0 : tensor<1x32x1024xf16>
}
