// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --low=0.1 --high=8

// Elementwise rsqrt.

func.func @net(%x: tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32> {
  %0 = tosa.rsqrt %x : (tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32>
  return %0 : tensor<1x12x7x33xf32>
}
