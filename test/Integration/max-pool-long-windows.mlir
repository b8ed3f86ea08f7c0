// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-9 --high=-1

// Windows that hang far over the border, and windows longer than a row may be.
// All values are below zero: padding must not win.

func.func @net(%x: tensor<1x2x300x3xf16>, %y: tensor<1x1x1x40000xf16>) -> (tensor<1x2x101x3xf16>, tensor<1x2x67x3xf16>, tensor<1x1x1x3335xf16>, tensor<1x1x1x5000xf16>, tensor<1x1x1x2xf16>) {
  %0 = ane.pool max %x {kernel = array<i64: 300, 1>, pad = array<i64: 0, 100, 0, 0>, strides = array<i64: 1, 1>} : tensor<1x2x300x3xf16> -> tensor<1x2x101x3xf16>
  %1 = ane.pool max %x {kernel = array<i64: 299, 2>, pad = array<i64: 150, 181, 0, 1>, strides = array<i64: 5, 1>} : tensor<1x2x300x3xf16> -> tensor<1x2x67x3xf16>
  %2 = ane.pool max %y {kernel = array<i64: 1, 39999>, pad = array<i64: 0, 0, 0, 10001>, strides = array<i64: 1, 3>} : tensor<1x1x1x40000xf16> -> tensor<1x1x1x3335xf16>
  %3 = ane.pool max %y {kernel = array<i64: 1, 20000>, pad = array<i64: 0, 0, 14990, 3>, strides = array<i64: 1, 7>} : tensor<1x1x1x40000xf16> -> tensor<1x1x1x5000xf16>
  %4 = ane.pool max %y {kernel = array<i64: 1, 39998>, strides = array<i64: 1, 2>} : tensor<1x1x1x40000xf16> -> tensor<1x1x1x2xf16>
  return %0, %1, %2, %3, %4 : tensor<1x2x101x3xf16>, tensor<1x2x67x3xf16>, tensor<1x1x1x3335xf16>, tensor<1x1x1x5000xf16>, tensor<1x1x1x2xf16>
}
