// RUN: ane-opt %s --split-input-file --verify-diagnostics

// One function for each rule of the verifiers, named by the id that stands at the
// rule in lib/Dialect/ANE/IR.

func.func @act_c1(%x: tensor<1x1x1x8xf16>) {
  // expected-error @below {{'relu' has 0 parameters, but more are given}}
  %0 = ane.activation %x {function = #ane.act<relu, 1.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return
}

// -----

func.func @act_c2(%x: tensor<1x1x1x8xf16>) {
  // expected-error @below {{lower bound 6.000000e+00 of clamp is above its upper bound 1.000000e+00}}
  %0 = ane.activation %x {function = #ane.act<clamp, 6.0, 1.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return
}

// -----

func.func @conv_c1(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{input is f32, but the engine computes on f16, i8 or ui8; cast it first}}
  %0 = ane.conv %x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_c2_rank(%x: tensor<3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{input has rank 3, but must have rank 4}}
  %0 = ane.conv %x, %w : tensor<3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<4x6x6xf16>
  return
}

// -----

func.func @conv_c2_empty(%x: tensor<1x3x0x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{dimension 2 of input is 0, but must be at least 1}}
  %0 = ane.conv %x, %w : tensor<1x3x0x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c3_arity(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{pad has 2 entries, but must have 4}}
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c3_range(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{strides[1] is 0, but must be between 1 and 2147483648}}
  %0 = ane.conv %x, %w {strides = array<i64: 1, 0>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c3_groups(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{groups is 0, but must be at least 1}}
  %0 = ane.conv %x, %w {groups = 0 : i64} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c4(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{groups is 2, but must divide the 3 input and the 4 output channels}}
  %0 = ane.conv %x, %w {groups = 2 : i64} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c5(%x: tensor<1x8x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{dimension 1 of weight is 3, but must be 4 (8 input channels in 2 groups)}}
  %0 = ane.conv %x, %w {groups = 2 : i64} : tensor<1x8x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c6(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<3xf16>) {
  // expected-error @below {{bias has 3 elements, but must have 4, one for each output channel}}
  %0 = ane.conv %x, %w bias %b : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<3xf16> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @conv_c7(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{pad[3] is 3, but must be smaller than the window, whose width is 3}}
  %0 = ane.conv %x, %w {pad = array<i64: 2, 2, 2, 3>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x10x11xf16>
  return
}

// -----

func.func @conv_c8(%x: tensor<1x3x2x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{the height of the window is 3, but the padded input has only 2}}
  %0 = ane.conv %x, %w : tensor<1x3x2x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x1x6xf16>
  return
}

// -----

func.func @conv_c9(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{dimension 3 of the result is 8, but must be 6}}
  %0 = ane.conv %x, %w : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x8xf16>
  return
}

// -----

func.func @conv_c9_element(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) {
  // expected-error @below {{result has element type 'f32', but must have 'f16'}}
  %0 = ane.conv %x, %w : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @f32_argument(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{operand 1 is an f32 argument, but only constants may be f32; cast arguments to f16 first}}
  %0 = ane.conv %x, %w : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf32> -> tensor<1x4x6x6xf16>
  return
}

// -----

func.func @f32_cast(%x: tensor<1x3x8x8xf16>) {
  %0 = ane.cast %x : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xf32>
  // expected-error @below {{operand 0 is f32 data from a cast, but only constants may be f32}}
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x3x8x8xf32> -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @conv_transpose_c1(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x4xf16>) {
  // expected-error @below {{weight has rank 3, but must have rank 4}}
  %0 = ane.conv_transpose %x, %w : tensor<1x4x4x4xf16>, tensor<4x3x4xf16> -> tensor<1x3x5x5xf16>
  return
}

// -----

func.func @conv_transpose_c2(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x2x2xf16>) {
  // expected-error @below {{dilations has 1 entries, but must have 2}}
  %0 = ane.conv_transpose %x, %w {dilations = array<i64: 1>} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x5x5xf16>
  return
}

// -----

func.func @conv_transpose_c3(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x2x2xf16>) {
  // expected-error @below {{groups is 3, but must divide the 4 input channels}}
  %0 = ane.conv_transpose %x, %w {groups = 3 : i64} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x9x5x5xf16>
  return
}

// -----

func.func @conv_transpose_c4(%x: tensor<1x4x4x4xf16>, %w: tensor<3x4x2x2xf16>) {
  // expected-error @below {{dimension 0 of weight is 3, but must be 4, the number of input channels}}
  %0 = ane.conv_transpose %x, %w : tensor<1x4x4x4xf16>, tensor<3x4x2x2xf16> -> tensor<1x4x5x5xf16>
  return
}

// -----

func.func @conv_transpose_c5(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x2x2xf16>, %s: tensor<4xf16>) {
  // expected-error @below {{scale has 4 elements, but must have 3, one for each output channel}}
  %0 = ane.conv_transpose %x, %w scale %s : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> scale tensor<4xf16> -> tensor<1x3x5x5xf16>
  return
}

// -----

func.func @conv_transpose_c6(%x: tensor<1x4x1x4xf16>, %w: tensor<4x3x2x2xf16>) {
  // expected-error @below {{pad removes 2 of the 2 elements that the height of the result has, but must leave one}}
  %0 = ane.conv_transpose %x, %w {pad = array<i64: 1, 1, 0, 0>} : tensor<1x4x1x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x1x5xf16>
  return
}

// -----

func.func @conv_transpose_c7(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x2x2xf16>) {
  // expected-error @below {{dimension 2 of the result is 4, but must be 5}}
  %0 = ane.conv_transpose %x, %w : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x4x5xf16>
  return
}

// -----

func.func @matmul_c1(%a: tensor<2x3xf16>, %b: tensor<3x2xi8>) {
  // expected-error @below {{operands have element types 'f16' and 'i8', but must agree}}
  %0 = ane.matmul %a, %b : tensor<2x3xf16>, tensor<3x2xi8> -> tensor<2x2xf16>
  return
}

// -----

func.func @matmul_c2(%a: tensor<1x2x3xf16>, %b: tensor<3x2xf16>) {
  // expected-error @below {{operands have ranks 3 and 2, but must have the same rank, at least 2}}
  %0 = ane.matmul %a, %b : tensor<1x2x3xf16>, tensor<3x2xf16> -> tensor<1x2x2xf16>
  return
}

// -----

func.func @matmul_c3(%a: tensor<4x2x3xf16>, %b: tensor<5x3x2xf16>) {
  // expected-error @below {{dimension 0 of the operands is 4 and 5, but must be equal or 1}}
  %0 = ane.matmul %a, %b : tensor<4x2x3xf16>, tensor<5x3x2xf16> -> tensor<4x2x2xf16>
  return
}

// -----

func.func @matmul_c4(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) {
  // expected-error @below {{lhs has 3 columns, but rhs has 2 rows}}
  %0 = ane.matmul %a, %b {transpose_rhs} : tensor<2x3xf16>, tensor<3x2xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @matmul_c5(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) {
  // expected-error @below {{result has rank 1, but must have rank 2}}
  %0 = ane.matmul %a, %b : tensor<2x3xf16>, tensor<3x2xf16> -> tensor<4xf16>
  return
}

// -----

func.func @pool_c1(%x: tensor<8x8xf16>) {
  // expected-error @below {{input has rank 2, but must have rank 4}}
  %0 = ane.pool max %x {kernel = array<i64: 2, 2>} : tensor<8x8xf16> -> tensor<7x7xf16>
  return
}

// -----

func.func @pool_c2(%x: tensor<1x1x8x8xf16>) {
  // expected-error @below {{kernel[0] is 0, but must be between 1}}
  %0 = ane.pool max %x {kernel = array<i64: 0, 2>} : tensor<1x1x8x8xf16> -> tensor<1x1x7x7xf16>
  return
}

// -----

func.func @pool_c3(%x: tensor<1x1x8x8xf16>) {
  // expected-error @below {{count_include_pad is set on a 'max' pooling, but only an average counts elements}}
  %0 = ane.pool max %x {kernel = array<i64: 2, 2>, count_include_pad} : tensor<1x1x8x8xf16> -> tensor<1x1x7x7xf16>
  return
}

// -----

func.func @pool_c4(%x: tensor<1x1x8x8xf16>) {
  // expected-error @below {{pad[0] is 2, but must be smaller than the window, whose height is 2}}
  %0 = ane.pool max %x {kernel = array<i64: 2, 2>, pad = array<i64: 2, 0, 0, 0>} : tensor<1x1x8x8xf16> -> tensor<1x1x9x7xf16>
  return
}

// -----

func.func @pool_c5(%x: tensor<1x1x8x8xf16>) {
  // expected-error @below {{dimension 1 of the result is 2, but must be 1}}
  %0 = ane.pool max %x {kernel = array<i64: 2, 2>} : tensor<1x1x8x8xf16> -> tensor<1x2x7x7xf16>
  return
}

// -----

func.func @elementwise_c1(%a: tensor<2x3xf16>, %b: tensor<2x3xui8>) {
  // expected-error @below {{operands have element types 'f16' and 'ui8', but must agree}}
  %0 = ane.elementwise add %a, %b : tensor<2x3xf16>, tensor<2x3xui8> -> tensor<2x3xf16>
  return
}

// -----

func.func @elementwise_c2(%a: tensor<2x3xf16>, %b: tensor<3xf16>) {
  // expected-error @below {{operands have ranks 2 and 1, but must have the same rank}}
  %0 = ane.elementwise add %a, %b : tensor<2x3xf16>, tensor<3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @elementwise_c3(%a: tensor<2x3xf16>, %b: tensor<2x4xf16>) {
  // expected-error @below {{dimension 1 of the operands is 3 and 4, but must be equal or 1}}
  %0 = ane.elementwise add %a, %b : tensor<2x3xf16>, tensor<2x4xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @elementwise_c4(%a: tensor<2x3xf16>, %b: tensor<1x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 1, but must be 2}}
  %0 = ane.elementwise add %a, %b : tensor<2x3xf16>, tensor<1x3xf16> -> tensor<1x3xf16>
  return
}

// -----

func.func @activation_c1(%x: tensor<1x1x1x8xf16>) {
  // expected-error @below {{dimension 3 of the result is 7, but must be 8}}
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x7xf16>
  return
}

// -----

func.func @reduce_c1(%x: tensor<1x4x8x8xf16>) {
  // expected-error @below {{axis 4 is not a dimension of the input, which has rank 4}}
  %0 = ane.reduce sum %x {axes = array<i64: 4>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return
}

// -----

func.func @reduce_c1_order(%x: tensor<1x4x8x8xf16>) {
  // expected-error @below {{axis 2 comes after axis 3, but axes must increase}}
  %0 = ane.reduce sum %x {axes = array<i64: 3, 2>} : tensor<1x4x8x8xf16> -> tensor<1x4x1x1xf16>
  return
}

// -----

func.func @reduce_c2(%x: tensor<1x4x8x8xf16>) {
  // expected-error @below {{dimension 3 of the result is 8, but must be 1}}
  %0 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x1x8xf16>
  return
}

// -----

func.func @cast_c1(%x: tensor<2x3xf32>) {
  // expected-error @below {{changes the shape from 'tensor<2x3xf32>' to 'tensor<3x2xf16>'}}
  %0 = ane.cast %x : tensor<2x3xf32> -> tensor<3x2xf16>
  return
}

// -----

func.func @cast_c2(%x: tensor<2x3xf32>) {
  // expected-error @below {{goes from 'f32' to 'i8', but must go by way of f16}}
  %0 = ane.cast %x : tensor<2x3xf32> -> tensor<2x3xi8>
  return
}

// -----

func.func @concat_c1() {
  // expected-error @below {{has no operands, but must have at least one}}
  %0 = "ane.concat"() {axis = 0 : i64} : () -> tensor<1xf16>
  return
}

// -----

func.func @concat_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{axis 2 is not a dimension of operand 0, which has rank 2}}
  %0 = ane.concat %x, %x {axis = 2 : i64} : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<4x3xf16>
  return
}

// -----

func.func @concat_c3(%x: tensor<2x3xf16>, %y: tensor<2x3xi8>) {
  // expected-error @below {{operand 1 is 'tensor<2x3xi8>', but must have the rank and element type of operand 0, which is 'tensor<2x3xf16>'}}
  %0 = ane.concat %x, %y {axis = 0 : i64} : tensor<2x3xf16>, tensor<2x3xi8> -> tensor<4x3xf16>
  return
}

// -----

func.func @concat_c4(%x: tensor<2x3xf16>, %y: tensor<2x4xf16>) {
  // expected-error @below {{dimension 1 of operand 1 is 4, but must be 3 as in operand 0 (only axis 0 may differ)}}
  %0 = ane.concat %x, %y {axis = 0 : i64} : tensor<2x3xf16>, tensor<2x4xf16> -> tensor<4x3xf16>
  return
}

// -----

func.func @concat_c5(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 3, but must be 4}}
  %0 = ane.concat %x, %x {axis = 0 : i64} : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<3x3xf16>
  return
}

