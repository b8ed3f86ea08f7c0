// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// One second of sound: a norm of all channels, every fifth sample, and back.

func.func @net(%x: tensor<1x2x1x16400xf16> {ane.name = "x"}) -> (tensor<1x1x1x16400xf16> {ane.name = "y"}) {
  %w = ane.constant dense<[[[[0.5, -0.25, 1.0, 0.5, -0.5, 0.25]], [[0.25, 0.5, -1.0, 0.5, 0.5, -0.25]]]]> : tensor<1x2x1x6xf16>
  %v = ane.constant dense<[[[[0.5, -0.25, 1.0, 0.5, -0.5, 0.25]]]]> : tensor<1x1x1x6xf16>
  %0 = ane.reshape %x : tensor<1x2x1x16400xf16> -> tensor<1x1x1x32800xf16>
  %1 = ane.layer_norm %0 {axes = array<i64: 3>, epsilon = 0.001 : f32} : tensor<1x1x1x32800xf16> -> tensor<1x1x1x32800xf16>
  %2 = ane.reshape %1 : tensor<1x1x1x32800xf16> -> tensor<1x2x1x16400xf16>
  %3 = ane.conv %2, %w {strides = array<i64: 1, 5>, pad = array<i64: 0, 0, 1, 0>} : tensor<1x2x1x16400xf16>, tensor<1x2x1x6xf16> -> tensor<1x1x1x3280xf16>
  %4 = ane.conv_transpose %3, %v {strides = array<i64: 1, 5>, pad = array<i64: 0, 0, 0, 1>} : tensor<1x1x1x3280xf16>, tensor<1x1x1x6xf16> -> tensor<1x1x1x16400xf16>
  return %4 : tensor<1x1x1x16400xf16>
}
