// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.004 --tasks=5

// More rows than one task reduces: the source is read three times.

func.func @net(%a: tensor<1x1x300x128xf16>) -> tensor<1x1x300x128xf16> {
  %0 = ane.layer_norm %a {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x1x300x128xf16> -> tensor<1x1x300x128xf16>
  return %0 : tensor<1x1x300x128xf16>
}
