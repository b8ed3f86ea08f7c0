// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A transposed convolution as torch-mlir writes it: zeros between the pixels and a rotated kernel; and such pixels as a result.

#id = affine_map<(o, i, k, l) -> (o, i, k, l)>
func.func @net(%x: tensor<1x3x5x6xf32>) -> tensor<1x7x10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  %weights = arith.constant dense<"0x000000BF0000803F000000BF0000003F0000803E0000803F000080BE"> : tensor<7xf32>
  // In x out x 3 x 3, of a small constant.
  %e0 = tensor.empty() : tensor<3x4x3x3xf32>
  %kernel = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e0 : tensor<3x4x3x3xf32>) {
  ^bb0(%out: f32):
    %seven = arith.constant 7 : index
    %i = linalg.index 0 : index
    %o = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %t = affine.apply affine_map<(a, b, c, d) -> (a * 5 + b * 3 + c * 2 + d)>(%i, %o, %k, %l)
    %m = arith.remui %t, %seven : index
    %v = tensor.extract %weights[%m] : tensor<7xf32>
    linalg.yield %v : f32
  } -> tensor<3x4x3x3xf32>
  %e1 = tensor.empty() : tensor<4x3x3x3xf32>
  %turned = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e1 : tensor<4x3x3x3xf32>) {
  ^bb0(%out: f32):
    %o = linalg.index 0 : index
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %kk = arith.subi %two, %k : index
    %ll = arith.subi %two, %l : index
    %v = tensor.extract %kernel[%i, %o, %kk, %ll] : tensor<3x4x3x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3x3x3xf32>
  %e2 = tensor.empty() : tensor<1x3x12x14xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x3x12x14xf32>) -> tensor<1x3x12x14xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 1, 1] [1, 3, 5, 6] [1, 1, 2, 2] : tensor<1x3x5x6xf32> into tensor<1x3x12x14xf32>
  %e3 = tensor.empty() : tensor<1x4x10x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x10x12xf32>) -> tensor<1x4x10x12xf32>
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%spread, %turned : tensor<1x3x12x14xf32>, tensor<4x3x3x3xf32>) outs(%init : tensor<1x4x10x12xf32>) -> tensor<1x4x10x12xf32>
  %cut = tensor.extract_slice %spread[0, 0, 0, 1] [1, 3, 10, 12] [1, 1, 1, 1] : tensor<1x3x12x14xf32> to tensor<1x3x10x12xf32>
  %both = tensor.concat dim(1) %conv, %cut : (tensor<1x4x10x12xf32>, tensor<1x3x10x12xf32>) -> tensor<1x7x10x12xf32>
  return %both : tensor<1x7x10x12xf32>
}
