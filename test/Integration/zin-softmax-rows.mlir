// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-8 --high=8 --max-err=0.003 --tasks=5

// Over rows, which are channels for it.

func.func @net(%a: tensor<1x32x4x6xf16>) -> tensor<1x32x4x6xf16> {
  %0 = ane.softmax %a {axis = 2 : i64} : tensor<1x32x4x6xf16> -> tensor<1x32x4x6xf16>
  return %0 : tensor<1x32x4x6xf16>
}
