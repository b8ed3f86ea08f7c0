// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=2 --high=6 --max-err=0.02

// Norms of channels far from zero, their factors in the weights behind them.

func.func @net(%x: tensor<1x96x2x40xf16>) -> (tensor<1x32x2x40xf16>, tensor<1x32x2x40xf16>) {
  %g = ane.constant dense_resource<random_1> : tensor<96xf16>
  %b = ane.constant dense_resource<random_2> : tensor<96xf16>
  %w = ane.constant dense_resource<random_3> : tensor<32x96x1x1xf16>
  %o = ane.constant dense_resource<random_4> : tensor<32xf16>
  %n = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x96x2x40xf16> gamma tensor<96xf16> beta tensor<96xf16> -> tensor<1x96x2x40xf16>
  %y = ane.conv %n, %w bias %o : tensor<1x96x2x40xf16>, tensor<32x96x1x1xf16>, tensor<32xf16> -> tensor<1x32x2x40xf16>
  %r = ane.rms_norm %x gamma %g {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x96x2x40xf16> gamma tensor<96xf16> -> tensor<1x96x2x40xf16>
  %z = ane.conv %r, %w : tensor<1x96x2x40xf16>, tensor<32x96x1x1xf16> -> tensor<1x32x2x40xf16>
  return %y, %z : tensor<1x32x2x40xf16>, tensor<1x32x2x40xf16>
}
