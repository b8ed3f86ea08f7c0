// RUN: ane-opt %s --convert-ane-to-mil --split-input-file | FileCheck %s
// Every one of them has a text.
// RUN: ane-opt %s --convert-ane-to-mil --split-input-file | ane-translate --to-mil --weights-dir=%t --split-input-file | FileCheck %s --check-prefix=TEXT
// TEXT-COUNT-12: program(1.3)

// CHECK-LABEL: mil.program version "1.3" {buildInfo = {"coremlc-component-MIL" = "3520.4.1", "coremlc-version" = "3520.5.1", "mlir-ane" = "{{.*}}"}}
// CHECK-NEXT: mil.func @main opset "ios18" (%input0: tensor<1x4x8x8xf16>) names ["input0"] {} {
// CHECK: %[[W:.*]] = mil.const dense_resource<{{.*}}> : tensor<4x1x3x3xf32> {name = "c0" : !mil.string} as "c0" : tensor<4x1x3x3xf16>
// CHECK: %[[DIL:.*]] = mil.const dense<[1, 2]> : tensor<2xi32> {name = "v1_conv_dilations" : !mil.string} as "v1_conv_dilations" : tensor<2xi32>
// CHECK: %[[G:.*]] = mil.const 4 : i32
// CHECK: %[[P:.*]] = mil.const dense<[1, 0, 2, 1]> : tensor<4xi32>
// CHECK: %[[PT:.*]] = mil.const "custom" : !mil.string
// CHECK: %[[S:.*]] = mil.const dense<[2, 1]> : tensor<2xi32>
// CHECK: %[[C:.*]] = mil.op "conv"(dilations = %[[DIL]], groups = %[[G]], pad = %[[P]], pad_type = %[[PT]], strides = %[[S]], weight = %[[W]], x = %input0) {name = "v1_conv" : !mil.string} as "v1_conv"
// CHECK: %[[SC:.*]] = mil.const dense<{{.*}}> : tensor<1x4x1x1xf32> {{.*}} : tensor<1x4x1x1xf16>
// CHECK: %[[M:.*]] = mil.op "mul"(x = %[[C]], y = %[[SC]])
// CHECK: %[[B:.*]] = mil.const dense<{{.*}}> : tensor<1x4x1x1xf16>
// CHECK: %[[A:.*]] = mil.op "add"(x = %[[M]], y = %[[B]])
// CHECK: %[[SIG:.*]] = mil.op "sigmoid"(x = %[[A]])
// CHECK: %output0 = mil.op "mul"(x = %[[A]], y = %[[SIG]]) {name = "output0" : !mil.string} as "output0"
// CHECK: mil.return %output0
func.func @conv(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x4x7xf16> {
  %w = ane.constant dense<1.0> : tensor<4x1x3x3xf32>
  %s = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = ane.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  %y = ane.conv %x, %w bias %b scale %s {strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, groups = 4, activation = #ane.act<silu>}
    : tensor<1x4x8x8xf16>, tensor<4x1x3x3xf32>, tensor<4xf16> scale tensor<4xf32> -> tensor<1x4x4x7xf16>
  return %y : tensor<1x4x4x7xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: mil.op "conv_transpose"(dilations = %{{.*}}, groups = %{{.*}}, pad = %{{.*}}, pad_type = %{{.*}}, strides = %{{.*}}, weight = %{{.*}}, x = %input0) {{.*}} -> tensor<1x3x8x8xf16>
func.func @conv_transpose(%x: tensor<1x4x4x4xf16>) -> tensor<1x3x8x8xf16> {
  %w = ane.constant dense<1.0> : tensor<4x3x2x2xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>} : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
  return %y : tensor<1x3x8x8xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: %[[TX:.*]] = mil.const false {{.*}} as "v0_matmul_transpose_x"
// CHECK: %[[TY:.*]] = mil.const true {{.*}} as "v0_matmul_transpose_y"
// CHECK: %[[M:.*]] = mil.op "matmul"(transpose_x = %[[TX]], transpose_y = %[[TY]], x = %input0, y = %input1)
// CHECK: %output0 = mil.op "tanh"(x = %[[M]])
func.func @matmul(%a: tensor<1x2x4xf16>, %b: tensor<1x3x4xf16>) -> tensor<1x2x3xf16> {
  %y = ane.matmul %a, %b {transpose_rhs, activation = #ane.act<tanh>} : tensor<1x2x4xf16>, tensor<1x3x4xf16> -> tensor<1x2x3xf16>
  return %y : tensor<1x2x3xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: %[[A:.*]] = mil.op "add"(x = %input0, y = %input1)
// CHECK: %[[TWO:.*]] = mil.const 2.000000e+00 : f16
// CHECK: %[[M:.*]] = mil.op "mul"(x = %[[A]], y = %[[TWO]])
// CHECK: %[[ONE:.*]] = mil.const -1.000000e+00 : f16
// CHECK: %[[B:.*]] = mil.op "add"(x = %[[M]], y = %[[ONE]])
// CHECK: %[[R:.*]] = mil.op "relu"(x = %[[B]])
// CHECK: %[[S:.*]] = mil.op "sub"(x = %[[R]], y = %input1)
// CHECK: %[[K:.*]] = mil.const dense<3.000000e+00> : tensor<1x1x1x1xf32> {{.*}} : tensor<1x1x1x1xf16>
// CHECK: %[[L:.*]] = mil.op "mul"(x = %[[S]], y = %[[K]])
// CHECK: %[[MAX:.*]] = mil.op "maximum"(x = %[[L]], y = %input0)
// CHECK: %[[MIN:.*]] = mil.op "minimum"(x = %[[MAX]], y = %input0)
// CHECK: %[[D:.*]] = mil.op "real_div"(x = %[[MIN]], y = %input0)
// CHECK: %output0 = mil.op "pow"(x = %[[D]], y = %input0)
func.func @elementwise(%x: tensor<1x2x4x4xf16>, %y: tensor<1x2x1x1xf16>) -> tensor<1x2x4x4xf16> {
  %k = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise add %x, %y {scale = 2.0 : f32, bias = -1.0 : f32, activation = #ane.act<relu>} : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise sub %0, %y : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %1, %k : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise max %2, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise min %3, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %5 = ane.elementwise div %4, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %6 = ane.elementwise pow %5, %x : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %6 : tensor<1x2x4x4xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: mil.op "relu"(x = %
// CHECK: %[[ALPHA:.*]] = mil.const 9.997{{.*}}e-02 : f16 {{.*}} as "v1_leaky_relu_alpha"
// CHECK: mil.op "leaky_relu"(alpha = %[[ALPHA]], x = %
// CHECK: mil.op "clip"(alpha = %{{.*}}, beta = %{{.*}}, x = %
// CHECK: mil.op "elu"(alpha = %{{.*}}, x = %
// CHECK: mil.op "sigmoid"(x = %
// CHECK: %[[T:.*]] = mil.op "tanh"(x = %
// gelu
// CHECK: mil.const 5.000000e-01 : f16
// CHECK: %[[G3:.*]] = mil.op "mul"(x = %[[T]], y = %
// CHECK: mil.const 7.070{{.*}}e-01 : f16
// CHECK: %[[G0:.*]] = mil.op "mul"(x = %[[T]], y = %
// CHECK: %[[G1:.*]] = mil.op "erf"(x = %[[G0]])
// CHECK: %[[G2:.*]] = mil.op "add"(x = %[[G1]], y = %
// CHECK: %[[G:.*]] = mil.op "mul"(x = %[[G3]], y = %[[G2]])
// CHECK: %[[H:.*]] = mil.op "sigmoid_hard"(alpha = %{{.*}}, beta = %{{.*}}, x = %[[G]])
// hard_swish
// CHECK: %[[SIXTH:.*]] = mil.const 1.666{{.*}}e-01 : f16
// CHECK: %[[HALF:.*]] = mil.const 5.000000e-01 : f16
// CHECK: %[[HS:.*]] = mil.op "sigmoid_hard"(alpha = %[[SIXTH]], beta = %[[HALF]], x = %[[H]])
// CHECK: mil.op "mul"(x = %[[H]], y = %[[HS]])
// CHECK: mil.op "softplus"(x = %
// CHECK: mil.op "exp"(x = %
// CHECK: mil.op "exp2"(x = %
// CHECK: mil.const 0.000000e+00 : f16 {{.*}}_log_epsilon"
// CHECK: mil.op "log"(epsilon = %{{.*}}, x = %
// log2
// CHECK: %[[LN:.*]] = mil.op "log"(epsilon = %{{.*}}, x = %
// CHECK: mil.const 1.442{{.*}} : f16
// CHECK: mil.op "mul"(x = %[[LN]], y = %
// CHECK: mil.op "sqrt"(x = %
// CHECK: mil.const 2.000000e+00 : f16 {{.*}}_rsqrt_epsilon"
// CHECK: mil.op "rsqrt"(epsilon = %{{.*}}, x = %
// CHECK: mil.const 0.000000e+00 : f16 {{.*}}_inverse_epsilon"
// CHECK: mil.op "inverse"(epsilon = %{{.*}}, x = %
// CHECK: mil.op "abs"(x = %
// CHECK: mil.const -1.000000e+00 : f16
// CHECK: mil.op "mul"(x = %
// CHECK: mil.op "erf"(x = %
// CHECK: mil.op "floor"(x = %
// CHECK: mil.op "ceil"(x = %
func.func @activations(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %1 = ane.activation %0 {function = #ane.act<leaky_relu, 0.1>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %2 = ane.activation %1 {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %3 = ane.activation %2 {function = #ane.act<elu, 1.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %4 = ane.activation %3 {function = #ane.act<sigmoid>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %5 = ane.activation %4 {function = #ane.act<tanh>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %6 = ane.activation %5 {function = #ane.act<gelu>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %7 = ane.activation %6 {function = #ane.act<hard_sigmoid, 0.2, 0.5>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %8 = ane.activation %7 {function = #ane.act<hard_swish>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %9 = ane.activation %8 {function = #ane.act<softplus>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %10 = ane.activation %9 {function = #ane.act<exp>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %11 = ane.activation %10 {function = #ane.act<exp2>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %12 = ane.activation %11 {function = #ane.act<log>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %13 = ane.activation %12 {function = #ane.act<log2>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %14 = ane.activation %13 {function = #ane.act<sqrt>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %15 = ane.activation %14 {function = #ane.act<rsqrt, 2.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %16 = ane.activation %15 {function = #ane.act<reciprocal>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %17 = ane.activation %16 {function = #ane.act<abs>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %18 = ane.activation %17 {function = #ane.act<neg>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %19 = ane.activation %18 {function = #ane.act<erf>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %20 = ane.activation %19 {function = #ane.act<floor>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %21 = ane.activation %20 {function = #ane.act<ceil>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %21 : tensor<1x1x1x8xf16>
}

// -----

// A clamp with a bound that fp16 does not reach has one side.
// CHECK-LABEL: mil.program
// CHECK: %[[A:.*]] = mil.op "relu"(x = %input0)
// CHECK: mil.const -2.000000e+00 : f16
// CHECK: %[[B:.*]] = mil.op "maximum"(x = %[[A]],
// CHECK: mil.const 2.000000e+00 : f16
// CHECK: %output0 = mil.op "minimum"(x = %[[B]],
func.func @clamp(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<clamp, 0.0, 3.4e38>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %1 = ane.activation %0 {function = #ane.act<clamp, -2.0, 1.0e6>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %2 = ane.activation %1 {function = #ane.act<clamp, -1.0e6, 2.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %2 : tensor<1x1x1x8xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: mil.op "max_pool"(ceil_mode = %{{.*}}, kernel_sizes = %{{.*}}, pad = %{{.*}}, pad_type = %{{.*}}, strides = %{{.*}}, x = %input0)
// CHECK: %[[E:.*]] = mil.const true {{.*}}_exclude_padding_from_average"
// CHECK: mil.op "avg_pool"(ceil_mode = %{{.*}}, exclude_padding_from_average = %[[E]], kernel_sizes =
// CHECK: %[[I:.*]] = mil.const false {{.*}}_exclude_padding_from_average"
// CHECK: mil.op "avg_pool"(ceil_mode = %{{.*}}, exclude_padding_from_average = %[[I]], kernel_sizes =
func.func @pool(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %0 = ane.pool max %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.pool average %0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %2 = ane.pool average %1 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, count_include_pad} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %2 : tensor<1x4x8x8xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: %[[AXES:.*]] = mil.const dense<[2, 3]> : tensor<2xi32>
// CHECK: %[[KEEP:.*]] = mil.const true
// CHECK: %[[SUM:.*]] = mil.op "reduce_sum"(axes = %[[AXES]], keep_dims = %[[KEEP]], x = %input0)
// A root behind a reduction is a power.
// CHECK: mil.const -5.000000e-01 : f16
// CHECK: mil.op "pow"(x = %[[SUM]],
// CHECK: mil.op "reduce_mean"(
// CHECK: mil.op "reduce_max"(
// CHECK: mil.op "reduce_min"(
func.func @reduce(%x: tensor<1x4x8x8xf16>) -> tensor<1x1x1x1xf16> {
  %0 = ane.reduce sum %x {axes = array<i64: 2, 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x1x1xf16>
  %1 = ane.activation %0 {function = #ane.act<rsqrt>} : tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>
  %2 = ane.reduce mean %1 {axes = array<i64: 1>} : tensor<1x4x1x1xf16> -> tensor<1x1x1x1xf16>
  %3 = ane.reduce max %2 {axes = array<i64: 3>} : tensor<1x1x1x1xf16> -> tensor<1x1x1x1xf16>
  %4 = ane.reduce min %3 {axes = array<i64: 3>} : tensor<1x1x1x1xf16> -> tensor<1x1x1x1xf16>
  return %4 : tensor<1x1x1x1xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: %[[AXIS:.*]] = mil.const 1 : i32
// CHECK: %[[IL:.*]] = mil.const false
// CHECK: %[[C:.*]] = mil.op "concat"(axis = %[[AXIS]], interleave = %[[IL]], values = (%input0, %input0))
// CHECK: mil.const dense<[0, 1, 0, 2]>
// CHECK: mil.const dense<[1, 2, 8, 4]>
// CHECK: %[[S:.*]] = mil.op "slice_by_size"(begin = %{{.*}}, size = %{{.*}}, x = %[[C]])
// CHECK: mil.const dense<[0, 0, 1, 0]>
// CHECK: mil.const dense<[1, 2, 8, 4]>
// CHECK: mil.const dense<[1, 1, 3, 1]>
// CHECK: %[[I:.*]] = mil.op "slice_by_index"(begin = %{{.*}}, end = %{{.*}}, stride = %{{.*}}, x = %[[S]])
// CHECK: mil.const 7.000000e+00 : f16
// CHECK: mil.const "constant" : !mil.string
// CHECK: mil.const dense<[0, 0, 0, 0, 1, 2, 3, 4]> : tensor<8xi32>
// CHECK: %[[P:.*]] = mil.op "pad"(constant_val = %{{.*}}, mode = %{{.*}}, pad = %{{.*}}, x = %[[I]])
// CHECK: mil.const dense<[0, 1, 3, 2]>
// CHECK: %[[T:.*]] = mil.op "transpose"(perm = %{{.*}}, x = %[[P]])
// CHECK: mil.const dense<[1, 132]>
// CHECK: mil.op "reshape"(shape = %{{.*}}, x = %[[T]])
func.func @shapes(%x: tensor<1x2x8x8xf16>) -> tensor<1x132xf16> {
  %0 = ane.concat %x, %x {axis = 1 : i64} : tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 1, 0, 2>, sizes = array<i64: 1, 2, 8, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x2x8x4xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 2, 3, 4>, strides = array<i64: 1, 1, 3, 1>} : tensor<1x2x8x4xf16> -> tensor<1x2x3x4xf16>
  %3 = ane.pad %2 {low = array<i64: 0, 0, 1, 3>, high = array<i64: 0, 0, 2, 4>, value = 7.0 : f32} : tensor<1x2x3x4xf16> -> tensor<1x2x6x11xf16>
  %4 = ane.transpose %3 {perm = array<i64: 0, 1, 3, 2>} : tensor<1x2x6x11xf16> -> tensor<1x2x11x6xf16>
  %5 = ane.reshape %4 : tensor<1x2x11x6xf16> -> tensor<1x132xf16>
  return %5 : tensor<1x132xf16>
}

// -----

// CHECK-LABEL: mil.program
// CHECK: mil.const 2 : i32
// CHECK: mil.const 3 : i32
// CHECK: mil.op "upsample_nearest_neighbor"(scale_factor_height = %{{.*}}, scale_factor_width = %{{.*}}, x = %input0)
// CHECK: mil.const "STRICT_ALIGN_CORNERS" : !mil.string
// CHECK: mil.const 9 : i32
// CHECK: mil.const 13 : i32
// CHECK: mil.op "resize_bilinear"(sampling_mode = %{{.*}}, target_size_height = %{{.*}}, target_size_width = %{{.*}}, x =
// CHECK: mil.const "UNALIGN_CORNERS" : !mil.string
// CHECK: mil.const "DEFAULT" : !mil.string
func.func @resize(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x6x7xf16> {
  %0 = ane.resize nearest %x : tensor<1x2x4x4xf16> -> tensor<1x2x8x12xf16>
  %1 = ane.resize bilinear %0 {align_corners} : tensor<1x2x8x12xf16> -> tensor<1x2x9x13xf16>
  %2 = ane.resize bilinear %1 {half_pixel} : tensor<1x2x9x13xf16> -> tensor<1x2x5x5xf16>
  %3 = ane.resize bilinear %2 : tensor<1x2x5x5xf16> -> tensor<1x2x6x7xf16>
  return %3 : tensor<1x2x6x7xf16>
}

// -----

// A cast of MIL leaves the fraction away.
// CHECK-LABEL: mil.program
// CHECK: %[[ROUND:.*]] = mil.op "round"(x = %input0)
// CHECK: %[[LOW:.*]] = mil.const -1.280000e+02 : f16
// CHECK: %[[HIGH:.*]] = mil.const 1.270000e+02 : f16
// CHECK: %[[CLIP:.*]] = mil.op "clip"(alpha = %[[LOW]], beta = %[[HIGH]], x = %[[ROUND]])
// CHECK: mil.const "int8" : !mil.string
// CHECK: mil.op "cast"(dtype = %{{.*}}, x = %[[CLIP]]) {{.*}} -> tensor<1x2x4x4xi8>
// CHECK: mil.const "fp16" : !mil.string
// CHECK: %output0 = mil.op "cast"(dtype = %{{.*}}, x = %{{.*}}) {{.*}} -> tensor<1x2x4x4xf16>
func.func @cast(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %0 = ane.cast %x : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xi8>
  %1 = ane.cast %0 : tensor<1x2x4x4xi8> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// What is an input already is copied; bytes cannot be multiplied by one.
// CHECK-LABEL: mil.program
// CHECK: %output0 = mil.op "identity"(x = %input0) {{.*}} -> tensor<1x4xui8>
func.func @bytes(%x: tensor<1x4xui8>) -> tensor<1x4xui8> {
  return %x : tensor<1x4xui8>
}

// -----

// A function of half of the argument, as ane-decompose writes them.
// CHECK-LABEL: mil.program
// CHECK: %[[H:.*]] = mil.op "mul"(x = %input0, y = %{{.*}})
// CHECK: %[[S:.*]] = mil.op "sigmoid"(x = %[[H]])
// CHECK: mil.op "mul"(x = %[[H]], y = %[[S]])
func.func @stretched(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<silu, 2.0>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %0 : tensor<1x1x1x8xf16>
}
