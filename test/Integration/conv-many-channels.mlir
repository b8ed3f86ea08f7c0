// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A number of channels that is not a power of two.

func.func @net(%x: tensor<1x48x9x9xf32>) -> tensor<1x1000x9x9xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<1000x1x1x48xf32>}> : () -> tensor<1000x1x1x48xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<1000xf32>}> : () -> tensor<1000xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x48x9x9xf32>) -> tensor<1x9x9x48xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x9x9x48xf32>, tensor<1000x1x1x48xf32>, tensor<1000xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x9x1000xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x9x9x1000xf32>) -> tensor<1x1000x9x9xf32>
  return %2 : tensor<1x1000x9x9xf32>
}
