// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3 --high=5 --max-err=0.003

// Norms of planes and of all channels, whose tasks subtract means on the way.

func.func @net(%a: tensor<1x24x40x36xf16>, %b: tensor<1x24x1x96xf16>) -> (tensor<1x24x40x36xf16>, tensor<1x24x1x96xf16>) {
  %0 = ane.layer_norm %a {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x24x40x36xf16> -> tensor<1x24x40x36xf16>
  %1 = ane.layer_norm %b {axes = array<i64: 1, 3>, epsilon = 1.0e-5 : f32} : tensor<1x24x1x96xf16> -> tensor<1x24x1x96xf16>
  return %0, %1 : tensor<1x24x40x36xf16>, tensor<1x24x1x96xf16>
}
