// RUN: ane-opt %s --ane-decompose --verify-diagnostics

func.func @empty(%x: tensor<1x0x4x4xf16>) -> tensor<1x0x4x4xf16> {
  // expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements; leave the op out}}
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x0x4x4xf16> -> tensor<1x0x4x4xf16>
  return %0 : tensor<1x0x4x4xf16>
}