// -----

func.func @slice_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{sizes[1] is 0, but must be between 1}}
  %0 = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 0>, strides = array<i64: 1, 1>} : tensor<2x3xf16> -> tensor<1x0xf16>
  return
}

// -----

func.func @slice_c2(%x: tensor<2x9xf16>) {
  // expected-error @below {{takes 4 elements from 3 with stride 2 along dimension 1, but the input has only 9}}
  %0 = ane.slice %x {offsets = array<i64: 0, 3>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 2>} : tensor<2x9xf16> -> tensor<1x4xf16>
  return
}

// -----

func.func @slice_c2_overflow(%x: tensor<9xf16>) {
  // expected-error @below {{takes 4 elements from 3 with stride 9223372036854775807 along dimension 0, but the input has only 9}}
  %0 = ane.slice %x {offsets = array<i64: 3>, sizes = array<i64: 4>, strides = array<i64: 9223372036854775807>} : tensor<9xf16> -> tensor<4xf16>
  return
}

// -----

func.func @slice_c3(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 2, but must be 1}}
  %0 = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 3>, strides = array<i64: 1, 1>} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @pad_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{low[0] is -1, but must be between 0}}
  %0 = ane.pad %x {low = array<i64: -1, 0>, high = array<i64: 0, 0>} : tensor<2x3xf16> -> tensor<1x3xf16>
  return
}

