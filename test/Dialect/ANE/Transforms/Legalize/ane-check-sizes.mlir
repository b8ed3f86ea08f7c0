// RUN: ane-opt %s --ane-check-sizes --split-input-file --verify-diagnostics

// All ops are reported, and nothing is rewritten.
// expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements}}
func.func @empty(%x: tensor<1x0x4x4xf16>) -> tensor<1x0x4x4xf16> {
  // expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements; leave the op out}}
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x0x4x4xf16> -> tensor<1x0x4x4xf16>
  // expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements; leave the op out}}
  %1 = ane.activation %0 {function = #ane.act<tanh>} : tensor<1x0x4x4xf16> -> tensor<1x0x4x4xf16>
  return %1 : tensor<1x0x4x4xf16>
}
