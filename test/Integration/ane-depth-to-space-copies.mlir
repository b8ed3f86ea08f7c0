// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --intermediates=0

// No recorded program has a convolution with a window whose result has channels
// innermost, so a copy does that. Channels are ordered as depth-to-space wants them.

func.func @net(%x: tensor<1x16x9x14xf16>, %skip: tensor<1x32x18x28xf16>) -> tensor<1x32x18x28xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<128x16x3x3xf16>
  %b = ane.constant dense_resource<random_2> : tensor<128xf16>
  %w1 = ane.constant dense_resource<random_3> : tensor<32x64x3x3xf16>
  %c = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x9x14xf16>, tensor<128x16x3x3xf16>, tensor<128xf16> -> tensor<1x128x9x14xf16>
  %r = ane.reshape %c : tensor<1x128x9x14xf16> -> tensor<1x2x2x32x9x14xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 3, 4, 1, 5, 2>} : tensor<1x2x2x32x9x14xf16> -> tensor<1x32x9x2x14x2xf16>
  %s = ane.reshape %t : tensor<1x32x9x2x14x2xf16> -> tensor<1x32x18x28xf16>
  %n = ane.activation %skip {function = #ane.act<relu>} : tensor<1x32x18x28xf16> -> tensor<1x32x18x28xf16>
  %j = ane.concat %n, %s {axis = 1 : i64} : tensor<1x32x18x28xf16>, tensor<1x32x18x28xf16> -> tensor<1x64x18x28xf16>
  %y = ane.conv %j, %w1 {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x18x28xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x18x28xf16>
  return %y : tensor<1x32x18x28xf16>
}
