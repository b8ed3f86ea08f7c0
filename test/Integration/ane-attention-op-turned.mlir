// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// The op itself: a function of the scores, a sink and terms, of transposed matrices of two images.

func.func @net(%q: tensor<2x3x16x24xf16>, %k: tensor<2x3x40x16xf16>, %v: tensor<2x3x16x40xf16>, %s: tensor<2x3x24x1xf16>, %r: tensor<2x3x24x5xf16>, %c: tensor<2x3x24x8xf16>) -> tensor<2x3x16x24xf16> {
  %o = ane.attention %q, %k, %v sink %s terms %r, %c {cap = #ane.act<scaled_tanh, 4.0, 1.0>, scale = 2.500000e-01 : f32, term_strides = array<i64: 8, 1>, transpose_query, transpose_value, transpose_scores, transpose_result}
     : tensor<2x3x16x24xf16>, tensor<2x3x40x16xf16>, tensor<2x3x16x40xf16> sink tensor<2x3x24x1xf16> terms tensor<2x3x24x5xf16>, tensor<2x3x24x8xf16>
     -> tensor<2x3x16x24xf16>
  return %o : tensor<2x3x16x24xf16>
}
