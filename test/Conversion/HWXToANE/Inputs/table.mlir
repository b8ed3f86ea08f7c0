func.func @table(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}