// -----

func.func @pad_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 1 of the result is 3, but must be 4}}
  %0 = ane.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 1>} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @transpose_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{perm holds dimension 1 twice, but must hold each of the 2 dimensions once}}
  %0 = ane.transpose %x {perm = array<i64: 1, 1>} : tensor<2x3xf16> -> tensor<3x3xf16>
  return
}

// -----

func.func @transpose_c1_range(%x: tensor<2x3xf16>) {
  // expected-error @below {{perm[1] is 2, but must be between 0 and 1}}
  %0 = ane.transpose %x {perm = array<i64: 1, 2>} : tensor<2x3xf16> -> tensor<3x2xf16>
  return
}

// -----

func.func @transpose_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 2, but must be 3 (the result is 'tensor<2x3xf16>', expected 'tensor<3x2xf16>')}}
  %0 = ane.transpose %x {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @reshape_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{changes the element type from 'f16' to 'i8'}}
  %0 = ane.reshape %x : tensor<2x3xf16> -> tensor<6xi8>
  return
}

// -----

func.func @reshape_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{result has 8 elements, but must have the 6 of the input}}
  %0 = ane.reshape %x : tensor<2x3xf16> -> tensor<8xf16>
  return
}

// -----

func.func @resize_c1(%x: tensor<8x4xf16>) {
  // expected-error @below {{input has rank 2, but must have rank 4}}
  %0 = ane.resize nearest %x : tensor<8x4xf16> -> tensor<8x8xf16>
  return
}

