// Attention behind a layer norm as PyTorch exporters write it in linalg: reductions
// that keep their rank, a causal mask of loop numbers, a softmax of generics.
#m3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m3r = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#m2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#mv = affine_map<(d0, d1, d2) -> (d2)>
#mT = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
func.func @net(%x: tensor<1x16x32xf32>) -> tensor<1x16x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c32 = arith.constant 32.0 : f32
  %eps = arith.constant 1.0e-05 : f64
  %scale = arith.constant 0.176776692 : f32
  %g = arith.constant dense<1.5> : tensor<32xf32>
  %b = arith.constant dense<0.25> : tensor<32xf32>
  %w = arith.constant dense<0.05> : tensor<32x32xf32>
  %e1 = tensor.empty() : tensor<1x16x1xf32>
  %f1 = linalg.fill ins(%c0 : f32) outs(%e1 : tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
  %s = linalg.generic {indexing_maps = [#m3, #m3r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x16x32xf32>) outs(%f1 : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x1xf32>
  %mean = linalg.generic {indexing_maps = [#m3r, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<1x16x1xf32>) outs(%e1 : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.divf %in, %c32 : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x1xf32>
  %e3 = tensor.empty() : tensor<1x16x32xf32>
  %d = linalg.generic {indexing_maps = [#m3, #m3r, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %mean : tensor<1x16x32xf32>, tensor<1x16x1xf32>) outs(%e3 : tensor<1x16x32xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %1 = arith.subf %in, %m : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x32xf32>
  %q = linalg.generic {indexing_maps = [#m3, #m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %d : tensor<1x16x32xf32>, tensor<1x16x32xf32>) outs(%e3 : tensor<1x16x32xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %1 = arith.mulf %in, %m : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x32xf32>
  %v0 = linalg.generic {indexing_maps = [#m3, #m3r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q : tensor<1x16x32xf32>) outs(%f1 : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x1xf32>
  %r = linalg.generic {indexing_maps = [#m3r, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v0 : tensor<1x16x1xf32>) outs(%e1 : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.divf %in, %c32 : f32
    %2 = arith.truncf %eps : f64 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.rsqrt %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x16x1xf32>
  %n = linalg.generic {indexing_maps = [#m3, #m3r, #mv, #mv, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %r, %g, %b : tensor<1x16x32xf32>, tensor<1x16x1xf32>, tensor<32xf32>, tensor<32xf32>) outs(%e3 : tensor<1x16x32xf32>) {
  ^bb0(%in: f32, %m: f32, %gg: f32, %bb: f32, %out: f32):
    %1 = arith.mulf %in, %m : f32
    %2 = arith.mulf %1, %gg : f32
    %3 = arith.addf %2, %bb : f32
    linalg.yield %3 : f32
  } -> tensor<1x16x32xf32>
  %et = tensor.empty() : tensor<32x32xf32>
  %wt = linalg.transpose ins(%w : tensor<32x32xf32>) outs(%et : tensor<32x32xf32>) permutation = [1, 0]
  %wb = tensor.expand_shape %wt [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf32> into tensor<1x32x32xf32>
  %f3 = linalg.fill ins(%c0 : f32) outs(%e3 : tensor<1x16x32xf32>) -> tensor<1x16x32xf32>
  %p = linalg.batch_matmul ins(%n, %wb : tensor<1x16x32xf32>, tensor<1x32x32xf32>) outs(%f3 : tensor<1x16x32xf32>) -> tensor<1x16x32xf32>
  %eqk = tensor.empty() : tensor<1x32x16xf32>
  %pt = linalg.generic {indexing_maps = [#m3, #mT], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<1x16x32xf32>) outs(%eqk : tensor<1x32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x16xf32>
  %es = tensor.empty() : tensor<1x16x16xf32>
  %fs = linalg.fill ins(%c0 : f32) outs(%es : tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  %qk = linalg.batch_matmul ins(%p, %pt : tensor<1x16x32xf32>, tensor<1x32x16xf32>) outs(%fs : tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  %sc = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%qk : tensor<1x16x16xf32>) outs(%es : tensor<1x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ugt, %j, %i : index
    %1 = arith.mulf %in, %scale : f32
    %2 = arith.select %c, %ninf, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x16xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
  %mx = linalg.generic {indexing_maps = [#m3, #m3r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%sc : tensor<1x16x16xf32>) outs(%fm : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x1xf32>
  %ex = linalg.generic {indexing_maps = [#m3, #m3r, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sc, %mx : tensor<1x16x16xf32>, tensor<1x16x1xf32>) outs(%es : tensor<1x16x16xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %1 = arith.subf %in, %m : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x16xf32>
  %sm = linalg.generic {indexing_maps = [#m3, #m3r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ex : tensor<1x16x16xf32>) outs(%f1 : tensor<1x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x1xf32>
  %pr = linalg.generic {indexing_maps = [#m3, #m3r, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ex, %sm : tensor<1x16x16xf32>, tensor<1x16x1xf32>) outs(%es : tensor<1x16x16xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %1 = arith.divf %in, %m : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x16xf32>
  %o = linalg.batch_matmul ins(%pr, %p : tensor<1x16x16xf32>, tensor<1x16x32xf32>) outs(%f3 : tensor<1x16x32xf32>) -> tensor<1x16x32xf32>
  return %o : tensor<1x16x32xf32>
}
