// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.02 --tasks=3

// The sum of rows: an exchange there and back.

func.func @net(%a: tensor<1x48x8x6xf16>) -> tensor<1x48x1x6xf16> {
  %0 = ane.reduce sum %a {axes = array<i64: 2>} : tensor<1x48x8x6xf16> -> tensor<1x48x1x6xf16>
  return %0 : tensor<1x48x1x6xf16>
}
