// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3 --high=5 --max-err=0.003

// Norms of planes and of all channels, whose tasks subtract means on the way; of planes that
// L2 does not hold, each with a factor.

func.func @net(%a: tensor<1x24x40x36xf16>, %b: tensor<1x24x1x96xf16>, %c: tensor<1x6x512x512xf16>) -> (tensor<1x24x40x36xf16>, tensor<1x24x1x96xf16>, tensor<1x6x512x512xf16>) {
  %g = ane.constant dense<[[[[1.0]], [[2.0]], [[0.5]], [[0.75]], [[1.5]], [[3.0]]]]> : tensor<1x6x1x1xf16>
  %0 = ane.layer_norm %a {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x24x40x36xf16> -> tensor<1x24x40x36xf16>
  %1 = ane.layer_norm %b {axes = array<i64: 1, 3>, epsilon = 1.0e-5 : f32} : tensor<1x24x1x96xf16> -> tensor<1x24x1x96xf16>
  %2 = ane.layer_norm %c {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x6x512x512xf16> -> tensor<1x6x512x512xf16>
  %3 = ane.elementwise mul %2, %g : tensor<1x6x512x512xf16>, tensor<1x6x1x1xf16> -> tensor<1x6x512x512xf16>
  return %0, %1, %3 : tensor<1x24x40x36xf16>, tensor<1x24x1x96xf16>, tensor<1x6x512x512xf16>
}
