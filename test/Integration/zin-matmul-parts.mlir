// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=4

// More than one unit of pixels: the coefficients of a task stay in the kernel buffer.

func.func @net(%a: tensor<1x160x512xf16>) -> tensor<1x160x2048xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x2048x512xf16>
  %0 = ane.matmul %a, %w {transpose_rhs} : tensor<1x160x512xf16>, tensor<1x2048x512xf16> -> tensor<1x160x2048xf16>
  return %0 : tensor<1x160x2048xf16>
}
