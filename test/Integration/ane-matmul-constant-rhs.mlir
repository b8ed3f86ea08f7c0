// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// A linear layer over the last dimension.

func.func @net(%a: tensor<1x40x64xf16>) -> tensor<1x40x96xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x64x96xf16>
  %0 = ane.matmul %a, %w : tensor<1x40x64xf16>, tensor<1x64x96xf16> -> tensor<1x40x96xf16>
  return %0 : tensor<1x40x96xf16>
}
