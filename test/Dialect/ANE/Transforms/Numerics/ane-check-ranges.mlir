// RUN: ane-opt %s --split-input-file --ane-check-ranges --verify-diagnostics

func.func @large(%x: tensor<1x1x1x8xf16> {ane.range = [-1000.0, 1000.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values may reach 1e+06 in magnitude, but f16 holds up to 65504; scale the operands down and the result up, or say more with --range or --calibrate}}
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  // The user has been told.
  %z = ane.elementwise mul %y, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %z : tensor<1x1x1x8xf16>
}

// -----

func.func @small(%x: tensor<1x1x1x8xf16> {ane.range = [-0.001, 0.001]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values are at most 1e-06 in magnitude, but f16 has its full precision from 6.1e-05 on only}}
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

func.func @nothing_said(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %y = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

// Each kind of loss, at the op that has it: the line, the op, the value, the limit
// and the way out.

func.func @infinite(%x: tensor<1x1x1x8xf16> {ane.range = [0.0, 1.0]}) -> tensor<1x1x1x8xf16> {
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  // expected-warning @+1 {{ane.activation: values may be infinite; scale the operands down and the result up, or say more with --range or --calibrate}}
  %y = ane.activation %x {function = #ane.act<log>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %z = ane.elementwise mul %n, %n : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %s = ane.elementwise add %y, %z : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %s : tensor<1x1x1x8xf16>
}

// -----

func.func @no_number(%x: tensor<1x1x1x8xf16> {ane.range = [-1.0, 1.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.activation: values may be NaN, because the argument of a root, a logarithm or a quotient may be outside its domain; limit the argument, or say more with --range or --calibrate}}
  %y = ane.activation %x {function = #ane.act<sqrt>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

func.func @sum(%x: tensor<1x64x4x4xf16> {ane.range = [-100.0, 100.0]}) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  // expected-warning @+1 {{ane.conv: values may reach 1.024e+05 in magnitude, but f16 holds up to 65504; scale the operands down and the result up}}
  %y = ane.conv %x, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// -----

func.func @reduced(%x: tensor<1x64x4x4xf16> {ane.range = [-100.0, 100.0]}) -> tensor<1x1x4x4xf16> {
  // expected-warning @+1 {{ane.reduce: values may reach 6.4e+05 in magnitude, but f16 holds up to 65504}}
  %y = ane.reduce sum_square %x {axes = array<i64: 1>} : tensor<1x64x4x4xf16> -> tensor<1x1x4x4xf16>
  return %y : tensor<1x1x4x4xf16>
}

// -----

// What data showed has no other way out.
func.func @measured(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values may reach 7e+04 in magnitude, but f16 holds up to 65504; scale the operands down and the result up}}
  %y = ane.elementwise mul %x, %x {ane.range = [0.0, 70000.0]} : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

// Both ways get one.
func.func @two_ways(%x: tensor<1x1x1x8xf16> {ane.range = [-1000.0, 1000.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values may reach 1e+06 in magnitude}}
  %a = ane.elementwise mul %x, %x : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  // expected-warning @+1 {{ane.activation: values may be infinite}}
  %b = ane.activation %x {function = #ane.act<exp>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  %y = ane.elementwise add %a, %b : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

// A root that is a table of its own comes too late.
func.func @of_function(%x: tensor<1x1x1x8xf16> {ane.range = [0.0, 60000.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values may reach 1.2e+05 in magnitude, but f16 holds up to 65504}}
  %y = ane.elementwise add %x, %x {activation = #ane.act<sqrt>} : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

// Divisors of few digits have inverses that may be beyond f16.
func.func @near(%x: tensor<1x1x1x8xf16> {ane.range = [1.531e-5, 1.0]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.activation: values may reach 6.532e+04 in magnitude, but f16 holds up to 65504}}
  %y = ane.activation %x {function = #ane.act<reciprocal>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}

// -----

// The result is one that f16 holds, but not what the root is taken of.
func.func @before_the_root(%x: tensor<1x1x1x8xf16> {ane.range = [0.0, 0.001]}) -> tensor<1x1x1x8xf16> {
  // expected-warning @+1 {{ane.elementwise: values are at most 1e-06 in magnitude, but f16 has its full precision from 6.1e-05 on only}}
  %y = ane.elementwise mul %x, %x {activation = #ane.act<sqrt>} : tensor<1x1x1x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %y : tensor<1x1x1x8xf16>
}
