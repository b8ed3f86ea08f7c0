// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Concatenation along the channels.

func.func @net(%x: tensor<1x8x6x10xf32>, %y: tensor<1x24x6x10xf32>) -> tensor<1x32x6x10xf32> {
  %0 = tosa.concat %x, %y {axis = 1 : i32} : (tensor<1x8x6x10xf32>, tensor<1x24x6x10xf32>) -> tensor<1x32x6x10xf32>
  return %0 : tensor<1x32x6x10xf32>
}
