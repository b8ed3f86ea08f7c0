// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Stride 4 is stride 2 twice.

func.func @net(%x: tensor<1x3x33x33xf32>) -> tensor<1x24x8x8xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_50> : tensor<24x5x5x3xf32>}> : () -> tensor<24x5x5x3xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<24xf32>}> : () -> tensor<24xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x33x33xf32>) -> tensor<1x33x33x3xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 4, 4>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x33x33x3xf32>, tensor<24x5x5x3xf32>, tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x24xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x8x8x24xf32>) -> tensor<1x24x8x8xf32>
  return %2 : tensor<1x24x8x8xf32>
}
