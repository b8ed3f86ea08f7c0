// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// An operand that is repeated along the batch and the columns, the smaller one first.

func.func @net(%x: tensor<1x5x7x1xf16>, %y: tensor<3x5x7x9xf16>) -> tensor<3x5x7x9xf16> {
  %z = ane.elementwise sub %x, %y : tensor<1x5x7x1xf16>, tensor<3x5x7x9xf16> -> tensor<3x5x7x9xf16>
  return %z : tensor<3x5x7x9xf16>
}
