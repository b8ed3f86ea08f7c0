// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Coefficients beyond 64 KiB of an engine: several tasks share the channels.

func.func @net(%x: tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_30> : tensor<256x3x3x256xf32>}> : () -> tensor<256x3x3x256xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<256xf32>}> : () -> tensor<256xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x256x14x14xf32>) -> tensor<1x14x14x256xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x14x14x256xf32>, tensor<256x3x3x256xf32>, tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x256xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x14x14x256xf32>) -> tensor<1x256x14x14xf32>
  return %2 : tensor<1x256x14x14xf32>
}