// -----

func.func @resize_c2(%x: tensor<1x8x4x4xf16>) {
  // expected-error @below {{dimension 1 of the result is 4, but must be 8 as in the input}}
  %0 = ane.resize nearest %x : tensor<1x8x4x4xf16> -> tensor<1x4x8x8xf16>
  return
}

// -----

func.func @resize_c3(%x: tensor<1x8x4x4xf16>) {
  // expected-error @below {{has both align_corners and half_pixel, but at most one may place the samples}}
  %0 = ane.resize bilinear %x {align_corners, half_pixel} : tensor<1x8x4x4xf16> -> tensor<1x8x8x8xf16>
  return
}

// -----

func.func @resize_c4(%x: tensor<1x8x4x4xf16>) {
  // expected-error @below {{dimension 3 goes from 4 to 0, but both must be at least 1}}
  %0 = ane.resize nearest %x : tensor<1x8x4x4xf16> -> tensor<1x8x8x0xf16>
  return
}

// -----

func.func @compare_c1(%a: tensor<2x3xf16>, %b: tensor<2x3xi8>) {
  // expected-error @below {{operands have element types 'f16' and 'i8', but must agree (only constants may be f32 next to f16)}}
  %0 = ane.compare eq %a, %b : tensor<2x3xf16>, tensor<2x3xi8> -> tensor<2x3xf16>
  return
}

// -----

