// Two layers of 4 MB each, which do not fit L2 side by side.
func.func @net(%x: tensor<1x16x512x256xf16>) -> tensor<1x16x512x256xf16> {
  %w = ane.constant dense<0.125> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x512x256xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x512x256xf16>
  %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x16x512x256xf16> -> tensor<1x16x512x256xf16>
  %2 = ane.conv %1, %w : tensor<1x16x512x256xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x512x256xf16>
  return %2 : tensor<1x16x512x256xf16>
}
