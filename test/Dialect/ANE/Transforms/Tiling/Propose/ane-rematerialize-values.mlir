// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.01 --flavour=clean --intermediates=4194304

// Squeeze and excitation: what is scaled is computed again rather than written to DRAM and
// read from there, which would be 6.3 MB more.

func.func @net(%x: tensor<1x3x256x256xf16>) -> tensor<1x16x256x256xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<16x3x3x3xf16>
  %b = ane.constant dense_resource<random_2> : tensor<16xf16>
  %d = ane.constant dense_resource<random_3> : tensor<32x16x1x1xf16>
  %e = ane.constant dense_resource<random_4> : tensor<64x32x1x1xf16>
  %g = ane.constant dense_resource<random_5> : tensor<16x64x1x1xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<16x3x3x3xf16>, tensor<16xf16> -> tensor<1x16x256x256xf16>
  %1 = ane.conv %0, %d {strides = array<i64: 2, 2>} : tensor<1x16x256x256xf16>, tensor<32x16x1x1xf16> -> tensor<1x32x128x128xf16>
  %2 = ane.conv %1, %e : tensor<1x32x128x128xf16>, tensor<64x32x1x1xf16> -> tensor<1x64x128x128xf16>
  %3 = ane.reduce mean %2 {axes = array<i64: 2, 3>} : tensor<1x64x128x128xf16> -> tensor<1x64x1x1xf16>
  %4 = ane.conv %3, %g {activation = #ane.act<sigmoid>} : tensor<1x64x1x1xf16>, tensor<16x64x1x1xf16> -> tensor<1x16x1x1xf16>
  %5 = ane.elementwise mul %0, %4 : tensor<1x16x256x256xf16>, tensor<1x16x1x1xf16> -> tensor<1x16x256x256xf16>
  return %5 : tensor<1x16x256x256xf16>
}
