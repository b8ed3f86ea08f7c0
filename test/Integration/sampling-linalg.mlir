// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Generic linalg ops: bilinear enlargement of an image, a convolution, and a concatenation of its channels with their reverse.

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @net(%x: tensor<1x6x7x5xf32>) -> tensor<1x5x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2 : index
  %last = arith.constant 7 : index
  %most = arith.constant 6 : i64
  %next = arith.constant 1 : i64
  %weights = arith.constant dense<"0x000000BF0000803F000000BF0000003F0000803E0000803F"> : tensor<6xf32>
  %e0 = tensor.empty() : tensor<1x12x14x5xf32>
  %large = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e0 : tensor<1x12x14x5xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %y = arith.divui %h, %two : index
    %i = arith.index_cast %w : index to i64
    %f = arith.sitofp %i : i64 to f32
    %centre = arith.addf %f, %half : f32
    %scaled = arith.mulf %centre, %half : f32
    %raw = arith.subf %scaled, %half : f32
    %at = arith.maximumf %raw, %zero : f32
    %floor = math.floor %at : f32
    %p = arith.fptosi %floor : f32 to i64
    %p1 = arith.addi %p, %next : i64
    %q = arith.minsi %p1, %most : i64
    %d = arith.subf %at, %floor : f32
    %d1 = arith.subf %one, %d : f32
    %j = arith.index_cast %p : i64 to index
    %k = arith.index_cast %q : i64 to index
    %a = tensor.extract %x[%n, %y, %j, %c] : tensor<1x6x7x5xf32>
    %b = tensor.extract %x[%n, %y, %k, %c] : tensor<1x6x7x5xf32>
    %pa = arith.mulf %a, %d1 : f32
    %pb = arith.mulf %d, %b : f32
    %s = arith.addf %pa, %pb : f32
    linalg.yield %s : f32
  } -> tensor<1x12x14x5xf32>
  // A kernel that is computed of a small constant, with output channels first.
  %e1 = tensor.empty() : tensor<8x5x3x3xf32>
  %kernel = linalg.generic {indexing_maps = [affine_map<(o, i, k, l) -> (o, i, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e1 : tensor<8x5x3x3xf32>) {
  ^bb0(%out: f32):
    %six = arith.constant 6 : index
    %o = linalg.index 0 : index
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %t = affine.apply affine_map<(a, b, c, d) -> (a * 5 + b * 3 + c * 7 + d)>(%o, %i, %k, %l)
    %m = arith.remui %t, %six : index
    %v = tensor.extract %weights[%m] : tensor<6xf32>
    linalg.yield %v : f32
  } -> tensor<8x5x3x3xf32>
  %e2 = tensor.empty() : tensor<1x5x6x8xf32>
  %fill = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%zero : f32) outs(%e2 : tensor<1x5x6x8xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<1x5x6x8xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, h, w, o, i, k, l) -> (n, h * 2 + k, w * 2 + l, i)>,
                                           affine_map<(n, h, w, o, i, k, l) -> (o, i, k, l)>,
                                           affine_map<(n, h, w, o, i, k, l) -> (n, h, w, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%large, %kernel : tensor<1x12x14x5xf32>, tensor<8x5x3x3xf32>) outs(%fill : tensor<1x5x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5x6x8xf32>
  %turned = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e2 : tensor<1x5x6x8xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %p = arith.subi %last, %c : index
    %v = tensor.extract %conv[%n, %h, %w, %p] : tensor<1x5x6x8xf32>
    linalg.yield %v : f32
  } -> tensor<1x5x6x8xf32>
  %e3 = tensor.empty() : tensor<1x5x6x16xf32>
  %r0 = tensor.insert_slice %turned into %e3[0, 0, 0, 8] [1, 5, 6, 8] [1, 1, 1, 1] : tensor<1x5x6x8xf32> into tensor<1x5x6x16xf32>
  %r1 = tensor.insert_slice %conv into %r0[0, 0, 0, 0] [1, 5, 6, 8] [1, 1, 1, 1] : tensor<1x5x6x8xf32> into tensor<1x5x6x16xf32>
  return %r1 : tensor<1x5x6x16xf32>
}
