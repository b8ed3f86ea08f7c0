// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Patches of 14 x 14 pixels as tokens after a class token, a layer norm and a matmul.

func.func @net(%in0: tensor<1x3x42x42xf32>) -> tensor<1x10x48xf32> {
  %w0 = "tosa.const"() <{values = dense_resource<random_1_6> : tensor<32x3x14x14xf32>}> : () -> tensor<32x3x14x14xf32>
  %w1 = "tosa.const"() <{values = dense_resource<random_2_10> : tensor<32xf32>}> : () -> tensor<32xf32>
  %w2 = "tosa.const"() <{values = dense_resource<random_3_50> : tensor<1x1x32xf32>}> : () -> tensor<1x1x32xf32>
  %w3 = "tosa.const"() <{values = dense_resource<random_4_50> : tensor<1x10x32xf32>}> : () -> tensor<1x10x32xf32>
  %w4 = "tosa.const"() <{values = dense_resource<random_5_100> : tensor<32xf32>}> : () -> tensor<32xf32>
  %w5 = "tosa.const"() <{values = dense_resource<random_6_10> : tensor<32xf32>}> : () -> tensor<32xf32>
  %w6 = "tosa.const"() <{values = dense_resource<random_7_31> : tensor<48x32xf32>}> : () -> tensor<48x32xf32>
  %w7 = "tosa.const"() <{values = dense_resource<random_8_10> : tensor<48xf32>}> : () -> tensor<48xf32>
  %0 = "tosa.transpose"(%in0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x3x42x42xf32>) -> tensor<1x42x42x3xf32>
  %1 = "tosa.transpose"(%w0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<32x3x14x14xf32>) -> tensor<32x14x14x3xf32>
  %2 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %3 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %4 = "tosa.conv2d"(%0, %1, %w1, %2, %3) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 14, 14>}> : (tensor<1x42x42x3xf32>, tensor<32x14x14x3xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x32xf32>
  %5 = "tosa.transpose"(%4) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x3x3x32xf32>) -> tensor<1x32x3x3xf32>
  %6 = tosa.const_shape {values = dense<[1, 32, 9]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %7 = "tosa.reshape"(%5, %6) : (tensor<1x32x3x3xf32>, !tosa.shape<3>) -> tensor<1x32x9xf32>
  %8 = "tosa.transpose"(%7) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x32x9xf32>) -> tensor<1x9x32xf32>
  %9 = "tosa.concat"(%w2, %8) <{axis = 1 : i32}> : (tensor<1x1x32xf32>, tensor<1x9x32xf32>) -> tensor<1x10x32xf32>
  %10 = "tosa.add"(%9, %w3) : (tensor<1x10x32xf32>, tensor<1x10x32xf32>) -> tensor<1x10x32xf32>
  %11 = "tosa.reduce_sum"(%10) <{axis = 2 : i32}> : (tensor<1x10x32xf32>) -> tensor<1x10x1xf32>
  %12 = "tosa.const"() <{values = dense<3.20000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %13 = "tosa.reciprocal"(%12) : (tensor<1xf32>) -> tensor<1xf32>
  %14 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %15 = "tosa.reshape"(%13, %14) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %17 = "tosa.mul"(%15, %11, %16) : (tensor<1x1x1xf32>, tensor<1x10x1xf32>, tensor<1xi8>) -> tensor<1x10x1xf32>
  %18 = "tosa.sub"(%10, %17) : (tensor<1x10x32xf32>, tensor<1x10x1xf32>) -> tensor<1x10x32xf32>
  %19 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %20 = "tosa.mul"(%18, %18, %19) : (tensor<1x10x32xf32>, tensor<1x10x32xf32>, tensor<1xi8>) -> tensor<1x10x32xf32>
  %21 = "tosa.reduce_sum"(%20) <{axis = 2 : i32}> : (tensor<1x10x32xf32>) -> tensor<1x10x1xf32>
  %22 = "tosa.const"() <{values = dense<3.20000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %23 = "tosa.reciprocal"(%22) : (tensor<1xf32>) -> tensor<1xf32>
  %24 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %25 = "tosa.reshape"(%23, %24) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %27 = "tosa.mul"(%25, %21, %26) : (tensor<1x1x1xf32>, tensor<1x10x1xf32>, tensor<1xi8>) -> tensor<1x10x1xf32>
  %28 = "tosa.const"() <{values = dense<1.00000000e-06> : tensor<1x10x1xf32>}> : () -> tensor<1x10x1xf32>
  %29 = "tosa.add"(%27, %28) : (tensor<1x10x1xf32>, tensor<1x10x1xf32>) -> tensor<1x10x1xf32>
  %30 = "tosa.rsqrt"(%29) : (tensor<1x10x1xf32>) -> tensor<1x10x1xf32>
  %31 = "tosa.sub"(%10, %17) : (tensor<1x10x32xf32>, tensor<1x10x1xf32>) -> tensor<1x10x32xf32>
  %32 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %33 = "tosa.mul"(%31, %30, %32) : (tensor<1x10x32xf32>, tensor<1x10x1xf32>, tensor<1xi8>) -> tensor<1x10x32xf32>
  %34 = tosa.const_shape {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %35 = "tosa.reshape"(%w4, %34) : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
  %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %37 = "tosa.mul"(%33, %35, %36) : (tensor<1x10x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<1x10x32xf32>
  %38 = tosa.const_shape {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %39 = "tosa.reshape"(%w5, %38) : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
  %40 = "tosa.add"(%37, %39) : (tensor<1x10x32xf32>, tensor<1x1x32xf32>) -> tensor<1x10x32xf32>
  %41 = "tosa.transpose"(%w6) <{perms = array<i32: 1, 0>}> : (tensor<48x32xf32>) -> tensor<32x48xf32>
  %42 = tosa.const_shape {values = dense<[1, 32, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %43 = "tosa.reshape"(%41, %42) : (tensor<32x48xf32>, !tosa.shape<3>) -> tensor<1x32x48xf32>
  %44 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %45 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %46 = "tosa.matmul"(%40, %43, %44, %45) : (tensor<1x10x32xf32>, tensor<1x32x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x48xf32>
  %47 = tosa.const_shape {values = dense<[10, 48]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %48 = "tosa.reshape"(%46, %47) : (tensor<1x10x48xf32>, !tosa.shape<2>) -> tensor<10x48xf32>
  %49 = tosa.const_shape {values = dense<[1, 48]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %50 = "tosa.reshape"(%w7, %49) : (tensor<48xf32>, !tosa.shape<2>) -> tensor<1x48xf32>
  %51 = "tosa.add"(%50, %48) : (tensor<1x48xf32>, tensor<10x48xf32>) -> tensor<10x48xf32>
  %52 = tosa.const_shape {values = dense<[1, 10, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %53 = "tosa.reshape"(%51, %52) : (tensor<10x48xf32>, !tosa.shape<3>) -> tensor<1x10x48xf32>
  return %53 : tensor<1x10x48xf32>
}
