// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-12 --high=12 --max-err=0.005
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3000 --high=3000 --max-err=0.005

// By table, or in steps of which one is a table.

func.func @net(%a: tensor<1x5x6x47xf16>) -> tensor<1x5x6x47xf16> {
  %0 = ane.activation %a {function = #ane.act<sin>} : tensor<1x5x6x47xf16> -> tensor<1x5x6x47xf16>
  return %0 : tensor<1x5x6x47xf16>
}
