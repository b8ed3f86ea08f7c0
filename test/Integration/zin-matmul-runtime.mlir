// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0.003 --tasks=2

// The left rows are coefficients, interleaved in scratch memory.

func.func @net(%a: tensor<1x64x32xf16>, %w: tensor<1x32x96xf16>) -> tensor<1x64x96xf16> {
  %0 = ane.matmul %a, %w  : tensor<1x64x32xf16>, tensor<1x32x96xf16> -> tensor<1x64x96xf16>
  return %0 : tensor<1x64x96xf16>
}
