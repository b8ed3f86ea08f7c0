// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=4

// Blocks of rows, the last one first; the right matrix is exchanged.

func.func @net(%a: tensor<1x48x64xf16>, %w: tensor<1x96x64xf16>) -> tensor<1x48x96xf16> {
  %0 = ane.matmul %a, %w {transpose_rhs} : tensor<1x48x64xf16>, tensor<1x96x64xf16> -> tensor<1x48x96xf16>
  return %0 : tensor<1x48x96xf16>
}
