// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Windows by tensor.extract with computed indices: a depthwise convolution and a maximum pooling of its result.

#x = affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>
#k = affine_map<(n, c, h, w, i, j) -> (c, i, j)>
#s = affine_map<(n, c, h, w, i, j) -> (i, j)>
func.func @net(%x: tensor<1x4x17x18xf32>) -> tensor<1x4x3x7xf32> {
  %k = arith.constant dense_resource<random_3> : tensor<4x3x2xf32>
  %z = arith.constant 0.0 : f32
  %l = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x8x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  %0 = linalg.generic {indexing_maps = [#k, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%k : tensor<4x3x2xf32>) outs(%f : tensor<1x4x8x9xf32>) {
  ^bb0(%b: f32, %acc: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %i = linalg.index 4 : index
    %j = linalg.index 5 : index
    %two = arith.constant 2 : index
    %h2 = arith.muli %h, %two : index
    %hh = arith.addi %h2, %i : index
    %ww = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%w)[%j]
    %v = tensor.extract %x[%n, %c, %hh, %ww] : tensor<1x4x17x18xf32>
    %p = arith.mulf %v, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8x9xf32>
  %g = tensor.empty() : tensor<1x4x3x7xf32>
  %m = linalg.fill ins(%l : f32) outs(%g : tensor<1x4x3x7xf32>) -> tensor<1x4x3x7xf32>
  %u = tensor.empty() : tensor<2x3xf32>
  %1 = linalg.generic {indexing_maps = [#s, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%u : tensor<2x3xf32>) outs(%m : tensor<1x4x3x7xf32>) {
  ^bb0(%shape: f32, %acc: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %w = linalg.index 3 : index
    %j = linalg.index 5 : index
    %h = linalg.index 2 : index
    %i = linalg.index 4 : index
    %hh = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 * 3)>(%h, %i)
    %ww = arith.addi %w, %j : index
    %v = tensor.extract %0[%n, %c, %hh, %ww] : tensor<1x4x8x9xf32>
    %b = arith.maximumf %acc, %v : f32
    linalg.yield %b : f32
  } -> tensor<1x4x3x7xf32>
  return %1 : tensor<1x4x3x7xf32>
}