func.func @compare_c2(%a: tensor<2x3xf16>, %b: tensor<3xf16>) {
  // expected-error @below {{operands have ranks 2 and 1, but must have the same rank}}
  %0 = ane.compare eq %a, %b : tensor<2x3xf16>, tensor<3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @compare_c3(%a: tensor<2x3xf16>, %b: tensor<2x4xf16>) {
  // expected-error @below {{dimension 1 of the operands is 3 and 4, but must be equal or 1}}
  %0 = ane.compare eq %a, %b : tensor<2x3xf16>, tensor<2x4xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @compare_c4(%a: tensor<2x3xf16>, %b: tensor<1x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 1, but must be 2}}
  %0 = ane.compare eq %a, %b : tensor<2x3xf16>, tensor<1x3xf16> -> tensor<1x3xf16>
  return
}

// -----

func.func @select_c1(%a: tensor<2x3xf16>, %b: tensor<2x3xi8>) {
  // expected-error @below {{operands have element types 'f16' and 'i8', but must agree (only constants may be f32 next to f16)}}
  %0 = ane.select %a, %a, %b : tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xi8> -> tensor<2x3xf16>
  return
}

// -----

func.func @select_c2(%a: tensor<2x3xf16>, %b: tensor<3xf16>) {
  // expected-error @below {{operands have ranks 1 and 2, but must have the same rank}}
  %0 = ane.select %b, %a, %a : tensor<3xf16>, tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @select_c3(%a: tensor<2x3xf16>, %b: tensor<2x4xf16>) {
  // expected-error @below {{dimension 1 of the operands is 4 and 3, but must be equal or 1}}
  %0 = ane.select %b, %a, %a : tensor<2x4xf16>, tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @select_c4(%a: tensor<2x3xf16>, %b: tensor<1x3xf16>) {
  // expected-error @below {{dimension 0 of the result is 1, but must be 2}}
  %0 = ane.select %a, %b, %b : tensor<2x3xf16>, tensor<1x3xf16>, tensor<1x3xf16> -> tensor<1x3xf16>
  return
}

// -----

func.func @softmax_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{axis 2 is not a dimension of the input, which has rank 2}}
  %0 = ane.softmax %x {axis = 2 : i64} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @softmax_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 1 of the result is 4, but must be 3}}
  %0 = ane.softmax %x {axis = 1 : i64} : tensor<2x3xf16> -> tensor<2x4xf16>
  return
}

// -----

