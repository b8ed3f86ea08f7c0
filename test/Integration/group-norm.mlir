// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --min-cos=0.999 --max-err=0.02
// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --min-cos=0.999 --max-err=0.02 -- --ane-tile=none

// Group norms, silu and convolutions of an image that does not fit into L2, in tiles

func.func @net(%arg0: tensor<1x8x256x256xf32>) -> tensor<1x4x256x256xf32> {
  %1 = tosa.const_shape {values = dense<[1, 2, 262144]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x8x256x256xf32>, !tosa.shape<3>) -> tensor<1x2x262144xf32>
  %3 = "tosa.reduce_sum"(%2) <{axis = 2 : i32}> : (tensor<1x2x262144xf32>) -> tensor<1x2x1xf32>
  %4 = "tosa.const"() <{values = dense<3.814697266e-06> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %6 = "tosa.mul"(%3, %4, %5) : (tensor<1x2x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x1xf32>
  %7 = "tosa.sub"(%2, %6) : (tensor<1x2x262144xf32>, tensor<1x2x1xf32>) -> tensor<1x2x262144xf32>
  %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %9 = "tosa.mul"(%7, %7, %8) : (tensor<1x2x262144xf32>, tensor<1x2x262144xf32>, tensor<1xi8>) -> tensor<1x2x262144xf32>
  %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<1x2x262144xf32>) -> tensor<1x2x1xf32>
  %11 = "tosa.const"() <{values = dense<3.814697266e-06> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %12 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %13 = "tosa.mul"(%10, %11, %12) : (tensor<1x2x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x1xf32>
  %14 = "tosa.const"() <{values = dense<1.000000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %15 = "tosa.add"(%13, %14) : (tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
  %16 = "tosa.rsqrt"(%15) : (tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  %17 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %18 = "tosa.mul"(%7, %16, %17) : (tensor<1x2x262144xf32>, tensor<1x2x1xf32>, tensor<1xi8>) -> tensor<1x2x262144xf32>
  %19 = tosa.const_shape {values = dense<[1, 8, 256, 256]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %20 = "tosa.reshape"(%18, %19) : (tensor<1x2x262144xf32>, !tosa.shape<4>) -> tensor<1x8x256x256xf32>
  %21 = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<8xf32>}> : () -> tensor<8xf32>
  %22 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %23 = "tosa.add"(%21, %22) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %24 = tosa.const_shape {values = dense<[1, 8, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %25 = "tosa.reshape"(%23, %24) : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
  %26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %27 = "tosa.mul"(%20, %25, %26) : (tensor<1x8x256x256xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x256x256xf32>
  %28 = "tosa.const"() <{values = dense_resource<random_2_20> : tensor<8xf32>}> : () -> tensor<8xf32>
  %29 = tosa.const_shape {values = dense<[1, 8, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %30 = "tosa.reshape"(%28, %29) : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
  %31 = "tosa.add"(%27, %30) : (tensor<1x8x256x256xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x256x256xf32>
  %32 = "tosa.sigmoid"(%31) : (tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  %33 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %34 = "tosa.mul"(%31, %32, %33) : (tensor<1x8x256x256xf32>, tensor<1x8x256x256xf32>, tensor<1xi8>) -> tensor<1x8x256x256xf32>
  %35 = "tosa.transpose"(%34) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x8x256x256xf32>) -> tensor<1x256x256x8xf32>
  %36 = "tosa.const"() <{values = dense_resource<random_3_20> : tensor<8xf32>}> : () -> tensor<8xf32>
  %37 = "tosa.const"() <{values = dense_resource<random_4_18> : tensor<8x8x3x3xf32>}> : () -> tensor<8x8x3x3xf32>
  %38 = "tosa.transpose"(%37) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<8x8x3x3xf32>) -> tensor<8x3x3x8xf32>
  %39 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %40 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %41 = "tosa.conv2d"(%35, %38, %36, %39, %40) <{dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x256x256x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x256x256x8xf32>
  %42 = "tosa.transpose"(%41) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x256x256x8xf32>) -> tensor<1x8x256x256xf32>
  %43 = tosa.const_shape {values = dense<[1, 1, 524288]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %44 = "tosa.reshape"(%42, %43) : (tensor<1x8x256x256xf32>, !tosa.shape<3>) -> tensor<1x1x524288xf32>
  %45 = "tosa.reduce_sum"(%44) <{axis = 2 : i32}> : (tensor<1x1x524288xf32>) -> tensor<1x1x1xf32>
  %46 = "tosa.const"() <{values = dense<1.907348633e-06> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %47 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %48 = "tosa.mul"(%45, %46, %47) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %49 = "tosa.sub"(%44, %48) : (tensor<1x1x524288xf32>, tensor<1x1x1xf32>) -> tensor<1x1x524288xf32>
  %50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %51 = "tosa.mul"(%49, %49, %50) : (tensor<1x1x524288xf32>, tensor<1x1x524288xf32>, tensor<1xi8>) -> tensor<1x1x524288xf32>
  %52 = "tosa.reduce_sum"(%51) <{axis = 2 : i32}> : (tensor<1x1x524288xf32>) -> tensor<1x1x1xf32>
  %53 = "tosa.const"() <{values = dense<1.907348633e-06> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %54 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %55 = "tosa.mul"(%52, %53, %54) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %56 = "tosa.const"() <{values = dense<1.000000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %57 = "tosa.add"(%55, %56) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %58 = "tosa.rsqrt"(%57) : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %60 = "tosa.mul"(%49, %58, %59) : (tensor<1x1x524288xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x524288xf32>
  %61 = tosa.const_shape {values = dense<[1, 8, 256, 256]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %62 = "tosa.reshape"(%60, %61) : (tensor<1x1x524288xf32>, !tosa.shape<4>) -> tensor<1x8x256x256xf32>
  %63 = "tosa.const"() <{values = dense_resource<random_5_30> : tensor<8xf32>}> : () -> tensor<8xf32>
  %64 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %65 = "tosa.add"(%63, %64) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %66 = tosa.const_shape {values = dense<[1, 8, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %67 = "tosa.reshape"(%65, %66) : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
  %68 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %69 = "tosa.mul"(%62, %67, %68) : (tensor<1x8x256x256xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x256x256xf32>
  %70 = "tosa.const"() <{values = dense_resource<random_6_20> : tensor<8xf32>}> : () -> tensor<8xf32>
  %71 = tosa.const_shape {values = dense<[1, 8, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %72 = "tosa.reshape"(%70, %71) : (tensor<8xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
  %73 = "tosa.add"(%69, %72) : (tensor<1x8x256x256xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x256x256xf32>
  %74 = "tosa.sigmoid"(%73) : (tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  %75 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %76 = "tosa.mul"(%73, %74, %75) : (tensor<1x8x256x256xf32>, tensor<1x8x256x256xf32>, tensor<1xi8>) -> tensor<1x8x256x256xf32>
  %77 = "tosa.transpose"(%76) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x8x256x256xf32>) -> tensor<1x256x256x8xf32>
  %78 = "tosa.const"() <{values = dense_resource<random_7_20> : tensor<4xf32>}> : () -> tensor<4xf32>
  %79 = "tosa.const"() <{values = dense_resource<random_8_18> : tensor<4x8x3x3xf32>}> : () -> tensor<4x8x3x3xf32>
  %80 = "tosa.transpose"(%79) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<4x8x3x3xf32>) -> tensor<4x3x3x8xf32>
  %81 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %82 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %83 = "tosa.conv2d"(%77, %80, %78, %81, %82) <{dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x256x256x8xf32>, tensor<4x3x3x8xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x256x256x4xf32>
  %84 = "tosa.transpose"(%83) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x256x256x4xf32>) -> tensor<1x4x256x256xf32>
  return %84 : tensor<1x4x256x256xf32>
}
