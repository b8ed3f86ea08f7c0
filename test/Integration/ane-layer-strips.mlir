// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.01

// A layer of 512 channels that L2 does not hold, made from 8 and summed up to 8.

func.func @net(%x: tensor<1x8x64x64xf16>) -> tensor<1x8x64x64xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<512x8x1x1xf16>
  %b = ane.constant dense_resource<random_2> : tensor<512xf16>
  %v = ane.constant dense_resource<random_3> : tensor<8x512x3x3xf16>
  %c = ane.constant dense_resource<random_4> : tensor<8xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>} : tensor<1x8x64x64xf16>, tensor<512x8x1x1xf16>, tensor<512xf16> -> tensor<1x512x64x64xf16>
  %1 = ane.conv %0, %v bias %c {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x64x64xf16>, tensor<8x512x3x3xf16>, tensor<8xf16> -> tensor<1x8x64x64xf16>
  return %1 : tensor<1x8x64x64xf16>
}
