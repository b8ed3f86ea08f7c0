// RUN: ane-opt %s --split-input-file --ane-keep-in-range="sums-are-wide=false" | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-keep-in-range | FileCheck %s --check-prefix=WIDE
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline=func.func(ane-keep-in-range{sums-are-wide=false}) tolerance=1e-3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline=func.func(ane-keep-in-range) tolerance=1e-3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// The length of a vector: its largest element is the unit. An engine that adds up
// without rounding needs none.
// SAME: remark: @length computes the same
// CHECK-LABEL: @length
// CHECK: ane.activation %arg0 {function = #ane.act<abs>}
// CHECK: ane.reduce max {{.*}}axes = array<i64: 2>
// CHECK: [[INVERSE:%.*]] = ane.activation [[UNIT:%.*]] {function = #ane.act<reciprocal>}
// CHECK: [[X:%.*]] = ane.elementwise mul %arg0, [[INVERSE]]
// CHECK: [[SQUARE:%.*]] = ane.activation [[X]] {function = #ane.act<square>}
// CHECK: [[SUM:%.*]] = ane.reduce sum [[SQUARE]]
// CHECK: [[ROOT:%.*]] = ane.activation [[SUM]] {function = #ane.act<sqrt>}
// CHECK: [[Y:%.*]] = ane.elementwise mul [[ROOT]], [[UNIT]]
// CHECK: return [[Y]]
// WIDE-LABEL: @length
// WIDE: ane.reduce sum
// WIDE-NEXT: ane.activation {{.*}}sqrt
// WIDE-NEXT: return
func.func @length(%x: tensor<1x8x64xf16>) -> tensor<1x8x1xf16> {
  %h = ane.constant dense<0.5> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %y = ane.elementwise pow %s, %h : tensor<1x8x1xf16>, tensor<1x1x1xf32> -> tensor<1x8x1xf16>
  return %y : tensor<1x8x1xf16>
}

// -----

