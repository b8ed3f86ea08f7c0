// RUN: ane-opt %s | ane-opt | FileCheck %s
// RUN: ane-opt %s --mlir-print-op-generic | ane-opt | FileCheck %s
// RUN: ane-opt %s --emit-bytecode | ane-opt | FileCheck %s

// Every op of the tensor level, with every form of its attributes.

// CHECK-LABEL: func @constant
func.func @constant() -> tensor<2x3xf32> {
  // CHECK: ane.constant dense<1.000000e+00> : tensor<2x3xf32>
  %0 = ane.constant dense<1.0> : tensor<2x3xf32>
  // CHECK: ane.constant dense_resource<w0> : tensor<2xf32>
  %w = ane.constant dense_resource<w0> : tensor<2xf32>
  // CHECK: ane.constant dense<[1, 2]> : tensor<2xi8>
  %i = ane.constant dense<[1, 2]> : tensor<2xi8>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @conv
func.func @conv(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf16>, %s: tensor<4xf16>,
                %d: tensor<3x1x3x3xf16>) {
  // CHECK: ane.conv %{{.*}}, %{{.*}} bias %{{.*}} {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16> -> tensor<1x4x4x4xf16>
  %y = ane.conv %x, %w bias %b {activation = #ane.act<relu>, strides = array<i64: 2, 2>,
                                pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16> -> tensor<1x4x4x4xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  %0 = ane.conv %x, %w : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x6x6xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} scale %{{.*}} {dilations = array<i64: 2, 3>} : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> scale tensor<4xf16> -> tensor<1x4x4x2xf16>
  %1 = ane.conv %x, %w scale %s {dilations = array<i64: 2, 3>}
     : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16> scale tensor<4xf16> -> tensor<1x4x4x2xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} bias %{{.*}} scale %{{.*}} {activation = #ane.act<clamp, 0.000000e+00, 6.000000e+00>}
  %2 = ane.conv %x, %w bias %b scale %s {activation = #ane.act<clamp, 0.0, 6.0>}
     : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16> scale tensor<4xf16> -> tensor<1x4x6x6xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} {groups = 3 : i64}
  %3 = ane.conv %x, %d {groups = 3 : i64} : tensor<1x3x8x8xf16>, tensor<3x1x3x3xf16> -> tensor<1x3x6x6xf16>
  return
}

// Constants may be f32 next to f16 data until they are rounded.
// CHECK-LABEL: func @f32_constants
func.func @f32_constants(%x: tensor<1x3x8x8xf16>) {
  %w = ane.constant dense<1.0> : tensor<4x3x1x1xf32>
  %b = ane.constant dense<1.0> : tensor<4xf32>
  %c = ane.constant dense<1.0> : tensor<1x3x1x1xf32>
  // CHECK: ane.conv {{.*}} : tensor<1x3x8x8xf16>, tensor<4x3x1x1xf32>, tensor<4xf32> -> tensor<1x4x8x8xf16>
  %0 = ane.conv %x, %w bias %b : tensor<1x3x8x8xf16>, tensor<4x3x1x1xf32>, tensor<4xf32> -> tensor<1x4x8x8xf16>
  // CHECK: ane.elementwise add {{.*}} : tensor<1x3x8x8xf16>, tensor<1x3x1x1xf32> -> tensor<1x3x8x8xf16>
  %1 = ane.elementwise add %x, %c : tensor<1x3x8x8xf16>, tensor<1x3x1x1xf32> -> tensor<1x3x8x8xf16>
  // CHECK: ane.elementwise mul {{.*}} : tensor<1x3x1x1xf32>, tensor<1x3x1x1xf32> -> tensor<1x3x1x1xf32>
  %2 = ane.elementwise mul %c, %c : tensor<1x3x1x1xf32>, tensor<1x3x1x1xf32> -> tensor<1x3x1x1xf32>
  return
}

// CHECK-LABEL: func @conv_transpose
func.func @conv_transpose(%x: tensor<1x4x4x4xf16>, %w: tensor<4x3x2x2xf16>, %b: tensor<3xf16>) {
  // CHECK: ane.conv_transpose %{{.*}}, %{{.*}} {strides = array<i64: 2, 2>} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>}
     : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
  // CHECK: ane.conv_transpose %{{.*}}, %{{.*}} bias %{{.*}} scale %{{.*}} {activation = #ane.act<relu>, dilations = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>}
  %0 = ane.conv_transpose %x, %w bias %b scale %b {activation = #ane.act<relu>, dilations = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>}
     : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16>, tensor<3xf16> scale tensor<3xf16> -> tensor<1x3x5x5xf16>
  // CHECK: ane.conv_transpose %{{.*}}, %{{.*}} {groups = 2 : i64} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x6x5x5xf16>
  %1 = ane.conv_transpose %x, %w {groups = 2 : i64} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x6x5x5xf16>
  return
}

// CHECK-LABEL: func @matmul
func.func @matmul(%a: tensor<1x1x512xf16>, %b: tensor<1x10x512xf16>, %c: tensor<4x512x10xf16>, %e: tensor<512x7xf16>, %f: tensor<512x9xf16>) {
  // CHECK: ane.matmul %{{.*}}, %{{.*}} {transpose_rhs} : tensor<1x1x512xf16>, tensor<1x10x512xf16> -> tensor<1x1x10xf16>
  %y = ane.matmul %a, %b {transpose_rhs} : tensor<1x1x512xf16>, tensor<1x10x512xf16> -> tensor<1x1x10xf16>
  // CHECK: ane.matmul %{{.*}}, %{{.*}} {activation = #ane.act<gelu>} : tensor<1x1x512xf16>, tensor<4x512x10xf16> -> tensor<4x1x10xf16>
  %0 = ane.matmul %a, %c {activation = #ane.act<gelu>} : tensor<1x1x512xf16>, tensor<4x512x10xf16> -> tensor<4x1x10xf16>
  // CHECK: ane.matmul %{{.*}}, %{{.*}} {transpose_lhs} : tensor<512x7xf16>, tensor<512x9xf16> -> tensor<7x9xf16>
  %1 = ane.matmul %e, %f {transpose_lhs} : tensor<512x7xf16>, tensor<512x9xf16> -> tensor<7x9xf16>
  return
}

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: tensor<1x64x8x8xf16>, %y: tensor<1x64x1x1xf16>) {
  // CHECK: ane.elementwise add %{{.*}}, %{{.*}} {activation = #ane.act<relu>} : tensor<1x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x8x8xf16>
  %z = ane.elementwise add %x, %y {activation = #ane.act<relu>}
     : tensor<1x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise sub
  %0 = ane.elementwise sub %y, %x : tensor<1x64x1x1xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise mul %{{.*}}, %{{.*}} {bias = 1.500000e+00 : f32, scale = 5.000000e-01 : f32}
  %1 = ane.elementwise mul %x, %x {scale = 0.5 : f32, bias = 1.5 : f32} : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise max
  %2 = ane.elementwise max %x, %x : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise min
  %3 = ane.elementwise min %x, %x : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise div
  %4 = ane.elementwise div %x, %x : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  // CHECK: ane.elementwise pow
  %5 = ane.elementwise pow %x, %x : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  return
}

// CHECK-LABEL: func @activation
func.func @activation(%x: tensor<1x1x1x77xf16>) {
  // CHECK: ane.activation %{{.*}} {function = #ane.act<sigmoid>} : tensor<1x1x1x77xf16> -> tensor<1x1x1x77xf16>
  %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x77xf16> -> tensor<1x1x1x77xf16>
  return
}

// CHECK-LABEL: func @activation_kinds
// CHECK-SAME: #ane.act<relu>, #ane.act<leaky_relu, 1.000000e-01>, #ane.act<clamp, 0.000000e+00, 6.000000e+00>, #ane.act<clamp, -1.000000e+00>, #ane.act<elu, 1.000000e+00>, #ane.act<sigmoid>, #ane.act<tanh>, #ane.act<gelu>, #ane.act<silu>, #ane.act<hard_sigmoid, 2.000000e-01, 5.000000e-01>, #ane.act<hard_swish>, #ane.act<softplus>, #ane.act<exp>, #ane.act<exp2>, #ane.act<log>, #ane.act<log2>, #ane.act<sqrt>, #ane.act<rsqrt, 1.000000e-05>, #ane.act<reciprocal>, #ane.act<abs>, #ane.act<neg>, #ane.act<erf>, #ane.act<floor>, #ane.act<ceil>, #ane.act<round>, #ane.act<sign>, #ane.act<square>, #ane.act<gelu_tanh>, #ane.act<gelu_sigmoid>, #ane.act<scaled_tanh, 1.500000e+00, 2.500000e-01>, #ane.act<softsign>, #ane.act<thresholded_relu, 5.000000e-01>, #ane.act<sin>, #ane.act<cos>, #ane.act<atan>, #ane.act<where_nonzero, 1.000000e+00>, #ane.act<where_positive, 0.000000e+00, 1.000000e+00>, #ane.act<where_negative, 0x7FF0000000000000, 0xFFF0000000000000>, #ane.act<mish>
func.func @activation_kinds() attributes {kinds = [
    #ane.act<relu>, #ane.act<leaky_relu, 0.1>, #ane.act<clamp, 0.0, 6.0>, #ane.act<clamp, -1.0>, #ane.act<elu, 1.0>,
    #ane.act<sigmoid>, #ane.act<tanh>, #ane.act<gelu>, #ane.act<silu>, #ane.act<hard_sigmoid, 0.2, 0.5>,
    #ane.act<hard_swish>, #ane.act<softplus>, #ane.act<exp>, #ane.act<exp2>, #ane.act<log>, #ane.act<log2>,
    #ane.act<sqrt>, #ane.act<rsqrt, 0.00001>, #ane.act<reciprocal>, #ane.act<abs>, #ane.act<neg>, #ane.act<erf>,
    #ane.act<floor>, #ane.act<ceil>, #ane.act<round>, #ane.act<sign>, #ane.act<square>, #ane.act<gelu_tanh>,
    #ane.act<gelu_sigmoid>, #ane.act<scaled_tanh, 1.5, 0.25>, #ane.act<softsign>, #ane.act<thresholded_relu, 0.5>,
    #ane.act<sin>, #ane.act<cos>, #ane.act<atan>, #ane.act<where_nonzero, 1.0>, #ane.act<where_positive, 0.0, 1.0>,
    #ane.act<where_negative, 0x7FF0000000000000, 0xFFF0000000000000>, #ane.act<mish>]} {
  return
}

// CHECK-LABEL: func @pool
func.func @pool(%x: tensor<1x64x112x112xf16>) {
  // CHECK: ane.pool max %{{.*}} {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x64x112x112xf16> -> tensor<1x64x56x56xf16>
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
     : tensor<1x64x112x112xf16> -> tensor<1x64x56x56xf16>
  // CHECK: ane.pool average %{{.*}} {count_include_pad, kernel = array<i64: 7, 7>} : tensor<1x64x112x112xf16> -> tensor<1x64x106x106xf16>
  %0 = ane.pool average %x {kernel = array<i64: 7, 7>, count_include_pad} : tensor<1x64x112x112xf16> -> tensor<1x64x106x106xf16>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<1x64x8x8xf16>) {
  // CHECK: ane.reduce mean %{{.*}} {axes = array<i64: 2, 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x1x1xf16>
  %y = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x1x1xf16>
  // CHECK: ane.reduce sum
  %0 = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  // CHECK: ane.reduce max
  %1 = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x1xf16>
  // CHECK: ane.reduce min
  %2 = ane.reduce min %x {axes = array<i64: 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x1xf16>
  return
}

// CHECK-LABEL: func @concat
func.func @concat(%x: tensor<1x16x8x8xf16>, %y: tensor<1x8x8x8xf16>) {
  // CHECK: ane.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x16x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x24x8x8xf16>
  %z = ane.concat %x, %y {axis = 1 : i64} : tensor<1x16x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x24x8x8xf16>
  return
}

// CHECK-LABEL: func @slice
func.func @slice(%x: tensor<1x16x8x8xf16>) {
  // CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 8, 8, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x8x8x8xf16>
  %y = ane.slice %x {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 8, 8, 8>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x16x8x8xf16> -> tensor<1x8x8x8xf16>
  return
}

// CHECK-LABEL: func @pad
func.func @pad(%x: tensor<1x3x8x8xf16>) {
  // CHECK: ane.pad %{{.*}} {high = array<i64: 0, 0, 1, 1>, low = array<i64: 0, 0, 1, 1>} : tensor<1x3x8x8xf16> -> tensor<1x3x10x10xf16>
  %y = ane.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>}
     : tensor<1x3x8x8xf16> -> tensor<1x3x10x10xf16>
  // CHECK: ane.pad %{{.*}} {high = array<i64: 0, 0, 0, 2>, low = array<i64: 0, 1, 0, 0>, value = -1.000000e+00 : f32}
  %0 = ane.pad %x {low = array<i64: 0, 1, 0, 0>, high = array<i64: 0, 0, 0, 2>, value = -1.0 : f32}
     : tensor<1x3x8x8xf16> -> tensor<1x4x8x10xf16>
  return
}

// CHECK-LABEL: func @transpose
func.func @transpose(%x: tensor<1x8x8x3xf16>) {
  // CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x3xf16> -> tensor<1x3x8x8xf16>
  %y = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x3xf16> -> tensor<1x3x8x8xf16>
  return
}

// CHECK-LABEL: func @reshape
func.func @reshape(%x: tensor<1x512x1x1xf16>) {
  // CHECK: ane.reshape %{{.*}} : tensor<1x512x1x1xf16> -> tensor<1x512xf16>
  %y = ane.reshape %x : tensor<1x512x1x1xf16> -> tensor<1x512xf16>
  return
}

// CHECK-LABEL: func @resize
func.func @resize(%x: tensor<1x8x4x4xf16>) {
  // CHECK: ane.resize nearest %{{.*}} : tensor<1x8x4x4xf16> -> tensor<1x8x8x8xf16>
  %y = ane.resize nearest %x : tensor<1x8x4x4xf16> -> tensor<1x8x8x8xf16>
  // CHECK: ane.resize bilinear %{{.*}} {half_pixel} : tensor<1x8x4x4xf16> -> tensor<1x8x6x8xf16>
  %0 = ane.resize bilinear %x {half_pixel} : tensor<1x8x4x4xf16> -> tensor<1x8x6x8xf16>
  // CHECK: ane.resize bilinear %{{.*}} {align_corners}
  %1 = ane.resize bilinear %x {align_corners} : tensor<1x8x4x4xf16> -> tensor<1x8x6x8xf16>
  return
}

// CHECK-LABEL: func @cast
func.func @cast(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  // CHECK: ane.cast %{{.*}} : tensor<1x3x8x8xf32> -> tensor<1x3x8x8xf16>
  %y = ane.cast %x : tensor<1x3x8x8xf32> -> tensor<1x3x8x8xf16>
  // CHECK: ane.cast %{{.*}} : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xi8>
  %0 = ane.cast %y : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xi8>
  // CHECK: ane.cast %{{.*}} : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xui8>
  %1 = ane.cast %y : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xui8>
  // CHECK: ane.cast %{{.*}} : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xf32>
  %2 = ane.cast %y : tensor<1x3x8x8xf16> -> tensor<1x3x8x8xf32>
  return %2 : tensor<1x3x8x8xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w0: "0x040000000000803F00000040"
    }
  }
#-}

// CHECK-LABEL: func @compare
func.func @compare(%x: tensor<1x8x8x8xf16>, %y: tensor<1x8x1x1xf16>) {
  // CHECK: ane.compare gt %{{.*}}, %{{.*}} : tensor<1x8x8x8xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x8xf16>
  %c = ane.compare gt %x, %y : tensor<1x8x8x8xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x8xf16>
  return
}

// CHECK-LABEL: func @select
func.func @select(%c: tensor<1x1x8x8xui8>, %x: tensor<1x8x8x8xf16>, %y: tensor<1x8x1x1xf16>) {
  // CHECK: ane.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x1x8x8xui8>, tensor<1x8x8x8xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x8xf16>
  %z = ane.select %c, %x, %y : tensor<1x1x8x8xui8>, tensor<1x8x8x8xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x8xf16>
  return
}

// CHECK-LABEL: func @softmax
func.func @softmax(%x: tensor<1x12x64x64xf16>) {
  // CHECK: ane.softmax %{{.*}} {axis = 3 : i64} : tensor<1x12x64x64xf16> -> tensor<1x12x64x64xf16>
  %y = ane.softmax %x {axis = 3 : i64} : tensor<1x12x64x64xf16> -> tensor<1x12x64x64xf16>
  return
}

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<1x8x16x64xf16>, %k: tensor<1x2x64x20xf16>, %v: tensor<1x2x20x32xf16>, %m: tensor<1x1x16x20xf16>,
                     %s: tensor<1x8x16x1xf16>, %r: tensor<1x8x16x4xf16>, %c: tensor<1x8x16x5xf16>) {
  // CHECK: ane.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {scale = 1.250000e-01 : f32, transpose_key} : tensor<1x8x16x64xf16>, tensor<1x2x64x20xf16>, tensor<1x2x20x32xf16> mask tensor<1x1x16x20xf16> -> tensor<1x8x16x32xf16>
  %0 = ane.attention %q, %k, %v mask %m {scale = 1.250000e-01 : f32, transpose_key}
     : tensor<1x8x16x64xf16>, tensor<1x2x64x20xf16>, tensor<1x2x20x32xf16> mask tensor<1x1x16x20xf16>
     -> tensor<1x8x16x32xf16>
  // CHECK: ane.attention %{{.*}}, %{{.*}}, %{{.*}} sink %{{.*}} terms %{{.*}}, %{{.*}} {cap = #ane.act<scaled_tanh, 5.000000e+01, 1.000000e+00>, term_strides = array<i64: 5, 1>, transpose_key, transpose_result} : tensor<1x8x16x64xf16>, tensor<1x2x64x20xf16>, tensor<1x2x20x32xf16> sink tensor<1x8x16x1xf16> terms tensor<1x8x16x4xf16>, tensor<1x8x16x5xf16> -> tensor<1x8x32x16xf16>
  %1 = ane.attention %q, %k, %v sink %s terms %r, %c {cap = #ane.act<scaled_tanh, 50.0, 1.0>, term_strides = array<i64: 5, 1>, transpose_key, transpose_result}
     : tensor<1x8x16x64xf16>, tensor<1x2x64x20xf16>, tensor<1x2x20x32xf16> sink tensor<1x8x16x1xf16>
       terms tensor<1x8x16x4xf16>, tensor<1x8x16x5xf16> -> tensor<1x8x32x16xf16>
  // CHECK: ane.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {transpose_query, transpose_scores, transpose_value} : tensor<64x16xf16>, tensor<20x64xf16>, tensor<32x20xf16> mask tensor<20x1xf16> -> tensor<16x32xf16>
  %q2 = ane.constant dense<1.0> : tensor<64x16xf16>
  %k2 = ane.constant dense<1.0> : tensor<20x64xf16>
  %v2 = ane.constant dense<1.0> : tensor<32x20xf16>
  %m2 = ane.constant dense<1.0> : tensor<20x1xf16>
  %2 = ane.attention %q2, %k2, %v2 mask %m2 {transpose_query, transpose_scores, transpose_value}
     : tensor<64x16xf16>, tensor<20x64xf16>, tensor<32x20xf16> mask tensor<20x1xf16> -> tensor<16x32xf16>
  return
}

// CHECK-LABEL: func @norms
func.func @norms(%x: tensor<1x64x768xf16>, %g: tensor<768xf16>) {
  // CHECK: ane.layer_norm %{{.*}} gamma %{{.*}} beta %{{.*}} {axes = array<i64: 2>, epsilon = 9.99999974E-6 : f32} : tensor<1x64x768xf16> gamma tensor<768xf16> beta tensor<768xf16> -> tensor<1x64x768xf16>
  %0 = ane.layer_norm %x gamma %g beta %g {axes = array<i64: 2>, epsilon = 1.0e-5 : f32}
     : tensor<1x64x768xf16> gamma tensor<768xf16> beta tensor<768xf16> -> tensor<1x64x768xf16>
  // CHECK: ane.layer_norm %{{.*}} {axes = array<i64: 1, 2>, epsilon = 0.000000e+00 : f32} : tensor<1x64x768xf16> -> tensor<1x64x768xf16>
  %1 = ane.layer_norm %x {axes = array<i64: 1, 2>, epsilon = 0.0 : f32} : tensor<1x64x768xf16> -> tensor<1x64x768xf16>
  // CHECK: ane.rms_norm %{{.*}} gamma %{{.*}} {axes = array<i64: 2>, epsilon = 1.000000e+00 : f32} : tensor<1x64x768xf16> gamma tensor<768xf16> -> tensor<1x64x768xf16>
  %2 = ane.rms_norm %x gamma %g {axes = array<i64: 2>, epsilon = 1.0 : f32} : tensor<1x64x768xf16> gamma tensor<768xf16> -> tensor<1x64x768xf16>
  return
}

// CHECK-LABEL: func @interleave
func.func @interleave(%x: tensor<1x8x4x8xf16>) {
  // CHECK: ane.interleave %{{.*}} {factor = 2 : i64} : tensor<1x8x4x8xf16> -> tensor<1x4x4x16xf16>
  %y = ane.interleave %x {factor = 2 : i64} : tensor<1x8x4x8xf16> -> tensor<1x4x4x16xf16>
  return
}

// CHECK-LABEL: func @runtime_conv
func.func @runtime_conv(%x: tensor<1x32x2x96xf16>, %c: tensor<1x16x2x128xf16>, %d: tensor<1x7x1x32xf16>) {
  // CHECK: ane.runtime_conv %{{.*}}, %{{.*}} {lanes = 4 : i64} : tensor<1x32x2x96xf16>, tensor<1x16x2x128xf16> -> tensor<1x64x2x96xf16>
  %0 = ane.runtime_conv %x, %c {lanes = 4 : i64} : tensor<1x32x2x96xf16>, tensor<1x16x2x128xf16> -> tensor<1x64x2x96xf16>
  // CHECK: ane.runtime_conv %{{.*}}, %{{.*}} : tensor<1x32x2x96xf16>, tensor<1x7x1x32xf16> -> tensor<1x7x2x96xf16>
  %1 = ane.runtime_conv %x, %d : tensor<1x32x2x96xf16>, tensor<1x7x1x32xf16> -> tensor<1x7x2x96xf16>
  return
}

// CHECK-LABEL: func @tile
func.func @tile(%x: tensor<1x8x1x8xf16>) {
  // CHECK: ane.tile %{{.*}} {repeats = array<i64: 1, 1, 4, 1>} : tensor<1x8x1x8xf16> -> tensor<1x8x4x8xf16>
  %y = ane.tile %x {repeats = array<i64: 1, 1, 4, 1>} : tensor<1x8x1x8xf16> -> tensor<1x8x4x8xf16>
  return
}
