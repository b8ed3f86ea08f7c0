// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.002
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=900 --high=1100 --max-err=0.002
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-0.01 --high=0.01 --max-err=0.002
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-60000 --high=60000 --max-err=0.002
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=300 --high=300 --max-err=0.004

// The mean of a token is left to the convolutions behind its norm: also where it is large
// beside the deviation, and where all channels are equal and nothing but beta is left.

func.func @net(%x: tensor<1x192x1x96xf16>) -> (tensor<1x64x1x96xf16>, tensor<1x128x1x96xf16>) {
  %g = ane.constant dense_resource<random_1> : tensor<192xf16>
  %b = ane.constant dense_resource<random_2> : tensor<192xf16>
  %w = ane.constant dense_resource<random_3_20> : tensor<64x192x1x1xf16>
  %o = ane.constant dense_resource<random_4> : tensor<64xf16>
  %v = ane.constant dense_resource<random_5_20> : tensor<128x192x1x1xf16>
  %n = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x192x1x96xf16> gamma tensor<192xf16> beta tensor<192xf16> -> tensor<1x192x1x96xf16>
  %y = ane.conv %n, %w bias %o : tensor<1x192x1x96xf16>, tensor<64x192x1x1xf16>, tensor<64xf16> -> tensor<1x64x1x96xf16>
  %z = ane.conv %n, %v {activation = #ane.act<gelu_tanh>} : tensor<1x192x1x96xf16>, tensor<128x192x1x1xf16> -> tensor<1x128x1x96xf16>
  return %y, %z : tensor<1x64x1x96xf16>, tensor<1x128x1x96xf16>
}
