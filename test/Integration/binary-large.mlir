// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Two sources that do not fit into L2 together.

func.func @net(%x: tensor<1x64x112x112xf32>, %y: tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32> {
  %0 = tosa.add %x, %y : (tensor<1x64x112x112xf32>, tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
  return %0 : tensor<1x64x112x112xf32>
}
