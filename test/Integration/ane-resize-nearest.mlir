// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Pixels repeated whole times.

func.func @net(%a: tensor<1x5x4x7xf16>) -> tensor<1x5x8x21xf16> {
  %0 = ane.resize nearest %a : tensor<1x5x4x7xf16> -> tensor<1x5x8x21xf16>
  return %0 : tensor<1x5x8x21xf16>
}
