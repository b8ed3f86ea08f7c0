// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.003

// More channels than a row in L2 holds: sums of parts; and a softmax over them.

func.func @net(%a: tensor<1x33000x1x32xf16>) -> tensor<1x16x1x32xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<16x33000x1x1xf16>
  %0 = ane.softmax %a {axis = 1 : i64} : tensor<1x33000x1x32xf16> -> tensor<1x33000x1x32xf16>
  %1 = ane.conv %0, %w : tensor<1x33000x1x32xf16>, tensor<16x33000x1x1xf16> -> tensor<1x16x1x32xf16>
  return %1 : tensor<1x16x1x32xf16>
}
