// RUN: ane-opt %s --split-input-file --ane-keep-in-range --verify-diagnostics | FileCheck %s

// Guards that no form keeps where the ranges say that values are below them.

// Negative numbers are below it, and their results are all of the guard.
func.func @raised(%x: tensor<1x4x32xf16> {ane.range = [-0.3, 0.4]}) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  // expected-warning @+1 {{ane.elementwise: a guard of 1.000e-10 acts as one of up to 6.104e-06, because f16 holds no smaller one beside values of this size; results of smaller values are wrong; choose a larger guard, or say with --range that the values stay above it}}
  %m = ane.elementwise max %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %r = ane.activation %m {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// The same with a factor that takes the guard to where f16 has no numbers.
func.func @factor(%x: tensor<1x4x32xf16> {ane.range = [-2.0e+4, 2.0e+4]}) -> tensor<1x4x32xf16> {
  %k = ane.constant dense<7.0e+4> : tensor<1x1x1xf32>
  %c = ane.constant dense<1.0e-6> : tensor<1x1x1xf32>
  %s = ane.elementwise mul %x, %k : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  // expected-warning @+1 {{a guard of 1.000e-06 acts as one of up to 3.338e-02}}
  %m = ane.elementwise max %s, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %r = ane.activation %m {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// A sum may be far smaller than what is summed.
func.func @cancels(%x: tensor<1x4x32xf16> {ane.range = [-0.01, 0.01]}) -> tensor<1x4x1xf16> {
  %c = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  %s = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %a = ane.activation %s {function = #ane.act<abs>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  // expected-warning @+1 {{a guard of 1.000e-10 acts as one of up to 1.526e-07}}
  %m = ane.elementwise max %a, %c : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %r = ane.activation %m {function = #ane.act<sqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  return %r : tensor<1x4x1xf16>
}

// -----

// A norm is 0 only where x is, and so is the quotient: nothing is lost.
// CHECK-LABEL: @norm
func.func @norm(%x: tensor<1x4x32xf16> {ane.range = [-0.3, 0.4]}) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %n = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %m = ane.elementwise max %n, %c : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %y = ane.elementwise div %x, %m : tensor<1x4x32xf16>, tensor<1x4x1xf16> -> tensor<1x4x32xf16>
  return %y : tensor<1x4x32xf16>
}

// -----

// Nor is it where the norm has units of its own already.
// CHECK-LABEL: @norm_in_units
func.func @norm_in_units(%x: tensor<1x4x32xf16> {ane.range = [-0.3, 0.4]}) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %e = ane.constant dense<6.2e-5> : tensor<1x1x1xf32>
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %l = ane.reduce max %a {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %u = ane.elementwise max %l, %e : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %d = ane.elementwise div %x, %u : tensor<1x4x32xf16>, tensor<1x4x1xf16> -> tensor<1x4x32xf16>
  %s = ane.reduce sum_square %d {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %r = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %n = ane.elementwise mul %r, %u : tensor<1x4x1xf16>, tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %m = ane.elementwise max %n, %c : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %y = ane.elementwise div %x, %m : tensor<1x4x32xf16>, tensor<1x4x1xf16> -> tensor<1x4x32xf16>
  return %y : tensor<1x4x32xf16>
}

// -----

// Values that stay above the guard never meet it.
// CHECK-LABEL: @above
func.func @above(%x: tensor<1x4x32xf16> {ane.range = [0.1, 0.4]}) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  %m = ane.elementwise max %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %r = ane.activation %m {function = #ane.act<rsqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// No form for the larger one of two values of which one may be negative.
func.func @lost(%x: tensor<1x4x32xf16> {ane.range = [0.0, 1.0]}, %z: tensor<1x4x32xf16> {ane.range = [-1.0, 1.0]}) -> tensor<1x4x32xf16> {
  %c = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  // expected-warning @+1 {{ane.elementwise: a guard of 1.000e-10 is 0 in f16, whose smallest number is 6e-08; results of smaller values are wrong or infinite; choose a larger guard, or say with --range that the values stay above it}}
  %g = ane.elementwise add %x, %c : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %m = ane.elementwise max %g, %z : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %r = ane.activation %m {function = #ane.act<log>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// Guards beyond f16 become ones that it holds.
// CHECK-LABEL: @beyond
// CHECK-NOT: dense<3.000000e+08>
// CHECK: ane.activation {{.*}}rsqrt
func.func @beyond(%x: tensor<1x4x32xf16> {ane.range = [-6000.0, 6000.0]}) -> tensor<1x4x1xf16> {
  %c = ane.constant dense<3.0e+8> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x4x32xf16> -> tensor<1x4x1xf16>
  %g = ane.elementwise add %s, %c : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %r = ane.activation %g {function = #ane.act<rsqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  return %r : tensor<1x4x1xf16>
}

// -----

// What is known to be below f16's normal numbers keeps its digits: the factor goes
// after the root.
// CHECK-LABEL: @small
// CHECK: [[R:%.*]] = ane.activation %arg0 {function = #ane.act<sqrt>}
// CHECK: [[Y:%.*]] = ane.elementwise mul [[R]],
// CHECK: return [[Y]]
func.func @small(%x: tensor<1x4x32xf16> {ane.range = [1.0e-5, 0.002]}) -> tensor<1x4x32xf16> {
  %k = ane.constant dense<4.0e-4> : tensor<1x1x1xf32>
  %s = ane.elementwise mul %x, %k : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  %r = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}

// -----

// (x^2)^0.5 is |x|, also as a power.
// CHECK-LABEL: @root_of_square
// CHECK-NEXT: [[Y:%.*]] = ane.activation %arg0 {function = #ane.act<abs>}
// CHECK-NEXT: return [[Y]]
func.func @root_of_square(%x: tensor<1x4x32xf16>) -> tensor<1x4x32xf16> {
  %h = ane.constant dense<0.5> : tensor<1x1x1xf32>
  %s = ane.elementwise mul %x, %x : tensor<1x4x32xf16>, tensor<1x4x32xf16> -> tensor<1x4x32xf16>
  %r = ane.elementwise pow %s, %h : tensor<1x4x32xf16>, tensor<1x1x1xf32> -> tensor<1x4x32xf16>
  return %r : tensor<1x4x32xf16>
}
