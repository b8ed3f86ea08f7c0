// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.006 --tasks=5

// A product behind a norm exchanges its rows in L2.

func.func @net(%x: tensor<1x64x64xf16>) -> tensor<1x64x96xf16> {
  %w = ane.constant dense_resource<random_1> : tensor<1x96x64xf16>
  %0 = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x64xf16> -> tensor<1x64x64xf16>
  %1 = ane.matmul %0, %w {transpose_rhs} : tensor<1x64x64xf16>, tensor<1x96x64xf16> -> tensor<1x64x96xf16>
  return %1 : tensor<1x64x96xf16>
}
