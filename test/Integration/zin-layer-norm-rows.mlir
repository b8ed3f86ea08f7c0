// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.004 --tasks=3

// Over the columns of a lone channel.

func.func @net(%a: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> {
  %0 = ane.layer_norm %a {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x256xf16> -> tensor<1x64x256xf16>
  return %0 : tensor<1x64x256xf16>
}
