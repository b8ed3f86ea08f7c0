// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin --min-cos=0.999 --max-err=0.01

// A transformer layer as exporters write it: heads, a mask of keys, layer norms, gelu

func.func @net(%arg0: tensor<1x48x64xf32>) -> tensor<1x48x64xf32> {
  %mask = "tosa.const"() <{values = dense<[[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.4028235e38, -3.4028235e38, -3.4028235e38, -3.4028235e38, -3.4028235e38, -3.4028235e38]]]]> : tensor<1x1x1x48xf32>}> : () -> tensor<1x1x1x48xf32>
  %w1 = "tosa.const"() <{values = dense_resource<random_1_170> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w2 = "tosa.const"() <{values = dense_resource<random_2_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w3 = "tosa.const"() <{values = dense_resource<random_3_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w4 = "tosa.const"() <{values = dense_resource<random_4_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w5 = "tosa.const"() <{values = dense_resource<random_5_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w6 = "tosa.const"() <{values = dense_resource<random_6_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w7 = "tosa.const"() <{values = dense_resource<random_7_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w8 = "tosa.const"() <{values = dense_resource<random_8_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w9 = "tosa.const"() <{values = dense_resource<random_9_21> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %w10 = "tosa.const"() <{values = dense_resource<random_10_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w11 = "tosa.const"() <{values = dense_resource<random_11_170> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w12 = "tosa.const"() <{values = dense_resource<random_12_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %w13 = "tosa.const"() <{values = dense_resource<random_13_21> : tensor<128x64xf32>}> : () -> tensor<128x64xf32>
  %w14 = "tosa.const"() <{values = dense_resource<random_14_17> : tensor<128xf32>}> : () -> tensor<128xf32>
  %w15 = "tosa.const"() <{values = dense_resource<random_15_15> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %w16 = "tosa.const"() <{values = dense_resource<random_16_17> : tensor<64xf32>}> : () -> tensor<64xf32>
  %0 = "tosa.reduce_sum"(%arg0) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %1 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %2 = "tosa.reciprocal"(%1) : (tensor<1xf32>) -> tensor<1xf32>
  %3 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %4 = "tosa.reshape"(%2, %3) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %6 = "tosa.mul"(%4, %0, %5) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %7 = "tosa.sub"(%arg0, %6) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %9 = "tosa.mul"(%7, %7, %8) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %11 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %12 = "tosa.reciprocal"(%11) : (tensor<1xf32>) -> tensor<1xf32>
  %13 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %14 = "tosa.reshape"(%12, %13) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %16 = "tosa.mul"(%14, %10, %15) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %17 = "tosa.const"() <{values = dense<1.00000000e-05> : tensor<1x48x1xf32>}> : () -> tensor<1x48x1xf32>
  %18 = "tosa.add"(%16, %17) : (tensor<1x48x1xf32>, tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %19 = "tosa.rsqrt"(%18) : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %20 = "tosa.sub"(%arg0, %6) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %21 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %22 = "tosa.mul"(%20, %19, %21) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %23 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %24 = "tosa.reshape"(%w1, %23) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %26 = "tosa.mul"(%22, %24, %25) : (tensor<1x48x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %27 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %28 = "tosa.reshape"(%w2, %27) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %29 = "tosa.add"(%26, %28) : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %30 = "tosa.transpose"(%w3) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %31 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %32 = "tosa.reshape"(%29, %31) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %33 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %34 = "tosa.reshape"(%32, %33) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %35 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %36 = "tosa.reshape"(%30, %35) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %37 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %38 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %39 = "tosa.matmul"(%34, %36, %37, %38) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %40 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %41 = "tosa.reshape"(%39, %40) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %42 = tosa.const_shape {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %43 = "tosa.reshape"(%w4, %42) : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
  %44 = "tosa.add"(%43, %41) : (tensor<1x64xf32>, tensor<48x64xf32>) -> tensor<48x64xf32>
  %45 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %46 = "tosa.reshape"(%44, %45) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %47 = "tosa.transpose"(%w5) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %48 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %49 = "tosa.reshape"(%29, %48) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %50 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %51 = "tosa.reshape"(%49, %50) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %52 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %53 = "tosa.reshape"(%47, %52) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %54 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %55 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %56 = "tosa.matmul"(%51, %53, %54, %55) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %57 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %58 = "tosa.reshape"(%56, %57) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %59 = tosa.const_shape {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %60 = "tosa.reshape"(%w6, %59) : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
  %61 = "tosa.add"(%60, %58) : (tensor<1x64xf32>, tensor<48x64xf32>) -> tensor<48x64xf32>
  %62 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %63 = "tosa.reshape"(%61, %62) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %64 = "tosa.transpose"(%w7) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %65 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %66 = "tosa.reshape"(%29, %65) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %67 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %68 = "tosa.reshape"(%66, %67) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %69 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %70 = "tosa.reshape"(%64, %69) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %71 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %72 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %73 = "tosa.matmul"(%68, %70, %71, %72) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %74 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %75 = "tosa.reshape"(%73, %74) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %76 = tosa.const_shape {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %77 = "tosa.reshape"(%w8, %76) : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
  %78 = "tosa.add"(%77, %75) : (tensor<1x64xf32>, tensor<48x64xf32>) -> tensor<48x64xf32>
  %79 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %80 = "tosa.reshape"(%78, %79) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %81 = tosa.const_shape {values = dense<[1, 48, 4, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %82 = "tosa.reshape"(%46, %81) : (tensor<1x48x64xf32>, !tosa.shape<4>) -> tensor<1x48x4x16xf32>
  %83 = "tosa.transpose"(%82) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x4x16xf32>) -> tensor<1x4x48x16xf32>
  %84 = tosa.const_shape {values = dense<[1, 48, 4, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %85 = "tosa.reshape"(%63, %84) : (tensor<1x48x64xf32>, !tosa.shape<4>) -> tensor<1x48x4x16xf32>
  %86 = "tosa.transpose"(%85) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x4x16xf32>) -> tensor<1x4x48x16xf32>
  %87 = tosa.const_shape {values = dense<[1, 48, 4, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %88 = "tosa.reshape"(%80, %87) : (tensor<1x48x64xf32>, !tosa.shape<4>) -> tensor<1x48x4x16xf32>
  %89 = "tosa.transpose"(%88) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x48x4x16xf32>) -> tensor<1x4x48x16xf32>
  %90 = "tosa.transpose"(%86) <{perms = array<i32: 0, 1, 3, 2>}> : (tensor<1x4x48x16xf32>) -> tensor<1x4x16x48xf32>
  %91 = tosa.const_shape {values = dense<[4, 48, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %92 = "tosa.reshape"(%83, %91) : (tensor<1x4x48x16xf32>, !tosa.shape<3>) -> tensor<4x48x16xf32>
  %93 = tosa.const_shape {values = dense<[4, 16, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %94 = "tosa.reshape"(%90, %93) : (tensor<1x4x16x48xf32>, !tosa.shape<3>) -> tensor<4x16x48xf32>
  %95 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %96 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %97 = "tosa.matmul"(%92, %94, %95, %96) : (tensor<4x48x16xf32>, tensor<4x16x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x48x48xf32>
  %98 = tosa.const_shape {values = dense<[1, 4, 48, 48]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %99 = "tosa.reshape"(%97, %98) : (tensor<4x48x48xf32>, !tosa.shape<4>) -> tensor<1x4x48x48xf32>
  %100 = "tosa.const"() <{values = dense<4.00000000e+00> : tensor<1x4x48x48xf32>}> : () -> tensor<1x4x48x48xf32>
  %101 = "tosa.reciprocal"(%100) : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x48xf32>
  %102 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %103 = "tosa.mul"(%99, %101, %102) : (tensor<1x4x48x48xf32>, tensor<1x4x48x48xf32>, tensor<1xi8>) -> tensor<1x4x48x48xf32>
  %104 = "tosa.add"(%103, %mask) : (tensor<1x4x48x48xf32>, tensor<1x1x1x48xf32>) -> tensor<1x4x48x48xf32>
  %105 = "tosa.reduce_max"(%104) <{axis = 3 : i32}> : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x1xf32>
  %106 = "tosa.sub"(%104, %105) : (tensor<1x4x48x48xf32>, tensor<1x4x48x1xf32>) -> tensor<1x4x48x48xf32>
  %107 = "tosa.exp"(%106) : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x48xf32>
  %108 = "tosa.reduce_sum"(%107) <{axis = 3 : i32}> : (tensor<1x4x48x48xf32>) -> tensor<1x4x48x1xf32>
  %109 = "tosa.reciprocal"(%108) : (tensor<1x4x48x1xf32>) -> tensor<1x4x48x1xf32>
  %110 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %111 = "tosa.mul"(%107, %109, %110) : (tensor<1x4x48x48xf32>, tensor<1x4x48x1xf32>, tensor<1xi8>) -> tensor<1x4x48x48xf32>
  %112 = tosa.const_shape {values = dense<[4, 48, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %113 = "tosa.reshape"(%111, %112) : (tensor<1x4x48x48xf32>, !tosa.shape<3>) -> tensor<4x48x48xf32>
  %114 = tosa.const_shape {values = dense<[4, 48, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %115 = "tosa.reshape"(%89, %114) : (tensor<1x4x48x16xf32>, !tosa.shape<3>) -> tensor<4x48x16xf32>
  %116 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %117 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %118 = "tosa.matmul"(%113, %115, %116, %117) : (tensor<4x48x48xf32>, tensor<4x48x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x48x16xf32>
  %119 = tosa.const_shape {values = dense<[1, 4, 48, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %120 = "tosa.reshape"(%118, %119) : (tensor<4x48x16xf32>, !tosa.shape<4>) -> tensor<1x4x48x16xf32>
  %121 = "tosa.transpose"(%120) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x4x48x16xf32>) -> tensor<1x48x4x16xf32>
  %122 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %123 = "tosa.reshape"(%121, %122) : (tensor<1x48x4x16xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %124 = "tosa.transpose"(%w9) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %125 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %126 = "tosa.reshape"(%123, %125) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %127 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %128 = "tosa.reshape"(%126, %127) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %129 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %130 = "tosa.reshape"(%124, %129) : (tensor<64x64xf32>, !tosa.shape<3>) -> tensor<1x64x64xf32>
  %131 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %132 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %133 = "tosa.matmul"(%128, %130, %131, %132) : (tensor<1x48x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %134 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %135 = "tosa.reshape"(%133, %134) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %136 = tosa.const_shape {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %137 = "tosa.reshape"(%w10, %136) : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
  %138 = "tosa.add"(%137, %135) : (tensor<1x64xf32>, tensor<48x64xf32>) -> tensor<48x64xf32>
  %139 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %140 = "tosa.reshape"(%138, %139) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %141 = "tosa.add"(%140, %arg0) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  %142 = "tosa.reduce_sum"(%141) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %143 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %144 = "tosa.reciprocal"(%143) : (tensor<1xf32>) -> tensor<1xf32>
  %145 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %146 = "tosa.reshape"(%144, %145) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %147 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %148 = "tosa.mul"(%146, %142, %147) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %149 = "tosa.sub"(%141, %148) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %150 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %151 = "tosa.mul"(%149, %149, %150) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %152 = "tosa.reduce_sum"(%151) <{axis = 2 : i32}> : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %153 = "tosa.const"() <{values = dense<6.40000000e+01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %154 = "tosa.reciprocal"(%153) : (tensor<1xf32>) -> tensor<1xf32>
  %155 = tosa.const_shape {values = dense<[1, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %156 = "tosa.reshape"(%154, %155) : (tensor<1xf32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
  %157 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %158 = "tosa.mul"(%156, %152, %157) : (tensor<1x1x1xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %159 = "tosa.const"() <{values = dense<1.00000000e-05> : tensor<1x48x1xf32>}> : () -> tensor<1x48x1xf32>
  %160 = "tosa.add"(%158, %159) : (tensor<1x48x1xf32>, tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %161 = "tosa.rsqrt"(%160) : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %162 = "tosa.sub"(%141, %148) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %163 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %164 = "tosa.mul"(%162, %161, %163) : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %165 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %166 = "tosa.reshape"(%w11, %165) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %167 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %168 = "tosa.mul"(%164, %166, %167) : (tensor<1x48x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %169 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %170 = "tosa.reshape"(%w12, %169) : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %171 = "tosa.add"(%168, %170) : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %172 = "tosa.transpose"(%w13) <{perms = array<i32: 1, 0>}> : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %173 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %174 = "tosa.reshape"(%171, %173) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %175 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %176 = "tosa.reshape"(%174, %175) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %177 = tosa.const_shape {values = dense<[1, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %178 = "tosa.reshape"(%172, %177) : (tensor<64x128xf32>, !tosa.shape<3>) -> tensor<1x64x128xf32>
  %179 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %180 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %181 = "tosa.matmul"(%176, %178, %179, %180) : (tensor<1x48x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x128xf32>
  %182 = tosa.const_shape {values = dense<[48, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %183 = "tosa.reshape"(%181, %182) : (tensor<1x48x128xf32>, !tosa.shape<2>) -> tensor<48x128xf32>
  %184 = tosa.const_shape {values = dense<[1, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %185 = "tosa.reshape"(%w14, %184) : (tensor<128xf32>, !tosa.shape<2>) -> tensor<1x128xf32>
  %186 = "tosa.add"(%185, %183) : (tensor<1x128xf32>, tensor<48x128xf32>) -> tensor<48x128xf32>
  %187 = tosa.const_shape {values = dense<[1, 48, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %188 = "tosa.reshape"(%186, %187) : (tensor<48x128xf32>, !tosa.shape<3>) -> tensor<1x48x128xf32>
  %189 = "tosa.const"() <{values = dense<7.07106780e-01> : tensor<1x48x128xf32>}> : () -> tensor<1x48x128xf32>
  %190 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %191 = "tosa.mul"(%188, %189, %190) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>, tensor<1xi8>) -> tensor<1x48x128xf32>
  %192 = "tosa.erf"(%191) : (tensor<1x48x128xf32>) -> tensor<1x48x128xf32>
  %193 = "tosa.const"() <{values = dense<5.00000000e-01> : tensor<1x48x128xf32>}> : () -> tensor<1x48x128xf32>
  %194 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %195 = "tosa.mul"(%188, %193, %194) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>, tensor<1xi8>) -> tensor<1x48x128xf32>
  %196 = "tosa.const"() <{values = dense<1.00000000e+00> : tensor<1x48x128xf32>}> : () -> tensor<1x48x128xf32>
  %197 = "tosa.add"(%192, %196) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>) -> tensor<1x48x128xf32>
  %198 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %199 = "tosa.mul"(%195, %197, %198) : (tensor<1x48x128xf32>, tensor<1x48x128xf32>, tensor<1xi8>) -> tensor<1x48x128xf32>
  %200 = "tosa.transpose"(%w15) <{perms = array<i32: 1, 0>}> : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %201 = tosa.const_shape {values = dense<[48, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %202 = "tosa.reshape"(%199, %201) : (tensor<1x48x128xf32>, !tosa.shape<2>) -> tensor<48x128xf32>
  %203 = tosa.const_shape {values = dense<[1, 48, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %204 = "tosa.reshape"(%202, %203) : (tensor<48x128xf32>, !tosa.shape<3>) -> tensor<1x48x128xf32>
  %205 = tosa.const_shape {values = dense<[1, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %206 = "tosa.reshape"(%200, %205) : (tensor<128x64xf32>, !tosa.shape<3>) -> tensor<1x128x64xf32>
  %207 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %208 = "tosa.const"() <{values = dense<0.00000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
  %209 = "tosa.matmul"(%204, %206, %207, %208) : (tensor<1x48x128xf32>, tensor<1x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %210 = tosa.const_shape {values = dense<[48, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %211 = "tosa.reshape"(%209, %210) : (tensor<1x48x64xf32>, !tosa.shape<2>) -> tensor<48x64xf32>
  %212 = tosa.const_shape {values = dense<[1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %213 = "tosa.reshape"(%w16, %212) : (tensor<64xf32>, !tosa.shape<2>) -> tensor<1x64xf32>
  %214 = "tosa.add"(%213, %211) : (tensor<1x64xf32>, tensor<48x64xf32>) -> tensor<48x64xf32>
  %215 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %216 = "tosa.reshape"(%214, %215) : (tensor<48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %217 = "tosa.add"(%216, %141) : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  return %217 : tensor<1x48x64xf32>
}
