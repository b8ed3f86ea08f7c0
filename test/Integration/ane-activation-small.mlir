// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-0.01 --high=0.01 --max-err=0.005
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-0.75 --high=3 --max-err=0.002

// Functions of small arguments, off by a part of them: products with a table, tables through zero.

func.func @net(%a: tensor<1x5x6x47xf16>) -> (tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>) {
  %0 = ane.activation %a {function = #ane.act<silu>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  %1 = ane.activation %a {function = #ane.act<hard_swish>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  %2 = ane.activation %a {function = #ane.act<elu, 1.0>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  %3 = ane.activation %a {function = #ane.act<log1p>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  %4 = ane.activation %a {function = #ane.act<expm1>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  %5 = ane.activation %a {function = #ane.act<tanh>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>, tensor<1x5x6x47xf16>
}
