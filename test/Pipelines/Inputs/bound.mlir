func.func @pick(%x: tensor<1x4x2xf32>, %i: tensor<3xi32> {ane.name = "rows"}) -> tensor<3xi32> {
  return %i : tensor<3xi32>
}
