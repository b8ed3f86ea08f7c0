// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Average pooling.

func.func @net(%x: tensor<1x16x28x28xf32>) -> tensor<1x16x14x14xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x28x28xf32>) -> tensor<1x28x28x16xf32>
  %1 = tosa.avg_pool2d %0, %z, %z {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32}
     : (tensor<1x28x28x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x16xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x14x14x16xf32>) -> tensor<1x16x14x14xf32>
  return %2 : tensor<1x16x14x14xf32>
}
