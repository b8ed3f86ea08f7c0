// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Two tensors: coefficients of 4, 2 and 1 lanes an engine.

func.func @net(%a: tensor<1x2x100x48xf16>, %b: tensor<1x2x48x70xf16>) -> tensor<1x2x100x70xf16> {
  %0 = ane.matmul %a, %b : tensor<1x2x100x48xf16>, tensor<1x2x48x70xf16> -> tensor<1x2x100x70xf16>
  return %0 : tensor<1x2x100x70xf16>
}
