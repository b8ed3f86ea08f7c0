// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Convolutions along a sequence: every fifth sample, a depthwise window of 31.

func.func @net(%in0: tensor<1x1x320xf32>) -> tensor<1x24x31xf32> {
  %w0 = "tosa.const"() <{values = dense_resource<random_1_10> : tensor<16xf32>}> : () -> tensor<16xf32>
  %w1 = "tosa.const"() <{values = dense_resource<random_2_55> : tensor<16x1x10xf32>}> : () -> tensor<16x1x10xf32>
  %w2 = "tosa.const"() <{values = dense_resource<random_3_10> : tensor<16xf32>}> : () -> tensor<16xf32>
  %w3 = "tosa.const"() <{values = dense_resource<random_4_31> : tensor<16x1x31xf32>}> : () -> tensor<16x1x31xf32>
  %w4 = "tosa.const"() <{values = dense_resource<random_5_10> : tensor<24xf32>}> : () -> tensor<24xf32>
  %w5 = "tosa.const"() <{values = dense_resource<random_6_25> : tensor<24x16x3xf32>}> : () -> tensor<24x16x3xf32>
  %0 = tosa.const_shape {values = dense<[1, 1, 320, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %1 = "tosa.reshape"(%in0, %0) : (tensor<1x1x320xf32>, !tosa.shape<4>) -> tensor<1x1x320x1xf32>
  %2 = "tosa.transpose"(%1) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x1x320x1xf32>) -> tensor<1x320x1x1xf32>
  %3 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %4 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %5 = tosa.const_shape {values = dense<[16, 1, 10, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %6 = "tosa.reshape"(%w1, %5) : (tensor<16x1x10xf32>, !tosa.shape<4>) -> tensor<16x1x10x1xf32>
  %7 = "tosa.transpose"(%6) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<16x1x10x1xf32>) -> tensor<16x10x1x1xf32>
  %8 = "tosa.conv2d"(%2, %7, %w0, %3, %4) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 5, 1>}> : (tensor<1x320x1x1xf32>, tensor<16x10x1x1xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x63x1x16xf32>
  %9 = "tosa.transpose"(%8) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x63x1x16xf32>) -> tensor<1x16x63x1xf32>
  %10 = tosa.const_shape {values = dense<[1, 16, 63]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %11 = "tosa.reshape"(%9, %10) : (tensor<1x16x63x1xf32>, !tosa.shape<3>) -> tensor<1x16x63xf32>
  %12 = "tosa.const"() <{values = dense<7.07106780e-01> : tensor<1x16x63xf32>}> : () -> tensor<1x16x63xf32>
  %13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %14 = "tosa.mul"(%11, %12, %13) : (tensor<1x16x63xf32>, tensor<1x16x63xf32>, tensor<1xi8>) -> tensor<1x16x63xf32>
  %15 = "tosa.erf"(%14) : (tensor<1x16x63xf32>) -> tensor<1x16x63xf32>
  %16 = "tosa.const"() <{values = dense<5.00000000e-01> : tensor<1x16x63xf32>}> : () -> tensor<1x16x63xf32>
  %17 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %18 = "tosa.mul"(%11, %16, %17) : (tensor<1x16x63xf32>, tensor<1x16x63xf32>, tensor<1xi8>) -> tensor<1x16x63xf32>
  %19 = "tosa.const"() <{values = dense<1.00000000e+00> : tensor<1x16x63xf32>}> : () -> tensor<1x16x63xf32>
  %20 = "tosa.add"(%15, %19) : (tensor<1x16x63xf32>, tensor<1x16x63xf32>) -> tensor<1x16x63xf32>
  %21 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %22 = "tosa.mul"(%18, %20, %21) : (tensor<1x16x63xf32>, tensor<1x16x63xf32>, tensor<1xi8>) -> tensor<1x16x63xf32>
  %23 = tosa.const_shape {values = dense<[1, 16, 63, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %24 = "tosa.reshape"(%22, %23) : (tensor<1x16x63xf32>, !tosa.shape<4>) -> tensor<1x16x63x1xf32>
  %25 = "tosa.transpose"(%24) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x16x63x1xf32>) -> tensor<1x63x1x16xf32>
  %26 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %27 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %28 = tosa.const_shape {values = dense<[16, 1, 31, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %29 = "tosa.reshape"(%w3, %28) : (tensor<16x1x31xf32>, !tosa.shape<4>) -> tensor<16x1x31x1xf32>
  %30 = "tosa.transpose"(%29) <{perms = array<i32: 2, 3, 0, 1>}> : (tensor<16x1x31x1xf32>) -> tensor<31x1x16x1xf32>
  %31 = "tosa.depthwise_conv2d"(%25, %30, %w2, %26, %27) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 15, 15, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x63x1x16xf32>, tensor<31x1x16x1xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x63x1x16xf32>
  %32 = "tosa.transpose"(%31) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x63x1x16xf32>) -> tensor<1x16x63x1xf32>
  %33 = tosa.const_shape {values = dense<[1, 16, 63]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %34 = "tosa.reshape"(%32, %33) : (tensor<1x16x63x1xf32>, !tosa.shape<3>) -> tensor<1x16x63xf32>
  %35 = tosa.const_shape {values = dense<[1, 16, 63, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %36 = "tosa.reshape"(%34, %35) : (tensor<1x16x63xf32>, !tosa.shape<4>) -> tensor<1x16x63x1xf32>
  %37 = "tosa.transpose"(%36) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x16x63x1xf32>) -> tensor<1x63x1x16xf32>
  %38 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %39 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %40 = tosa.const_shape {values = dense<[24, 16, 3, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %41 = "tosa.reshape"(%w5, %40) : (tensor<24x16x3xf32>, !tosa.shape<4>) -> tensor<24x16x3x1xf32>
  %42 = "tosa.transpose"(%41) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<24x16x3x1xf32>) -> tensor<24x3x1x16xf32>
  %43 = "tosa.conv2d"(%37, %42, %w4, %38, %39) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>}> : (tensor<1x63x1x16xf32>, tensor<24x3x1x16xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x31x1x24xf32>
  %44 = "tosa.transpose"(%43) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x31x1x24xf32>) -> tensor<1x24x31x1xf32>
  %45 = tosa.const_shape {values = dense<[1, 24, 31]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %46 = "tosa.reshape"(%44, %45) : (tensor<1x24x31x1xf32>, !tosa.shape<3>) -> tensor<1x24x31xf32>
  return %46 : tensor<1x24x31xf32>
}
