// Images of other sizes: each way to place samples, transposed convolutions with all attributes, columns from channels.
func.func @net(%x: tensor<2x4x5x6xf16>) -> (tensor<2x4x10x18xf16>, tensor<2x4x7x4xf16>, tensor<2x4x9x1xf16>, tensor<2x4x3x11xf16>, tensor<2x6x13x17xf16>, tensor<2x4x9x5xf16>, tensor<2x1x11x6xf16>, tensor<2x2x5x12xf16>) {
  %0 = ane.resize nearest %x : tensor<2x4x5x6xf16> -> tensor<2x4x10x18xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<2x4x5x6xf16> -> tensor<2x4x7x4xf16>
  %2 = ane.resize bilinear %x {align_corners} : tensor<2x4x5x6xf16> -> tensor<2x4x9x1xf16>
  %3 = ane.resize bilinear %x : tensor<2x4x5x6xf16> -> tensor<2x4x3x11xf16>
  %w = ane.constant dense_resource<random_7> : tensor<4x3x3x2xf16>
  %b = ane.constant dense<[0.5, -0.25, 0.125, 1.0, -1.0, 0.75]> : tensor<6xf16>
  %s = ane.constant dense<[0.5, 2.0, 0.125, 1.0, -1.0, 0.75]> : tensor<6xf16>
  %4 = ane.conv_transpose %x, %w bias %b scale %s {strides = array<i64: 3, 3>, pad = array<i64: 1, 3, 0, 1>, dilations = array<i64: 2, 2>, groups = 2 : i64, activation = #ane.act<leaky_relu, 0.1>}
    : tensor<2x4x5x6xf16>, tensor<4x3x3x2xf16>, tensor<6xf16> scale tensor<6xf16> -> tensor<2x6x13x17xf16>
  %v = ane.constant dense_resource<random_8> : tensor<4x4x2x3xf16>
  %5 = ane.conv_transpose %x, %v {strides = array<i64: 2, 1>, pad = array<i64: 1, 0, 2, 1>} : tensor<2x4x5x6xf16>, tensor<4x4x2x3xf16> -> tensor<2x4x9x5xf16>
  %u = ane.constant dense_resource<random_9> : tensor<4x1x3x1xf16>
  %6 = ane.conv_transpose %x, %u {strides = array<i64: 2, 1>} : tensor<2x4x5x6xf16>, tensor<4x1x3x1xf16> -> tensor<2x1x11x6xf16>
  %7 = ane.interleave %x {factor = 2 : i64} : tensor<2x4x5x6xf16> -> tensor<2x2x5x12xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x4x10x18xf16>, tensor<2x4x7x4xf16>, tensor<2x4x9x1xf16>, tensor<2x4x3x11xf16>, tensor<2x6x13x17xf16>, tensor<2x4x9x5xf16>, tensor<2x1x11x6xf16>, tensor<2x2x5x12xf16>
}
