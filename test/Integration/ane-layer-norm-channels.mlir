// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-3 --high=5 --max-err=0.003

// Over channels.

func.func @net(%a: tensor<1x48x1x40xf16>) -> tensor<1x48x1x40xf16> {
  %g = ane.constant dense_resource<random_1> : tensor<48xf16>
  %b = ane.constant dense_resource<random_1> : tensor<48xf16>
  %0 = ane.layer_norm %a gamma %g beta %b {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x48x1x40xf16> gamma tensor<48xf16> beta tensor<48xf16> -> tensor<1x48x1x40xf16>
  return %0 : tensor<1x48x1x40xf16>
}
