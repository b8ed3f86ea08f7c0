// RUN: ane-opt %s --ane-stretch-tables | FileCheck %s
// RUN: ane-opt %s --ane-stretch-tables=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// silu bends near zero: weights are 4/3 of what they were, and the function says so.
// CHECK-LABEL: @silu
// CHECK: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<4x4x1x1xf16>
// CHECK: ane.conv %arg0, %[[W]] {activation = #ane.act<silu, 1.33{{[0-9]*}}>}
// ZIN-LABEL: @silu
// ZIN: ane.constant dense<7.500000e-01>
// ZIN: {activation = #ane.act<silu>}
func.func @silu(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %w = ane.constant dense<0.75> : tensor<4x4x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<silu>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// CHECK-LABEL: @relu
// CHECK: ane.constant dense<7.500000e-01>
// CHECK: {activation = #ane.act<relu>}
func.func @relu(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %w = ane.constant dense<0.75> : tensor<4x4x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// Weights would be rounded once more.
// CHECK-LABEL: @odd
// CHECK: ane.constant dense<7.500000e-01>
// CHECK: {activation = #ane.act<scaled_tanh, 1.000000e+00, 5.000000e-01>}
func.func @odd(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %w = ane.constant dense<0.75> : tensor<4x4x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<scaled_tanh, 1.0, 0.5>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}
