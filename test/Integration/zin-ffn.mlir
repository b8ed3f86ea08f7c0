// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.005 --tasks=4

// Two products with a table between them: pixels stay folded.

func.func @net(%x: tensor<1x64x64xf16>) -> tensor<1x64x64xf16> {
  %a = ane.constant dense_resource<random_1> : tensor<1x1024x64xf16>
  %b = ane.constant dense_resource<random_2> : tensor<1x64x1024xf16>
  %0 = ane.matmul %x, %a {activation = #ane.act<gelu>, transpose_rhs} : tensor<1x64x64xf16>, tensor<1x1024x64xf16> -> tensor<1x64x1024xf16>
  %1 = ane.matmul %0, %b {transpose_rhs} : tensor<1x64x1024xf16>, tensor<1x64x1024xf16> -> tensor<1x64x64xf16>
  return %1 : tensor<1x64x64xf16>
}
