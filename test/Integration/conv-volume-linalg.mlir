// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Convolutions of volumes in linalg, with leading padding, a bias, and channels first and last.

func.func @net(%x: tensor<1x3x5x8x9xf32>) -> tensor<1x2x3x3x4xf32> {
  %w = arith.constant dense_resource<random_1_80> : tensor<8x3x3x3x3xf32>
  %v = arith.constant dense_resource<random_2_100> : tensor<3x2x3x8x4xf32>
  %b = arith.constant dense_resource<random_3> : tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1, 1] high[0, 0, 1, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %z : f32
  } : tensor<1x3x5x8x9xf32> to tensor<1x3x7x10x11xf32>
  %e = tensor.empty() : tensor<1x8x5x8x9xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x8x5x8x9xf32>) dimensions = [0, 2, 3, 4]
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>}
    ins(%p, %w : tensor<1x3x7x10x11xf32>, tensor<8x3x3x3x3xf32>) outs(%i : tensor<1x8x5x8x9xf32>) -> tensor<1x8x5x8x9xf32>
  %t = tensor.empty() : tensor<1x5x8x9x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<1x8x5x8x9xf32>) outs(%t : tensor<1x5x8x9x8xf32>) permutation = [0, 2, 3, 4, 1]
  %f = tensor.empty() : tensor<1x2x3x3x4xf32>
  %n = linalg.fill ins(%z : f32) outs(%f : tensor<1x2x3x3x4xf32>) -> tensor<1x2x3x3x4xf32>
  %2 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}
    ins(%1, %v : tensor<1x5x8x9x8xf32>, tensor<3x2x3x8x4xf32>) outs(%n : tensor<1x2x3x3x4xf32>) -> tensor<1x2x3x3x4xf32>
  return %2 : tensor<1x2x3x3x4xf32>
}
