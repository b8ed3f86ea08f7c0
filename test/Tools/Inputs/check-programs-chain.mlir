func.func @net(%x: tensor<1x16x12x12xf16>, %y: tensor<1x16x6x6xf16>) -> tensor<1x16x6x6xf16> {
  %w = ane.constant dense<0.0625> : tensor<16x16x3x3xf16>
  %v = ane.constant dense<[[[[0.5, 0.0], [0.25, 0.125]]]]> : tensor<1x1x2x2xf16>
  %a = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x12x12xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x12x12xf16>
  %b = ane.conv %a, %w {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x16x12x12xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x6x6xf16>
  %c = ane.elementwise add %b, %y : tensor<1x16x6x6xf16>, tensor<1x16x6x6xf16> -> tensor<1x16x6x6xf16>
  return %c : tensor<1x16x6x6xf16>
}
