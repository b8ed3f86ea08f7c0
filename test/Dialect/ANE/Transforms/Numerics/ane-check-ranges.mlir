// RUN: ane-opt %s --split-input-file --ane-check-ranges --verify-diagnostics

func.func @large(%x: tensor<1x1x1x8xf16> {ane.range = [-1000.0, 1000.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{values may reach 1e+06 in magnitude, but f16 holds up to 65504; scale what they are computed from and the result back, or say more with --range or --calibrate}}
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  // The user has been told.
  %z = ane.elementwise mul %y, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %z : tensor<1x1x1x8xf16>
}

// -----

func.func @small(%x: tensor<1x1x1x8xf16> {ane.range = [-0.001, 0.001]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{values are at most 1e-06 in magnitude, but f16 keeps all bits from 6.1e-05 on only}}
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

func.func @nothing_said(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}
