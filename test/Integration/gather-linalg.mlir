// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Gathers as torch-mlir writes them: rows of a table at constant indices, and rows of data at the maximum.

#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#at = affine_map<(d0, d1, d2) -> (d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @net(%x: tensor<6x20xf32>, %t: tensor<4x20x9xf32>) -> tensor<4x12x9xf32> {
  %known = arith.constant dense<[3, 0, 19, 7, 7, 1]> : tensor<6xi64>
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<6xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<6xi64>) -> tensor<6xi64>
  %ev = tensor.empty() : tensor<6xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<6xf32>) -> tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x20xf32>) outs(%fv, %fi : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  %e = tensor.empty() : tensor<4x6x9xf32>
  %a = linalg.generic {indexing_maps = [#at, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%known : tensor<6xi64>) outs(%e : tensor<4x6x9xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %in : i64 to index
    %k = linalg.index 2 : index
    %v = tensor.extract %t[%i, %j, %k] : tensor<4x20x9xf32>
    linalg.yield %v : f32
  } -> tensor<4x6x9xf32>
  %b = linalg.generic {indexing_maps = [#at, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r#1 : tensor<6xi64>) outs(%e : tensor<4x6x9xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %in : i64 to index
    %k = linalg.index 2 : index
    %v = tensor.extract %t[%i, %j, %k] : tensor<4x20x9xf32>
    linalg.yield %v : f32
  } -> tensor<4x6x9xf32>
  %y = tensor.concat dim(1) %a, %b : (tensor<4x6x9xf32>, tensor<4x6x9xf32>) -> tensor<4x12x9xf32>
  return %y : tensor<4x12x9xf32>
}
