// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-8 --high=8 --max-err=0.003 --tasks=5

// Of single columns.

func.func @net(%a: tensor<1x96x1x1xf16>) -> tensor<1x96x1x1xf16> {
  %0 = ane.softmax %a {axis = 3 : i64} : tensor<1x96x1x1xf16> -> tensor<1x96x1x1xf16>
  return %0 : tensor<1x96x1x1xf16>
}
