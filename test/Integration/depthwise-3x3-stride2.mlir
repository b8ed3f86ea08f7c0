// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A depthwise convolution at stride 2.

func.func @net(%x: tensor<1x40x20x24xf32>) -> tensor<1x40x10x12xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1> : tensor<3x3x40x1xf32>}> : () -> tensor<3x3x40x1xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<40xf32>}> : () -> tensor<40xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x40x20x24xf32>) -> tensor<1x20x24x40xf32>
  %1 = tosa.depthwise_conv2d %0, %w, %b, %z, %z {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x20x24x40xf32>, tensor<3x3x40x1xf32>, tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x12x40xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x10x12x40xf32>) -> tensor<1x40x10x12xf32>
  return %2 : tensor<1x40x10x12xf32>
}
