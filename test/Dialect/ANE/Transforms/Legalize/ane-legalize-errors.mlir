// RUN: ane-opt %s --ane-legalize --split-input-file --verify-diagnostics

// The number in the name is the row of the constraint table.

func.func @tensor_l1(%x: tensor<1x1x1x16385xf16>) -> tensor<1x1x1x16385xf16> {
  // expected-error @+1 {{tensor width 16385 exceeds the limit of 16384 of h13 (tensor_l1); split the tensor along the width}}
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x16385xf16> -> tensor<1x1x1x16385xf16>
  return %y : tensor<1x1x1x16385xf16>
}

// -----

func.func @tensor_l2(%x: tensor<1x1x16385x1xf16>) -> tensor<1x1x16385x1xf16> {
  // expected-error @+1 {{tensor height 16385 exceeds the limit of 16384 of h13 (tensor_l2)}}
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x16385x1xf16> -> tensor<1x1x16385x1xf16>
  return %y : tensor<1x1x16385x1xf16>
}

// -----

func.func @tensor_l3(%x: tensor<1x65537x1x1xf16>) -> tensor<1x65537x1x1xf16> {
  // expected-error @+1 {{number of channels 65537 exceeds the limit of 65536 of h13 (tensor_l3)}}
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x65537x1x1xf16> -> tensor<1x65537x1x1xf16>
  return %y : tensor<1x65537x1x1xf16>
}

// -----

func.func @tensor_r1(%x: tensor<1x1x1x4xi8>) -> tensor<1x1x1x4xi8> {
  // expected-error @+1 {{works on tensor<1x1x1x4xi8>, but h13 computes in f16 (tensor_r1)}}
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x4xi8> -> tensor<1x1x1x4xi8>
  return %y : tensor<1x1x1x4xi8>
}

// -----

