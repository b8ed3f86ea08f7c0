func.func @conv(%x: tensor<1x4x32x32xf16>) -> tensor<1x4x32x32xf16> {
  %w = ane.constant dense<0.5> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x32x32xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x32x32xf16>
  return %0 : tensor<1x4x32x32xf16>
}
func.func @add(%x: tensor<1x4x32x32xf16>, %y: tensor<1x4x32x32xf16>) -> tensor<1x4x32x32xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x4x32x32xf16>, tensor<1x4x32x32xf16> -> tensor<1x4x32x32xf16>
  return %0 : tensor<1x4x32x32xf16>
}
func.func @softmax(%x: tensor<1x40x1x77xf16>) -> tensor<1x40x1x77xf16> {
  %0 = ane.softmax %x {axis = 1 : i64} : tensor<1x40x1x77xf16> -> tensor<1x40x1x77xf16>
  return %0 : tensor<1x40x1x77xf16>
}
func.func @wide(%x: tensor<1x1x17000x4xf16>, %y: tensor<1x1x4x17000xf16>) -> tensor<1x1x17000x17000xf16> {
  %0 = ane.matmul %x, %y : tensor<1x1x17000x4xf16>, tensor<1x1x4x17000xf16> -> tensor<1x1x17000x17000xf16>
  return %0 : tensor<1x1x17000x17000xf16>
}
func.func @custom(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = tosa.custom %x {domain_name = "x", implementation_attrs = "", operator_name = "y"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
