func.func @main(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %0 : tensor<1x1x1x8xf16>
}
