// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3 --high=5 --max-err=0.003

// Groups that L2 does not hold, whose channels have means far apart.

func.func @net(%a: tensor<1x8x512x512xf16>) -> tensor<1x8x512x512xf16> {
  %m = ane.constant dense<[[[[-9.0]], [[-5.0]], [[0.0]], [[7.0]], [[20.0]], [[2.0]], [[-30.0]], [[1.0]]]]> : tensor<1x8x1x1xf16>
  %g = ane.constant dense<[[[[1.0]], [[2.0]], [[0.5]], [[0.75]], [[1.5]], [[3.0]], [[1.0]], [[2.5]]]]> : tensor<1x8x1x1xf16>
  %0 = ane.elementwise add %a, %m : tensor<1x8x512x512xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x512x512xf16>
  %1 = ane.reshape %0 : tensor<1x8x512x512xf16> -> tensor<1x2x2048x512xf16>
  %2 = ane.layer_norm %1 {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x2048x512xf16> -> tensor<1x2x2048x512xf16>
  %3 = ane.reshape %2 : tensor<1x2x2048x512xf16> -> tensor<1x8x512x512xf16>
  %4 = ane.elementwise mul %3, %g : tensor<1x8x512x512xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x512x512xf16>
  return %4 : tensor<1x8x512x512xf16>
}
