// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --max-err=0 --tasks=1

// Rows of several images are repeated on their way through L2.

func.func @net(%a: tensor<7x375x1x2xf16>) -> tensor<7x375x2x2xf16> {
  %0 = ane.tile %a {repeats = array<i64: 1, 1, 2, 1>} : tensor<7x375x1x2xf16> -> tensor<7x375x2x2xf16>
  return %0 : tensor<7x375x2x2xf16>
}
