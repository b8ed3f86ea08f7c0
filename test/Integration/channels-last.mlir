// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --min-cos=0.999 --max-err=0.02

// Group norms, and squeeze and excite, where channels come last

func.func @net(%arg0: tensor<1x20x24x16xf32>) -> tensor<1x20x24x8xf32> {
  %1 = tosa.const_shape {values = dense<[1, 480, 4, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x20x24x16xf32>, !tosa.shape<4>) -> tensor<1x480x4x4xf32>
  %3 = "tosa.reduce_sum"(%2) <{axis = 1 : i32}> : (tensor<1x480x4x4xf32>) -> tensor<1x1x4x4xf32>
  %4 = "tosa.reduce_sum"(%3) <{axis = 3 : i32}> : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x1xf32>
  %5 = "tosa.const"() <{values = dense<0.0005208333333333333> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %7 = "tosa.mul"(%4, %5, %6) : (tensor<1x1x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x4x1xf32>
  %8 = "tosa.sub"(%2, %7) : (tensor<1x480x4x4xf32>, tensor<1x1x4x1xf32>) -> tensor<1x480x4x4xf32>
  %9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %10 = "tosa.mul"(%8, %8, %9) : (tensor<1x480x4x4xf32>, tensor<1x480x4x4xf32>, tensor<1xi8>) -> tensor<1x480x4x4xf32>
  %11 = "tosa.reduce_sum"(%10) <{axis = 1 : i32}> : (tensor<1x480x4x4xf32>) -> tensor<1x1x4x4xf32>
  %12 = "tosa.reduce_sum"(%11) <{axis = 3 : i32}> : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x1xf32>
  %13 = "tosa.const"() <{values = dense<0.0005208333333333333> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %15 = "tosa.mul"(%12, %13, %14) : (tensor<1x1x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x4x1xf32>
  %16 = "tosa.const"() <{values = dense<1.000000000e-05> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %17 = "tosa.add"(%15, %16) : (tensor<1x1x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x1xf32>
  %18 = "tosa.rsqrt"(%17) : (tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  %19 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %20 = "tosa.mul"(%8, %18, %19) : (tensor<1x480x4x4xf32>, tensor<1x1x4x1xf32>, tensor<1xi8>) -> tensor<1x480x4x4xf32>
  %21 = tosa.const_shape {values = dense<[1, 20, 24, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %22 = "tosa.reshape"(%20, %21) : (tensor<1x480x4x4xf32>, !tosa.shape<4>) -> tensor<1x20x24x16xf32>
  %23 = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<16xf32>}> : () -> tensor<16xf32>
  %24 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %25 = "tosa.add"(%23, %24) : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %26 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %27 = "tosa.reshape"(%25, %26) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %28 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %29 = "tosa.mul"(%22, %27, %28) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %30 = "tosa.const"() <{values = dense_resource<random_2_20> : tensor<16xf32>}> : () -> tensor<16xf32>
  %31 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %32 = "tosa.reshape"(%30, %31) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %33 = "tosa.add"(%29, %32) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x20x24x16xf32>
  %34 = "tosa.sigmoid"(%33) : (tensor<1x20x24x16xf32>) -> tensor<1x20x24x16xf32>
  %35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %36 = "tosa.mul"(%33, %34, %35) : (tensor<1x20x24x16xf32>, tensor<1x20x24x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %37 = "tosa.const"() <{values = dense<0.0> : tensor<32xf32>}> : () -> tensor<32xf32>
  %38 = "tosa.const"() <{values = dense_resource<random_3_40> : tensor<32x1x1x16xf32>}> : () -> tensor<32x1x1x16xf32>
  %39 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %40 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %41 = "tosa.conv2d"(%36, %38, %37, %39, %40) <{dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x20x24x16xf32>, tensor<32x1x1x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x20x24x32xf32>
  %42 = "tosa.const"() <{values = dense_resource<random_4_20> : tensor<32xf32>}> : () -> tensor<32xf32>
  %43 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %44 = "tosa.reshape"(%42, %43) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %45 = "tosa.const"() <{values = dense_resource<random_5_100> : tensor<32xf32>}> : () -> tensor<32xf32>
  %46 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %47 = "tosa.reshape"(%45, %46) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %48 = "tosa.const"() <{values = dense_resource<random_6_20> : tensor<32xf32>}> : () -> tensor<32xf32>
  %49 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %50 = "tosa.reshape"(%48, %49) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %51 = "tosa.const"() <{values = dense_resource<random_7_100> : tensor<32xf32>}> : () -> tensor<32xf32>
  %52 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %53 = "tosa.reshape"(%51, %52) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %54 = "tosa.abs"(%53) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %55 = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %56 = "tosa.add"(%54, %55) : (tensor<1x1x1x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x32xf32>
  %57 = "tosa.sub"(%41, %44) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x20x24x32xf32>
  %58 = "tosa.rsqrt"(%56) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %60 = "tosa.mul"(%57, %58, %59) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %61 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %62 = "tosa.mul"(%60, %47, %61) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %63 = "tosa.add"(%62, %50) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x20x24x32xf32>
  %64 = "tosa.sigmoid"(%63) : (tensor<1x20x24x32xf32>) -> tensor<1x20x24x32xf32>
  %65 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %66 = "tosa.mul"(%63, %64, %65) : (tensor<1x20x24x32xf32>, tensor<1x20x24x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %67 = "tosa.const"() <{values = dense<0.0> : tensor<32xf32>}> : () -> tensor<32xf32>
  %68 = "tosa.const"() <{values = dense_resource<random_8_53> : tensor<3x3x32x1xf32>}> : () -> tensor<3x3x32x1xf32>
  %69 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %70 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %71 = "tosa.depthwise_conv2d"(%66, %68, %67, %69, %70) <{dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x20x24x32xf32>, tensor<3x3x32x1xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x20x24x32xf32>
  %72 = "tosa.const"() <{values = dense_resource<random_9_20> : tensor<32xf32>}> : () -> tensor<32xf32>
  %73 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %74 = "tosa.reshape"(%72, %73) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %75 = "tosa.const"() <{values = dense_resource<random_10_100> : tensor<32xf32>}> : () -> tensor<32xf32>
  %76 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %77 = "tosa.reshape"(%75, %76) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %78 = "tosa.const"() <{values = dense_resource<random_11_20> : tensor<32xf32>}> : () -> tensor<32xf32>
  %79 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %80 = "tosa.reshape"(%78, %79) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %81 = "tosa.const"() <{values = dense_resource<random_12_100> : tensor<32xf32>}> : () -> tensor<32xf32>
  %82 = tosa.const_shape {values = dense<[1, 1, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %83 = "tosa.reshape"(%81, %82) : (tensor<32xf32>, !tosa.shape<4>) -> tensor<1x1x1x32xf32>
  %84 = "tosa.abs"(%83) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %85 = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %86 = "tosa.add"(%84, %85) : (tensor<1x1x1x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x32xf32>
  %87 = "tosa.sub"(%71, %74) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x20x24x32xf32>
  %88 = "tosa.rsqrt"(%86) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %89 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %90 = "tosa.mul"(%87, %88, %89) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %91 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %92 = "tosa.mul"(%90, %77, %91) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %93 = "tosa.add"(%92, %80) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x20x24x32xf32>
  %94 = "tosa.sigmoid"(%93) : (tensor<1x20x24x32xf32>) -> tensor<1x20x24x32xf32>
  %95 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %96 = "tosa.mul"(%93, %94, %95) : (tensor<1x20x24x32xf32>, tensor<1x20x24x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %97 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %98 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %99 = "tosa.avg_pool2d"(%96, %97, %98) <{kernel = array<i64: 20, 24>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x20x24x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x32xf32>
  %100 = "tosa.const"() <{values = dense_resource<random_13_20> : tensor<4xf32>}> : () -> tensor<4xf32>
  %101 = "tosa.const"() <{values = dense_resource<random_14_28> : tensor<4x1x1x32xf32>}> : () -> tensor<4x1x1x32xf32>
  %102 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %103 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %104 = "tosa.conv2d"(%99, %101, %100, %102, %103) <{dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x1x1x32xf32>, tensor<4x1x1x32xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>
  %105 = "tosa.sigmoid"(%104) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %106 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %107 = "tosa.mul"(%104, %105, %106) : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi8>) -> tensor<1x1x1x4xf32>
  %108 = "tosa.const"() <{values = dense_resource<random_15_20> : tensor<32xf32>}> : () -> tensor<32xf32>
  %109 = "tosa.const"() <{values = dense_resource<random_16_80> : tensor<32x1x1x4xf32>}> : () -> tensor<32x1x1x4xf32>
  %110 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %111 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %112 = "tosa.conv2d"(%107, %109, %108, %110, %111) <{dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x1x1x4xf32>, tensor<32x1x1x4xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x32xf32>
  %113 = "tosa.sigmoid"(%112) : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %114 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %115 = "tosa.mul"(%96, %113, %114) : (tensor<1x20x24x32xf32>, tensor<1x1x1x32xf32>, tensor<1xi8>) -> tensor<1x20x24x32xf32>
  %116 = "tosa.const"() <{values = dense<0.0> : tensor<16xf32>}> : () -> tensor<16xf32>
  %117 = "tosa.const"() <{values = dense_resource<random_17_28> : tensor<16x1x1x32xf32>}> : () -> tensor<16x1x1x32xf32>
  %118 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %119 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %120 = "tosa.conv2d"(%115, %117, %116, %118, %119) <{dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x20x24x32xf32>, tensor<16x1x1x32xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x20x24x16xf32>
  %121 = "tosa.const"() <{values = dense_resource<random_18_20> : tensor<16xf32>}> : () -> tensor<16xf32>
  %122 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %123 = "tosa.reshape"(%121, %122) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %124 = "tosa.const"() <{values = dense_resource<random_19_100> : tensor<16xf32>}> : () -> tensor<16xf32>
  %125 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %126 = "tosa.reshape"(%124, %125) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %127 = "tosa.const"() <{values = dense_resource<random_20_20> : tensor<16xf32>}> : () -> tensor<16xf32>
  %128 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %129 = "tosa.reshape"(%127, %128) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %130 = "tosa.const"() <{values = dense_resource<random_21_100> : tensor<16xf32>}> : () -> tensor<16xf32>
  %131 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %132 = "tosa.reshape"(%130, %131) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %133 = "tosa.abs"(%132) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %134 = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %135 = "tosa.add"(%133, %134) : (tensor<1x1x1x16xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x16xf32>
  %136 = "tosa.sub"(%120, %123) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x20x24x16xf32>
  %137 = "tosa.rsqrt"(%135) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %138 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %139 = "tosa.mul"(%136, %137, %138) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %140 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %141 = "tosa.mul"(%139, %126, %140) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %142 = "tosa.add"(%141, %129) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x20x24x16xf32>
  %143 = "tosa.add"(%36, %142) : (tensor<1x20x24x16xf32>, tensor<1x20x24x16xf32>) -> tensor<1x20x24x16xf32>
  %144 = tosa.const_shape {values = dense<[1, 480, 2, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %145 = "tosa.reshape"(%143, %144) : (tensor<1x20x24x16xf32>, !tosa.shape<4>) -> tensor<1x480x2x8xf32>
  %146 = "tosa.reduce_sum"(%145) <{axis = 1 : i32}> : (tensor<1x480x2x8xf32>) -> tensor<1x1x2x8xf32>
  %147 = "tosa.reduce_sum"(%146) <{axis = 3 : i32}> : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x1xf32>
  %148 = "tosa.const"() <{values = dense<0.00026041666666666666> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %149 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %150 = "tosa.mul"(%147, %148, %149) : (tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x2x1xf32>
  %151 = "tosa.sub"(%145, %150) : (tensor<1x480x2x8xf32>, tensor<1x1x2x1xf32>) -> tensor<1x480x2x8xf32>
  %152 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %153 = "tosa.mul"(%151, %151, %152) : (tensor<1x480x2x8xf32>, tensor<1x480x2x8xf32>, tensor<1xi8>) -> tensor<1x480x2x8xf32>
  %154 = "tosa.reduce_sum"(%153) <{axis = 1 : i32}> : (tensor<1x480x2x8xf32>) -> tensor<1x1x2x8xf32>
  %155 = "tosa.reduce_sum"(%154) <{axis = 3 : i32}> : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x1xf32>
  %156 = "tosa.const"() <{values = dense<0.00026041666666666666> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %157 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %158 = "tosa.mul"(%155, %156, %157) : (tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x2x1xf32>
  %159 = "tosa.const"() <{values = dense<1.000000000e-05> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %160 = "tosa.add"(%158, %159) : (tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x1xf32>
  %161 = "tosa.rsqrt"(%160) : (tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  %162 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %163 = "tosa.mul"(%151, %161, %162) : (tensor<1x480x2x8xf32>, tensor<1x1x2x1xf32>, tensor<1xi8>) -> tensor<1x480x2x8xf32>
  %164 = tosa.const_shape {values = dense<[1, 20, 24, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %165 = "tosa.reshape"(%163, %164) : (tensor<1x480x2x8xf32>, !tosa.shape<4>) -> tensor<1x20x24x16xf32>
  %166 = "tosa.const"() <{values = dense_resource<random_22_30> : tensor<16xf32>}> : () -> tensor<16xf32>
  %167 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %168 = "tosa.add"(%166, %167) : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %169 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %170 = "tosa.reshape"(%168, %169) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %171 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %172 = "tosa.mul"(%165, %170, %171) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %173 = "tosa.const"() <{values = dense_resource<random_23_20> : tensor<16xf32>}> : () -> tensor<16xf32>
  %174 = tosa.const_shape {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %175 = "tosa.reshape"(%173, %174) : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
  %176 = "tosa.add"(%172, %175) : (tensor<1x20x24x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x20x24x16xf32>
  %177 = "tosa.sigmoid"(%176) : (tensor<1x20x24x16xf32>) -> tensor<1x20x24x16xf32>
  %178 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %179 = "tosa.mul"(%176, %177, %178) : (tensor<1x20x24x16xf32>, tensor<1x20x24x16xf32>, tensor<1xi8>) -> tensor<1x20x24x16xf32>
  %180 = "tosa.const"() <{values = dense_resource<random_24_20> : tensor<8xf32>}> : () -> tensor<8xf32>
  %181 = "tosa.const"() <{values = dense_resource<random_25_13> : tensor<8x3x3x16xf32>}> : () -> tensor<8x3x3x16xf32>
  %182 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %183 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %184 = "tosa.conv2d"(%179, %181, %180, %182, %183) <{dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, acc_type = f32}> : (tensor<1x20x24x16xf32>, tensor<8x3x3x16xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x20x24x8xf32>
  return %184 : tensor<1x20x24x8xf32>
}
