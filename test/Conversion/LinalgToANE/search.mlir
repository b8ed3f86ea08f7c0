// RUN: ane-opt %s --split-input-file --convert-linalg-to-ane | FileCheck %s

// As torch-mlir writes it: a maximum, and the place where it is larger than all before.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @max_dim
// CHECK: %[[I:.*]] = ane.elementwise sub
// CHECK: %[[M:.*]] = ane.reduce max %{{.*}} {axes = array<i64: 1>} : tensor<5x9xf16> -> tensor<5x1xf16>
// CHECK-DAG: %[[V:.*]] = ane.reshape %[[M]] : tensor<5x1xf16> -> tensor<5xf16>
// CHECK-DAG: %[[P:.*]] = ane.reshape %[[I]] : tensor<5x1xf16> -> tensor<5xf16>
// CHECK-DAG: ane.cast %[[V]] : tensor<5xf16> -> tensor<5xf32>
// CHECK-DAG: ane.cast %[[P]] : tensor<5xf16> -> tensor<5xi64>
func.func @max_dim(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi64>) {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#0, %r#1 : tensor<5xf32>, tensor<5xi64>
}

// -----

// As tosa-to-linalg writes it: the index first, chosen by the same comparison, which asks
// for numbers, along a dimension in front.

#id = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @arg_min
// CHECK: ane.reduce min %{{.*}} {axes = array<i64: 1>} : tensor<5x9xf16> -> tensor<5x1xf16>
// CHECK: ane.cast %{{.*}} : tensor<5xf16> -> tensor<5xi32>
func.func @arg_min(%x: tensor<9x5xf32>) -> tensor<5xi32> {
  %z = arith.constant 0 : i32
  %n = arith.constant 3.40282347E+38 : f32
  %ei = tensor.empty() : tensor<5xi32>
  %fi = linalg.fill ins(%z : i32) outs(%ei : tensor<5xi32>) -> tensor<5xi32>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x5xf32>) outs(%fi, %fv : tensor<5xi32>, tensor<5xf32>) {
  ^bb0(%in: f32, %o: i32, %out: f32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %l = arith.cmpf ugt, %out, %in : f32
    %d = arith.cmpf ord, %out, %out : f32
    %g = arith.andi %l, %d : i1
    %m = arith.select %g, %in, %out : f32
    %s = arith.select %g, %c, %o : i32
    linalg.yield %s, %m : i32, f32
  } -> (tensor<5xi32>, tensor<5xf32>)
  return %r#0 : tensor<5xi32>
}

// -----

// One-hot vectors: indices compared with numbers of iterations. Integers are narrowed, and
// made of floats.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @one_hot
// CHECK: %[[I:.*]] = ane.elementwise sub
// CHECK: %[[ROW:.*]] = ane.constant dense<{{.*}}0.0{{.*}}, 1.0{{.*}}, 2.0{{.*}}> : tensor<1x3xf32>
// CHECK: %[[HOT:.*]] = ane.compare eq %{{.*}}, %[[ROW]] : tensor<5x1xf16>, tensor<1x3xf32> -> tensor<5x3xf16>
// CHECK: %[[T:.*]] = ane.activation %{{.*}} {function = #ane.act<trunc>}
// CHECK-DAG: ane.cast %[[HOT]] : tensor<5x3xf16> -> tensor<5x3xi64>
// CHECK-DAG: ane.cast %{{.*}} : tensor<5xf16> -> tensor<5xi32>
// CHECK-DAG: ane.cast %[[T]] : tensor<5xf16> -> tensor<5xi64>
func.func @one_hot(%x: tensor<5x9xf32>) -> (tensor<5x3xi64>, tensor<5xi32>, tensor<5xi64>) {
  %z = arith.constant 0 : i64
  %n = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<5xi64>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %ev = tensor.empty() : tensor<5xf32>
  %fv = linalg.fill ins(%n : f32) outs(%ev : tensor<5xf32>) -> tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  %e = tensor.empty() : tensor<5x3xi64>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r#1 : tensor<5xi64>) outs(%e : tensor<5x3xi64>) {
  ^bb0(%in: i64, %out: i64):
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    %same = arith.cmpi eq, %in, %c : i64
    %bit = arith.extui %same : i1 to i64
    linalg.yield %bit : i64
  } -> tensor<5x3xi64>
  %e1 = tensor.empty() : tensor<5xi32>
  %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%r#1 : tensor<5xi64>) outs(%e1 : tensor<5xi32>) {
  ^bb0(%in: i64, %out: i32):
    %t = arith.trunci %in : i64 to i32
    linalg.yield %t : i32
  } -> tensor<5xi32>
  %2 = arith.fptosi %r#0 : tensor<5xf32> to tensor<5xi64>
  return %0, %1, %2 : tensor<5x3xi64>, tensor<5xi32>, tensor<5xi64>
}

// -----

// Rows at known places, into the order of the loops.

// CHECK-LABEL: func.func @extract
// CHECK: %[[T:.*]] = ane.transpose %{{.*}} {perm = array<i64: 1, 0>} : tensor<3x5xf16> -> tensor<5x3xf16>
// CHECK: %[[X:.*]] = ane.reshape %[[T]] : tensor<5x3xf16> -> tensor<1x1x5x3xf16>
// CHECK: %[[HOT:.*]] = ane.compare eq %{{.*}} : tensor<1x1x2x1xf32>, tensor<1x1x1x5xf32> -> tensor<1x1x2x5xf32>
// CHECK: %[[Y:.*]] = ane.matmul %[[HOT]], %[[X]] : tensor<1x1x2x5xf32>, tensor<1x1x5x3xf16> -> tensor<1x1x2x3xf16>
// CHECK: %[[R:.*]] = ane.reshape %[[Y]] : tensor<1x1x2x3xf16> -> tensor<2x3xf16>
// CHECK: ane.transpose %[[R]] {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<3x2xf16>
func.func @extract(%x: tensor<3x5xf32>) -> tensor<3x2xf32> {
  %known = arith.constant dense<[4, 1]> : tensor<2xi64>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%known : tensor<2xi64>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %in : i64 to index
    %v = tensor.extract %x[%i, %k] : tensor<3x5xf32>
    linalg.yield %v : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
