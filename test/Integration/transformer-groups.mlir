// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --min-cos=0.999 --max-err=0.01

// A gated transformer layer with two query heads for each key head

func.func @net(%arg0: tensor<1x48x64xf32>) -> tensor<1x48x64xf32> {
  %w1 = "tosa.const"() <{values = dense_resource<random_1_170> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w2 = "tosa.const"() <{values = dense_resource<random_2_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w3 = "tosa.const"() <{values = dense_resource<random_3_21> : tensor<32x64xf32>}> : () -> tensor<32x64xf32>
  %w4 = "tosa.const"() <{values = dense_resource<random_4_21> : tensor<32x64xf32>}> : () -> tensor<32x64xf32>
  %w5 = "tosa.const"() <{values = dense_resource<random_5_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w6 = "tosa.const"() <{values = dense_resource<random_6_170> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w7 = "tosa.const"() <{values = dense_resource<random_7_21> : tensor<128x64xf32>}> : () -> tensor<128x64xf32>
  %w8 = "tosa.const"() <{values = dense_resource<random_8_21> : tensor<128x64xf32>}> : () -> tensor<128x64xf32>
  %w9 = "tosa.const"() <{values = dense_resource<random_9_15> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = "tosa.mul"(%arg0, %arg0, %0) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %2 = "tosa.reduce_sum"(%1) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %3 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %4 = "tosa.reciprocal"(%3) : (tensor<1xf32>) -> tensor<1xf32>
  %5 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %6 = "tosa.reshape"(%4, %5) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %8 = "tosa.mul"(%6, %2, %7) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %9 = "tosa.const"() <{values = dense<1.00000000e-05> : tensor<1x48x1xf32>}> : () -> tensor<1x48x1xf32>
  %10 = "tosa.add"(%8, %9) : (tensor<1x48x1xf32>, tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %11 = "tosa.rsqrt"(%10) : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %12 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %13 = "tosa.reshape"(%w1, %12) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %15 = "tosa.mul"(%arg0, %11, %14) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %17 = "tosa.mul"(%13, %15, %16) : (tensor<1x1x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %18 = "tosa.transpose"(%w2) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %19 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %20 = "tosa.reshape"(%17, %19) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %21 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %22 = "tosa.reshape"(%20, %21) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %23 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %24 = "tosa.reshape"(%18, %23) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %25 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %26 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %27 = "tosa.matmul"(%22, %24, %25, %26) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %28 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %29 = "tosa.reshape"(%27, %28) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %30 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %31 = "tosa.reshape"(%29, %30) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %32 = "tosa.transpose"(%w3) <{perms = array<i32: 1, 0>}> : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %33 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %34 = "tosa.reshape"(%17, %33) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %35 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %36 = "tosa.reshape"(%34, %35) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %37 = tosa.const_shape {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %38 = "tosa.reshape"(%32, %37) : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
  %39 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %40 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %41 = "tosa.matmul"(%36, %38, %39, %40) : (tensor<1x48x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x32xf32>
  %42 = tosa.const_shape {values = dense<[48, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %43 = "tosa.reshape"(%41, %42) : (tensor<1x48x32xf32>, !tosa.shape<2>) -> tensor<48x32xf32>
  %44 = tosa.const_shape {values = dense<[1, 48, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %45 = "tosa.reshape"(%43, %44) : (tensor<48x32xf32>, !tosa.shape<3>) -> tensor<1x48x32xf32>
  %46 = "tosa.transpose"(%w4) <{perms = array<i32: 1, 0>}> : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %47 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %48 = "tosa.reshape"(%17, %47) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %49 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %50 = "tosa.reshape"(%48, %49) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %51 = tosa.const_shape {values = dense<[1, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %52 = "tosa.reshape"(%46, %51) : (tensor<64x32xf32>, !tosa.shape<3>) -> tensor<1x64x32xf32>
  %53 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %54 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %55 = "tosa.matmul"(%50, %52, %53, %54) : (tensor<1x48x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x32xf32>
  %56 = tosa.const_shape {values = dense<[48, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %57 = "tosa.reshape"(%55, %56) : (tensor<1x48x32xf32>, !tosa.shape<2>) -> tensor<48x32xf32>
  %58 = tosa.const_shape {values = dense<[1, 48, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %59 = "tosa.reshape"(%57, %58) : (tensor<48x32xf32>, !tosa.shape<3>) -> tensor<1x48x32xf32>
  %60 = tosa.const_shape {values = dense<[1, 48, 4, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %61 = "tosa.reshape"(%31, %60) : (tensor<1x48x64xf32>, !tosa.shape<4>) -> tensor<1x48x4x16xf32>
  %62 = "tosa.transpose"(%61) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x4x16xf32>) -> tensor<1x4x48x16xf32>
  %63 = tosa.const_shape {values = dense<[1, 48, 2, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %64 = "tosa.reshape"(%45, %63) : (tensor<1x48x32xf32>, !tosa.shape<4>) -> tensor<1x48x2x16xf32>
  %65 = "tosa.transpose"(%64) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x2x16xf32>) -> tensor<1x2x48x16xf32>
  %66 = tosa.const_shape {values = dense<[1, 48, 2, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %67 = "tosa.reshape"(%59, %66) : (tensor<1x48x32xf32>, !tosa.shape<4>) -> tensor<1x48x2x16xf32>
  %68 = "tosa.transpose"(%67) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x2x16xf32>) -> tensor<1x2x48x16xf32>
  %69 = tosa.const_shape {values = dense<[1, 2, 1, 48, 16]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %70 = "tosa.reshape"(%65, %69) : (tensor<1x2x48x16xf32>, !tosa.shape<5>) -> tensor<1x2x1x48x16xf32>
  %71 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1x2x2x48x16xf32>}> : () -> tensor<1x2x2x48x16xf32>
  %72 = "tosa.add"(%70, %71) : (tensor<1x2x1x48x16xf32>, tensor<1x2x2x48x16xf32>) -> tensor<1x2x2x48x16xf32>
  %73 = tosa.const_shape {values = dense<[1, 4, 48, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %74 = "tosa.reshape"(%72, %73) : (tensor<1x2x2x48x16xf32>, !tosa.shape<4>) -> tensor<1x4x48x16xf32>
  %75 = tosa.const_shape {values = dense<[1, 2, 1, 48, 16]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %76 = "tosa.reshape"(%68, %75) : (tensor<1x2x48x16xf32>, !tosa.shape<5>) -> tensor<1x2x1x48x16xf32>
  %77 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1x2x2x48x16xf32>}> : () -> tensor<1x2x2x48x16xf32>
  %78 = "tosa.add"(%76, %77) : (tensor<1x2x1x48x16xf32>, tensor<1x2x2x48x16xf32>) -> tensor<1x2x2x48x16xf32>
  %79 = tosa.const_shape {values = dense<[1, 4, 48, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %80 = "tosa.reshape"(%78, %79) : (tensor<1x2x2x48x16xf32>, !tosa.shape<4>) -> tensor<1x4x48x16xf32>
  %81 = "tosa.transpose"(%74) <{perms = array<i32: 0, 1, 3, 2>}> : (tensor<1x4x48x16xf32>) -> tensor<1x4x16x48xf32>
  %82 = tosa.const_shape {values = dense<[4, 48, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %83 = "tosa.reshape"(%62, %82) : (tensor<1x4x48x16xf32>, !tosa.shape<3>) -> tensor<4x48x16xf32>
  %84 = tosa.const_shape {values = dense<[4, 16, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %85 = "tosa.reshape"(%81, %84) : (tensor<1x4x16x48xf32>, !tosa.shape<3>) -> tensor<4x16x48xf32>
  %86 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %87 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %88 = "tosa.matmul"(%83, %85, %86, %87) : (tensor<4x48x16xf32>, tensor<4x16x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x48x48xf32>
  %89 = tosa.const_shape {values = dense<[1, 4, 48, 48]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %90 = "tosa.reshape"(%88, %89) : (tensor<4x48x48xf32>, !tosa.shape<4>) -> tensor<1x4x48x48xf32>
  %91 = "tosa.const"() <{values = dense<4.00000000e+00> : tensor<1x4x48x48xf32>}> : () -> tensor<1x4x48x48xf32>
  %92 = "tosa.reciprocal"(%91) : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x48xf32>
  %93 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %94 = "tosa.mul"(%90, %92, %93) : (tensor<1x4x48x48xf32>, tensor<1x4x48x48xf32>, tensor<1xi8>) -> tensor<1x4x48x48xf32>
  %95 = "tosa.reduce_max"(%94) <{axis = 3 : i32}> : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x1xf32>
  %96 = "tosa.sub"(%94, %95) : (tensor<1x4x48x48xf32>, tensor<1x4x48x1xf32>) -> tensor<1x4x48x48xf32>
  %97 = "tosa.exp"(%96) : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x48xf32>
  %98 = "tosa.reduce_sum"(%97) <{axis = 3 : i32}> : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x1xf32>
  %99 = "tosa.reciprocal"(%98) : (tensor<1x4x48x1xf32>) -> tensor<1x4x48x1xf32>
  %100 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %101 = "tosa.mul"(%97, %99, %100) : (tensor<1x4x48x48xf32>, tensor<1x4x48x1xf32>, tensor<1xi8>) -> tensor<1x4x48x48xf32>
  %102 = tosa.const_shape {values = dense<[4, 48, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %103 = "tosa.reshape"(%101, %102) : (tensor<1x4x48x48xf32>, !tosa.shape<3>) -> tensor<4x48x48xf32>
  %104 = tosa.const_shape {values = dense<[4, 48, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %105 = "tosa.reshape"(%80, %104) : (tensor<1x4x48x16xf32>, !tosa.shape<3>) -> tensor<4x48x16xf32>
  %106 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %107 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %108 = "tosa.matmul"(%103, %105, %106, %107) : (tensor<4x48x48xf32>, tensor<4x48x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x48x16xf32>
  %109 = tosa.const_shape {values = dense<[1, 4, 48, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %110 = "tosa.reshape"(%108, %109) : (tensor<4x48x16xf32>, !tosa.shape<4>) -> tensor<1x4x48x16xf32>
  %111 = "tosa.transpose"(%110) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x4x48x16xf32>) -> tensor<1x48x4x16xf32>
  %112 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %113 = "tosa.reshape"(%111, %112) : (tensor<1x48x4x16xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %114 = "tosa.transpose"(%w5) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %115 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %116 = "tosa.reshape"(%113, %115) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %117 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %118 = "tosa.reshape"(%116, %117) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %119 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %120 = "tosa.reshape"(%114, %119) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %121 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %122 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %123 = "tosa.matmul"(%118, %120, %121, %122) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %124 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %125 = "tosa.reshape"(%123, %124) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %126 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %127 = "tosa.reshape"(%125, %126) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %128 = "tosa.add"(%127, %arg0) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  %129 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %130 = "tosa.mul"(%128, %128, %129) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %131 = "tosa.reduce_sum"(%130) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %132 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %133 = "tosa.reciprocal"(%132) : (tensor<1xf32>) -> tensor<1xf32>
  %134 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %135 = "tosa.reshape"(%133, %134) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %136 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %137 = "tosa.mul"(%135, %131, %136) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %138 = "tosa.const"() <{values = dense<1.00000000e-05> : tensor<1x48x1xf32>}> : () -> tensor<1x48x1xf32>
  %139 = "tosa.add"(%137, %138) : (tensor<1x48x1xf32>, tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %140 = "tosa.rsqrt"(%139) : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %141 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %142 = "tosa.reshape"(%w6, %141) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %143 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %144 = "tosa.mul"(%128, %140, %143) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %145 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %146 = "tosa.mul"(%142, %144, %145) : (tensor<1x1x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %147 = "tosa.transpose"(%w7) <{perms = array<i32: 1, 0>}> : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %148 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %149 = "tosa.reshape"(%146, %148) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %150 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %151 = "tosa.reshape"(%149, %150) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %152 = tosa.const_shape {values = dense<[1, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %153 = "tosa.reshape"(%147, %152) : (tensor<64x128xf32>, !tosa.shape<3>) -> tensor<1x64x128xf32>
  %154 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %155 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %156 = "tosa.matmul"(%151, %153, %154, %155) : (tensor<1x48x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x128xf32>
  %157 = tosa.const_shape {values = dense<[48, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %158 = "tosa.reshape"(%156, %157) : (tensor<1x48x128xf32>, !tosa.shape<2>) -> tensor<48x128xf32>
  %159 = tosa.const_shape {values = dense<[1, 48, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %160 = "tosa.reshape"(%158, %159) : (tensor<48x128xf32>, !tosa.shape<3>) -> tensor<1x48x128xf32>
  %161 = "tosa.transpose"(%w8) <{perms = array<i32: 1, 0>}> : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %162 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %163 = "tosa.reshape"(%146, %162) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %164 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %165 = "tosa.reshape"(%163, %164) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %166 = tosa.const_shape {values = dense<[1, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %167 = "tosa.reshape"(%161, %166) : (tensor<64x128xf32>, !tosa.shape<3>) -> tensor<1x64x128xf32>
  %168 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %169 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %170 = "tosa.matmul"(%165, %167, %168, %169) : (tensor<1x48x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x128xf32>
  %171 = tosa.const_shape {values = dense<[48, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %172 = "tosa.reshape"(%170, %171) : (tensor<1x48x128xf32>, !tosa.shape<2>) -> tensor<48x128xf32>
  %173 = tosa.const_shape {values = dense<[1, 48, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %174 = "tosa.reshape"(%172, %173) : (tensor<48x128xf32>, !tosa.shape<3>) -> tensor<1x48x128xf32>
  %175 = "tosa.sigmoid"(%160) : (tensor<1x48x128xf32>) -> tensor<1x48x128xf32>
  %176 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %177 = "tosa.mul"(%160, %175, %176) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>, tensor<1xi8>) -> tensor<1x48x128xf32>
  %178 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %179 = "tosa.mul"(%177, %174, %178) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>, tensor<1xi8>) -> tensor<1x48x128xf32>
  %180 = "tosa.transpose"(%w9) <{perms = array<i32: 1, 0>}> : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %181 = tosa.const_shape {values = dense<[48, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %182 = "tosa.reshape"(%179, %181) : (tensor<1x48x128xf32>, !tosa.shape<2>) -> tensor<48x128xf32>
  %183 = tosa.const_shape {values = dense<[1, 48, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %184 = "tosa.reshape"(%182, %183) : (tensor<48x128xf32>, !tosa.shape<3>) -> tensor<1x48x128xf32>
  %185 = tosa.const_shape {values = dense<[1, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %186 = "tosa.reshape"(%180, %185) : (tensor<128x64xf32>, !tosa.shape<3>) -> tensor<1x128x64xf32>
  %187 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %188 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %189 = "tosa.matmul"(%184, %186, %187, %188) : (tensor<1x48x128xf32>, tensor<1x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %190 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %191 = "tosa.reshape"(%189, %190) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %192 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %193 = "tosa.reshape"(%191, %192) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %194 = "tosa.add"(%193, %128) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  return %194 : tensor<1x48x64xf32>
}