func.func @tensor_r2(%x: tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x1x4xf16> {
  // expected-error @+1 {{has a tensor of 5 dimensions, but h13 has four dimensions (tensor_r2)}}
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x1x4xf16> -> tensor<1x1x1x1x4xf16>
  return %y : tensor<1x1x1x1x4xf16>
}

// -----

func.func @constant_r1(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  // expected-error @+1 {{constant has -7.000000e+04 at element 1, but h13 stores constants in f16 (largest magnitude 65504) (constant_r1); rescale the constant}}
  %c = ane.constant dense<[[[[1.0, -70000.0]]]]> : tensor<1x1x1x2xf32>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

// The first value that rounds to infinity.
func.func @constant_r1_named(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  // expected-error @+1 {{constant 'big' has 6.552000e+04 at element 1}}
  %c = ane.constant dense_resource<big> : tensor<1x1x1x2xf32>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

{-#
  dialect_resources: {
    builtin: {
      big: "0x04000000FFEF7F4700F07F47"
    }
  }
#-}

// -----

func.func @constant_bytes(%x: tensor<1x1x1x4xf16>) -> tensor<1x1x1x4xf16> {
  // expected-error @+1 {{constant 'missing' has 0 bytes, but 'tensor<1x1x1x4xf32>' needs 16}}
  %c = ane.constant dense_resource<missing> : tensor<1x1x1x4xf32>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x4xf16>, tensor<1x1x1x4xf32> -> tensor<1x1x1x4xf16>
  return %y : tensor<1x1x1x4xf16>
}

// -----

func.func @constant_bytes_half(%x: tensor<1x1x1x4xf16>) -> tensor<1x1x1x4xf16> {
  // expected-error @+1 {{constant 'missing' has 0 bytes, but 'tensor<1x1x1x4xf16>' needs 8}}
  %c = ane.constant dense_resource<missing> : tensor<1x1x1x4xf16>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16>
  return %y : tensor<1x1x1x4xf16>
}

// -----

func.func @constant_f32_use() -> tensor<1x1x1x1xf32> {
  // expected-error @+1 {{constant is used in f32, but h13 computes in f16 (tensor_r1)}}
  %c = ane.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  // expected-note @+1 {{here}}
  %y = ane.slice %c {offsets = array<i64: 0, 0, 0, 1>, sizes = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x1x2xf32> -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

func.func @conv_l1(%x: tensor<1x1x9x9xf16>) -> tensor<1x1x3x3xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x1x1xf16>
  // expected-error @+1 {{stride 3 exceeds the limit of 2 of h13 (conv_l1); run ane-decompose, which splits larger strides}}
  %y = ane.conv %x, %w {strides = array<i64: 3, 3>} : tensor<1x1x9x9xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x3x3xf16>
  return %y : tensor<1x1x3x3xf16>
}

// -----

func.func @conv_l2(%x: tensor<1x1x32x1xf16>) -> tensor<1x1x3x1xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x30x1xf16>
  // expected-error @+1 {{kernel height 30 exceeds the limit of 29 of h13 (conv_l2); split the kernel into rows}}
  %y = ane.conv %x, %w  : tensor<1x1x32x1xf16>, tensor<1x1x30x1xf16> -> tensor<1x1x3x1xf16>
  return %y : tensor<1x1x3x1xf16>
}

// -----

func.func @conv_l3(%x: tensor<1x1x1x32xf16>) -> tensor<1x1x1x16xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x1x17xf16>
  // expected-error @+1 {{kernel width 17 exceeds the limit of 13 of h13 (conv_l3); split the kernel into columns}}
  %y = ane.conv %x, %w  : tensor<1x1x1x32xf16>, tensor<1x1x1x17xf16> -> tensor<1x1x1x16xf16>
  return %y : tensor<1x1x1x16xf16>
}

// -----

func.func @conv_r1(%x: tensor<1x1x9x9xf16>) -> tensor<1x1x9x5xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x1x1xf16>
  // expected-error @+1 {{has strides 1x2, but h13 moves by the same stride in both directions (conv_r1)}}
  %y = ane.conv %x, %w {strides = array<i64: 1, 2>} : tensor<1x1x9x9xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x9x5xf16>
  return %y : tensor<1x1x9x5xf16>
}

// -----

func.func @conv_r2(%x: tensor<1x1x9x9xf16>) -> tensor<1x1x5x5xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x3x3xf16>
  // expected-error @+1 {{has dilations 2x2 of a kernel of 3x3, but h13 has no dilation}}
  %y = ane.conv %x, %w {dilations = array<i64: 2, 2>} : tensor<1x1x9x9xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x5x5xf16>
  return %y : tensor<1x1x5x5xf16>
}

// -----

func.func @conv_r3(%x: tensor<1x1x9x9xf16>, %w: tensor<1x1x3x3xf16>) -> tensor<1x1x7x7xf16> {
  // expected-error @+1 {{has coefficients that are no constant, but h13 takes its weights from the constant section (conv_r3)}}
  %y = ane.conv %x, %w : tensor<1x1x9x9xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x7x7xf16>
  return %y : tensor<1x1x7x7xf16>
}

// -----

func.func @conv_r4(%x: tensor<1x1x9x9xf16>) -> tensor<1x1x7x7xf16> {
  %w = ane.constant dense<1.0> : tensor<1x1x3x3xf16>
  // expected-error @+1 {{applies floor, but h13 has no table for this function (conv_r4)}}
  %y = ane.conv %x, %w {activation = #ane.act<floor>} : tensor<1x1x9x9xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x7x7xf16>
  return %y : tensor<1x1x7x7xf16>
}

// -----

func.func @conv_transpose_r1(%x: tensor<1x4x4x4xf16>) -> tensor<1x3x8x8xf16> {
  %w = ane.constant dense<1.0> : tensor<4x3x2x2xf16>
  // expected-error @+1 {{has strides 2x2, but h13 rotates constant weights by 180 degrees (conv_transpose_r1)}}
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
  return %y : tensor<1x3x8x8xf16>
}

// -----

func.func @elementwise_r1(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  // expected-error @+1 {{computes pow, but h13 has add, sub, mul, max and min (elementwise_r1)}}
  %y = ane.elementwise pow %x, %x : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  return %y : tensor<1x1x4x4xf16>
}

// -----

func.func @elementwise_r2(%x: tensor<2x64x128x128xf16>, %z: tensor<1x64x128x128xf16>) -> tensor<2x64x128x128xf16> {
  // expected-error @+1 {{repeats an operand 2 times along the batch, but h13 repeats dimensions C, H and W of an operand only (elementwise_r2)}}
  %y = ane.elementwise add %x, %z : tensor<2x64x128x128xf16>, tensor<1x64x128x128xf16> -> tensor<2x64x128x128xf16>
  return %y : tensor<2x64x128x128xf16>
}

// -----

func.func @activation_r1(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  // expected-error @+1 {{is ceil, but h13 has no table for this function (activation_r1)}}
  %y = ane.activation %x {function = #ane.act<ceil>} : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  return %y : tensor<1x1x4x4xf16>
}

// -----

func.func @pool_r1(%x: tensor<1x2x9x9xf16>) -> tensor<1x2x3x3xf16> {
  // expected-error @+1 {{has a window of 3x3 with strides 3x3, but h13 has no pooling operation (pool_r1)}}
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 3, 3>} : tensor<1x2x9x9xf16> -> tensor<1x2x3x3xf16>
  return %y : tensor<1x2x3x3xf16>
}

// -----

func.func @reduce_l1(%x: tensor<1x1x8192x4xf16>) -> tensor<1x1x8192x1xf16> {
  // expected-error @+1 {{number of rows that are reduced one by one 8192 exceeds the limit of 8191 of h13 (reduce_l1)}}
  %y = ane.reduce sum %x {axes = array<i64: 3>} : tensor<1x1x8192x4xf16> -> tensor<1x1x8192x1xf16>
  return %y : tensor<1x1x8192x1xf16>
}

// -----

func.func @reduce_r1(%x: tensor<2x2x9x9xf16>) -> tensor<1x2x9x9xf16> {
  // expected-error @+1 {{takes the sum over dimensions {0}, but h13 reduces C, H and W only (reduce_r1)}}
  %y = ane.reduce sum %x {axes = array<i64: 0>} : tensor<2x2x9x9xf16> -> tensor<1x2x9x9xf16>
  return %y : tensor<1x2x9x9xf16>
}

// -----

func.func @slice_r1(%x: tensor<1x1x1x64xf16>) -> tensor<1x1x1x4xf16> {
  // expected-error @+1 {{starts at column 3 with strides 1x1x1x1, but h13 addresses rows in steps of 64 bytes (slice_r1)}}
  %y = ane.slice %x {offsets = array<i64: 0, 0, 0, 3>, sizes = array<i64: 1, 1, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x1x64xf16> -> tensor<1x1x1x4xf16>
  return %y : tensor<1x1x1x4xf16>
}

// -----

func.func @concat_r1(%x: tensor<1x1x1x4xf16>) -> tensor<1x1x1x8xf16> {
  // expected-error @+1 {{joins along the width, but h13 addresses rows in steps of 64 bytes (concat_r1)}}
  %y = ane.concat %x, %x {axis = 3 : i64} : tensor<1x1x1x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

func.func @pad_r1(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x6x4xf16> {
  // expected-error @+1 {{pads by 0x0x1x0 and 0x0x1x0 with 1.000000, but h13 pads H and W with zeros only (pad_r1)}}
  %y = ane.pad %x {low = array<i64: 0, 0, 1, 0>, high = array<i64: 0, 0, 1, 0>, value = 1.0 : f32} : tensor<1x1x4x4xf16> -> tensor<1x1x6x4xf16>
  return %y : tensor<1x1x6x4xf16>
}

// -----

func.func @resize_r1(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x6x8xf16> {
  // expected-error @+1 {{is nearest, but h13 repeats pixels an integer number of times only (resize_r1)}}
  %y = ane.resize nearest %x : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// -----

func.func @interleave_r1(%x: tensor<1x6x3x4xf16>) -> tensor<1x2x3x12xf16> {
  // expected-error @+1 {{stores 3, but h13 interleaves 2, 4 or 8 channels (interleave_r1)}}
  %y = ane.interleave %x {factor = 3 : i64} : tensor<1x6x3x4xf16> -> tensor<1x2x3x12xf16>
  return %y : tensor<1x2x3x12xf16>
}

// -----

func.func @cast_r1(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  // expected-error @+1 {{goes from f16 to f32 inside the network, but h13 casts between f32 and f16 on the host only, at an argument or a result (cast_r1)}}
  %0 = ane.cast %x : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf32>
  %1 = ane.cast %0 : tensor<1x2x3x4xf32> -> tensor<1x2x3x4xf16>
  %y = ane.activation %1 {function = #ane.act<relu>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  return %y : tensor<1x2x3x4xf16>
}

// -----

func.func @reduce_r2(%x: tensor<1x4x3x4xf16>) -> tensor<1x4x1x1xf16> {
  // expected-error @+1 {{applies sigmoid, but h13 ends with a reciprocal or a reciprocal root only (reduce_r2)}}
  %y = ane.reduce sum %x {axes = array<i64: 2, 3>, activation = #ane.act<sigmoid>} : tensor<1x4x3x4xf16> -> tensor<1x4x1x1xf16>
  return %y : tensor<1x4x1x1xf16>
}

// -----

func.func @conv_r4_matmul(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  // expected-error @+1 {{applies sin, but h13 has no table for this function (conv_r4)}}
  %y = ane.matmul %x, %x {activation = #ane.act<sin>} : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  return %y : tensor<1x1x4x4xf16>
}

// -----

// A task convolves one image.
func.func @program_l1(%x: tensor<40000x1x1x1xf16>) -> tensor<40000x1x1x1xf16> {
  %w = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  // expected-note @+2 {{this operation needs at least 40000 of them}}
  // expected-error @+1 {{number of tasks 80000 exceeds the limit of 65536 of h13 (program_l1); compile fewer images at a time}}
  %y = ane.conv %x, %w : tensor<40000x1x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<40000x1x1x1xf16>
  %z = ane.activation %y {function = #ane.act<tanh>} : tensor<40000x1x1x1xf16> -> tensor<40000x1x1x1xf16>
  return %z : tensor<40000x1x1x1xf16>
}

// -----

// What ane-decompose would have taken apart.
func.func @composite(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  // expected-error @+1 {{'ane.softmax' op is not an operation of the engine; run ane-decompose, which expands it if an expansion is known, or run it on the host}}
  %y = ane.softmax %x {axis = 1 : i64} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %y : tensor<1x8x4x4xf16>
}
