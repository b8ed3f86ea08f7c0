// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0 --tasks=1

// The largest channel, on the NEs.

func.func @net(%a: tensor<1x64x8x10xf16>) -> tensor<1x1x8x10xf16> {
  %0 = ane.reduce max %a {axes = array<i64: 1>} : tensor<1x64x8x10xf16> -> tensor<1x1x8x10xf16>
  return %0 : tensor<1x1x8x10xf16>
}
