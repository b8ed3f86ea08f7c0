// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.001 --tasks=4

// Rows of several channels become images in L2.

func.func @net(%a: tensor<4x15xf16>) -> tensor<2x3x10x1xf16> {
  %0 = ane.reshape %a : tensor<4x15xf16> -> tensor<2x3x10x1xf16>
  return %0 : tensor<2x3x10x1xf16>
}
