// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=0.1 --high=9 --max-err=0.002

// A root of a sum with epsilon.

func.func @net(%a: tensor<1x5x6x7xf16>) -> tensor<1x5x6x7xf16> {
  %0 = ane.activation %a {function = #ane.act<rsqrt, 0.125>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  return %0 : tensor<1x5x6x7xf16>
}
