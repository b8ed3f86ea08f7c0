// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=0 --high=8000 --step=8 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-40 --high=40 --step=0.125 --max-err=0.01

// Sines of positions times frequencies: products that f16 does not hold, digit by digit. A sine
// alone is the function of the product that makes its angle, and a cosine may have a phase.

func.func @net(%p: tensor<1x9x1xf16>) -> (tensor<1x9x8xf16>, tensor<1x8x9xf16>, tensor<1x9x8xf16>, tensor<1x9x8xf16>) {
  %f = ane.constant dense<[[[1.0, 0.31622776, 0.1, 0.031622776, 0.01, 0.0031622776, 0.001, 2.5]]]> : tensor<1x1x8xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x9x1xf16>, tensor<1x1x8xf32> -> tensor<1x9x8xf16>
  %s = ane.activation %a {function = #ane.act<sin>} : tensor<1x9x8xf16> -> tensor<1x9x8xf16>
  %t = ane.transpose %a {perm = array<i64: 0, 2, 1>} : tensor<1x9x8xf16> -> tensor<1x8x9xf16>
  %c = ane.activation %t {function = #ane.act<cos>} : tensor<1x8x9xf16> -> tensor<1x8x9xf16>
  %alone = ane.elementwise mul %p, %f {activation = #ane.act<sin>} : tensor<1x9x1xf16>, tensor<1x1x8xf32> -> tensor<1x9x8xf16>
  %phase = ane.elementwise mul %p, %f {bias = 100.0 : f32, activation = #ane.act<cos>} : tensor<1x9x1xf16>, tensor<1x1x8xf32> -> tensor<1x9x8xf16>
  return %s, %c, %alone, %phase : tensor<1x9x8xf16>, tensor<1x8x9xf16>, tensor<1x9x8xf16>, tensor<1x9x8xf16>
}
