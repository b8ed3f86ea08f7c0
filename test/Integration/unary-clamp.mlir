// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Elementwise clamp.

func.func @net(%x: tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32> {
  %0 = tosa.clamp %x {min_val = -0.5 : f32, max_val = 0.75 : f32} : (tensor<1x12x7x33xf32>) -> tensor<1x12x7x33xf32>
  return %0 : tensor<1x12x7x33xf32>
}
