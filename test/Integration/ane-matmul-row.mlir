// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.002

// One row.

func.func @net(%a: tensor<1x1x1x300xf16>, %b: tensor<1x1x300x77xf16>) -> tensor<1x1x1x77xf16> {
  %0 = ane.matmul %a, %b : tensor<1x1x1x300xf16>, tensor<1x1x300x77xf16> -> tensor<1x1x1x77xf16>
  return %0 : tensor<1x1x1x77xf16>
}
