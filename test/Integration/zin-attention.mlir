// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.005 --tasks=9

// Scores, softmax and values without DRAM but for the coefficients.

func.func @net(%q: tensor<1x64x128xf16>, %k: tensor<1x64x128xf16>, %v: tensor<1x64x128xf16>) -> tensor<1x64x128xf16> {
  %c = ane.constant dense<0.125> : tensor<1x1x1xf16>
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x64x128xf16>, tensor<1x64x128xf16> -> tensor<1x64x64xf16>
  %m = ane.elementwise mul %s, %c : tensor<1x64x64xf16>, tensor<1x1x1xf16> -> tensor<1x64x64xf16>
  %p = ane.softmax %m {axis = 2 : i64} : tensor<1x64x64xf16> -> tensor<1x64x64xf16>
  %y = ane.matmul %p, %v : tensor<1x64x64xf16>, tensor<1x64x128xf16> -> tensor<1x64x128xf16>
  return %y : tensor<1x64x128xf16>
}
