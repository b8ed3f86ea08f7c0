// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Windows at the border divide by the elements inside the image.

func.func @net(%x: tensor<1x20x17x15xf32>) -> tensor<1x20x17x15xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x20x17x15xf32>) -> tensor<1x17x15x20xf32>
  %1 = tosa.avg_pool2d %0, %z, %z {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x17x15x20xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x17x15x20xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x17x15x20xf32>) -> tensor<1x20x17x15xf32>
  return %2 : tensor<1x20x17x15xf32>
}
