// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-8 --high=8 --max-err=0.003

// Class scores.

func.func @net(%a: tensor<2x100xf16>) -> tensor<2x100xf16> {
  %0 = ane.softmax %a {axis = 1 : i64} : tensor<2x100xf16> -> tensor<2x100xf16>
  return %0 : tensor<2x100xf16>
}