func.func @attention_c1(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xi8>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{operands have element types 'f16' and 'i8', but must agree}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x6x16xi8>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c2(%q: tensor<1x4x8x16xf16>, %k: tensor<2x6x16xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{has a query of rank 4 and an operand of rank 3, but all must have one rank, at least 2}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<2x6x16xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c3_images(%q: tensor<1x4x8x16xf16>, %k: tensor<2x2x6x16xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{dimension 0 of key is 2, but must be 1}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<2x2x6x16xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c3_groups(%q: tensor<1x4x8x16xf16>, %k: tensor<1x3x6x16xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{has keys for 3 groups of its 4 heads, but groups must be of one size}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x3x6x16xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c3_values(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x4x6x32xf16>) {
  // expected-error @below {{dimension 1 of value is 4, but must be 2}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x4x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c4_depth(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x15xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{has queries of 16 numbers, but keys of 15}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x6x15xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c4_keys(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x7x32xf16>) {
  // expected-error @below {{has 6 keys, but 7 values}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x7x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c5(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x1x1x8xf16>) {
  // expected-error @below {{dimension 3 of mask is 8, but must be 6 or 1}}
  %0 = ane.attention %q, %k, %v mask %x : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> mask tensor<1x1x1x8xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c6(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x4x8x6xf16>) {
  // expected-error @below {{dimension 3 of sink is 6, but must be 1}}
  %0 = ane.attention %q, %k, %v sink %x : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> sink tensor<1x4x8x6xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c7_arity(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x4x8x3xf16>) {
  // expected-error @below {{term_strides has 0 entries, but must have 1}}
  %0 = ane.attention %q, %k, %v terms %x : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> terms tensor<1x4x8x3xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c7_queries(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x4x7x3xf16>) {
  // expected-error @below {{dimension 2 of term is 7, but must be 8}}
  %0 = ane.attention %q, %k, %v terms %x {term_strides = array<i64: 1>} : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> terms tensor<1x4x7x3xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c7_count(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x4x8x4xf16>) {
  // expected-error @below {{has a term with 4 numbers and stride 1 for 6 keys, but the numbers must divide the keys, and the stride must be 1 or the quotient}}
  %0 = ane.attention %q, %k, %v terms %x {term_strides = array<i64: 1>} : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> terms tensor<1x4x8x4xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c7_stride(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>, %x: tensor<1x4x8x2xf16>) {
  // expected-error @below {{has a term with 2 numbers and stride 2 for 6 keys}}
  %0 = ane.attention %q, %k, %v terms %x {term_strides = array<i64: 2>} : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> terms tensor<1x4x8x2xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c8(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{scale is INF, but must be finite}}
  %0 = ane.attention %q, %k, %v {scale = 0x7F800000 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x8x32xf16>
  return
}

// -----

func.func @attention_c9(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x6x16xf16>, %v: tensor<1x2x6x32xf16>) {
  // expected-error @below {{dimension 2 of the result is 32, but must be 8}}
  %0 = ane.attention %q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x6x16xf16>, tensor<1x2x6x32xf16> -> tensor<1x4x32x8xf16>
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{axis 0 comes after axis 1, but axes must increase}}
  %0 = ane.layer_norm %x {axes = array<i64: 1, 0>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @layer_norm_c1_none(%x: tensor<2x3xf16>) {
  // expected-error @below {{has no axes, but a mean needs at least one}}
  %0 = ane.layer_norm %x {axes = array<i64>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{epsilon is -1.000000e+00, but must not be below 0}}
  %0 = ane.layer_norm %x {axes = array<i64: 1>, epsilon = -1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<2x3xf16>, %g: tensor<2xf16>) {
  // expected-error @below {{dimension 0 of gamma is 2, but must be 3, which is dimension 1 of the input}}
  %0 = ane.layer_norm %x gamma %g {axes = array<i64: 1>, epsilon = 1.0 : f32} : tensor<2x3xf16> gamma tensor<2xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 1 of the result is 4, but must be 3}}
  %0 = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x4xf16>
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{axis 0 comes after axis 1, but axes must increase}}
  %0 = ane.rms_norm %x {axes = array<i64: 1, 0>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @rms_norm_c1_none(%x: tensor<2x3xf16>) {
  // expected-error @below {{has no axes, but a mean needs at least one}}
  %0 = ane.rms_norm %x {axes = array<i64>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{epsilon is -1.000000e+00, but must not be below 0}}
  %0 = ane.rms_norm %x {axes = array<i64: 1>, epsilon = -1.0 : f32} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<2x3xf16>, %g: tensor<2xf16>) {
  // expected-error @below {{dimension 0 of gamma is 2, but must be 3, which is dimension 1 of the input}}
  %0 = ane.rms_norm %x gamma %g {axes = array<i64: 1>, epsilon = 1.0 : f32} : tensor<2x3xf16> gamma tensor<2xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 1 of the result is 4, but must be 3}}
  %0 = ane.rms_norm %x {axes = array<i64: 1>, epsilon = 1.0 : f32} : tensor<2x3xf16> -> tensor<2x4xf16>
  return
}

// -----

func.func @layer_norm_c3_beta(%x: tensor<2x3xf16>, %g: tensor<1x3xf16>) {
  // expected-error @below {{beta has rank 2, but must have rank 1}}
  %0 = ane.layer_norm %x beta %g {axes = array<i64: 1>, epsilon = 1.0 : f32} : tensor<2x3xf16> beta tensor<1x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @interleave_c1(%x: tensor<1x3x2x4xf16>) {
  // expected-error @below {{puts 2 channels of 'tensor<1x3x2x4xf16>' side by side, but they are whole groups of at least 1 of a tensor of rank 4}}
  %0 = ane.interleave %x {factor = 2 : i64} : tensor<1x3x2x4xf16> -> tensor<1x1x2x8xf16>
  return
}

// -----

func.func @interleave_c1_factor(%x: tensor<1x3x2x4xf16>) {
  // expected-error @below {{puts 0 channels of}}
  %0 = ane.interleave %x {factor = 0 : i64} : tensor<1x3x2x4xf16> -> tensor<1x3x2x4xf16>
  return
}

// -----

func.func @interleave_c2(%x: tensor<1x4x2x4xf16>) {
  // expected-error @below {{dimension 3 of the result is 4, but must be 8}}
  %0 = ane.interleave %x {factor = 2 : i64} : tensor<1x4x2x4xf16> -> tensor<1x2x2x4xf16>
  return
}

// -----

func.func @runtime_conv_c1(%x: tensor<1x32x2x96xf16>, %c: tensor<1x16x2x32xi8>) {
  // expected-error @below {{operands have element types 'f16' and 'i8', but must agree}}
  %0 = ane.runtime_conv %x, %c : tensor<1x32x2x96xf16>, tensor<1x16x2x32xi8> -> tensor<1x16x2x96xf16>
  return
}

// -----

func.func @runtime_conv_c2(%x: tensor<2x32x2x96xf16>, %c: tensor<1x16x2x32xf16>) {
  // expected-error @below {{but both must have rank 4 and a batch of 1}}
  %0 = ane.runtime_conv %x, %c : tensor<2x32x2x96xf16>, tensor<1x16x2x32xf16> -> tensor<1x16x2x96xf16>
  return
}

// -----

func.func @runtime_conv_c3(%x: tensor<1x32x2x96xf16>, %c: tensor<1x16x2x32xf16>) {
  // expected-error @below {{has 32 coefficients in a row of 'tensor<1x16x2x32xf16>', but 2 lanes of 32 input channels need the product of both}}
  %0 = ane.runtime_conv %x, %c {lanes = 2 : i64} : tensor<1x32x2x96xf16>, tensor<1x16x2x32xf16> -> tensor<1x32x2x96xf16>
  return
}

// -----

func.func @runtime_conv_c4(%x: tensor<1x32x4x96xf16>, %c: tensor<1x16x2x32xf16>) {
  // expected-error @below {{has coefficients for 2 rows, but an input of 4; they must be equal or 1}}
  %0 = ane.runtime_conv %x, %c : tensor<1x32x4x96xf16>, tensor<1x16x2x32xf16> -> tensor<1x16x4x96xf16>
  return
}

// -----

func.func @runtime_conv_c5(%x: tensor<1x32x2x96xf16>, %c: tensor<1x16x2x32xf16>) {
  // expected-error @below {{dimension 1 of the result is 32, but must be 16}}
  %0 = ane.runtime_conv %x, %c : tensor<1x32x2x96xf16>, tensor<1x16x2x32xf16> -> tensor<1x32x2x96xf16>
  return
}

// -----

func.func @tile_c1(%x: tensor<2x3xf16>) {
  // expected-error @below {{repeats[1] is 0, but must be between 1 and 2147483648}}
  %0 = ane.tile %x {repeats = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

func.func @tile_c2(%x: tensor<2x3xf16>) {
  // expected-error @below {{dimension 1 of the result is 3, but must be 6}}
  %0 = ane.tile %x {repeats = array<i64: 1, 2>} : tensor<2x3xf16> -> tensor<2x3xf16>
  return
}

// -----

// expected-error @+1 {{has "ane.name" = 3 : i64, but it must be a string}}
func.func @attribute_c1(%x: tensor<2xf16> {ane.name = 3 : i64}) {
  return
}

// -----

// expected-error @+1 {{has "ane.nam" on an argument, which can have ane.name, ane.output, ane.shape, ane.range, ane.low and ane.hold only}}
func.func @attribute_c1_argument(%x: tensor<2xf16> {ane.nam = "x"}) {
  return
}

// -----

// expected-error @+1 {{has "ane.output" on a result, which can have ane.name and ane.shape only}}
func.func @attribute_c1_result(%x: tensor<2xf16>) -> (tensor<2xf16> {ane.output}) {
  return %x : tensor<2xf16>
}

// -----

// expected-error @+1 {{argument #1 has "ane.name" = "x", but so has argument #0; give one of them another name}}
func.func @attribute_c2(%x: tensor<2xf16> {ane.name = "x"}, %y: tensor<2xf16> {ane.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{result #1 has "ane.name" = "y", but so has result #0; give one of them another name}}
func.func @attribute_c2_results(%x: tensor<2xf16>) -> (tensor<2xf16> {ane.name = "y"}, tensor<2xf16> {ane.name = "y"}) {
  return %x, %x : tensor<2xf16>, tensor<2xf16>
}

// -----

// expected-error @+1 {{has "ane.scratch_bytes" = -64 : i64, but it must be an i64 of a function, at least 0}}
func.func @attribute_c1_scratch() attributes {ane.scratch_bytes = -64 : i64} {
  return
}

// -----

func.func @attribute_c1_form(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.form" = 3 : i64, but it must be the name of a form, such as "table"}}
  %0 = ane.activation %x {function = #ane.act<silu>, ane.form = 3} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

// expected-error @+1 {{has "ane.accuracy_goal" = "exact", but it must be "fast", "balanced" or "best"}}
module @attribute_c1_accuracy_goal attributes {ane.accuracy_goal = "exact"} {}

// -----

// expected-error @+1 {{has "ane.function_forms" = 2 : i64, but it must be a dictionary of how often each form is}}
module @attribute_c1_function_forms attributes {ane.function_forms = 2} {}

// -----

func.func @attribute_c1_operation(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.tiles", but an operation can have ane.tile, ane.keep_rows, ane.input_channels, ane.banded, ane.hold, ane.plan_number, ane.held, ane.planned, ane.column_parts, ane.sequence, ane.program, ane.form, ane.by_column, ane.accuracy_goal, ane.function_forms, ane.scratch_bytes and ane.target only}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.tiles = 3} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_sequence(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.sequence" = unit, but it must be a unit attribute of a function}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.sequence} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_planned(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.planned" = unit, but it must be an i64 of a function, at least 0}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.planned} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_hold(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.hold" = #ane.space<kernel>, but it must be #ane.space<l2> or #ane.space<dram> of an op with one tensor}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.hold = #ane.space<kernel>} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_plan_number(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.plan_number" = -1 : i64, but it must be an i64 of an op with one tensor, at least 0}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.plan_number = -1 : i64} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_by_column(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.by_column" = unit, but it must be a bool of an op with one tensor}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.by_column} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_banded(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.banded" = unit, but it must be a unit attribute of a convolution without groups}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.banded} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @attribute_c1_keep_rows(%x: tensor<2x2xf16>) {
  // expected-error @+1 {{has "ane.keep_rows" = unit, but it must be a unit attribute beside ane.tile}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.keep_rows} : tensor<2x2xf16> -> tensor<2x2xf16>
  return
}

// -----

func.func @runtime_conv_c3_lanes(%x: tensor<1x32x2x96xf16>, %c: tensor<1x16x2x32xf16>) {
  // expected-error @below {{has 32 coefficients in a row of 'tensor<1x16x2x32xf16>', but 9223372036854775807 lanes of 32 input channels need the product of both}}
  %0 = ane.runtime_conv %x, %c {lanes = 9223372036854775807 : i64} : tensor<1x32x2x96xf16>, tensor<1x16x2x32xf16> -> tensor<1x16x2x96xf16>
  return
}

// -----

func.func @runtime_conv_extent(%x: tensor<1x4611686018427387904x1x1xf16>, %c: tensor<1x16x1x32xf16>) {
  // expected-error @below {{dimension 1 of input is 4611686018427387904, but must be at most 2147483648}}
  %0 = ane.runtime_conv %x, %c : tensor<1x4611686018427387904x1x1xf16>, tensor<1x16x1x32xf16> -> tensor<1x16x1x1xf16>
  return
}

// -----

func.func @act_unknown(%x: tensor<1x1x1x8xf16>) {
  // expected-error @below {{unknown activation 'swoosh'}}
  %0 = ane.activation %x {function = #ane.act<swoosh>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return
}

// -----

// expected-error @+1 {{has "ane.column_parts" = array<i64: 0, 1>, but it must be an array of i64 of a function, three for each run}}
func.func @attribute_c1_column_parts() attributes {ane.column_parts = array<i64: 0, 1>} {
  return
}

// -----

// expected-error @+1 {{has "ane.range" = [1.000000e+00, -1.000000e+00], but it must be an array of two or three f64, the lower end first}}
func.func @range_c1(%x: tensor<4xf16> {ane.range = [1.0, -1.0]}) -> tensor<4xf16> {
  return %x : tensor<4xf16>
}

// -----

// expected-error @+1 {{argument #1 has "ane.low", but is no f16 tensor of the shape of an argument before it}}
func.func @low_c1(%x: tensor<4xf32>, %y: tensor<4xf32> {ane.low}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument #1 has "ane.low", but is no f16 tensor of the shape of an argument before it}}
func.func @low_c2(%x: tensor<4xf32>, %y: tensor<5xf16> {ane.low}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has "ane.target" = "h12": unknown generation 'h12', expected one of: h13 (A14}}
module @target_c1 attributes {ane.target = "h12"} {}

// -----

// expected-error @+1 {{has "ane.target" = "h13", but it must be a string of a module}}
func.func @target_c1_function() attributes {ane.target = "h13"} {
  return
}
