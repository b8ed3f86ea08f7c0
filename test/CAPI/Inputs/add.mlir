func.func @main(%x: tensor<1x4x8x8xf32> {ane.name = "image"}, %y: tensor<1x4x8x8xf32>) -> (tensor<1x4x8x8xf32> {ane.name = "sum"}) {
  %0 = tosa.add %x, %y : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
