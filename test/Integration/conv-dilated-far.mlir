// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A dilation larger than any kernel, as in atrous pyramids

func.func @net(%arg0: tensor<1x16x33x33xf32>) -> tensor<1x12x33x33xf32> {
  %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x16x33x33xf32>) -> tensor<1x33x33x16xf32>
  %2 = "tosa.const"() <{values = dense_resource<random_1_20> : tensor<6xf32>}> : () -> tensor<6xf32>
  %3 = "tosa.const"() <{values = dense_resource<random_2_26> : tensor<6x16x3x3xf32>}> : () -> tensor<6x16x3x3xf32>
  %4 = "tosa.transpose"(%3) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<6x16x3x3xf32>) -> tensor<6x3x3x16xf32>
  %5 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %6 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %7 = "tosa.conv2d"(%1, %4, %2, %5, %6) <{dilation = array<i64: 12, 12>, pad = array<i64: 12, 12, 12, 12>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x33x33x16xf32>, tensor<6x3x3x16xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x33x33x6xf32>
  %8 = "tosa.transpose"(%7) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x33x33x6xf32>) -> tensor<1x6x33x33xf32>
  %9 = "tosa.clamp"(%8) <{min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32}> : (tensor<1x6x33x33xf32>) -> tensor<1x6x33x33xf32>
  %10 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x16x33x33xf32>) -> tensor<1x33x33x16xf32>
  %11 = "tosa.const"() <{values = dense_resource<random_3_20> : tensor<6xf32>}> : () -> tensor<6xf32>
  %12 = "tosa.const"() <{values = dense_resource<random_4_26> : tensor<6x16x3x3xf32>}> : () -> tensor<6x16x3x3xf32>
  %13 = "tosa.transpose"(%12) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<6x16x3x3xf32>) -> tensor<6x3x3x16xf32>
  %14 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %15 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %16 = "tosa.conv2d"(%10, %13, %11, %14, %15) <{dilation = array<i64: 18, 18>, pad = array<i64: 18, 18, 18, 18>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x33x33x16xf32>, tensor<6x3x3x16xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x33x33x6xf32>
  %17 = "tosa.transpose"(%16) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x33x33x6xf32>) -> tensor<1x6x33x33xf32>
  %18 = "tosa.clamp"(%17) <{min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32}> : (tensor<1x6x33x33xf32>) -> tensor<1x6x33x33xf32>
  %19 = "tosa.concat"(%9, %18) <{axis = 1 : i32}> : (tensor<1x6x33x33xf32>, tensor<1x6x33x33xf32>) -> tensor<1x12x33x33xf32>
  %20 = "tosa.transpose"(%19) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x12x33x33xf32>) -> tensor<1x33x33x12xf32>
  %21 = "tosa.const"() <{values = dense_resource<random_5_20> : tensor<12xf32>}> : () -> tensor<12xf32>
  %22 = "tosa.const"() <{values = dense_resource<random_6_53> : tensor<12x1x3x3xf32>}> : () -> tensor<12x1x3x3xf32>
  %23 = "tosa.transpose"(%22) <{perms = array<i32: 2, 3, 0, 1>}> : (tensor<12x1x3x3xf32>) -> tensor<3x3x12x1xf32>
  %24 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %25 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %26 = "tosa.depthwise_conv2d"(%20, %23, %21, %24, %25) <{dilation = array<i64: 14, 14>, pad = array<i64: 14, 14, 14, 14>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x33x33x12xf32>, tensor<3x3x12x1xf32>, tensor<12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x33x33x12xf32>
  %27 = "tosa.transpose"(%26) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x33x33x12xf32>) -> tensor<1x12x33x33xf32>
  %28 = "tosa.clamp"(%27) <{min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32}> : (tensor<1x12x33x33xf32>) -> tensor<1x12x33x33xf32>
  return %28 : tensor<1x12x33x33xf32>
}
