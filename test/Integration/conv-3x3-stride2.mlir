// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Stride 2 with padding at the top and left only.

func.func @net(%x: tensor<1x32x32x32xf32>) -> tensor<1x48x16x16xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<48x3x3x32xf32>}> : () -> tensor<48x3x3x32xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<48xf32>}> : () -> tensor<48xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x32x32x32xf32>, tensor<48x3x3x32xf32>, tensor<48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x48xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x16x16x48xf32>) -> tensor<1x48x16x16xf32>
  return %2 : tensor<1x48x16x16xf32>
}
