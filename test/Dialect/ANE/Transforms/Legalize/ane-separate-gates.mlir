// RUN: ane-opt %s --split-input-file --ane-separate-gates | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-separate-gates=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --split-input-file --ane-set-accuracy-goal=goal=fast --ane-separate-gates | FileCheck %s --check-prefix=FAST

// x (1 + tanh(x / 2)) / 2
// CHECK-LABEL: @silu
// CHECK-NEXT: %[[H:.*]] = ane.activation %arg0 {function = #ane.act<scaled_tanh, 1.000000e+00, 5.000000e-01>}
// CHECK-NEXT: %[[P:.*]] = ane.elementwise mul %arg0, %[[H]]
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise add %[[P]], %arg0 {scale = 5.000000e-01 : f32}
// CHECK-NEXT: return %[[Y]]
// ZIN-LABEL: @silu
// ZIN-NEXT: ane.activation %arg0 {function = #ane.act<silu>}
// FAST-LABEL: @silu
// FAST-NEXT: ane.activation %arg0 {function = #ane.act<silu>}
func.func @silu(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// What was chosen is done.
// CHECK-LABEL: @chosen
// CHECK-NEXT: %[[G:.*]] = ane.activation %arg0 {function = #ane.act<sigmoid>}
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise mul %arg0, %[[G]]
// CHECK-NEXT: return %[[Y]]
// FAST-LABEL: @chosen
// FAST-NEXT: ane.activation %arg0 {function = #ane.act<sigmoid>}
func.func @chosen(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {ane.form = "gate", function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// x tanh(softplus(x)): a gate of a function of x.
// CHECK-LABEL: @mish
// CHECK-NEXT: %[[S:.*]] = ane.activation %arg0 {function = #ane.act<softplus>}
// CHECK-NEXT: %[[G:.*]] = ane.activation %[[S]] {function = #ane.act<tanh>}
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise mul %arg0, %[[G]]
// CHECK-NEXT: return %[[Y]]
// ZIN-LABEL: @mish
// ZIN-NEXT: ane.activation %arg0 {function = #ane.act<mish>}
// FAST-LABEL: @mish
// FAST-NEXT: ane.activation %arg0 {function = #ane.act<mish>}
func.func @mish(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<mish>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// 1 / 2 + tanh(x / 2) / 2
// CHECK-LABEL: @sigmoid
// CHECK-NEXT: %[[H:.*]] = ane.activation %arg0 {function = #ane.act<scaled_tanh, 1.000000e+00, 5.000000e-01>}
// CHECK: %[[Y:.*]] = ane.elementwise mul %[[H]], %{{.*}} {bias = 5.000000e-01 : f32}
// CHECK-NEXT: return %[[Y]]
func.func @sigmoid(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {ane.form = "odd_gate", function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// After a norm, x is about 1: the table does.
// CHECK-LABEL: @normed
// CHECK: ane.layer_norm
// CHECK-NEXT: ane.activation %{{.*}} {function = #ane.act<silu>}
func.func @normed(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %y = ane.activation %n {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// Of few channels, the convolution once more is faster than a pass over what it
// gives; of many it is not.
// CHECK-LABEL: @few
// CHECK: %[[X:.*]] = ane.conv %arg0, %[[W:[^ ]*]] :
// CHECK-NEXT: %[[H:.*]] = ane.conv %arg0, %[[W]] {activation = #ane.act<scaled_tanh, 1.000000e+00, 5.000000e-01>}
// CHECK-NEXT: ane.elementwise mul %[[X]], %[[H]]
func.func @few(%x: tensor<1x16x32x32xf16>) -> tensor<1x96x32x32xf16> {
  %w = ane.constant dense<0.5> : tensor<96x16x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<silu>} : tensor<1x16x32x32xf16>, tensor<96x16x1x1xf16> -> tensor<1x96x32x32xf16>
  return %y : tensor<1x96x32x32xf16>
}

// -----

// CHECK-LABEL: @many
// CHECK: %[[X:.*]] = ane.conv
// CHECK-NEXT: ane.activation %[[X]] {function = #ane.act<scaled_tanh
func.func @many(%x: tensor<1x512x8x8xf16>) -> tensor<1x512x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<512x512x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<silu>} : tensor<1x512x8x8xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x8x8xf16>
  return %y : tensor<1x512x8x8xf16>
}
