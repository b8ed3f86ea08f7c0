// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// An image that does not fit into L2.

func.func @net(%x: tensor<1x64x256x128xf32>) -> tensor<1x32x256x128xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<32x3x3x64xf32>}> : () -> tensor<32x3x3x64xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<32xf32>}> : () -> tensor<32xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x64x256x128xf32>) -> tensor<1x256x128x64xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x256x128x64xf32>, tensor<32x3x3x64xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x256x128x32xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x256x128x32xf32>) -> tensor<1x32x256x128xf32>
  return %2 : tensor<1x32x256x128xf32>
}
