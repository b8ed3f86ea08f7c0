// RUN: ane-opt %s --split-input-file --verify-diagnostics

func.func @text(%x: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.rng' has a text that is not known here, and the engine has nothing for it; run this part of the network on the host}}
  stablehlo.rng(%i = %x) : tensor<f32>
  return
}

// -----

func.func @chlo(%x: tensor<8xf32>) {
  // expected-error @+1 {{custom op 'chlo.next_after' has a text that is not known here}}
  %0:2 = chlo.next_after(%x, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{repeats 3 elements along dimension 1, which has 4}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @dims(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{has 2 numbers of dims, expected 1}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @many(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{has 1000000000000 numbers of dims, expected 1}}
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = dense<1> : tensor<1000000000000xi64>}> : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @twice(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{has dimension 1 twice in dims}}
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @slice(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{takes 1 to 4 of dimension 0, which has 3 elements}}
  %0 = stablehlo.slice %x [1:4] : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @reshape(%x: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{makes 2 elements of 3}}
  %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dot(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // expected-error @+1 {{has 3 elements along dimension 1 of the left side, but 4 along dimension 0 of the right one}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @conv(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32> {
  // expected-error @+1 {{has a result of 1x8x8x4, expected 1x6x6x4}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// -----

func.func @groups(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  // expected-error @+1 {{has 3 input and 4 output features in 2 groups, but a weight for 3 input features}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// -----

func.func @precision(%x: tensor<2x3xf32>, %c: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{'reduces' is no precision; they are DEFAULT, HIGH and HIGHEST}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], precision = [reduces] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %c : tensor<2xf32>
}

// -----

func.func @starts(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has 1 starts for 2 dimensions}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @start(%x: tensor<4x8xf32>, %i: tensor<i32>, %f: tensor<f32>) {
  // expected-error @+1 {{has a start of 'tensor<f32>', expected one integer}}
  %0 = stablehlo.dynamic_slice %x, %i, %f, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<f32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @slice_size(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{takes 9 elements of dimension 1, which has 8}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 9] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @slice_text(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected ', sizes = '}}
  %0 = stablehlo.dynamic_slice %x, %i, %i : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32>
  return
}

// -----

func.func @update_rank(%x: tensor<4x8xf32>, %i: tensor<i32>, %u: tensor<8xf32>) {
  // expected-error @+1 {{puts 'tensor<8xf32>' into 'tensor<4x8xf32>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @update_size(%x: tensor<4x8xf32>, %i: tensor<i32>, %u: tensor<1x9xf32>) {
  // expected-error @+1 {{puts 9 elements into 8}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<1x9xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_floats(%x: tensor<4x8xf32>, %j: tensor<2x1xf32>) {
  // expected-error @+1 {{takes elements at 'tensor<2x1xf32>'}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_vector(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{has index_vector_dim 3, but the rank of its indices is 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_batches(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{has other batches of indices than of its operand}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_dims(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{has dimension_numbers that do not fit its operands}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_numbers(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{has indices of 1 numbers for 2 dimensions}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_size(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{takes 2 elements of dimension 0, which has 4}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @gather_word(%x: tensor<4x8xf32>, %j: tensor<2x1xi32>) {
  // expected-error @+1 {{'offsets' is nothing that a gather has}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offsets = [1]>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @case_index(%x: tensor<4x8xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{chooses by 'tensor<i64>'}}
  %0 = "stablehlo.case"(%i) ({ stablehlo.return %x : tensor<4x8xf32> }) : (tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case_none(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has no branch}}
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case_value(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has a branch that returns other values}}
  %0 = "stablehlo.case"(%i) ({ stablehlo.return %i : tensor<i32> }) : (tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case_argument(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has a branch with other arguments}}
  %0 = "stablehlo.case"(%i) ({ ^bb0(%a: tensor<i32>): stablehlo.return %x : tensor<4x8xf32> }) : (tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @if_index(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{chooses by 'tensor<i32>'}}
  %0 = "stablehlo.if"(%i) ({ stablehlo.return %x : tensor<4x8xf32> }, { stablehlo.return %x : tensor<4x8xf32> }) : (tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @while_results(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has results of other types than its operands}}
  %0 = "stablehlo.while"(%x) ({ ^bb0(%a: tensor<4x8xf32>): stablehlo.return %c : tensor<i1> }, { ^bb0(%a: tensor<4x8xf32>): stablehlo.return %a : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_condition(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has a condition that returns other values}}
  %0 = "stablehlo.while"(%x) ({ ^bb0(%a: tensor<4x8xf32>): stablehlo.return %a : tensor<4x8xf32> }, { ^bb0(%a: tensor<4x8xf32>): stablehlo.return %a : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @while_body(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has a body that returns other values}}
  %0 = "stablehlo.while"(%x) ({ ^bb0(%a: tensor<4x8xf32>): stablehlo.return %c : tensor<i1> }, { ^bb0(%a: tensor<4x8xf32>): stablehlo.return %c : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_dim(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{sorts dimension 2 of rank 2}}
  %0 = "stablehlo.sort"(%x) <{dimension = 2 : i64}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %c : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_body(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has a comparator with other arguments}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({ ^bb0(%a: tensor<f32>): stablehlo.return %c : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_sizes(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has tensors of other sizes}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %c : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sort_none(%x: tensor<4x8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{has 0 tensors and 0 results, expected as many, and at least one}}
  "stablehlo.sort"() ({ stablehlo.return %c : tensor<i1> }) : () -> ()
  return
}

// -----

func.func @top_k(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{finds 9 elements of 'tensor<4x8xf32>'}}
  %v, %w = chlo.top_k(%x, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}

// -----

func.func @top_k_result(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has a result of 'tensor<4x2xi32>' for 3 elements of 'tensor<4x8xf32>'}}
  %v, %w = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @scatter_source(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x3x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{scatters 1x2x3x3 numbers, but has windows of 1x2x2x3}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

func.func @scatter_result(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{has a result of 1x4x4x2, expected 1x4x4x3}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

func.func @scatter_strides(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{has 3 numbers of window_strides, expected 4}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

func.func @scatter_init(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
  // expected-error @+1 {{starts with 'tensor<1xf32>', expected one number}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

func.func @scatter_body(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{has a body of 1 arguments, expected 2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
