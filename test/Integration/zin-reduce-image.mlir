// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=1

// The mean of an image in one task.

func.func @net(%a: tensor<1x48x8x6xf16>) -> tensor<1x48x1x1xf16> {
  %0 = ane.reduce mean %a {axes = array<i64: 2, 3>} : tensor<1x48x8x6xf16> -> tensor<1x48x1x1xf16>
  return %0 : tensor<1x48x1x1xf16>
}
