func.func @main(%x: tensor<1x5x6x7xf16> {ane.name = "x"}) -> (tensor<1x20x6x7xf16> {ane.name = "y"}) {
  %w = ane.constant dense<0.125> : tensor<20x5x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, activation = #ane.act<relu>} : tensor<1x5x6x7xf16>, tensor<20x5x3x3xf16> -> tensor<1x20x6x7xf16>
  %1 = ane.softmax %0 {axis = 1 : i64} : tensor<1x20x6x7xf16> -> tensor<1x20x6x7xf16>
  return %1 : tensor<1x20x6x7xf16>
}
