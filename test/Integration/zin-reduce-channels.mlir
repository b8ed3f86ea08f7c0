// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=2

// The mean of channels: an exchange, then rows as groups.

func.func @net(%a: tensor<1x64x8x10xf16>) -> tensor<1x1x8x10xf16> {
  %0 = ane.reduce mean %a {axes = array<i64: 1>} : tensor<1x64x8x10xf16> -> tensor<1x1x8x10xf16>
  return %0 : tensor<1x1x8x10xf16>
}
