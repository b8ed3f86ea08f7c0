// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// A batch of two dimensions.

func.func @net(%a: tensor<2x2x5x16xf16>, %b: tensor<2x2x16x37xf16>) -> tensor<2x2x5x37xf16> {
  %0 = ane.matmul %a, %b : tensor<2x2x5x16xf16>, tensor<2x2x16x37xf16> -> tensor<2x2x5x37xf16>
  return %0 : tensor<2x2x5x37xf16>
}
