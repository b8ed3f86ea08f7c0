// next = 0.5 * state + image, and a product of it.
func.func @main(%state: tensor<1x4x8x8xf16> {ane.name = "state"}, %image: tensor<1x4x8x8xf16> {ane.name = "image"}) -> (tensor<1x4x8x8xf16> {ane.name = "next"}, tensor<1x4x8x8xf16> {ane.name = "square"}) {
  %half = "tosa.const"() <{values = dense<0.5> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %state, %half, %shift : (tensor<1x4x8x8xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<1x4x8x8xf16>
  %1 = tosa.add %0, %image : (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16>
  %2 = tosa.mul %1, %1, %shift : (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1xi8>) -> tensor<1x4x8x8xf16>
  return %1, %2 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}
