// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// 20,003 rows of seven, a prime, and 70,001 channels: in pieces.

func.func @net(%x: tensor<1x1x20003x7xf16>, %y: tensor<1x70001x2x3xf16>) -> (tensor<1x1x20003x7xf16>, tensor<20003x9xf16>, tensor<1x1x7x20003xf16>, tensor<1x1x10001x7xf16>, tensor<1x70001x2x3xf16>) {
  %0 = ane.pool max %x {kernel = array<i64: 3, 1>, pad = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>} : tensor<1x1x20003x7xf16> -> tensor<1x1x20003x7xf16>
  %r = ane.reshape %0 : tensor<1x1x20003x7xf16> -> tensor<20003x7xf16>
  %1 = ane.pad %r {low = array<i64: 0, 1>, high = array<i64: 0, 1>, value = 0.5 : f32} : tensor<20003x7xf16> -> tensor<20003x9xf16>
  %2 = ane.transpose %x {perm = array<i64: 0, 1, 3, 2>} : tensor<1x1x20003x7xf16> -> tensor<1x1x7x20003xf16>
  %3 = ane.slice %x {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 1, 10001, 7>, strides = array<i64: 1, 1, 2, 1>} : tensor<1x1x20003x7xf16> -> tensor<1x1x10001x7xf16>
  %4 = ane.activation %y {function = #ane.act<relu>} : tensor<1x70001x2x3xf16> -> tensor<1x70001x2x3xf16>
  return %0, %1, %2, %3, %4 : tensor<1x1x20003x7xf16>, tensor<20003x9xf16>, tensor<1x1x7x20003xf16>, tensor<1x1x10001x7xf16>, tensor<1x70001x2x3xf16>
}
