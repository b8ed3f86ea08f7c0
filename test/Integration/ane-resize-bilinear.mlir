// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// Pixel centres at one half.

func.func @net(%a: tensor<1x5x4x7xf16>) -> tensor<1x5x9x5xf16> {
  %0 = ane.resize bilinear %a {half_pixel} : tensor<1x5x4x7xf16> -> tensor<1x5x9x5xf16>
  return %0 : tensor<1x5x9x5xf16>
}
