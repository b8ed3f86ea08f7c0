// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Searches that start from a constant value and index, or from data, and that find the last of equal elements.

#in = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#back = affine_map<(d0, d1, d2) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @net(%x: tensor<12x7x40xf32>) -> tensor<6x12x40xf32> {
  %c = arith.constant dense<3.0> : tensor<12x7x40xf32>
  %t = arith.mulf %x, %c : tensor<12x7x40xf32>
  %steps = math.floor %t : tensor<12x7x40xf32>
  %nine = arith.constant 9 : i64
  %half = arith.constant 1.5 : f32
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %minus = arith.constant -1 : i64
  %ei = tensor.empty() : tensor<12x40xi64>
  %ev = tensor.empty() : tensor<12x40xf32>
  %fi = linalg.fill ins(%nine : i64) outs(%ei : tensor<12x40xi64>) -> tensor<12x40xi64>
  %fv = linalg.fill ins(%half : f32) outs(%ev : tensor<12x40xf32>) -> tensor<12x40xf32>
  // The least of those below 1.5, or place 9.
  %a:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%steps : tensor<12x7x40xf32>) outs(%fv, %fi : tensor<12x40xf32>, tensor<12x40xi64>) {
  ^bb0(%in: f32, %v: f32, %o: i64):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i64
    %m = arith.minimumf %in, %v : f32
    %g = arith.cmpf olt, %in, %v : f32
    %s = arith.select %g, %p, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<12x40xf32>, tensor<12x40xi64>)
  // The last of the largest, in another order of dimensions, from what was found.
  %bi = tensor.empty() : tensor<40x12xi64>
  %mi = linalg.fill ins(%minus : i64) outs(%bi : tensor<40x12xi64>) -> tensor<40x12xi64>
  %b:2 = linalg.generic {indexing_maps = [#in, #out, #back], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%steps : tensor<12x7x40xf32>) outs(%a#0, %mi : tensor<12x40xf32>, tensor<40x12xi64>) {
  ^bb0(%in: f32, %v: f32, %o: i64):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i64
    %g = arith.cmpf uge, %in, %v : f32
    %m = arith.select %g, %in, %v : f32
    %s = arith.select %g, %p, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<12x40xf32>, tensor<40x12xi64>)
  // From minus infinity, at the place that was found before.
  %lv = linalg.fill ins(%low : f32) outs(%ev : tensor<12x40xf32>) -> tensor<12x40xf32>
  %d:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<12x7x40xf32>) outs(%lv, %a#1 : tensor<12x40xf32>, tensor<12x40xi64>) {
  ^bb0(%in: f32, %v: f32, %o: i64):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %v : f32
    %g = arith.cmpf ogt, %in, %v : f32
    %s = arith.select %g, %p, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<12x40xf32>, tensor<12x40xi64>)
  %r:3 = linalg.generic {indexing_maps = [#id, #turned, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a#1, %b#1, %d#1 : tensor<12x40xi64>, tensor<40x12xi64>, tensor<12x40xi64>) outs(%ev, %ev, %ev : tensor<12x40xf32>, tensor<12x40xf32>, tensor<12x40xf32>) {
  ^bb0(%i: i64, %j: i64, %k: i64, %o0: f32, %o1: f32, %o2: f32):
    %f = arith.sitofp %i : i64 to f32
    %g = arith.sitofp %j : i64 to f32
    %h = arith.sitofp %k : i64 to f32
    linalg.yield %f, %g, %h : f32, f32, f32
  } -> (tensor<12x40xf32>, tensor<12x40xf32>, tensor<12x40xf32>)
  %e0 = tensor.expand_shape %a#0 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %e1 = tensor.expand_shape %b#0 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %e2 = tensor.expand_shape %d#0 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %e3 = tensor.expand_shape %r#0 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %e4 = tensor.expand_shape %r#1 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %e5 = tensor.expand_shape %r#2 [[0, 1], [2]] output_shape [1, 12, 40] : tensor<12x40xf32> into tensor<1x12x40xf32>
  %y = tensor.concat dim(0) %e0, %e1, %e2, %e3, %e4, %e5 : (tensor<1x12x40xf32>, tensor<1x12x40xf32>, tensor<1x12x40xf32>, tensor<1x12x40xf32>, tensor<1x12x40xf32>, tensor<1x12x40xf32>) -> tensor<6x12x40xf32>
  return %y : tensor<6x12x40xf32>
}
