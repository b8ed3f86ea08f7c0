func.func @net(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x1x1xf16> {
  %0 = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x1x1xf16>
  return %0 : tensor<1x4x1x1xf16>
}
