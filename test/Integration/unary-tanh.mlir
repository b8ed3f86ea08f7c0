// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --low=-4 --high=4

// Elementwise tanh.

func.func @net(%x: tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32> {
  %0 = tosa.tanh %x : (tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32>
  return %0 : tensor<1x12x7x33xf32>
}
