// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.01

// A gated layer whose two tensors of 4096 channels do not fit into L2 together.

func.func @net(%x: tensor<1x128x1x128xf16>) -> tensor<1x128x1x128xf16> {
  %g = ane.constant dense_resource<random_1> : tensor<4096x128x1x1xf16>
  %u = ane.constant dense_resource<random_2> : tensor<4096x128x1x1xf16>
  %d = ane.constant dense_resource<random_3> : tensor<128x4096x1x1xf16>
  %b = ane.constant dense_resource<random_4> : tensor<128xf16>
  %0 = ane.conv %x, %g {activation = #ane.act<silu>} : tensor<1x128x1x128xf16>, tensor<4096x128x1x1xf16> -> tensor<1x4096x1x128xf16>
  %1 = ane.conv %x, %u : tensor<1x128x1x128xf16>, tensor<4096x128x1x1xf16> -> tensor<1x4096x1x128xf16>
  %2 = ane.elementwise mul %0, %1 : tensor<1x4096x1x128xf16>, tensor<1x4096x1x128xf16> -> tensor<1x4096x1x128xf16>
  %y = ane.conv %2, %d bias %b {activation = #ane.act<relu>} : tensor<1x4096x1x128xf16>, tensor<128x4096x1x1xf16>, tensor<128xf16> -> tensor<1x128x1x128xf16>
  return %y : tensor<1x128x1x128xf16>
}
