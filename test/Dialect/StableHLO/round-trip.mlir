// RUN: ane-opt %s | ane-opt | FileCheck %s
// RUN: ane-opt %s --mlir-print-op-generic | ane-opt | FileCheck %s

// The texts that other compilers write.

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: tensor<4xi1>, %s: tensor<f32>) -> tensor<4xf32> {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
  %2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xf16>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare EQ, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare  EQ, %x, %y,  FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %5 = stablehlo.select %3, %x, %1 : tensor<4xi1>, tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.clamp %s, %5, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x2xf32> {
  // CHECK: stablehlo.constant dense<1.000000e+00> : tensor<3xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>
  // CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<6xf32>
  %4 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %5 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:3:2, 0:2] : (tensor<3x2xf32>) -> tensor<2x2xf32>
  %6 = stablehlo.slice %5 [0:3:2, 0:2] : (tensor<3x2xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  %7 = stablehlo.concatenate %x, %6, dim = 1 : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  %8 = stablehlo.pad %7, %s, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<2x2xf32>
  %9 = stablehlo.reverse %6, dims = [0, 1] : tensor<2x2xf32>
  // Older files have tensors where newer ones have arrays.
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0]
  %10 = "stablehlo.transpose"(%9) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %10 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %i: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<2x3x5xf32> {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
  %1 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = {{\[\[}}0, 1], [0, 1{{\]\]}}, lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = stablehlo.convolution(%i, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
  %3 = stablehlo.convolution(%i, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %1 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3xf32>, %c: tensor<f32>, %i: tensor<2x3xi32>, %n: tensor<i32>) -> tensor<2xf32> {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %{{.*}}: tensor<f32>) (%[[B:.*]]: tensor<i32>, %{{.*}}: tensor<i32>) {
  // CHECK-NEXT: stablehlo.return %[[A]], %[[B]] : tensor<f32>, tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %c), (%i init: %n) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%arg0: tensor<f32>, %arg2: tensor<f32>) (%arg1: tensor<i32>, %arg3: tensor<i32>)  {
    stablehlo.return %arg0, %arg1 : tensor<f32>, tensor<i32>
  }
  // CHECK: "stablehlo.reduce_window"
  %2 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x2xf32>
  // CHECK: "stablehlo.select_and_scatter"
  %3 = "stablehlo.select_and_scatter"(%x, %2, %c) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @control
func.func @control(%x: tensor<4xf32>, %c: tensor<i32>, %p: tensor<i1>) -> tensor<4xf32> {
  // CHECK: stablehlo.while(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<4xf32>, tensor<i32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %[[B]], %{{.*}}
  // CHECK: } do {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.remainder %[[B]], %{{.*}} : tensor<i32>
  // CHECK-NEXT: stablehlo.return %[[A]], %[[N]] : tensor<4xf32>, tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %x, %iterArg_0 = %c) : tensor<4xf32>, tensor<i32> attributes {mhlo.frontend_attributes = {}}
   cond {
    %q = stablehlo.compare  LT, %iterArg_0, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %n = stablehlo.remainder %iterArg_0, %c : tensor<i32>
    stablehlo.return %iterArg, %n : tensor<4xf32>, tensor<i32>
  }
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  %1 = "stablehlo.case"(%c) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %0#0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %3 = stablehlo.dynamic_slice %2, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %4 = stablehlo.dynamic_update_slice %2, %3, %c : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK: chlo.top_k(%{{.*}}, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %values, %indices = chlo.top_k(%4, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 0 : i64, is_stable = true}> ({
  %5 = "stablehlo.sort"(%4) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %q = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
  %g = stablehlo.reshape %5 : (tensor<4xf32>) -> tensor<2x2xf32>
  %i = stablehlo.constant dense<0> : tensor<2x1xi32>
  %6 = "stablehlo.gather"(%g, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  return %5 : tensor<4xf32>
}

// What is not known is kept.

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<8x4xf32>, %i: tensor<2x1xi32>) -> tensor<2x4xf32> {
  // CHECK: stablehlo.custom_call @mhlo.erf(%{{.*}}) {mhlo.version = 1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.version = 1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.composite "a.b" %{{.*}} {decomposition = @f} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "a.b" %0 {decomposition = @f} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.gather"
  // CHECK-SAME: #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  %2 = "stablehlo.gather"(%1, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %x : tensor<8x4xf32>
}
