// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-8 --high=8 --max-err=0.003

// Over rows.

func.func @net(%a: tensor<1x3x40x6xf16>) -> tensor<1x3x40x6xf16> {
  %0 = ane.softmax %a {axis = 2 : i64} : tensor<1x3x40x6xf16> -> tensor<1x3x40x6xf16>
  return %0 : tensor<1x3x40x6xf16>
}
