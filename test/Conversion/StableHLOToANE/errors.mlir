// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-stablehlo-to-ane

func.func @scatter(%x: tensor<8x4xf32>, %i: tensor<2x1xi8>, %u: tensor<2x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{'stablehlo.scatter' cannot be imported: the engine has nothing for it; rewrite it with supported ops}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1]>}> : (tensor<8x4xf32>, tensor<2x1xi8>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @call(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{calls 'cu_thing', a function of another compiler; write it with ops, or run it on the host}}
  %0 = stablehlo.custom_call @cu_thing(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @search(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{compares in a way that is no search for the largest or the least element and its place along one dimension; search on the host}}
  %1:2 = stablehlo.reduce(%x init: %c), (%x init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {
    stablehlo.return %a, %d : tensor<f32>, tensor<f32>
  }
  return %1#0 : tensor<2xf32>
}

// -----

// It keeps the first one, whatever it is.
func.func @no_search(%x: tensor<2x3xf32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // expected-error @+1 {{compares in a way that is no search}}
  %1:2 = stablehlo.reduce(%x init: %c), (%i init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<i32>, %e: tensor<i32>) {
    stablehlo.return %a, %d : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<2xi32>
}

// -----

func.func @order(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{compares in a way that is no search}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @long_sort(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  // expected-error @+1 {{4096}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

func.func @index(%x: tensor<4x8xf32>) -> tensor<1x8xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %i = stablehlo.convert %s : (tensor<f32>) -> tensor<i32>
  // expected-error @+1 {{starts at an index that is data, but the DMA has fixed addresses; choose on the host}}
  %0 = stablehlo.dynamic_slice %x, %i, %z, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

func.func @put(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %i = stablehlo.convert %s : (tensor<f32>) -> tensor<i32>
  // expected-error @+1 {{starts at an index that is data, but the DMA has fixed addresses; choose on the host}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A bound from outside tells numbers apart that are in the same order.
func.func @sort_by_bound(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c = stablehlo.constant dense<1.5> : tensor<f32>
  // expected-error @+1 {{compares in a way that is no search for the largest or the least element}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare  GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @unsigned_of_signed(%x: tensor<2x8xf32>) -> tensor<2x8xui64> {
  %0 = stablehlo.convert %x : (tensor<2x8xf32>) -> tensor<2x8xi32>
  // expected-error @+1 {{makes 'ui64' of 'i32', but the engine makes floats, booleans and integers of 32 and 64 bits only}}
  %1 = stablehlo.convert %0 : (tensor<2x8xi32>) -> tensor<2x8xui64>
  return %1 : tensor<2x8xui64>
}

// -----

func.func @gather(%x: tensor<8x4xf32>, %i: tensor<2x1xi8>) -> tensor<2x4xf32> {
  // expected-error @+1 {{takes elements at indices that are data, but the DMA has fixed addresses; gather on the host}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x1xi8>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @many(%x: tensor<8x4xf32>) -> tensor<5000x4xf32> {
  %i = stablehlo.constant dense<1> : tensor<5000x1xi32>
  // expected-error @+1 {{takes 5000 indices, but at most 4096 can be imported; gather on the host}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5000x1xi32>) -> tensor<5000x4xf32>
  return %0 : tensor<5000x4xf32>
}

// -----

// It goes on as long as data says.
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'scf.while' cannot be imported: the engine has no control flow, and the condition is not known at compile time}}
  %0 = stablehlo.while(%a = %x) : tensor<f32>
   cond {
    %c = stablehlo.constant dense<1.0> : tensor<f32>
    %p = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The counter stays at 4.
func.func @endless(%x: tensor<f32>) -> tensor<f32> {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  // expected-error @+1 {{'scf.while' cannot be imported: it does not end, as an iteration leaves the condition true}}
  %0:2 = stablehlo.while(%a = %x, %n = %i) : tensor<f32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %a, %a : tensor<f32>
    %m = stablehlo.maximum %n, %four : tensor<i32>
    stablehlo.return %s, %m : tensor<f32>, tensor<i32>
  }
  return %0#0 : tensor<f32>
}

// -----

func.func @combiner(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{combines by 'stablehlo.subtract', but the engine reduces by one 'add', 'maximum' or 'minimum'; write it with these, or run it on the host}}
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.subtract across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @interior(%x: tensor<2x3xf32>) -> tensor<2x5xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{puts 1 numbers between the elements of dimension 1, which the engine does in a convolution only (lhs_dilate)}}
  %1 = stablehlo.pad %x, %c, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// -----

func.func @bits(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // expected-error @+1 {{computes with the bits of 'tensor<2x3xi8>', but the engine computes on floats; run it on the host}}
  %1 = stablehlo.xor %x, %x : tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}

// -----

func.func @integers(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // expected-error @+1 {{computes 'tensor<2x3xi8>', but the engine computes on floats; do it outside of the network}}
  %1 = stablehlo.add %x, %x : tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}

// -----

func.func @start(%x: tensor<4x8xf32>) -> tensor<4x7xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{starts with another number than the one that changes nothing (0 of sums, an infinity of extremes); combine the result with it instead}}
  %1 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32>
  return %1 : tensor<4x7xf32>
}

// -----

func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @-1 {{argument #0 has the dynamic type 'tensor<?x8xf32>'}}
  // expected-error @+1 {{has the dynamic type 'tensor<?x8xf32>'}}
  %0 = stablehlo.tanh %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @scatter_by_mul(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{does not add numbers to zeros where windows have their largest or least element}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

func.func @scatter_not_equal(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{does not add numbers to zeros where windows have their largest or least element}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare NE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
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
  %zero = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{does not add numbers to zeros where windows have their largest or least element}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
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

func.func @scatter_wide(%x: tensor<1x18x18x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x18x18x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{has windows of more than 64 elements, which cannot be imported}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 9, 9, 1>, window_strides = array<i64: 1, 9, 9, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x18x18x3xf32>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x18x18x3xf32>
  return %0 : tensor<1x18x18x3xf32>
}

// -----

func.func @scatter_pad(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{pads dimension 1 by 2, expected 0 to 1, so that each window has an element; pad or slice before}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 4, 2, 1>, padding = dense<[[0, 0], [2, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
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

func.func @scatter_volume(%x: tensor<1x4x4x3xf32>, %s: tensor<1x2x2x1xf32>) -> tensor<1x4x4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{moves windows along 3 dimensions, but at most 2 can be imported}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 1, 2, 2, 3>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<1x4x4x3xf32>, tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
