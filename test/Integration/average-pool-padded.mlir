// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Border windows divide by the elements inside the image.

func.func @net(%x: tensor<1x8x15x15xf32>) -> tensor<1x8x8x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x15x15xf32>) -> tensor<1x15x15x8xf32>
  %1 = tosa.avg_pool2d %0, %z, %z {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, acc_type = f32}
     : (tensor<1x15x15x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x8xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}
