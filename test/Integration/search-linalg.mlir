// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// The index of the largest class of each pixel, as torch-mlir writes it, and a mask of one class.

#in = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d0, 0, d1, d2)>
func.func @net(%x: tensor<1x21x12x40xf32>) -> tensor<1x2x12x40xf32> {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<1x12x40xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<1x12x40xi64>) -> tensor<1x12x40xi64>
  %ev = tensor.empty() : tensor<1x12x40xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<1x12x40xf32>) -> tensor<1x12x40xf32>
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x21x12x40xf32>) outs(%fv, %fi : tensor<1x12x40xf32>, tensor<1x12x40xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 3 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x12x40xf32>, tensor<1x12x40xi64>)
  %e = tensor.empty() : tensor<1x1x12x40xf32>
  %place = linalg.generic {indexing_maps = [#id, #channel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r#1 : tensor<1x12x40xi64>) outs(%e : tensor<1x1x12x40xf32>) {
  ^bb0(%in: i64, %out: f32):
    %f = arith.sitofp %in : i64 to f32
    linalg.yield %f : f32
  } -> tensor<1x1x12x40xf32>
  %three = arith.constant 3 : i64
  %mask = linalg.generic {indexing_maps = [#id, #id, #channel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r#1, %r#0 : tensor<1x12x40xi64>, tensor<1x12x40xf32>) outs(%e : tensor<1x1x12x40xf32>) {
  ^bb0(%in: i64, %v: f32, %out: f32):
    %small = arith.cmpi sle, %in, %three : i64
    %zero = arith.constant 0.0 : f32
    %g = arith.select %small, %v, %zero : f32
    linalg.yield %g : f32
  } -> tensor<1x1x12x40xf32>
  %y = tensor.concat dim(1) %place, %mask : (tensor<1x1x12x40xf32>, tensor<1x1x12x40xf32>) -> tensor<1x2x12x40xf32>
  return %y : tensor<1x2x12x40xf32>
}
