// RUN: ane-opt %s --split-input-file --ane-choose-function-forms | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-set-accuracy-goal=goal=fast --ane-choose-function-forms | FileCheck %s --check-prefix=FAST
// RUN: ane-opt %s --split-input-file --ane-set-accuracy-goal=goal=best --ane-choose-function-forms | FileCheck %s --check-prefix=BEST
// RUN: ane-opt %s --split-input-file --ane-choose-function-forms=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: not ane-opt %s --split-input-file --ane-set-accuracy-goal=goal=exact 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown accuracy goal 'exact'; it is fast, balanced or best
// RUN: echo 'func.func @f(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> { %y = ane.activation %x {ane.form = "odd_gate", function = #ane.act<mish>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16> return %y : tensor<1x4x8x8xf16> }' > %t.mlir
// RUN: not ane-opt %t.mlir --ane-choose-function-forms 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ane-opt %t.mlir --ane-separate-gates 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: 'ane.activation' op has ane.form = "odd_gate", but the forms of mish are 'table', 'gate'; use one of them, or remove the attribute
// RUN: sed -e 's/mish/exp/' %t.mlir > %t.one.mlir
// RUN: not ane-opt %t.one.mlir --ane-choose-function-forms 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: 'ane.activation' op has ane.form = "odd_gate", but exp has one form; remove the attribute

// Of silu only the form with the odd gate is as exact as f16 for all sizes of x.
// CHECK: module attributes {ane.function_forms = {silu.odd_gate = 1 : i64}}
// CHECK: ane.activation %arg0 {ane.form = "odd_gate", function = #ane.act<silu>}
// FAST: module attributes {ane.accuracy_goal = "fast", ane.function_forms = {silu.table = 1 : i64}}
// FAST: ane.form = "table"
// BEST: ane.accuracy_goal = "best"
// BEST: ane.form = "odd_gate"
// ZIN-NOT: ane.form
// ZIN: @tokens
func.func @unknown(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// The layers of transformers are summands: a table does, but for the best. They
// are known by their norm.
// CHECK: ane.conv
// CHECK-SAME: ane.form = "table"
// BEST: ane.conv
// BEST-SAME: ane.form = "odd_gate"
func.func @after_a_norm(%x: tensor<1x16x4x8xf16>) -> tensor<1x8x4x8xf16> {
  %w = ane.constant dense<0.5> : tensor<8x16x1x1xf16>
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x16x4x8xf16> -> tensor<1x16x4x8xf16>
  %y = ane.conv %n, %w {activation = #ane.act<silu>} : tensor<1x16x4x8xf16>, tensor<8x16x1x1xf16> -> tensor<1x8x4x8xf16>
  return %y : tensor<1x8x4x8xf16>
}

// -----

// The rank says nothing of arguments: those of a perceptron may all be small.
// CHECK: ane.form = "odd_gate", function = #ane.act<silu>
func.func @perceptron(%x: tensor<3x40xf16>) -> tensor<3x40xf16> {
  %y = ane.activation %x {function = #ane.act<silu>} : tensor<3x40xf16> -> tensor<3x40xf16>
  return %y : tensor<3x40xf16>
}

// -----

// Nor do rows of an image.
// CHECK: ane.form = "gate", function = #ane.act<elu, 1.000000e+00>
func.func @row(%x: tensor<1x8x1x40xf16>) -> tensor<1x8x1x40xf16> {
  %y = ane.activation %x {function = #ane.act<elu, 1.0>} : tensor<1x8x1x40xf16> -> tensor<1x8x1x40xf16>
  return %y : tensor<1x8x1x40xf16>
}

// -----

// So are layers with gelu.
// CHECK: ane.form = "table", function = #ane.act<gelu>
// FAST: ane.form = "table", function = #ane.act<gelu>
// BEST: ane.form = "odd_gate", function = #ane.act<gelu>
func.func @tokens(%x: tensor<1x16x64xf16>) -> tensor<1x16x64xf16> {
  %y = ane.activation %x {function = #ane.act<gelu>} : tensor<1x16x64xf16> -> tensor<1x16x64xf16>
  return %y : tensor<1x16x64xf16>
}

// -----

// Of images, too.
// CHECK: ane.form = "table", function = #ane.act<gelu>
// FAST: ane.form = "table", function = #ane.act<gelu>
// BEST: ane.form = "odd_gate", function = #ane.act<gelu>
func.func @gelu_of_images(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<gelu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// A gate of channels is a factor.
// CHECK: ane.conv
// CHECK-SAME: activation = #ane.act<sigmoid>
// CHECK-SAME: ane.form = "table"
// BEST: ane.conv
// BEST-SAME: ane.form = "odd_gate"
func.func @channels(%x: tensor<1x8x1x1xf16>) -> tensor<1x4x1x1xf16> {
  %w = ane.constant dense<0.5> : tensor<4x8x1x1xf16>
  %y = ane.conv %x, %w {activation = #ane.act<sigmoid>} : tensor<1x8x1x1xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x1x1xf16>
  return %y : tensor<1x4x1x1xf16>
}

// -----

// The gate of hard swish has no curve, so it is exact.
// CHECK: ane.form = "gate", function = #ane.act<hard_swish>
func.func @hard_swish(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<hard_swish>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// Data shows how large x is: so small that the gate is 1 / 2 and a line.
// CHECK: ane.form = "gate", function = #ane.act<silu>
func.func @measured(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %a = ane.activation %x {ane.range = [-0.03125, 0.03125], function = #ane.act<tanh>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %y = ane.activation %a {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// A choice by hand stays.
// CHECK: ane.form = "table"
// FAST: ane.form = "table"
// BEST: ane.form = "table"
func.func @by_hand(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {ane.form = "table", function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

// A norm makes large what is small: no table of gelu, whose error is one of large x.
// CHECK: ane.form = "odd_gate", function = #ane.act<gelu>
// FAST: ane.form = "table"
func.func @before_a_norm(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<gelu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %t = ane.transpose %y {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x8x8xf16> -> tensor<1x8x8x4xf16>
  %n = ane.layer_norm %t {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x8x8x4xf16> -> tensor<1x8x8x4xf16>
  %z = ane.transpose %n {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x4xf16> -> tensor<1x4x8x8xf16>
  return %z : tensor<1x4x8x8xf16>
}
