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
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 4>, sizes = array<i64: 3, 1>
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 1>, sizes = array<i64: 3, 1>
// CHECK: ane.concat %{{.*}} {axis = 1 : i64} : tensor<3x1xf16>, tensor<3x1xf16> -> tensor<3x2xf16>
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

// -----

// A row from its end: no matrix for a few runs.

// CHECK-LABEL: func.func @reverse
// CHECK-COUNT-3: ane.slice
// CHECK: ane.concat %{{.*}} {axis = 1 : i64} : tensor<2x1xf16>, tensor<2x1xf16>, tensor<2x1xf16> -> tensor<2x3xf16>
func.func @reverse(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %last = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.subi %last, %j : index
    %v = tensor.extract %x[%i, %p] : tensor<2x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Places that depend on two loops, in front of and behind a dimension that
// follows a third one: read at all of them, and cut into the loops.

// CHECK-LABEL: func.func @split
// CHECK: %[[S:.*]] = ane.slice %{{.*}} {offsets = array<i64: 1, 0>, sizes = array<i64: 6, 5>, strides = array<i64: 1, 1>} : tensor<8x5xf16> -> tensor<6x5xf16>
// CHECK: %[[R:.*]] = ane.reshape %[[S]] : tensor<6x5xf16> -> tensor<3x2x5xf16>
// CHECK: ane.transpose %[[R]] {perm = array<i64: 0, 2, 1>} : tensor<3x2x5xf16> -> tensor<3x5x2xf16>
func.func @split(%x: tensor<8x5xf32>) -> tensor<3x5x2xf32> {
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<3x5x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, c, j) -> (i, c, j)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<3x5x2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %c = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = affine.apply affine_map<()[a, b] -> (a * 2 + b)>()[%i, %j]
    %p = arith.addi %k, %one : index
    %v = tensor.extract %x[%p, %c] : tensor<8x5xf32>
    linalg.yield %v : f32
  } -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// -----

// Indices of their own for each image: a matrix for each.

// CHECK-LABEL: func.func @batch
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<2x1x1x3xf32>, tensor<2x1x3x4xf16> -> tensor<2x1x1x4xf16>
func.func @batch(%x: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %rows = arith.constant dense<[2, 0]> : tensor<2xi64>
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c) -> (n)>, affine_map<(n, c) -> (n, c)>], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<2xi64>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%r: i64, %out: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %k = arith.index_cast %r : i64 to index
    %v = tensor.extract %x[%n, %k, %c] : tensor<2x3x4xf32>
    linalg.yield %v : f32
  } -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// A cast that saturates: no data reaches the largest integer.

// CHECK-LABEL: func.func @saturate
// CHECK: %[[T:.*]] = ane.activation %{{.*}} {function = #ane.act<trunc>}
// CHECK-NOT: ane.select
// CHECK: ane.cast %[[T]] : tensor<4xf16> -> tensor<4xi32>
func.func @saturate(%x: tensor<4xf32>) -> tensor<4xi32> {
  %most = arith.constant dense<2147483647> : tensor<4xi32>
  %beyond = arith.constant dense<2147483648.0> : tensor<4xf32>
  %0 = arith.fptosi %x : tensor<4xf32> to tensor<4xi32>
  %1 = arith.cmpf uge, %x, %beyond : tensor<4xf32>
  %2 = arith.select %1, %most, %0 : tensor<4xi1>, tensor<4xi32>
  return %2 : tensor<4xi32>
}

// -----

// A diagonal: both coordinates follow one loop, so one of them counts as
// computed, with a matrix for each iteration.

// CHECK-LABEL: func.func @diagonal
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<3x1x1x3xf32>, tensor<3x1x3x1xf16> -> tensor<3x1x1x1xf16>
func.func @diagonal(%x: tensor<3x3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i, %i] : tensor<3x3xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// What the destinations held stays where nothing is beyond it; the last of equal elements.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @start
// CHECK: %[[ROW:.*]] = ane.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<1x3xf32>
// CHECK: %[[AT:.*]] = ane.elementwise mul %{{.*}}, %[[ROW]]
// CHECK: %[[P:.*]] = ane.reduce max %[[AT]]
// CHECK: %[[M:.*]] = ane.reduce max
// CHECK: %[[S:.*]] = ane.constant dense<5.000000e-01>
// CHECK: %[[G:.*]] = ane.compare ge %[[M]], %[[S]]
// CHECK: %[[I:.*]] = ane.select %[[G]], %[[P]], %{{.*}}
// CHECK: %[[V:.*]] = ane.elementwise max %[[M]], %[[S]]
// CHECK: ane.reshape %[[V]]
// CHECK: ane.reshape %[[I]]
func.func @start(%x: tensor<5x3xf32>) -> (tensor<5xf32>, tensor<5xi64>) {
  %fi = arith.constant dense<7> : tensor<5xi64>
  %fv = arith.constant dense<0.5> : tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x3xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf oge, %in, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#0, %r#1 : tensor<5xf32>, tensor<5xi64>
}

// -----

// What fusion put into a search comes out of it.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @fused
// CHECK: %[[S:.*]] = ane.elementwise add
// CHECK: ane.activation %[[S]] {function = #ane.act<tanh>} : tensor<5x3xf16> -> tensor<5x3xf16>
// CHECK: ane.reduce min
func.func @fused(%x: tensor<5x3xf32>, %b: tensor<5xf32>) -> tensor<5xi64> {
  %fi = arith.constant dense<0> : tensor<5xi64>
  %fv = arith.constant dense<0x7F800000> : tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %b : tensor<5x3xf32>, tensor<5xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %bias: f32, %out: f32, %o: i64):
    %sum = arith.addf %in, %bias : f32
    %t = math.tanh %sum : f32
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %g = arith.cmpf olt, %t, %out : f32
    %m = arith.select %g, %t, %out : f32
    %s = arith.select %g, %c, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#1 : tensor<5xi64>
}

// -----

// Of one element the place is 0, and simplification says so.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @single
// CHECK: ane.reduce max
// CHECK: ane.select
func.func @single(%x: tensor<5x1xf32>) -> tensor<5xi64> {
  %fi = arith.constant dense<7> : tensor<5xi64>
  %fv = arith.constant dense<0.5> : tensor<5xf32>
  %zero = arith.constant 0 : i64
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x1xf32>) outs(%fv, %fi : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %o: i64):
    %m = arith.maximumf %in, %out : f32
    %g = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %g, %zero, %o : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %r#1 : tensor<5xi64>
}
