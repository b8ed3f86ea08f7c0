// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Convolutions of volumes: a stem of stride 2, windows along the depth only, and a transposed result.

func.func @net(%x: tensor<2x6x10x12x4xf32>) -> tensor<2x3x5x6x16xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_80> : tensor<16x3x3x3x4xf32>}> : () -> tensor<16x3x3x3x4xf32>
  %v = "tosa.const"() <{values = dense_resource<random_2_30> : tensor<16x3x1x1x16xf32>}> : () -> tensor<16x3x1x1x16xf32>
  %b = "tosa.const"() <{values = dense_resource<random_3> : tensor<16xf32>}> : () -> tensor<16xf32>
  %c = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {pad = array<i64: 1, 0, 1, 0, 1, 0>, stride = array<i64: 2, 2, 2>, dilation = array<i64: 1, 1, 1>, acc_type = f32}
     : (tensor<2x6x10x12x4xf32>, tensor<16x3x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5x6x16xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 3.4028235e+38 : f32} : (tensor<2x3x5x6x16xf32>) -> tensor<2x3x5x6x16xf32>
  %2 = tosa.conv3d %1, %v, %c, %z, %z {pad = array<i64: 1, 1, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32}
     : (tensor<2x3x5x6x16xf32>, tensor<16x3x1x1x16xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5x6x16xf32>
  return %2 : tensor<2x3x5x6x16xf32>
}