// In x / |x| no unit is left, and the guard is one that f16 holds.
// SAME: remark: @normalized computes the same
// CHECK-LABEL: @normalized
// CHECK: [[X:%.*]] = ane.elementwise mul %arg0
// CHECK: ane.elementwise max
// CHECK: [[R:%.*]] = ane.activation {{.*}}reciprocal
// CHECK: [[Y:%.*]] = ane.elementwise mul [[X]], [[R]]
// CHECK: return [[Y]]
func.func @normalized(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %g = ane.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce sum %a {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %m = ane.elementwise max %s, %g : tensor<1x8x1xf16>, tensor<1x1x1xf32> -> tensor<1x8x1xf16>
  %r = ane.activation %m {function = #ane.act<reciprocal>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<1x8x64xf16>, tensor<1x8x1xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// An epsilon that f16 does not hold: 1 / sqrt(s + e) from 1 / sqrt(s), which is made finite.
// SAME: remark: @epsilon computes the same
// WIDE-LABEL: @epsilon
// WIDE: [[ROOT:%.*]] = ane.activation {{.*}} {function = #ane.act<rsqrt>}
// WIDE: [[MOST:%.*]] = ane.constant dense<6.550400e+04>
// WIDE: [[FINITE:%.*]] = ane.elementwise min [[ROOT]], [[MOST]]
// WIDE-NEXT: ane.elementwise mul %arg0, [[FINITE]]
func.func @epsilon(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %e = ane.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %a = ane.elementwise add %s, %e : tensor<1x8x1xf16>, tensor<1x1x1xf32> -> tensor<1x8x1xf16>
  %r = ane.activation %a {function = #ane.act<rsqrt>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<1x8x64xf16>, tensor<1x8x1xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// The logarithm of a bound is a bound of the logarithm, and one that f16 holds.
// SAME: remark: @logarithm computes the same
// CHECK-LABEL: @logarithm
// CHECK: [[ABS:%.*]] = ane.activation %arg0 {function = #ane.act<abs>}
// CHECK: [[LOG:%.*]] = ane.activation [[ABS]] {function = #ane.act<log>}
// CHECK: [[BOUND:%.*]] = ane.constant dense<-23.025{{.*}}>
// CHECK: [[Y:%.*]] = ane.elementwise max [[LOG]], [[BOUND]]
// CHECK: return [[Y]]
func.func @logarithm(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %g = ane.constant dense<1.0e-10> : tensor<1x1x1xf32>
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %m = ane.elementwise max %a, %g : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %y = ane.activation %m {function = #ane.act<log>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// SAME: remark: @softplus computes the same
// CHECK-LABEL: @softplus
// CHECK-NEXT: [[Y:%.*]] = ane.activation %arg0 {function = #ane.act<softplus>}
// CHECK-NEXT: return [[Y]]
func.func @softplus(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1x1xf32>
  %t = ane.constant dense<20.0> : tensor<1x1x1xf32>
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %a = ane.elementwise add %e, %one : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %l = ane.activation %a {function = #ane.act<log>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %c = ane.compare gt %x, %t : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %y = ane.select %c, %x, %l : tensor<1x8x64xf16>, tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// SAME: remark: @log1p computes the same
// CHECK-LABEL: @log1p
// CHECK-NEXT: [[Y:%.*]] = ane.activation %arg0 {function = #ane.act<softplus>}
// CHECK-NEXT: return [[Y]]
func.func @log1p(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.activation %e {function = #ane.act<log1p>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// A factor that takes f16 to infinity from 0.0625 on: log(2^20 x + 1).
// SAME: remark: @scaled_log1p computes the same
// CHECK-LABEL: @scaled_log1p
// CHECK: [[SIZE:%.*]] = ane.activation %arg0 {function = #ane.act<abs>}
// CHECK: [[K:%.*]] = ane.constant dense<1.024000e+03>
// CHECK: [[X:%.*]] = ane.elementwise mul [[SIZE]], [[K]]
// CHECK: [[B:%.*]] = ane.constant dense<9.765625E-4>
// CHECK: [[S:%.*]] = ane.elementwise add [[X]], [[B]]
// CHECK: [[L:%.*]] = ane.activation [[S]] {function = #ane.act<log>}
// CHECK: [[A:%.*]] = ane.constant dense<6.931471{{.*}}>
// CHECK: [[Y:%.*]] = ane.elementwise add [[L]], [[A]]
// CHECK: return [[Y]]
func.func @scaled_log1p(%x: tensor<1x8x64xf16> {ane.range = [-32.0, 32.0]}) -> tensor<1x8x64xf16> {
  %c = ane.constant dense<1048576.0> : tensor<1x1x1xf32>
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %m = ane.elementwise mul %a, %c : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %y = ane.activation %m {function = #ane.act<log1p>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// SAME: remark: @log_sum_exp computes the same
// CHECK-LABEL: @log_sum_exp
// CHECK: [[MOST:%.*]] = ane.reduce max %arg0
// CHECK: [[BELOW:%.*]] = ane.elementwise sub %arg0, [[MOST]]
// CHECK: ane.activation [[BELOW]] {function = #ane.act<exp>}
func.func @log_sum_exp(%x: tensor<1x8x64xf16>) -> tensor<1x8x1xf16> {
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce sum %e {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %y = ane.activation %s {function = #ane.act<log>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  return %y : tensor<1x8x1xf16>
}

// -----

// (e^x - e^-x) / (e^x + e^-x)
// SAME: remark: @tanh computes the same
// CHECK-LABEL: @tanh
// CHECK-NEXT: [[Y:%.*]] = ane.activation %arg0 {function = #ane.act<tanh>}
// CHECK-NEXT: return [[Y]]
func.func @tanh(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %a = ane.activation %x {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %b = ane.activation %n {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %d = ane.elementwise sub %a, %b : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.elementwise add %a, %b : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.elementwise div %d, %s : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// (e^2x - 1) / (e^2x + 1), of which the difference is a function of its own.
// SAME: remark: @tanh_of_expm1 computes the same
// CHECK-LABEL: @tanh_of_expm1
// CHECK: [[Y:%.*]] = ane.activation {{.*}} {function = #ane.act<tanh>}
// CHECK-NEXT: return [[Y]]
func.func @tanh_of_expm1(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1x1xf32>
  %two = ane.constant dense<2.0> : tensor<1x1x1xf32>
  %t = ane.elementwise mul %x, %two : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %e = ane.activation %t {function = #ane.act<exp>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %n = ane.activation %t {function = #ane.act<expm1>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %d = ane.elementwise add %e, %one : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %r = ane.activation %d {function = #ane.act<reciprocal>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.elementwise mul %n, %r : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// SAME: remark: @variance computes the same
// WIDE-LABEL: @variance
// WIDE: [[MEAN:%.*]] = ane.reduce mean %arg0
// WIDE: [[CENTRED:%.*]] = ane.elementwise sub %arg0, [[MEAN]]
// WIDE: [[REST:%.*]] = ane.reduce mean [[CENTRED]]
// WIDE: [[AGAIN:%.*]] = ane.elementwise sub [[CENTRED]], [[REST]]
// WIDE: [[SQUARE:%.*]] = ane.elementwise mul [[AGAIN]], [[AGAIN]]
// WIDE: ane.reduce mean [[SQUARE]]
// The unit is one of the difference, not of what it is between.
// CHECK-LABEL: @variance
// CHECK: [[CENTRED:%.*]] = ane.elementwise sub %arg0
// CHECK: [[AGAIN:%.*]] = ane.elementwise sub [[CENTRED]]
// CHECK: ane.activation [[AGAIN]] {function = #ane.act<abs>}
func.func @variance(%x: tensor<1x8x64xf16>) -> tensor<1x8x1xf16> {
  %h = ane.constant dense<0.5> : tensor<1x1x1xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce mean %q {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %m = ane.reduce mean %x {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %mm = ane.elementwise mul %m, %m : tensor<1x8x1xf16>, tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %v = ane.elementwise sub %s, %mm : tensor<1x8x1xf16>, tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %y = ane.elementwise pow %v, %h : tensor<1x8x1xf16>, tensor<1x1x1xf32> -> tensor<1x8x1xf16>
  return %y : tensor<1x8x1xf16>
}

// -----

// Units of both vectors, and none in their cosine.
// SAME: remark: @cosine computes the same
// CHECK-LABEL: @cosine
// CHECK: ane.reduce max
// CHECK: ane.reduce max
// CHECK-NOT: ane.reduce max
// WIDE-LABEL: @cosine
// WIDE: ane.reduce max
// WIDE: ane.reduce max
func.func @cosine(%a: tensor<1x8x64xf16>, %b: tensor<1x8x64xf16>) -> tensor<1x8x1xf16> {
  %ab = ane.elementwise mul %a, %b : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %aa = ane.elementwise mul %a, %a : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %bb = ane.elementwise mul %b, %b : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %d = ane.reduce sum %ab {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %sa = ane.reduce sum %aa {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %sb = ane.reduce sum %bb {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %na = ane.activation %sa {function = #ane.act<sqrt>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %nb = ane.activation %sb {function = #ane.act<sqrt>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %n = ane.elementwise mul %na, %nb : tensor<1x8x1xf16>, tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %r = ane.activation %n {function = #ane.act<reciprocal>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  %y = ane.elementwise mul %d, %r : tensor<1x8x1xf16>, tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  return %y : tensor<1x8x1xf16>
}

// -----

// The engine multiplies with an inverse, which numbers below 2^-16 do not have in f16.
// WIDE-LABEL: @quotient
// WIDE: [[FACTOR:%.*]] = ane.activation {{.*}}where_negative, 4.096000e+03, 1.000000e+00
// WIDE: [[Y:%.*]] = ane.elementwise mul %arg1, [[FACTOR]]
// WIDE: [[INVERSE:%.*]] = ane.activation [[Y]] {function = #ane.act<reciprocal>}
// WIDE: [[Q:%.*]] = ane.elementwise mul %arg0, [[INVERSE]]
// WIDE: ane.elementwise mul [[Q]], [[FACTOR]]
// CHECK-LABEL: @quotient
// CHECK-NEXT: ane.elementwise div
func.func @quotient(%x: tensor<1x8x64xf16> {ane.range = [0.5, 2.0]}, %y: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %q = ane.elementwise div %x, %y : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %q : tensor<1x8x64xf16>
}

// -----

// A guard below 2^-16 says that divisors are as small, whatever --accuracy says.
// WIDE-LABEL: @guarded
// WIDE: where_negative, 4.096000e+03, 1.000000e+00
// WIDE-NOT: ane.elementwise div
// WIDE: return
// WIDE-LABEL: @guarded_well
// WIDE: ane.elementwise div
module attributes {ane.accuracy_goal = "fast"} {
func.func @guarded(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %e = ane.constant dense<1.0e-5> : tensor<1x1x1xf32>
  %s = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %d = ane.elementwise add %s, %e : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %q = ane.elementwise div %x, %d : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %q : tensor<1x8x64xf16>
}
func.func @guarded_well(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %e = ane.constant dense<1.0e-4> : tensor<1x1x1xf32>
  %s = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %d = ane.elementwise add %s, %e : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %q = ane.elementwise div %x, %d : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %q : tensor<1x8x64xf16>
}
}

// -----

// Divisors that have one need nothing.
// WIDE-LABEL: @quotient_of_large
// WIDE-NEXT: ane.elementwise div
func.func @quotient_of_large(%x: tensor<1x8x64xf16>, %y: tensor<1x8x64xf16> {ane.range = [0.001, 2.0]}) -> tensor<1x8x64xf16> {
  %q = ane.elementwise div %x, %y : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %q : tensor<1x8x64xf16>
}

// -----

// Steps of 1 / 65535 are counted up to 2048 of them; all halves beyond are whole numbers.
// CHECK-LABEL: @steps
// CHECK: [[NEAR:%.*]] = ane.activation %arg0 {function = #ane.act<clamp, -0.0312{{[0-9]*}}, 0.0312{{[0-9]*}}>}
// CHECK: [[FAR:%.*]] = ane.elementwise sub %arg0, [[NEAR]]
// CHECK: ane.activation {{.*}} {function = #ane.act<floor>}
// CHECK: ane.elementwise add {{.*}}[[FAR]]
// CHECK-NEXT: return
func.func @steps(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %k = ane.constant dense<65535.0> : tensor<1x1x1xf32>
  %j = ane.constant dense<1.5259022E-5> : tensor<1x1x1xf32>
  %a = ane.elementwise mul %x, %k : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %f = ane.activation %a {function = #ane.act<floor>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.elementwise mul %f, %j : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// Fewer steps than halves tell apart.
// CHECK-LABEL: @few_steps
// CHECK-NOT: clamp
// CHECK: return
func.func @few_steps(%x: tensor<1x8x64xf16> {ane.range = [-4.0, 4.0]}) -> tensor<1x8x64xf16> {
  %k = ane.constant dense<255.0> : tensor<1x1x1xf32>
  %j = ane.constant dense<3.9215686E-3> : tensor<1x1x1xf32>
  %a = ane.elementwise mul %x, %k : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %f = ane.activation %a {function = #ane.act<round>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.elementwise mul %f, %j : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// What is known to fit stays as it is.
// SAME: remark: @fits computes the same
// CHECK-LABEL: @fits
// CHECK: ane.elementwise mul
// CHECK-NEXT: ane.reduce sum
// CHECK-NEXT: ane.activation {{.*}}sqrt
// CHECK-NEXT: return
func.func @fits(%x: tensor<1x8x64xf16> {ane.range = [-16.0, 16.0]}) -> tensor<1x8x1xf16> {
  %q = ane.elementwise mul %x, %x : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
  %y = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
  return %y : tensor<1x8x1xf16>
}

// -----

// Below a guard it does not matter how far: the unit is that of positive values.
// CHECK-LABEL: @below_guard
// CHECK: %[[R:.*]] = ane.activation %arg0 {function = #ane.act<relu>}
// CHECK: %[[S:.*]] = ane.elementwise mul %[[R]], %{{.*}}
// CHECK: %[[U:.*]] = ane.elementwise max %[[S]], %{{.*}}
// CHECK: %[[I:.*]] = ane.activation %[[U]] {function = #ane.act<reciprocal>}
// CHECK: ane.elementwise mul %[[R]], %[[I]]
func.func @below_guard(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %g = ane.constant dense<1.8e-7> : tensor<1x1x1xf32>
  %m = ane.elementwise max %x, %g : tensor<1x8x64xf16>, tensor<1x1x1xf32> -> tensor<1x8x64xf16>
  %s = ane.activation %m {function = #ane.act<sqrt>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.activation %s {function = #ane.act<log>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// 1 - sigmoid(x) has no bits left where the sigmoid is about 1; sigmoid(-x) has.
// SAME: remark: @rest computes the same
// CHECK-LABEL: @rest
// CHECK: [[X:%.*]] = ane.activation %arg0 {function = #ane.act<neg>}
// CHECK-NOT: ane.elementwise sub
// CHECK: ane.activation {{.*}} {function = #ane.act<softplus>}
func.func @rest(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1x1xf32>
  %p = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %q = ane.elementwise sub %one, %p : tensor<1x1x1xf32>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  %y = ane.activation %q {function = #ane.act<log>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}
