// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Elementwise minimum of two inputs.

func.func @net(%x: tensor<1x24x9x37xf32>, %y: tensor<1x24x9x37xf32>) -> tensor<1x24x9x37xf32> {
  %0 = tosa.minimum %x, %y : (tensor<1x24x9x37xf32>, tensor<1x24x9x37xf32>) -> tensor<1x24x9x37xf32>
  return %0 : tensor<1x24x9x37xf32>
}
