// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Pooling of volumes: a maximum, then a sum and a division; the last window is incomplete and left out.

func.func @net(%x: tensor<1x8x12x13x4xf32>) -> tensor<1x2x2x2x4xf32> {
  %z = arith.constant 0.0 : f32
  %l = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<1x4x6x6x4xf32>
  %i = linalg.fill ins(%l : f32) outs(%e : tensor<1x4x6x6x4xf32>) -> tensor<1x4x6x6x4xf32>
  %0 = linalg.pooling_ndhwc_max {dilations = dense<1> : vector<3xi64>, strides = dense<2> : vector<3xi64>}
    ins(%x, %w : tensor<1x8x12x13x4xf32>, tensor<2x2x2xf32>) outs(%i : tensor<1x4x6x6x4xf32>) -> tensor<1x4x6x6x4xf32>
  %v = tensor.empty() : tensor<2x4x2xf32>
  %f = tensor.empty() : tensor<1x2x2x2x4xf32>
  %j = linalg.fill ins(%z : f32) outs(%f : tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x4xf32>
  %1 = linalg.pooling_ndhwc_sum {dilations = dense<1> : vector<3xi64>, strides = dense<[1, 2, 3]> : vector<3xi64>}
    ins(%0, %v : tensor<1x4x6x6x4xf32>, tensor<2x4x2xf32>) outs(%j : tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x4xf32>
  %n = arith.constant dense<16.0> : tensor<1x2x2x2x4xf32>
  %2 = arith.divf %1, %n : tensor<1x2x2x2x4xf32>
  return %2 : tensor<1x2x2x2x4xf32>
}
