// RUN: ane-opt %s --split-input-file --ane-choose-function-forms --verify-diagnostics

// A table is exact beside its largest results.

// All of these are small.
func.func @tail(%x: tensor<1x4x8x8xf16> {ane.range = [-10.0, -5.0]}) -> tensor<1x4x8x8xf16> {
  // expected-warning @+1 {{ane.activation: sigmoid of -1.000e+01 to -5.000e+00 is off by up to 18% of its largest result, because a table is exact beside 1; compute it by exp, or keep the argument where the function is larger}}
  %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// The inverse of small results is large.
func.func @root(%x: tensor<1x4x8x8xf16> {ane.range = [-6.0, 4.0]}) -> tensor<1x4x8x8xf16> {
  // expected-warning @+1 {{of its small results, of which a root, a logarithm or an inverse is taken}}
  %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %t = ane.activation %y {function = #ane.act<tanh>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %r = ane.elementwise add %t, %t {activation = #ane.act<rsqrt>} : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %r : tensor<1x4x8x8xf16>
}

// -----

// Beside 1 they are summands of nothing.
func.func @usual(%x: tensor<1x4x8x8xf16> {ane.range = [-6.0, 4.0]}) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

func.func @unknown(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %r = ane.activation %y {function = #ane.act<rsqrt>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %r : tensor<1x4x8x8xf16>
}
