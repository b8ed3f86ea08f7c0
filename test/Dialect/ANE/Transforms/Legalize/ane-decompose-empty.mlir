// RUN: ane-opt %s --ane-decompose --split-input-file --verify-diagnostics

// expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements}}
func.func @empty(%x: tensor<1x0x4x4xf16>) -> tensor<1x0x4x4xf16> {
  // expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements; leave the op out}}
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x0x4x4xf16> -> tensor<1x0x4x4xf16>
  return %0 : tensor<1x0x4x4xf16>
}

// -----

// expected-error @+1 {{works on 'tensor<9223372036854775807x4x9223372036854775807xf16>', which holds more than 1099511627776 elements; give the network less at a time}}
func.func @uncountable(%x: tensor<9223372036854775807x4x9223372036854775807xf16>) -> tensor<9223372036854775807x4x9223372036854775807xf16> {
  return %x : tensor<9223372036854775807x4x9223372036854775807xf16>
}

// -----

// expected-error @+1 {{argument #0 has the type 'tensor<1x8x16384x16385xf16>', but addresses of a program have 32 bits; give the network less at a time}}
func.func @beyond_addresses(%x: tensor<1x8x16384x16385xf16>) -> tensor<1x1x1x4xf16> {
  // expected-error @+1 {{value has the type 'tensor<1x8x16384x16385xf32>', but addresses}}
  %0 = ane.constant dense<1.0> : tensor<1x8x16384x16385xf32>
  %1 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x16384x16385xf16> -> tensor<1x1x1x4xf16>
  return %1 : tensor<1x1x1x4xf16>
}
