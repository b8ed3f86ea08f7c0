// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-4 --high=4 --max-err=0.001
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-4 --high=4 --max-err=0.001

// Data of few elements and a number of many.

func.func @net(%x: tensor<1x1x1x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %k = ane.constant dense<2.5> : tensor<1x4x8x8xf16>
  %0 = ane.elementwise max %x, %k : tensor<1x1x1x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.elementwise min %k, %x {scale = 2.0 : f32, bias = 1.0 : f32} : tensor<1x4x8x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x4x8x8xf16>
  return %0, %1 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}
