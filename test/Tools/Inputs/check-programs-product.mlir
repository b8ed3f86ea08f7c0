func.func @net(%x: tensor<1x32x64xf16>, %y: tensor<1x64x32xf16>) -> tensor<1x32x32xf16> {
  %a = ane.matmul %x, %y : tensor<1x32x64xf16>, tensor<1x64x32xf16> -> tensor<1x32x32xf16>
  return %a : tensor<1x32x32xf16>
}
