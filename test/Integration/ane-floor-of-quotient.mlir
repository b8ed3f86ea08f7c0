// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=0 --high=1980 --step=11 --max-err=0

// Multiples of 11 over 11 are whole numbers, though 11 times the rounded inverse is not 1.

func.func @main(%x: tensor<1x1x4x45xf16>) -> (tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>) {
  %c = ane.constant dense<11.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise div %x, %c : tensor<1x1x4x45xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x45xf16>
  %1 = ane.activation %0 {function = #ane.act<floor>} : tensor<1x1x4x45xf16> -> tensor<1x1x4x45xf16>
  %2 = ane.elementwise div %x, %c {activation = #ane.act<trunc>} : tensor<1x1x4x45xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x45xf16>
  %3 = ane.activation %0 {function = #ane.act<ceil>} : tensor<1x1x4x45xf16> -> tensor<1x1x4x45xf16>
  return %1, %2, %3 : tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>
}
