// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// CHECK-LABEL: func.func @unary
// CHECK: ane.activation %{{.*}} {function = #ane.act<abs>}
// CHECK: {function = #ane.act<ceil>}
// CHECK: {function = #ane.act<cos>}
// CHECK: {function = #ane.act<exp>}
// CHECK: {function = #ane.act<expm1>}
// CHECK: {function = #ane.act<floor>}
// CHECK: {function = #ane.act<log>}
// CHECK: {function = #ane.act<log1p>}
// CHECK: {function = #ane.act<sigmoid>}
// CHECK: {function = #ane.act<neg>}
// CHECK: {function = #ane.act<round>}
// CHECK: {function = #ane.act<rsqrt>}
// CHECK: {function = #ane.act<sign>}
// CHECK: {function = #ane.act<sin>}
// CHECK: {function = #ane.act<sqrt>}
// CHECK: {function = #ane.act<tanh>}
func.func @unary(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.abs %x : tensor<2x4xf32>
  %1 = stablehlo.ceil %0 : tensor<2x4xf32>
  %2 = stablehlo.cosine %1 : tensor<2x4xf32>
  %3 = stablehlo.exponential %2 : tensor<2x4xf32>
  %4 = stablehlo.exponential_minus_one %3 : tensor<2x4xf32>
  %5 = stablehlo.floor %4 : tensor<2x4xf32>
  %6 = stablehlo.log %5 : tensor<2x4xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<2x4xf32>
  %8 = stablehlo.logistic %7 : tensor<2x4xf32>
  %9 = stablehlo.negate %8 : tensor<2x4xf32>
  %10 = stablehlo.round_nearest_even %9 : tensor<2x4xf32>
  %11 = stablehlo.rsqrt %10 : tensor<2x4xf32>
  %12 = stablehlo.sign %11 : tensor<2x4xf32>
  %13 = stablehlo.sine %12 : tensor<2x4xf32>
  %14 = stablehlo.sqrt %13 : tensor<2x4xf32>
  %15 = stablehlo.tanh %14 : tensor<2x4xf32>
  return %15 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @binary
// CHECK: ane.elementwise add
// CHECK: ane.elementwise div
// CHECK: ane.elementwise max
// CHECK: ane.elementwise min
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise pow
// CHECK: ane.elementwise sub
func.func @binary(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<2x4xf32>
  %1 = stablehlo.divide %0, %y : tensor<2x4xf32>
  %2 = stablehlo.maximum %1, %y : tensor<2x4xf32>
  %3 = stablehlo.minimum %2, %y : tensor<2x4xf32>
  %4 = stablehlo.multiply %3, %y : tensor<2x4xf32>
  %5 = stablehlo.power %4, %y : tensor<2x4xf32>
  %6 = stablehlo.subtract %5, %y : tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// -----

// A square is a product, and the least number changes no maximum.

// CHECK-LABEL: func.func @known
// CHECK: %[[X:.*]] = ane.cast
// CHECK: %[[S:.*]] = ane.elementwise mul %[[X]], %[[X]]
// CHECK-NOT: ane.elementwise
// CHECK: ane.activation %[[S]] {function = #ane.act<clamp, -1.000000e+00, 2.000000e+00>}
func.func @known(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %0 = stablehlo.power %x, %b : tensor<2x4xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.broadcast_in_dim %inf, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %1 = stablehlo.maximum %c, %0 : tensor<2x4xf32>
  %one = stablehlo.constant dense<-1.0> : tensor<f32>
  %2 = stablehlo.clamp %one, %1, %two : (tensor<f32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @choices
// CHECK: %[[L:.*]] = ane.compare lt
// CHECK: %[[G:.*]] = ane.compare ge
// CHECK: %[[A:.*]] = ane.elementwise min %[[L]], %[[G]]
// CHECK: %[[N:.*]] = ane.elementwise sub %{{.*}}, %[[A]]
// CHECK: ane.select %[[N]]
func.func @choices(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
  %1 = stablehlo.compare GE, %x, %y, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
  %2 = stablehlo.and %0, %1 : tensor<2x4xi1>
  %3 = stablehlo.not %2 : tensor<2x4xi1>
  %4 = stablehlo.select %3, %x, %y : tensor<2x4xi1>, tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// -----

// Types of floats do not matter inside; a whole number is cut off.

// CHECK-LABEL: func.func @types
// CHECK: %[[X:.*]] = ane.cast %{{.*}} : tensor<2x4xf32> -> tensor<2x4xf16>
// CHECK-NEXT: %[[T:.*]] = ane.activation %[[X]] {function = #ane.act<trunc>}
// CHECK-NEXT: ane.cast %[[T]] : tensor<2x4xf16> -> tensor<2x4xf32>
func.func @types(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.convert %x : (tensor<2x4xf32>) -> tensor<2x4xbf16>
  %1 = stablehlo.convert %0 : (tensor<2x4xbf16>) -> tensor<2x4xi32>
  %2 = stablehlo.convert %1 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @chlo
// CHECK: ane.activation %{{.*}} {function = #ane.act<erf>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<square>}
// CHECK: %[[E:.*]] = ane.activation %{{.*}} {function = #ane.act<erf>}
// CHECK: ane.elementwise sub %{{.*}}, %[[E]] : tensor<1x1xf32>, tensor<2x4xf16>
func.func @chlo(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = chlo.erf %x : tensor<2x4xf32> -> tensor<2x4xf32>
  %1 = chlo.square %0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = chlo.erfc %1 : tensor<2x4xf32> -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// What others have for their own functions.

// CHECK-LABEL: func.func @named
// CHECK: ane.activation %{{.*}} {function = #ane.act<erf>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<erf>}
func.func @named(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.version = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.composite "chlo.erf" %1 {decomposition = @chlo.erf.impl, version = 1 : i32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
func.func private @chlo.erf.impl(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.tanh %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @is_finite
// CHECK-DAG: %[[SIZE:.*]] = ane.activation %{{.*}} {function = #ane.act<abs>}
// CHECK-DAG: %[[LIMIT:.*]] = ane.constant dense<0x7F800000>
// CHECK: ane.compare lt %[[SIZE]], %[[LIMIT]]
func.func @is_finite(%x: tensor<2x4xf32>) -> tensor<2x4xi1> {
  %0 = stablehlo.is_finite %x : (tensor<2x4xf32>) -> tensor<2x4xi1>
  return %0 : tensor<2x4xi1>
}

// -----

// Of the smaller side over the larger one, and from there to each quadrant.
// CHECK-LABEL: func.func @atan2
// CHECK: ane.elementwise div
// CHECK: {function = #ane.act<atan_unit>}
// CHECK-COUNT-3: ane.select
func.func @atan2(%y: tensor<2x4xf32>, %x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.atan2 %y, %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
