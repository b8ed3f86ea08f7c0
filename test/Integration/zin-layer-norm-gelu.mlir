// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.006 --tasks=4

// A table behind a norm reads its rows where they are.

func.func @net(%x: tensor<1x64x64xf16>) -> tensor<1x64x64xf16> {
  %0 = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x64xf16> -> tensor<1x64x64xf16>
  %1 = ane.activation %0 {function = #ane.act<gelu>} : tensor<1x64x64xf16> -> tensor<1x64x64xf16>
  return %1 : tensor<1x64x64xf16>
}
