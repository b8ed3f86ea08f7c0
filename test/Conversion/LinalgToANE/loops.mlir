// RUN: ane-opt %s --split-input-file --convert-linalg-to-ane | FileCheck %s

// CHECK-LABEL: func.func @relu
// CHECK: %[[ZERO:.*]] = ane.constant dense<0.000000e+00> : tensor<1x1xf32>
// CHECK: ane.elementwise max %{{.*}}, %[[ZERO]] : tensor<2x3xf16>, tensor<1x1xf32> -> tensor<2x3xf16>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @relu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.cmpf ugt, %in, %zero : f32
    %2 = arith.select %1, %in, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Operands that do not see every loop are broadcast; transposed ones transposed.

// CHECK-LABEL: func.func @broadcasts
// CHECK: %[[V:.*]] = ane.reshape %{{.*}} : tensor<3xf16> -> tensor<1x3xf16>
// CHECK: %[[T:.*]] = ane.transpose %{{.*}} {perm = array<i64: 1, 0>} : tensor<3x2xf16> -> tensor<2x3xf16>
// CHECK: %[[A:.*]] = ane.elementwise add %[[V]], %[[T]] : tensor<1x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
// CHECK: %[[S:.*]] = ane.constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK: %[[M:.*]] = ane.elementwise mul %[[A]], %[[S]]
// CHECK: %[[R:.*]] = ane.transpose %[[M]] {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<3x2xf16>
func.func @broadcasts(%v: tensor<3xf32>, %t: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
    ins(%v, %t : tensor<3xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.mulf %1, %two : f32
    linalg.yield %2 : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Named ops have bodies as well.

// CHECK-LABEL: func.func @named
// CHECK: ane.elementwise add
// CHECK: ane.activation %{{.*}} {function = #ane.act<exp>}
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 1, 0>}
// CHECK: ane.constant dense<3.000000e+00>
// CHECK: ane.elementwise mul
func.func @named(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.add ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = linalg.exp ins(%0 : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x3xf32>) outs(%f : tensor<3x2xf32>) permutation = [1, 0]
  %3 = linalg.fill ins(%c : f32) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  %4 = linalg.mul ins(%2, %3 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %4 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func.func @reductions
// CHECK: %[[M:.*]] = ane.elementwise mul %[[X:.*]], %[[X]]
// CHECK: %[[S:.*]] = ane.reduce sum %[[M]] {axes = array<i64: 1>} : tensor<2x3xf16> -> tensor<2x1xf16>
// CHECK: ane.reshape %[[S]] : tensor<2x1xf16> -> tensor<2xf16>
// CHECK: %[[R:.*]] = ane.reduce max %{{.*}} {axes = array<i64: 0>} : tensor<2x3xf16> -> tensor<1x3xf16>
// CHECK: ane.reshape %[[R]] : tensor<1x3xf16> -> tensor<3xf16>
func.func @reductions(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<2x3xf32>) outs(%zero : tensor<2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  %3 = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%low : tensor<3xf32>) dimensions = [0]
    (%a: f32, %out: f32) {
      %4 = arith.maximumf %a, %out : f32
      linalg.yield %4 : f32
    }
  return %0, %3 : tensor<2xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @matmul
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x2x4xf16>, tensor<1x4x3xf32> -> tensor<1x2x3xf16>
// CHECK: ane.reshape %{{.*}} -> tensor<2x3xf16>
// CHECK-NOT: ane.elementwise
func.func @matmul(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = arith.constant dense<0.5> : tensor<4x3xf32>
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// A contraction in any order of loops: here batch j, rows i, columns l, inner k.

// CHECK-LABEL: func.func @contraction
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<5x2x4xf16>, tensor<5x4x3xf16> -> tensor<5x2x3xf16>
// CHECK: ane.elementwise add
func.func @contraction(%a: tensor<2x5x4xf32>, %b: tensor<5x3x4xf32>, %c: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, l, k) -> (i, j, k)>, affine_map<(i, j, l, k) -> (j, l, k)>, affine_map<(i, j, l, k) -> (i, j, l)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x5x4xf32>, tensor<5x3x4xf32>) outs(%c : tensor<2x5x3xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK: ane.softmax %{{.*}} {axis = 1 : i64}
func.func @softmax(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Attention to the past only: a comparison of loop numbers is a constant.

// CHECK-LABEL: func.func @causal
// CHECK-DAG: %[[R:.*]] = ane.constant dense<{{\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00]]> : tensor<3x1xf32>
// CHECK-DAG: %[[C:.*]] = ane.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<1x3xf32>
// CHECK: %[[P:.*]] = ane.compare le %[[C]], %[[R]] : tensor<1x3xf32>, tensor<3x1xf32> -> tensor<3x3xf32>
// CHECK: ane.select %[[P]], %{{.*}}, %{{.*}} : tensor<3x3xf32>, tensor<3x3xf16>, tensor<1x1xf32> -> tensor<3x3xf16>
func.func @causal(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %low = arith.constant -1.0e4 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %s = arith.select %c, %a, %low : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

// Booleans are 1 and 0.

// CHECK-LABEL: func.func @logic(
// CHECK-SAME: %arg0: tensor<4xf32>, %[[M:.*]]: tensor<4xui8>) -> tensor<4xf32>
// CHECK: ane.cast %[[M]] : tensor<4xui8> -> tensor<4xf16>
// CHECK: %[[G:.*]] = ane.compare gt
// CHECK: %[[A:.*]] = ane.elementwise min %[[G]]
// CHECK: ane.select %[[A]]
func.func @logic(%x: tensor<4xf32>, %m: tensor<4xi1>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %c = arith.cmpf ogt, %x, %zero : tensor<4xf32>
  %d = arith.andi %c, %m : tensor<4xi1>
  %n = arith.negf %x : tensor<4xf32>
  %0 = arith.select %d, %x, %n : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @functions
// CHECK: ane.activation %{{.*}} {function = #ane.act<sin>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<cos>}
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise add
// CHECK: %[[L:.*]] = ane.activation %{{.*}} {function = #ane.act<log1p>}
// CHECK: ane.activation %[[L]] {function = #ane.act<expm1>}
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sin %x : tensor<4xf32>
  %1 = math.cos %0 : tensor<4xf32>
  %2 = math.fma %1, %0, %x : tensor<4xf32>
  %3 = math.log1p %2 : tensor<4xf32>
  %4 = math.expm1 %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// A reduction that keeps its rank, scalars of f64, and an order of indices.

// CHECK-LABEL: func.func @keep_rank
// CHECK: %[[R:.*]] = ane.reduce sum %{{.*}} {axes = array<i64: 1>} : tensor<2x3xf16> -> tensor<2x1xf16>
// CHECK: ane.elementwise add %[[R]], %{{.*}} : tensor<2x1xf16>, tensor<1x1xf32> -> tensor<2x1xf16>
// CHECK: ane.compare gt
func.func @keep_rank(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x1xf32>
  %eps = arith.constant 0.5 : f64
  %e = tensor.empty() : tensor<2x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x3xf32>) outs(%zero : tensor<2x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.addf %a, %out : f32
    linalg.yield %1 : f32
  } -> tensor<2x1xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<2x1xf32>) outs(%e : tensor<2x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.truncf %eps : f64 to f32
    %3 = arith.addf %a, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<2x1xf32>
  %f = tensor.empty() : tensor<2x3xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x1xf32>) outs(%f : tensor<2x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %1 = arith.negf %a : f32
    %5 = arith.select %c, %a, %1 : f32
    linalg.yield %5 : f32
  } -> tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// -----

// Strips of a size that does not divide the rows: behind the loop the last one
// has a size, and so does what is computed from it.
// CHECK-LABEL: func.func @strips
// CHECK-COUNT-3: ane.matmul {{.*}} -> tensor<1x4x16xf16>
// CHECK: ane.matmul {{.*}} -> tensor<1x3x16xf16>
// CHECK-NOT: ane.matmul
func.func @strips(%x: tensor<15x8xf16>, %y: tensor<8x16xf16>) -> tensor<15x16xf16> {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  %empty = tensor.empty() : tensor<15x16xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<15x16xf16>) -> tensor<15x16xf16>
  %0 = scf.for %i = %c0 to %c15 step %c4 iter_args(%all = %fill) -> tensor<15x16xf16> {
    %size = affine.min affine_map<(d0) -> (15 - d0, 4)>(%i)
    %rows = tensor.extract_slice %x[%i, 0] [%size, 8] [1, 1] : tensor<15x8xf16> to tensor<?x8xf16>
    %out = tensor.extract_slice %all[%i, 0] [%size, 16] [1, 1] : tensor<15x16xf16> to tensor<?x16xf16>
    %part = linalg.matmul ins(%rows, %y : tensor<?x8xf16>, tensor<8x16xf16>) outs(%out : tensor<?x16xf16>) -> tensor<?x16xf16>
    %next = tensor.insert_slice %part into %all[%i, 0] [%size, 16] [1, 1] : tensor<?x16xf16> into tensor<15x16xf16>
    scf.yield %next : tensor<15x16xf16>
  }
  return %0 : tensor<15x16xf16>
}

// -----

// A product is a chain of multiplications; one that starts from 1 is whole.

// CHECK-LABEL: func.func @product
// CHECK-COUNT-2: ane.elementwise mul
// CHECK-NOT: ane.elementwise
// CHECK: return
func.func @product(%x: tensor<3xf32>) -> tensor<f32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<3xf32>) outs(%one : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.mulf %a, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A matrix times a vector is a product of matrices, not a row of sums.

// CHECK-LABEL: func.func @matvec
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x3x4xf32>, tensor<1x4x1xf16> -> tensor<1x3x1xf16>
// CHECK-NOT: ane.reduce
func.func @matvec(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<0.5> : tensor<3x4xf32>
  %i = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<3x4xf32>, tensor<4xf32>) outs(%i : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
