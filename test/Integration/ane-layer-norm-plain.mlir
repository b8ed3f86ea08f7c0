// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3 --high=5 --max-err=0.003

// Over all but the batch, without factors.

func.func @net(%a: tensor<1x12x7x9xf16>) -> tensor<1x12x7x9xf16> {
  %0 = ane.layer_norm %a {axes = array<i64: 1, 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x12x7x9xf16> -> tensor<1x12x7x9xf16>
  return %0 : tensor<1x12x7x9xf16>
}
