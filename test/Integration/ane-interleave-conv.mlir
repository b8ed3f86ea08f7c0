// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --tasks=5

// A convolution stores its channels side by side, which is how memory has them:
// what is computed from that is no tensor that stays in L2.

func.func @net(%a: tensor<1x768x1x72xf16>) -> tensor<1x32x1x288xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<768x768x1x1xf16>
  %b = ane.constant dense_resource<random_2> : tensor<768xf16>
  %v = ane.constant dense_resource<random_3> : tensor<32x192x1x1xf16>
  %0 = ane.conv %a, %w bias %b : tensor<1x768x1x72xf16>, tensor<768x768x1x1xf16>, tensor<768xf16> -> tensor<1x768x1x72xf16>
  %1 = ane.interleave %0 {factor = 4 : i64} : tensor<1x768x1x72xf16> -> tensor<1x192x1x288xf16>
  %2 = ane.conv %1, %v : tensor<1x192x1x288xf16>, tensor<32x192x1x1xf16> -> tensor<1x32x1x288xf16>
  return %2 : tensor<1x32x1x288xf16>
}
