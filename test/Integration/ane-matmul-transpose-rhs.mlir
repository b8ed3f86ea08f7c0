// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// The product of attention scores.

func.func @net(%a: tensor<1x3x40x64xf16>, %b: tensor<1x3x50x64xf16>) -> tensor<1x3x40x50xf16> {
  %0 = ane.matmul %a, %b {transpose_rhs} : tensor<1x3x40x64xf16>, tensor<1x3x50x64xf16> -> tensor<1x3x40x50xf16>
  return %0 : tensor<1x3x40x50xf16>
}
