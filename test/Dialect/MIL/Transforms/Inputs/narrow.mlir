func.func @narrow(%x: tensor<1x8xf16>) -> tensor<1x8xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x8xf16> -> tensor<1x8xf16>
  return %y : tensor<1x8xf16>
}
