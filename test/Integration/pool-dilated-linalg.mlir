// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Dilated poolings: a maximum as torch-mlir writes it, padded with minus infinity; a mean; the minimum of each row.

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 3 + d3 * 4)>
#gaps = affine_map<(d0, d1, d2, d3) -> (d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @net(%x: tensor<1x8x15x16xf32>) -> (tensor<1x8x7xf32>) {
  %l = arith.constant 0xFF800000 : f32
  %g = arith.constant 0x7F800000 : f32
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 1] high[0, 0, 2, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %l : f32
  } : tensor<1x8x15x16xf32> to tensor<1x8x19x18xf32>
  %w = tensor.empty() : tensor<5x3xf32>
  %e = tensor.empty() : tensor<1x8x11x8xf32>
  %i = linalg.fill ins(%l : f32) outs(%e : tensor<1x8x11x8xf32>) -> tensor<1x8x11x8xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<[2, 1]> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>}
    ins(%p, %w : tensor<1x8x19x18xf32>, tensor<5x3xf32>) outs(%i : tensor<1x8x11x8xf32>) -> tensor<1x8x11x8xf32>
  %v = tensor.empty() : tensor<3x2xf32>
  %f = tensor.empty() : tensor<1x8x4x5xf32>
  %j = linalg.fill ins(%z : f32) outs(%f : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  %1 = linalg.pooling_nchw_sum {dilations = dense<[2, 3]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
    ins(%0, %v : tensor<1x8x11x8xf32>, tensor<3x2xf32>) outs(%j : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  %n = arith.constant dense<6.0> : tensor<1x8x4x5xf32>
  %2 = arith.divf %1, %n : tensor<1x8x4x5xf32>
  %3 = tensor.collapse_shape %2 [[0], [1], [2, 3]] : tensor<1x8x4x5xf32> into tensor<1x8x20xf32>
  %4 = tensor.concat dim(2) %3, %3 : (tensor<1x8x20xf32>, tensor<1x8x20xf32>) -> tensor<1x8x40xf32>
  %u = tensor.empty() : tensor<6xf32>
  %h = tensor.empty() : tensor<1x8x7xf32>
  %k = linalg.fill ins(%g : f32) outs(%h : tensor<1x8x7xf32>) -> tensor<1x8x7xf32>
  %5 = linalg.generic {indexing_maps = [#row, #gaps, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%4, %u : tensor<1x8x40xf32>, tensor<6xf32>) outs(%k : tensor<1x8x7xf32>) {
  ^bb0(%in: f32, %kernel: f32, %acc: f32):
    %m = arith.minimumf %acc, %in : f32
    linalg.yield %m : f32
  } -> tensor<1x8x7xf32>
  return %5 : tensor<1x8x7xf32>
}
