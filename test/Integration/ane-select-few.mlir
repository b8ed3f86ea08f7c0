// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-4 --high=4 --max-err=0.001

// A choice between few elements and an infinity of many.

func.func @net(%x: tensor<1x1x1x8xf16>) -> tensor<1x4x8x8xf16> {
  %zero = ane.constant dense<0.0> : tensor<1x1x1x1xf16>
  %least = ane.constant dense<0xFC00> : tensor<1x4x8x8xf16>
  %where = ane.compare lt %x, %zero : tensor<1x1x1x8xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x8xf16>
  %0 = ane.select %where, %x, %least : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %low = ane.constant dense<-5.0> : tensor<1x1x1x1xf16>
  %1 = ane.elementwise max %0, %low : tensor<1x4x8x8xf16>, tensor<1x1x1x1xf16> -> tensor<1x4x8x8xf16>
  return %1 : tensor<1x4x8x8xf16>
}
