// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// Too large for L2 as a whole: the same through DRAM.

func.func @net(%x: tensor<1x16x96x100xf16>, %skip: tensor<1x32x192x200xf16>) -> tensor<1x32x192x200xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<128x16x1x1xf16>
  %b = ane.constant dense_resource<random_2> : tensor<128xf16>
  %w1 = ane.constant dense_resource<random_3> : tensor<32x64x3x3xf16>
  %c = ane.conv %x, %w bias %b {pad = array<i64: 0, 0, 0, 0>} : tensor<1x16x96x100xf16>, tensor<128x16x1x1xf16>, tensor<128xf16> -> tensor<1x128x96x100xf16>
  %r = ane.reshape %c : tensor<1x128x96x100xf16> -> tensor<1x32x2x2x96x100xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x32x2x2x96x100xf16> -> tensor<1x32x96x2x100x2xf16>
  %s = ane.reshape %t : tensor<1x32x96x2x100x2xf16> -> tensor<1x32x192x200xf16>
  %n = ane.activation %skip {function = #ane.act<relu>} : tensor<1x32x192x200xf16> -> tensor<1x32x192x200xf16>
  %j = ane.concat %n, %s {axis = 1 : i64} : tensor<1x32x192x200xf16>, tensor<1x32x192x200xf16> -> tensor<1x64x192x200xf16>
  %y = ane.conv %j, %w1 {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x200xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x192x200xf16>
  return %y : tensor<1x32x192x200xf16>
}
