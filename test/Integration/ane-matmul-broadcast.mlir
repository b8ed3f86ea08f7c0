// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// One matrix for all of a batch, at rank 3.

func.func @net(%a: tensor<3x17x20xf16>, %b: tensor<1x20x9xf16>) -> tensor<3x17x9xf16> {
  %0 = ane.matmul %a, %b : tensor<3x17x20xf16>, tensor<1x20x9xf16> -> tensor<3x17x9xf16>
  return %0 : tensor<3x17x9xf16>
}
