// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Corners coincide.

func.func @net(%a: tensor<1x5x4x7xf16>) -> tensor<1x5x9x20xf16> {
  %0 = ane.resize bilinear %a {align_corners} : tensor<1x5x4x7xf16> -> tensor<1x5x9x20xf16>
  return %0 : tensor<1x5x9x20xf16>
}
