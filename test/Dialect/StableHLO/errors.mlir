// RUN: ane-opt %s --split-input-file --verify-diagnostics

func.func @text(%x: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.while' has a text that is not known here, and the engine has nothing for it; run this part of the network on the host}}
  stablehlo.while(%i = %x) : tensor<f32>
  return
}

// -----

func.func @chlo(%x: tensor<8xf32>) {
  // expected-error @+1 {{custom op 'chlo.top_k' has a text that is not known here}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
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
