// RUN: ane-opt %s --split-input-file --ane-keep-in-range --verify-diagnostics | FileCheck %s

// Nobody knows the size of the values, but an op that takes them out of f16 in front of one that brings them back
// is seen from the ops alone.

func.func @inverse(%x: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  // expected-warning @+1 {{ane.activation: values of unknown range may leave f16 (6e-08 to 65504) here, and what is computed of them may not; say their range with --range or --calibrate}}
  %i = ane.activation %x {function = #ane.act<reciprocal>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  // expected-note @+1 {{ane.activation is of them}}
  %r = ane.activation %i {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

func.func @product(%x: tensor<1x4x32xf16>, %y: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-4> : tensor<1x1x1xf32>
  // expected-warning @+1 {{ane.elementwise: values of unknown range may leave f16}}
  %p = ane.elementwise mul %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %a = ane.activation %p {function = #ane.act<abs>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  // expected-note @+1 {{ane.activation is of them}}
  %r = ane.activation %a {function = #ane.act<sqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// A function that is known to be small is of what is not.
func.func @function(%x: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  // expected-warning @+1 {{ane.elementwise: values of unknown range may leave f16}}
  %p = ane.elementwise mul %x, %x : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %t = ane.activation %p {function = #ane.act<tanh>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  // expected-note @+1 {{ane.activation is of them}}
  %r = ane.activation %t {function = #ane.act<sqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// A guard that f16 does not hold, of values that may be below it.
func.func @guard(%x: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  // expected-warning @+1 {{ane.elementwise: a guard of 1.000e-10 acts as one of up to}}
  %m = ane.elementwise max %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %r = ane.activation %m {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// No word of what a form keeps (a norm, with its guard), of sums, of factors of a usual size, nor of what is known.

// CHECK-LABEL: @quiet
func.func @quiet(%x: tensor<1x4x32xf16>, %y: tensor<1x4x32xf16> {ane.range = [1.0, 2.0]}) -> (tensor<1x4x32xf16>, tensor<1x4x1xf16>, tensor<1x4x32xf16>, tensor<1x4x32xf16>) {
  %e = ane.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %c = ane.constant dense<0.125> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %n = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %g = ane.elementwise max %n, %e : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %norm = ane.elementwise div %x, %g : tensor<1x4x32xf16>, tensor<1x4x1xf16> -> tensor<1x4x32xf16>
  %t = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %sum = ane.activation %t {function = #ane.act<reciprocal>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %p = ane.elementwise mul %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %part = ane.activation %p {function = #ane.act<log>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %i = ane.activation %y {function = #ane.act<reciprocal>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %known = ane.activation %i {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %norm, %sum, %part, %known : tensor<1x4x32xf16>, tensor<1x4x1xf16>, tensor<1x4x32xf16>, tensor<1x4x32xf16>
}

// -----

// What is squared with a number has units in which its square fits: 466 / 128, not the root of 466 / 128.

// CHECK-LABEL: @squared
// CHECK: ane.constant dense<3.64
func.func @squared(%x: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<466.0> : tensor<1x1x1xf32>
  %s = ane.elementwise add %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %q = ane.activation %s {function = #ane.act<square>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %r = ane.activation %q {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}
