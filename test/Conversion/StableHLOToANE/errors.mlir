// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-stablehlo-to-ane

func.func @gather(%x: tensor<8x4xf32>, %i: tensor<2x1xi8>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'stablehlo.gather' cannot be imported: the engine has nothing for it; rewrite it with supported ops}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x1xi8>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
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
  // expected-error @+1 {{reduces 2 tensors at once, as a search for the place of an element does, but one can be imported; search on the host}}
  %1:2 = stablehlo.reduce(%x init: %c), (%x init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {
    stablehlo.return %a, %d : tensor<f32>, tensor<f32>
  }
  return %1#0 : tensor<2xf32>
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
