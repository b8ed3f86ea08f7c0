// RUN: ane-opt %s --ane-fold --split-input-file | FileCheck %s

// CHECK-LABEL: func @transpose
func.func @transpose() -> tensor<3x2xf32> {
  // CHECK-NEXT: ane.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
  // CHECK-NEXT: return
  %0 = ane.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// A chain: columns 0 and 2 of both rows, transposed, as a vector.
// CHECK-LABEL: func @chain
func.func @chain() -> tensor<4xf16> {
  // CHECK-NEXT: ane.constant dense<[1.000000e+00, 4.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<4xf16>
  // CHECK-NEXT: return
  %0 = ane.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 2>} : tensor<2x3xf16> -> tensor<2x2xf16>
  %2 = ane.transpose %1 {perm = array<i64: 1, 0>} : tensor<2x2xf16> -> tensor<2x2xf16>
  %3 = ane.reshape %2 : tensor<2x2xf16> -> tensor<4xf16>
  return %3 : tensor<4xf16>
}

// The variance of a batch norm becomes a factor: 1 / sqrt(3 + 1), reshaped.
// CHECK-LABEL: func @functions
func.func @functions() -> tensor<1x2x1x1xf32> {
  // CHECK-NEXT: ane.constant dense<{{.*}}5.000000e-01{{.*}}2.500000e-01{{.*}}> : tensor<1x2x1x1xf32>
  // CHECK-NEXT: return
  %v = ane.constant dense<[[[3.0]], [[15.0]]]> : tensor<2x1x1xf32>
  %e = ane.constant dense<1.0> : tensor<1x1x1xf32>
  %0 = ane.elementwise add %v, %e : tensor<2x1x1xf32>, tensor<1x1x1xf32> -> tensor<2x1x1xf32>
  %1 = ane.activation %0 {function = #ane.act<rsqrt>} : tensor<2x1x1xf32> -> tensor<2x1x1xf32>
  %2 = ane.reshape %1 : tensor<2x1x1xf32> -> tensor<1x2x1x1xf32>
  return %2 : tensor<1x2x1x1xf32>
}

// Broadcast of both operands, scale, bias and activation of the epilogue.
// CHECK-LABEL: func @epilogue
func.func @epilogue() -> tensor<2x2xf32> {
  // CHECK-NEXT: ane.constant dense<{{\[}}[0.000000e+00, 4.000000e+00], [6.000000e+00, 1.000000e+01]]>
  %a = ane.constant dense<[[-2.0], [3.0]]> : tensor<2x1xf32>
  %b = ane.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %0 = ane.elementwise add %a, %b {scale = 2.0 : f32, bias = 2.0 : f32} : tensor<2x1xf32>, tensor<1x2xf32> -> tensor<2x2xf32>
  %c = ane.constant dense<4.0> : tensor<1x1xf32>
  %1 = ane.elementwise sub %0, %c {activation = #ane.act<relu>} : tensor<2x2xf32>, tensor<1x1xf32> -> tensor<2x2xf32>
  %d = ane.constant dense<[[0.0, 4.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %2 = ane.elementwise add %1, %d : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// CHECK-LABEL: func @concat_pad_reduce
func.func @concat_pad_reduce() -> (tensor<2x3xf32>, tensor<3x3xf16>, tensor<2x1xf32>, tensor<1x2xf32>) {
  %a = ane.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = ane.constant dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf32>
  // CHECK-DAG: ane.constant dense<{{\[}}[1.000000e+00, 3.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %0 = ane.concat %a, %b {axis = 1 : i64} : tensor<2x1xf32>, tensor<2x2xf32> -> tensor<2x3xf32>
  %c = ane.constant dense<[[1.0, 2.0]]> : tensor<1x2xf16>
  // CHECK-DAG: ane.constant dense<{{\[}}[9.000000e+00, 9.000000e+00, 9.000000e+00], [9.000000e+00, 1.000000e+00, 2.000000e+00], [9.000000e+00, 9.000000e+00, 9.000000e+00]]> : tensor<3x3xf16>
  %1 = ane.pad %c {low = array<i64: 1, 1>, high = array<i64: 1, 0>, value = 9.0 : f32} : tensor<1x2xf16> -> tensor<3x3xf16>
  // CHECK-DAG: ane.constant dense<{{\[}}[3.500000e+00], [5.500000e+00]]> : tensor<2x1xf32>
  %2 = ane.reduce mean %b {axes = array<i64: 1>} : tensor<2x2xf32> -> tensor<2x1xf32>
  // CHECK-DAG: ane.constant dense<{{\[}}[5.000000e+00, 6.000000e+00]]> : tensor<1x2xf32>
  %3 = ane.reduce max %b {axes = array<i64: 0>} : tensor<2x2xf32> -> tensor<1x2xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<3x3xf16>, tensor<2x1xf32>, tensor<1x2xf32>
}

// Repeated along one dimension of a view.
// CHECK-LABEL: func @tile
func.func @tile() -> tensor<4x2xf32> {
  // CHECK-NEXT: ane.constant dense<{{\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00], [1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]>
  // CHECK-NEXT: return
  %0 = ane.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x2xf32> -> tensor<2x2xf32>
  %2 = ane.tile %1 {repeats = array<i64: 2, 1>} : tensor<2x2xf32> -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// Rounding to nearest even: 1 + 3 * 2^-11 goes up to 1 + 2^-9.
// CHECK-LABEL: func @cast
func.func @cast() -> tensor<2xf16> {
  // CHECK-NEXT: ane.constant dense<[1.001950e+00, -2.000000e+00]> : tensor<2xf16>
  %0 = ane.constant dense<[1.00146484375, -2.0]> : tensor<2xf32>
  %1 = ane.cast %0 : tensor<2xf32> -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

// The engine has no f32: what leaves it in f32 is f16 until there, also where it is known.
// CHECK-LABEL: func @widening
// CHECK: %[[C:.*]] = ane.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// CHECK: ane.cast %[[C]] : tensor<2xf16> -> tensor<2xf32>
// CHECK: %[[S:.*]] = ane.constant dense<3.000000e+00> : tensor<2xf16>
// CHECK: ane.cast %[[S]] : tensor<2xf16> -> tensor<2xf32>
func.func @widening() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %1 = ane.cast %0 : tensor<2xf16> -> tensor<2xf32>
  %2 = ane.constant dense<3.0> : tensor<2xf16>
  %3 = ane.cast %2 : tensor<2xf16> -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}

// A splat stays one element, whatever its shape.
// CHECK-LABEL: func @splat
func.func @splat() -> tensor<64x1x112x112xf32> {
  // CHECK-NEXT: ane.constant dense<3.000000e+00> : tensor<64x1x112x112xf32>
  // CHECK-NEXT: return
  %0 = ane.constant dense<1.0> : tensor<1x64x112x112xf32>
  %1 = ane.constant dense<2.0> : tensor<1x1x1x1xf32>
  %2 = ane.elementwise add %0, %1 : tensor<1x64x112x112xf32>, tensor<1x1x1x1xf32> -> tensor<1x64x112x112xf32>
  %3 = ane.transpose %2 {perm = array<i64: 1, 0, 2, 3>} : tensor<1x64x112x112xf32> -> tensor<64x1x112x112xf32>
  return %3 : tensor<64x1x112x112xf32>
}

// Only what something else needs is kept; the intermediate here is needed too.
// CHECK-LABEL: func @two_users
func.func @two_users() -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[A:.*]] = ane.constant dense<[2.000000e+00, 3.000000e+00]>
  // CHECK: %[[B:.*]] = ane.constant dense<[4.000000e+00, 9.000000e+00]>
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0 = ane.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = ane.constant dense<1.0> : tensor<2xf32>
  %2 = ane.elementwise add %0, %1 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %3 = ane.elementwise mul %2, %2 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func @dead
func.func @dead() {
  // CHECK-NEXT: return
  %0 = ane.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = ane.reshape %0 : tensor<2xf32> -> tensor<1x2xf32>
  return
}

// An argument is not a constant.
// CHECK-LABEL: func @not_constant
func.func @not_constant(%x: tensor<2xf16>) -> tensor<2xf16> {
  // CHECK: ane.elementwise add
  %0 = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %1 = ane.elementwise add %x, %0 : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

// A few bytes are not made gigabytes of.
// CHECK-LABEL: func @too_large
func.func @too_large() -> tensor<65536x65536xf32> {
  // CHECK: ane.elementwise add
  %0 = ane.constant dense_resource<column> : tensor<65536x1xi8>
  %1 = ane.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %2 = ane.pad %1 {low = array<i64: 0, 0>, high = array<i64: 0, 65534>} : tensor<1x2xf32> -> tensor<1x65536xf32>
  %3 = ane.pad %1 {low = array<i64: 65535, 0>, high = array<i64: 0, 0>} : tensor<1x2xf32> -> tensor<65536x2xf32>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0>, sizes = array<i64: 65536, 1>, strides = array<i64: 1, 1>} : tensor<65536x2xf32> -> tensor<65536x1xf32>
  %5 = ane.elementwise add %2, %4 : tensor<1x65536xf32>, tensor<65536x1xf32> -> tensor<65536x65536xf32>
  return %5 : tensor<65536x65536xf32>
}

// Nothing has no maximum; more bytes than 64 bits can count are left alone.
// CHECK-LABEL: func @no_value
func.func @no_value() -> (tensor<1x3xf32>, tensor<4294967296x4294967296xf16>) {
  // CHECK: ane.reduce max
  // CHECK: ane.cast
  %0 = ane.constant dense<> : tensor<0x3xf32>
  %1 = ane.reduce max %0 {axes = array<i64: 0>} : tensor<0x3xf32> -> tensor<1x3xf32>
  %2 = ane.constant dense<1.0> : tensor<4294967296x4294967296xf32>
  %3 = ane.cast %2 : tensor<4294967296x4294967296xf32> -> tensor<4294967296x4294967296xf16>
  return %1, %3 : tensor<1x3xf32>, tensor<4294967296x4294967296xf16>
}

// Tensors of rank 0 and empty ones.
// CHECK-LABEL: func @small_shapes
func.func @small_shapes() -> (tensor<1x1xf32>, tensor<3x0xf32>, tensor<2x3xf32>, tensor<1x3xf32>) {
  // CHECK-DAG: ane.constant dense<2.000000e+00> : tensor<1x1xf32>
  // CHECK-DAG: ane.constant dense<> : tensor<3x0xf32>
  // CHECK-DAG: ane.constant dense<0.000000e+00> : tensor<2x3xf32>
  // CHECK-NOT: ane.{{[^c]}}
  // CHECK: return
  %0 = ane.constant dense<1.0> : tensor<f32>
  %1 = ane.elementwise add %0, %0 : tensor<f32>, tensor<f32> -> tensor<f32>
  %2 = ane.reshape %1 : tensor<f32> -> tensor<1x1xf32>
  %3 = ane.constant dense<> : tensor<0x3xf32>
  %4 = ane.transpose %3 {perm = array<i64: 1, 0>} : tensor<0x3xf32> -> tensor<3x0xf32>
  %5 = ane.pad %3 {low = array<i64: 1, 0>, high = array<i64: 1, 0>} : tensor<0x3xf32> -> tensor<2x3xf32>
  %6 = ane.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %7 = ane.concat %3, %6 {axis = 0 : i64} : tensor<0x3xf32>, tensor<1x3xf32> -> tensor<1x3xf32>
  return %2, %4, %5, %7 : tensor<1x1xf32>, tensor<3x0xf32>, tensor<2x3xf32>, tensor<1x3xf32>
}

// -----

// Bytes that are not there cannot be folded, and nothing crashes.
// CHECK-LABEL: func @elided
func.func @elided() -> tensor<3x2xf32> {
  // CHECK: ane.constant dense_resource<__elided__>
  // CHECK: ane.transpose
  %0 = ane.constant dense_resource<__elided__> : tensor<2x3xf32>
  %1 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// Two users of one value go together: it goes once.
// CHECK-LABEL: func @shared_by_dead
func.func @shared_by_dead() -> tensor<1x4xf32> {
  // CHECK-NEXT: %[[C:.*]] = ane.constant dense<{{\[\[}}-2.000000e+00, 0.000000e+00, -4.000000e+00, -6.000000e+00]]> : tensor<1x4xf32>
  // CHECK-NEXT: return %[[C]]
  %a = ane.constant dense<[[1.0, 2.0, 0.0, -1.0]]> : tensor<1x4xf32>
  %two = ane.constant dense<2.0> : tensor<1x1xf32>
  %b = ane.elementwise mul %a, %two : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf32>
  %m = ane.reduce max %b {axes = array<i64: 1>} : tensor<1x4xf32> -> tensor<1x1xf32>
  %y = ane.elementwise sub %b, %m : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

// A product of two constants, such as positions times their weights; the batch of
// one side is repeated.
// CHECK-LABEL: func @product
func.func @product() -> tensor<2x2x2xf32> {
  // CHECK-NEXT: ane.constant dense<{{\[\[}}[1.400000e+01, 3.200000e+01], [3.200000e+01, 7.700000e+01]], {{\[}}[2.000000e+00, 5.000000e+00], [0.000000e+00, 0.000000e+00]]]>
  // CHECK-NEXT: return
  %0 = ane.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]]> : tensor<2x2x3xf32>
  %1 = ane.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %2 = ane.matmul %0, %1 {transpose_rhs, activation = #ane.act<relu>} : tensor<2x2x3xf32>, tensor<1x2x3xf32> -> tensor<2x2x2xf32>
  return %2 : tensor<2x2x2xf32>
}

// -----

// Slices of one flat tensor of parameters. The first is small and becomes a dense
// attribute, the second a resource. The flat one is gone.
// CHECK-LABEL: func @parameters
func.func @parameters() -> (tensor<1x2xf32>, tensor<16x20xf32>) {
  // CHECK: ane.constant dense<{{\[}}[0.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>
  // CHECK: ane.constant dense_resource<[[W:.*]]> : tensor<16x20xf32>
  %0 = ane.constant dense<0.0> : tensor<1xf32>
  %1 = ane.constant dense<1.0> : tensor<1xf32>
  %2 = ane.constant dense<2.0> : tensor<320xf32>
  %flat = ane.concat %0, %1, %2, %0 {axis = 0 : i64} : tensor<1xf32>, tensor<1xf32>, tensor<320xf32>, tensor<1xf32> -> tensor<323xf32>
  %3 = ane.slice %flat {offsets = array<i64: 0>, sizes = array<i64: 2>, strides = array<i64: 1>} : tensor<323xf32> -> tensor<2xf32>
  %4 = ane.reshape %3 : tensor<2xf32> -> tensor<1x2xf32>
  %5 = ane.slice %flat {offsets = array<i64: 3>, sizes = array<i64: 320>, strides = array<i64: 1>} : tensor<323xf32> -> tensor<320xf32>
  %6 = ane.reshape %5 : tensor<320xf32> -> tensor<16x20xf32>
  return %4, %6 : tensor<1x2xf32>, tensor<16x20xf32>
}
// CHECK: dialect_resources
// CHECK-NEXT: builtin
// CHECK-NEXT: [[W]]: "0x{{........}}00000040{{.*}}0000004000000000"
// CHECK-NEXT: }

// -----

// The same of the same constant is one constant, in one block.
// CHECK-LABEL: func @twice
// CHECK-NEXT: %[[C:.*]] = ane.constant dense<{{.*}}> : tensor<3x2xf16>
// CHECK-NEXT: return %[[C]], %[[C]]
func.func @twice() -> (tensor<3x2xf16>, tensor<3x2xf16>) {
  %0 = ane.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf16>
  %1 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<3x2xf16>
  %2 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<3x2xf16>
  return %1, %2 : tensor<3x2xf16>, tensor<3x2xf16>
}

// -----

// Splats stay one number, whatever their size: 300 million elements.
// CHECK-LABEL: func @large_splats
// CHECK-DAG: %[[E:.*]] = ane.constant dense<2.000000e+00> : tensor<1x3x10000x10000xf16>
// CHECK-DAG: %[[C:.*]] = ane.constant dense<1.000000e+00> : tensor<1x6x10000x10000xf16>
// CHECK-DAG: %[[S:.*]] = ane.constant dense<1.000000e+00> : tensor<1x3x10000x10000xf16>
// CHECK-DAG: %[[T:.*]] = ane.constant dense<1.000000e+00> : tensor<10000x10000x3x2xf16>
// CHECK-DAG: %[[R:.*]] = ane.constant dense<1.000000e+04> : tensor<1x3x10000x1xf16>
// CHECK-DAG: %[[M:.*]] = ane.constant dense<2.500000e+03> : tensor<1x3x10000x10000xf16>
// CHECK-NOT: ane.tile
// CHECK: return %[[E]], %[[C]], %[[S]], %[[T]], %[[R]], %[[M]], %{{[0-9]+}}
func.func @large_splats() -> (tensor<1x3x10000x10000xf16>, tensor<1x6x10000x10000xf16>, tensor<1x3x10000x10000xf16>,
                              tensor<10000x10000x3x2xf16>, tensor<1x3x10000x1xf16>, tensor<1x3x10000x10000xf16>,
                              tensor<1x6x10000x10000xf16>) {
  %one = ane.constant dense<1.0> : tensor<1x3x10000x10000xf16>
  %quarter = ane.constant dense<0.25> : tensor<1x3x10000x10000xf16>
  %e = ane.activation %one {function = #ane.act<exp2>} : tensor<1x3x10000x10000xf16> -> tensor<1x3x10000x10000xf16>
  %c = ane.concat %one, %one {axis = 1 : i64} : tensor<1x3x10000x10000xf16>, tensor<1x3x10000x10000xf16> -> tensor<1x6x10000x10000xf16>
  %s = ane.select %one, %one, %quarter : tensor<1x3x10000x10000xf16>, tensor<1x3x10000x10000xf16>, tensor<1x3x10000x10000xf16> -> tensor<1x3x10000x10000xf16>
  %r0 = ane.reshape %c : tensor<1x6x10000x10000xf16> -> tensor<2x3x10000x10000xf16>
  %t = ane.transpose %r0 {perm = array<i64: 2, 3, 1, 0>} : tensor<2x3x10000x10000xf16> -> tensor<10000x10000x3x2xf16>
  %r = ane.reduce sum %one {axes = array<i64: 3>} : tensor<1x3x10000x10000xf16> -> tensor<1x3x10000x1xf16>
  %m = ane.matmul %one, %quarter : tensor<1x3x10000x10000xf16>, tensor<1x3x10000x10000xf16> -> tensor<1x3x10000x10000xf16>
  %i = ane.tile %one {repeats = array<i64: 1, 2, 1, 1>} : tensor<1x3x10000x10000xf16> -> tensor<1x6x10000x10000xf16>
  return %e, %c, %s, %t, %r, %m, %i : tensor<1x3x10000x10000xf16>, tensor<1x6x10000x10000xf16>, tensor<1x3x10000x10000xf16>,
    tensor<10000x10000x3x2xf16>, tensor<1x3x10000x1xf16>, tensor<1x3x10000x10000xf16>, tensor<1x6x10000x10000xf16>
}

// -----

// What would not stay one number stays an op.
// CHECK-LABEL: func @grown_splats
// CHECK: ane.pad
// CHECK: ane.concat
// CHECK: ane.elementwise add
func.func @grown_splats() -> (tensor<1x3x10000x10002xf16>, tensor<1x6x10000x10000xf16>, tensor<1x3x10000x10000xf16>) {
  %one = ane.constant dense<1.0> : tensor<1x3x10000x10000xf16>
  %two = ane.constant dense<2.0> : tensor<1x3x10000x10000xf16>
  %few = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf16>
  %p = ane.pad %one {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 1>, value = 0.0 : f32} : tensor<1x3x10000x10000xf16> -> tensor<1x3x10000x10002xf16>
  %c = ane.concat %one, %two {axis = 1 : i64} : tensor<1x3x10000x10000xf16>, tensor<1x3x10000x10000xf16> -> tensor<1x6x10000x10000xf16>
  %a = ane.elementwise add %one, %few : tensor<1x3x10000x10000xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x10000x10000xf16>
  return %p, %c, %a : tensor<1x3x10000x10002xf16>, tensor<1x6x10000x10000xf16>, tensor<1x3x10000x10000xf16>
}
