// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// Lengths that no two dimensions of a surface have: 79997 is a prime, so is 17011. What is
// after a row in its surface is in no window, no sum and no maximum.

func.func @net(%x: tensor<1x2x1x17011xf16> {ane.name = "x"}, %y: tensor<1x1x79997x1xf16> {ane.name = "y"}) -> (tensor<1x2x1x17011xf16>, tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16>, tensor<1x1x79997x1xf16>, tensor<2x34022xf16>) {
  %two = ane.constant dense<2.0> : tensor<1x2x1x17011xf16>
  %zero = ane.constant dense<0.0> : tensor<1x1x1x1xf16>
  %w = ane.constant dense<[[[[0.5, -0.25, 1.0]], [[0.25, 0.5, -1.0]]], [[[0.5, -0.5, 0.25]], [[1.0, 0.5, 0.25]]]]> : tensor<2x2x1x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x2x1x17011xf16>, tensor<2x2x1x3xf16> -> tensor<1x2x1x17011xf16>
  %1 = ane.elementwise sub %x, %two : tensor<1x2x1x17011xf16>, tensor<1x2x1x17011xf16> -> tensor<1x2x1x17011xf16>
  %2 = ane.reduce max %1 {axes = array<i64: 3>} : tensor<1x2x1x17011xf16> -> tensor<1x2x1x1xf16>
  %3 = ane.reduce mean %1 {axes = array<i64: 3>} : tensor<1x2x1x17011xf16> -> tensor<1x2x1x1xf16>
  %4 = ane.elementwise max %y, %zero : tensor<1x1x79997x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x79997x1xf16>
  %5 = ane.reshape %x : tensor<1x2x1x17011xf16> -> tensor<2x17011xf16>
  %6 = ane.tile %5 {repeats = array<i64: 1, 2>} : tensor<2x17011xf16> -> tensor<2x34022xf16>
  return %0, %2, %3, %4, %6 : tensor<1x2x1x17011xf16>, tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16>, tensor<1x1x79997x1xf16>, tensor<2x34022xf16>
}
