// Kernels of all forms of streams: dense with a bias, stride 2 without zeros,
// groups, depthwise, and a table.
func.func @net(%x: tensor<1x8x12x12xf16>, %dense: tensor<20x8x3x3xf16>, %bias: tensor<20xf16>,
               %stride: tensor<6x20x3x3xf16>, %groups: tensor<4x3x3x3xf16>, %depth: tensor<20x1x3x3xf16>)
    -> (tensor<1x4x6x6xf16>, tensor<1x20x12x12xf16>, tensor<1x8x12x12xf16>) {
  %0 = ane.conv %x, %dense bias %bias {pad = array<i64: 1, 1, 1, 1>}
      : tensor<1x8x12x12xf16>, tensor<20x8x3x3xf16>, tensor<20xf16> -> tensor<1x20x12x12xf16>
  %1 = ane.conv %0, %stride {strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
      : tensor<1x20x12x12xf16>, tensor<6x20x3x3xf16> -> tensor<1x6x6x6xf16>
  %2 = ane.conv %1, %groups {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>}
      : tensor<1x6x6x6xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  %3 = ane.conv %0, %depth {groups = 20 : i64, pad = array<i64: 1, 1, 1, 1>}
      : tensor<1x20x12x12xf16>, tensor<20x1x3x3xf16> -> tensor<1x20x12x12xf16>
  %4 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x8x12x12xf16> -> tensor<1x8x12x12xf16>
  return %2, %3, %4 : tensor<1x4x6x6xf16>, tensor<1x20x12x12xf16>, tensor<1x8x12x12xf16>
}
