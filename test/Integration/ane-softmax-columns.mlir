// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-8 --high=8 --max-err=0.003

// The rows of attention scores.

func.func @net(%a: tensor<1x3x33x70xf16>) -> tensor<1x3x33x70xf16> {
  %0 = ane.softmax %a {axis = 3 : i64} : tensor<1x3x33x70xf16> -> tensor<1x3x33x70xf16>
  return %0 : tensor<1x3x33x70xf16>
}
