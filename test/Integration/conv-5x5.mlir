// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A 5x5 convolution of one channel.

func.func @net(%x: tensor<1x1x28x28xf32>) -> tensor<1x6x28x28xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<6x5x5x1xf32>}> : () -> tensor<6x5x5x1xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<6xf32>}> : () -> tensor<6xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x1x28x28xf32>) -> tensor<1x28x28x1xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x28x28x1xf32>, tensor<6x5x5x1xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x28x28x6xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x28x28x6xf32>) -> tensor<1x6x28x28xf32>
  %3 = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x6x28x28xf32>) -> tensor<1x6x28x28xf32>
  return %3 : tensor<1x6x28x28xf32>
}
