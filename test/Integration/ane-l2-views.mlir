// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --intermediates=0 --max-err=0.005

// Strips of rows and slices of channels of tensors that stay in L2: two strips
// of a convolution with the row that they share, put together again, one slice
// of channels through each engine, every other row.

func.func @net(%x: tensor<1x16x12x24xf16>) -> tensor<1x40x6x24xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<16x16x3x1xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x12x24xf16> -> tensor<1x16x12x24xf16>
  %t = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 7, 24>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x12x24xf16> -> tensor<1x16x7x24xf16>
  %b = ane.slice %0 {offsets = array<i64: 0, 0, 5, 0>, sizes = array<i64: 1, 16, 7, 24>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x12x24xf16> -> tensor<1x16x7x24xf16>
  %1 = ane.conv %t, %w {pad = array<i64: 1, 0, 0, 0>} : tensor<1x16x7x24xf16>, tensor<16x16x3x1xf16> -> tensor<1x16x6x24xf16>
  %2 = ane.conv %b, %w {pad = array<i64: 0, 1, 0, 0>} : tensor<1x16x7x24xf16>, tensor<16x16x3x1xf16> -> tensor<1x16x6x24xf16>
  %3 = ane.concat %1, %2 {axis = 2 : i64} : tensor<1x16x6x24xf16>, tensor<1x16x6x24xf16> -> tensor<1x16x12x24xf16>
  %4 = ane.elementwise add %3, %0 : tensor<1x16x12x24xf16>, tensor<1x16x12x24xf16> -> tensor<1x16x12x24xf16>
  %5 = ane.slice %4 {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 8, 12, 24>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x12x24xf16> -> tensor<1x8x12x24xf16>
  %6 = ane.activation %5 {function = #ane.act<tanh>} : tensor<1x8x12x24xf16> -> tensor<1x8x12x24xf16>
  %7 = ane.concat %4, %0, %6 {axis = 1 : i64} : tensor<1x16x12x24xf16>, tensor<1x16x12x24xf16>, tensor<1x8x12x24xf16> -> tensor<1x40x12x24xf16>
  %8 = ane.slice %7 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 40, 6, 24>, strides = array<i64: 1, 1, 2, 1>} : tensor<1x40x12x24xf16> -> tensor<1x40x6x24xf16>
  %9 = ane.activation %8 {function = #ane.act<neg>} : tensor<1x40x6x24xf16> -> tensor<1x40x6x24xf16>
  return %9 : tensor<1x40x6x24xf16>
}
