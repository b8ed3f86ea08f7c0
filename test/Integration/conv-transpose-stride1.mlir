// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A transposed convolution of stride 1 becomes a convolution with the kernel rotated.

func.func @net(%x: tensor<1x10x9x12xf32>) -> tensor<1x18x11x14xf32> {
  %w = "tosa.const"() <{values = dense_resource<random_1_50> : tensor<18x3x3x10xf32>}> : () -> tensor<18x3x3x10xf32>
  %b = "tosa.const"() <{values = dense_resource<random_2> : tensor<18xf32>}> : () -> tensor<18xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x10x9x12xf32>) -> tensor<1x9x12x10xf32>
  %1 = tosa.transpose_conv2d %0, %w, %b, %z, %z {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x9x12x10xf32>, tensor<18x3x3x10xf32>, tensor<18xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x11x14x18xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x11x14x18xf32>) -> tensor<1x18x11x14xf32>
  return %2 : tensor<1x18x11x14xf32>
}
