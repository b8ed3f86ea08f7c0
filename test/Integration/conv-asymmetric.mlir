// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Unequal padding on all four sides, kernel wider than high.

func.func @net(%x: tensor<1x8x12x20xf32>) -> tensor<1x16x13x19xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<16x3x5x8xf32>}> : () -> tensor<16x3x5x8xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<16xf32>}> : () -> tensor<16xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x12x20xf32>) -> tensor<1x12x20x8xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 2, 1, 3, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x12x20x8xf32>, tensor<16x3x5x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x13x19x16xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x13x19x16xf32>) -> tensor<1x16x13x19xf32>
  return %2 : tensor<1x16x13x19xf32>
}
