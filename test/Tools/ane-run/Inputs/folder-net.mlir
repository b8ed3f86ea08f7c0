func.func @net(%x: tensor<1x8x4x4xf16> {ane.name = "x"}, %w: tensor<8x8x1x1xf16>) -> (tensor<1x8x4x4xf16> {ane.name = "y"}) {
  %0 = ane.conv %x, %w : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}
