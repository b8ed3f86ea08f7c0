// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// Indices as jax.numpy counts them from the end.

// CHECK-LABEL: func.func @take
// CHECK-DAG: ane.slice %{{.*}} {offsets = array<i64: 4, 0>, sizes = array<i64: 2, 4>
// CHECK-DAG: ane.slice %{{.*}} {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 4>
// CHECK: ane.concat %{{.*}} {axis = 0 : i64} : tensor<2x4xf16>, tensor<1x4xf16> -> tensor<3x4xf16>
func.func @take(%x: tensor<6x4xf32>) -> tensor<3x4xf32> {
  %c = stablehlo.constant dense<[4, -1, 0]> : tensor<3xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.compare  LT, %c, %0,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %c_1 = stablehlo.constant dense<6> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %3 = stablehlo.add %c, %2 : tensor<3xi32>
  %4 = stablehlo.select %1, %3, %c : tensor<3xi1>, tensor<3xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %6 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %6 : tensor<3x4xf32>
}

// -----

// Indices without a sign, beyond what their bits hold with one.

// CHECK-LABEL: func.func @unsigned
// CHECK-DAG: ane.slice %{{.*}} {offsets = array<i64: 200, 0>, sizes = array<i64: 1, 4>
// CHECK-DAG: ane.slice %{{.*}} {offsets = array<i64: 3, 0>, sizes = array<i64: 1, 4>
// CHECK-DAG: ane.slice %{{.*}} {offsets = array<i64: 201, 0>, sizes = array<i64: 2, 4>
func.func @unsigned(%x: tensor<256x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %i = stablehlo.constant dense<[[200], [3]]> : tensor<2x1xui8>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<256x4xf32>, tensor<2x1xui8>) -> tensor<2x4xf32>
  %s = stablehlo.constant dense<201> : tensor<ui8>
  %z = stablehlo.constant dense<0> : tensor<ui8>
  %1 = stablehlo.dynamic_slice %x, %s, %z, sizes = [2, 4] : (tensor<256x4xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// The largest element and its first place, as jax.numpy.argmax finds it.

// CHECK-LABEL: func.func @argmax
// CHECK: ane.reduce max %{{.*}} {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare  GT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<4xi32>
}

// -----

// The same as an op, as a composite, and as a whole order.

// CHECK-LABEL: func.func @top_k
// CHECK-COUNT-3: ane.reduce max
func.func @top_k(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %values, %indices = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %values, %indices : tensor<4x3xf32>, tensor<4x3xi32>
}

// -----

// CHECK-LABEL: func.func @composite
// CHECK-COUNT-2: ane.reduce max
// CHECK-NOT: func.func
func.func @composite(%x: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 2 : i64}, decomposition = @sorts} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}
func.func private @sorts(%x: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %values, %indices : tensor<4x2xf32>, tensor<4x2xi32>
}

// -----

// CHECK-LABEL: func.func @sort
// CHECK: ane.activation %{{.*}} {function = #ane.act<neg>}
// CHECK-COUNT-3: ane.reduce max
func.func @sort(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %i = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x2xf32>, tensor<3x2xi32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0 : tensor<3x2xf32>
}
