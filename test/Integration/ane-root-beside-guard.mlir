// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-0.01 --high=0.01

// What is squared is a tenth of x: the guard is a hundred times as large beside x squared, and x in its unit stays within f16.

func.func @net(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %c = ane.constant dense<0.1> : tensor<1x1xf32>
  %g = ane.constant dense<0.25> : tensor<1x1xf32>
  %0 = ane.elementwise mul %x, %c : tensor<4x8xf16>, tensor<1x1xf32> -> tensor<4x8xf16>
  %1 = ane.elementwise mul %0, %0 : tensor<4x8xf16>, tensor<4x8xf16> -> tensor<4x8xf16>
  %2 = ane.elementwise add %1, %g : tensor<4x8xf16>, tensor<1x1xf32> -> tensor<4x8xf16>
  %3 = ane.activation %2 {function = #ane.act<sqrt>} : tensor<4x8xf16> -> tensor<4x8xf16>
  return %3 : tensor<4x8xf16>
}
