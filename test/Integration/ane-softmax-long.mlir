// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-8 --high=8 --max-err=0.003

// More channels than a row has elements.

func.func @net(%a: tensor<1x20000x1x8xf16>) -> tensor<1x20000x1x8xf16> {
  %0 = ane.softmax %a {axis = 1 : i64} : tensor<1x20000x1x8xf16> -> tensor<1x20000x1x8xf16>
  return %0 : tensor<1x20000x1x8xf16>
}
