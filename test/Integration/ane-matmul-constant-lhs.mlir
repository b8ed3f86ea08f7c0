// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// A constant matrix times channels.

func.func @net(%a: tensor<1x2x64x30xf16>) -> tensor<1x2x96x30xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x1x96x64xf16>
  %0 = ane.matmul %w, %a : tensor<1x1x96x64xf16>, tensor<1x2x64x30xf16> -> tensor<1x2x96x30xf16>
  return %0 : tensor<1x2x96x30xf16>
}
