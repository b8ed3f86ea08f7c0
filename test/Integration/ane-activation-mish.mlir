// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-12 --high=12 --max-err=0.003

// By table, or in steps of which one is a table.

func.func @net(%a: tensor<1x5x6x47xf16>) -> tensor<1x5x6x47xf16> {
  %0 = ane.activation %a {function = #ane.act<mish>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  return %0 : tensor<1x5x6x47xf16>
}
