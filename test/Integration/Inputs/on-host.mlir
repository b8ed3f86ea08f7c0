// Each function of scalars, and the attributes of the other ops that the host can do.
func.func @net(%x: tensor<1x4x6x10xf16>) -> (tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x3x6xf16>, tensor<1x4x3x6xf16>, tensor<1x4x3x6xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x8x5x5xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x8x13xf16>) {
  %p0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %tenth = ane.constant dense<0.125> : tensor<1x1x1x1xf16>
  %p = ane.elementwise add %p0, %tenth : tensor<1x4x6x10xf16>, tensor<1x1x1x1xf16> -> tensor<1x4x6x10xf16>
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %1 = ane.activation %x {function = #ane.act<leaky_relu, 0.1>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %2 = ane.activation %x {function = #ane.act<clamp, -0.25, 0.5>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %3 = ane.activation %x {function = #ane.act<elu, 0.7>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %4 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %5 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %6 = ane.activation %x {function = #ane.act<gelu>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %7 = ane.activation %x {function = #ane.act<silu>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %8 = ane.activation %x {function = #ane.act<hard_sigmoid, 0.2, 0.5>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %9 = ane.activation %x {function = #ane.act<hard_swish>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %10 = ane.activation %x {function = #ane.act<softplus>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %11 = ane.activation %x {function = #ane.act<exp>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %12 = ane.activation %x {function = #ane.act<exp2>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %13 = ane.activation %p {function = #ane.act<log>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %14 = ane.activation %p {function = #ane.act<log2>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %15 = ane.activation %p {function = #ane.act<sqrt>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %16 = ane.activation %p {function = #ane.act<rsqrt, 0.25>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %17 = ane.activation %p {function = #ane.act<reciprocal>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %18 = ane.activation %x {function = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %19 = ane.activation %x {function = #ane.act<neg>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %20 = ane.activation %x {function = #ane.act<erf>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %21 = ane.activation %x {function = #ane.act<floor>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %22 = ane.activation %x {function = #ane.act<ceil>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %23 = ane.activation %x {function = #ane.act<round>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %24 = ane.activation %x {function = #ane.act<sign>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %25 = ane.activation %x {function = #ane.act<square>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %26 = ane.activation %x {function = #ane.act<gelu_tanh>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %27 = ane.activation %x {function = #ane.act<gelu_sigmoid>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %28 = ane.activation %x {function = #ane.act<scaled_tanh, 1.5, 0.7>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %29 = ane.activation %x {function = #ane.act<softsign>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %30 = ane.activation %x {function = #ane.act<thresholded_relu, 0.4>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %31 = ane.activation %x {function = #ane.act<sin>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %32 = ane.activation %x {function = #ane.act<cos>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %33 = ane.activation %x {function = #ane.act<atan>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %34 = ane.activation %x {function = #ane.act<where_nonzero, 2.0, 3.0>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %35 = ane.activation %x {function = #ane.act<where_positive, 2.0, 3.0>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %36 = ane.activation %x {function = #ane.act<where_negative, 2.0, 3.0>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %37 = ane.activation %x {function = #ane.act<trunc>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %38 = ane.activation %x {function = #ane.act<fraction>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %39 = ane.activation %x {function = #ane.act<sin_quarter>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %40 = ane.activation %x {function = #ane.act<atan_unit>} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %41 = ane.elementwise add %x, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %42 = ane.elementwise sub %x, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %43 = ane.elementwise mul %x, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %44 = ane.elementwise max %x, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %45 = ane.elementwise min %x, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %46 = ane.elementwise div %p, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %47 = ane.elementwise pow %p, %p {scale = 2.0 : f32, bias = -0.5 : f32, activation = #ane.act<relu>} : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %48 = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 2>} : tensor<1x4x6x10xf16> -> tensor<1x4x3x6xf16>
  %49 = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 2>} : tensor<1x4x6x10xf16> -> tensor<1x4x3x6xf16>
  %50 = ane.pool average %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 2>, count_include_pad} : tensor<1x4x6x10xf16> -> tensor<1x4x3x6xf16>
  %51 = ane.reduce sum %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %52 = ane.reduce mean %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %53 = ane.reduce max %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %54 = ane.reduce min %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %55 = ane.reduce sum_square %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %56 = ane.reduce mean_square %x {axes = array<i64: 1, 3>, activation = #ane.act<abs>} : tensor<1x4x6x10xf16> -> tensor<1x1x6x1xf16>
  %w = ane.constant dense_resource<random_1> : tensor<8x2x3x3xf16>
  %b = ane.constant dense_resource<random_2> : tensor<8xf16>
  %s = ane.constant dense_resource<random_3> : tensor<8xf16>
  %57 = ane.conv %x, %w bias %b scale %s {groups = 2 : i64, strides = array<i64: 1, 2>, pad = array<i64: 1, 2, 0, 1>, dilations = array<i64: 2, 1>, activation = #ane.act<tanh>} : tensor<1x4x6x10xf16>, tensor<8x2x3x3xf16>, tensor<8xf16> scale tensor<8xf16> -> tensor<1x8x5x5xf16>
  %g = ane.constant dense_resource<random_4> : tensor<6x10xf16>
  %58 = ane.layer_norm %x gamma %g beta %g {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x6x10xf16> gamma tensor<6x10xf16> beta tensor<6x10xf16> -> tensor<1x4x6x10xf16>
  %59 = ane.rms_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x4x6x10xf16> -> tensor<1x4x6x10xf16>
  %60 = ane.pad %x {low = array<i64: 0, 0, 2, 0>, high = array<i64: 0, 0, 0, 3>, value = -1.5 : f32} : tensor<1x4x6x10xf16> -> tensor<1x4x8x13xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60 : tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x3x6xf16>, tensor<1x4x3x6xf16>, tensor<1x4x3x6xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x1x6x1xf16>, tensor<1x8x5x5xf16>, tensor<1x4x6x10xf16>, tensor<1x4x6x10xf16>, tensor<1x4x8x13xf16>
}
