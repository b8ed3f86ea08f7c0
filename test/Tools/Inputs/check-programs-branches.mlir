func.func @net(%x: tensor<1x16x12x12xf16>) -> tensor<1x16x12x12xf16> {
  %w = ane.constant dense<0.0625> : tensor<16x16x3x3xf16>
  %v = ane.constant dense<0.03125> : tensor<16x16x1x1xf16>
  %a = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x12x12xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x12x12xf16>
  %b = ane.conv %x, %v : tensor<1x16x12x12xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x12x12xf16>
  %c = ane.elementwise mul %a, %b : tensor<1x16x12x12xf16>, tensor<1x16x12x12xf16> -> tensor<1x16x12x12xf16>
  return %c : tensor<1x16x12x12xf16>
}
