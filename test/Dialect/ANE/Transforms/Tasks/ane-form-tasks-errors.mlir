// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks))' --split-input-file --verify-diagnostics

func.func @pool(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x2x2xf16> {
  // expected-error @+1 {{has a window of 2x2 with strides 2x2, but h13 has no pooling operation (pool_r1)}}
  %0 = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x8x4x4xf16> -> tensor<1x8x2x2xf16>
  return %0 : tensor<1x8x2x2xf16>
}

// -----

func.func @concat_width(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x8xf16> {
  // expected-error @+1 {{joins dimension 3 of 'tensor<1x8x4x8xf16>', but tasks can write one after the other along N, C or H only, or at multiples of 32 columns; run ane-decompose, or cut the columns of tiles at these}}
  %0 = ane.concat %x, %x {axis = 3 : i64} : tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16> -> tensor<1x8x4x8xf16>
  return %0 : tensor<1x8x4x8xf16>
}

// -----

func.func @slice_width(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x2xf16> {
  // expected-error @+1 {{the stride of the last dimension must be 1 and the offset in a row a multiple of 32 elements}}
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 2>, sizes = array<i64: 1, 8, 4, 2>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x2xf16>
  return %0 : tensor<1x8x4x2xf16>
}

// -----

func.func @runtime_weight(%x: tensor<1x8x4x4xf16>, %w: tensor<8x8x1x1xf16>) -> tensor<1x8x4x4xf16> {
  // expected-error @+1 {{has coefficients that are no constant, but h13 takes its weights from the constant section (conv_r3)}}
  %0 = ane.conv %x, %w : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// -----

func.func @f32_weight(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf32>
  // expected-error @+1 {{works on tensor<8x8x1x1xf32>, but h13 computes in f16 (tensor_r1)}}
  %0 = ane.conv %x, %w : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf32> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// -----

func.func @dilation(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x3x3xf16>
  // expected-error @+1 {{has dilations 2x2 of a kernel of 3x3, but h13 has no dilation}}
  %0 = ane.conv %x, %w {dilations = array<i64: 2, 2>} : tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// -----

func.func @strides(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x4x8xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  // expected-error @+1 {{has strides 2x1, but h13 moves by the same stride in both directions (conv_r1)}}
  %0 = ane.conv %x, %w {strides = array<i64: 2, 1>} : tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x4x8xf16>
  return %0 : tensor<1x8x4x8xf16>
}

// -----

func.func @channel_scale(%x: tensor<1x2x8x8xf16>) -> tensor<1x2x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<2x2x1x1xf16>
  %s = ane.constant dense<[0.5, 0.25]> : tensor<2xf16>
  // expected-error @+1 {{has a scale for each channel, or one next to a bias that is no power of two}}
  %0 = ane.conv %x, %w scale %s : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> scale tensor<2xf16> -> tensor<1x2x8x8xf16>
  return %0 : tensor<1x2x8x8xf16>
}

// -----

func.func @div(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  // expected-error @+1 {{computes div, but h13 has add, sub, mul, max and min (elementwise_r1)}}
  %0 = ane.elementwise div %x, %x : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}

// -----

func.func @scaled_bound(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  // expected-error @+1 {{is a bound with a scale, bias, activation or broadcast}}
  %0 = ane.elementwise max %x, %c {scale = 2.0 : f32} : tensor<1x8x8x8xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}

// -----

func.func @reduce_channels(%x: tensor<1x8x8x8xf16>) -> tensor<1x1x8x8xf16> {
  // expected-error @+1 {{takes the sum over dimensions {1}, but h13 reduces C, H and W only (reduce_r1)}}
  %0 = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x8x8x8xf16> -> tensor<1x1x8x8xf16>
  return %0 : tensor<1x1x8x8xf16>
}

// -----

func.func @reduce_min(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x1x1xf16> {
  // expected-error @+1 {{takes the min over dimensions {2, 3}, but h13 reduces C, H and W only (reduce_r1)}}
  %0 = ane.reduce min %x {axes = array<i64: 2, 3>} : tensor<1x8x8x8xf16> -> tensor<1x8x1x1xf16>
  return %0 : tensor<1x8x1x1xf16>
}

// -----

// expected-error @+1 {{has a tensor of 'i8' at its border}}
func.func @bytes(%x: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  return %x : tensor<1x8x8x8xi8>
}

// -----

func.func @one_channel(%x: tensor<1x4096x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<16x4096x3x3xf16>
  // expected-error @+1 {{and one output channel exceeds the 65536 bytes of the coefficient buffer of an NE}}
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4096x16x16xf16>, tensor<16x4096x3x3xf16> -> tensor<1x16x16x16xf16>
  return %0 : tensor<1x16x16x16xf16>
}

// -----

// expected-error @+1 {{works on 'tensor<1x0x1x77xf16>', which holds no elements}}
func.func @empty(%x: tensor<1x0x1x77xf16>) -> tensor<1x0x1x77xf16> {
  // expected-error @+1 {{works on 'tensor<1x0x1x77xf16>', which holds no elements}}
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x0x1x77xf16> -> tensor<1x0x1x77xf16>
  return %0 : tensor<1x0x1x77xf16>
}

// -----

func.func @program_l1(%x: tensor<65537x1x1x1xf16>) -> tensor<65537x1x1x1xf16> {
  // expected-note @+2 {{65537 of them}}
  // expected-error @+1 {{'ane.ne_bypass' op number of tasks 65537 exceeds the limit of 65536 of h13 (program_l1); compile fewer images at a time}}
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<65537x1x1x1xf16> -> tensor<65537x1x1x1xf16>
  return %0 : tensor<65537x1x1x1xf16>
}

// -----

// A mark of ane-decompose that nobody can honour.
// expected-error @+1 {{has 'ane.sequence', but flavour clean has no tasks for its ops as a whole; remove the attribute and run ane-decompose}}
func.func @marked(%x: tensor<1x32x4x1x5xf16>) -> tensor<1x32x4x1x5xf16> attributes {ane.sequence} {
  %0 = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x32x4x1x5xf16> -> tensor<1x32x4x1x5xf16>
  return %0 : tensor<1x32x4x1x5xf16>
}

// -----

func.func @held(%x: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> attributes {ane.sequence} {
  // expected-error @+1 {{has 'ane.hold', but becomes tasks together with the other ops of its function, as flavour clean lowers them; remove it}}
  %0 = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32, ane.hold = #ane.space<l2>} : tensor<1x64x256xf16> -> tensor<1x64x256xf16>
  return %0 : tensor<1x64x256xf16>
}

// -----

func.func @rank_3(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.reshape %x : tensor<1x8x4x4xf16> -> tensor<8x4x4xf16>
  // expected-error @+1 {{has a result of type 'tensor<8x4x4xf16>', but tasks compute f16 of rank 4; run ane-legalize}}
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<8x4x4xf16> -> tensor<8x4x4xf16>
  %2 = ane.reshape %1 : tensor<8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %2 : tensor<1x8x4x4xf16>
}
