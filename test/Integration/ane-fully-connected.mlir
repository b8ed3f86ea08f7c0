// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// More values than channels, or columns of several images, go into a layer.

func.func @net(%x: tensor<1x5x128x128xf16>, %y: tensor<2x4x64x65xf16>) -> (tensor<1x3xf16>, tensor<2x3xf16>) {
  %w = ane.constant dense_resource<random_1> : tensor<3x81920xf16>
  %v = ane.constant dense_resource<random_2> : tensor<3x16640xf16>
  %b = ane.constant dense_resource<random_3> : tensor<1x3xf16>
  %0 = ane.reshape %x : tensor<1x5x128x128xf16> -> tensor<1x81920xf16>
  %1 = ane.matmul %0, %w {transpose_rhs} : tensor<1x81920xf16>, tensor<3x81920xf16> -> tensor<1x3xf16>
  %2 = ane.elementwise add %1, %b {activation = #ane.act<relu>} : tensor<1x3xf16>, tensor<1x3xf16> -> tensor<1x3xf16>
  %3 = ane.reshape %y : tensor<2x4x64x65xf16> -> tensor<2x16640xf16>
  %4 = ane.matmul %3, %v {transpose_rhs} : tensor<2x16640xf16>, tensor<3x16640xf16> -> tensor<2x3xf16>
  %5 = ane.elementwise add %4, %b : tensor<2x3xf16>, tensor<1x3xf16> -> tensor<2x3xf16>
  return %2, %5 : tensor<1x3xf16>, tensor<2x3xf16>
}
