// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// Data is f16 inside, and the border keeps its type.

// CHECK-LABEL: func.func @activations
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
// CHECK: %[[IN:.*]] = ane.cast %[[X]] : tensor<1x4x2x2xf32> -> tensor<1x4x2x2xf16>
// CHECK: ane.activation %[[IN]] {function = #ane.act<abs>}
// CHECK: {function = #ane.act<ceil>}
// CHECK: {function = #ane.act<erf>}
// CHECK: {function = #ane.act<exp>}
// CHECK: {function = #ane.act<floor>}
// CHECK: {function = #ane.act<log>}
// CHECK: {function = #ane.act<reciprocal>}
// CHECK: {function = #ane.act<rsqrt>}
// CHECK: {function = #ane.act<sigmoid>}
// CHECK: {function = #ane.act<tanh>}
// CHECK: {function = #ane.act<neg>}
// CHECK: %[[OUT:.*]] = ane.activation {{.*}} {function = #ane.act<clamp, -1.000000e+00, 6.000000e+00>} : tensor<1x4x2x2xf16> -> tensor<1x4x2x2xf16>
// CHECK: %[[RES:.*]] = ane.cast %[[OUT]] : tensor<1x4x2x2xf16> -> tensor<1x4x2x2xf32>
// CHECK: return %[[RES]]
func.func @activations(%x: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.abs %x : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %1 = tosa.ceil %0 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %2 = tosa.erf %1 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %3 = tosa.exp %2 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %4 = tosa.floor %3 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %5 = tosa.log %4 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %6 = tosa.reciprocal %5 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %7 = tosa.rsqrt %6 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %8 = tosa.sigmoid %7 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %9 = tosa.tanh %8 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %10 = tosa.negate %9, %zero, %zero : (tensor<1x4x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x2x2xf32>
  %11 = tosa.clamp %10 {min_val = -1.0 : f32, max_val = 6.0 : f32} : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %11 : tensor<1x4x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @binaries
// CHECK: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x4x2x2xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x2x2xf16>
// CHECK: ane.elementwise sub
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise max
// CHECK: ane.elementwise min
// CHECK: ane.elementwise pow
// CHECK-NOT: tosa
func.func @binaries(%x: tensor<1x4x2x2xf32>, %y: tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.add %x, %y : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = tosa.sub %0, %y : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %2 = tosa.mul %1, %y, %shift : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>, tensor<1xi8>) -> tensor<1x4x2x2xf32>
  %3 = tosa.maximum %2, %y : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %4 = tosa.minimum %3, %y : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %5 = tosa.pow %4, %y : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  return %5 : tensor<1x4x2x2xf32>
}

// -----

// What is computed from constants alone stays f32 for folding; next to data it
// may stand as it is.

// CHECK-LABEL: func.func @constants
// CHECK: ane.constant dense<9.9{{.*}}E-6> : tensor<4xf32>
// CHECK: %[[VAR:.*]] = ane.elementwise add {{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK: %[[STD:.*]] = ane.activation %[[VAR]] {function = #ane.act<rsqrt>} : tensor<4xf32> -> tensor<4xf32>
// CHECK: %[[COL:.*]] = ane.reshape %[[STD]] : tensor<4xf32> -> tensor<1x4x1x1xf32>
// CHECK: ane.elementwise mul %{{.*}}, %[[COL]] : tensor<1x4x2x2xf16>, tensor<1x4x1x1xf32> -> tensor<1x4x2x2xf16>
func.func @constants(%x: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %eps = "tosa.const"() <{values = dense<1.0e-5> : tensor<4xf32>}> : () -> tensor<4xf32>
  %var = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %shape = tosa.const_shape {values = dense<[1, 4, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %0 = tosa.add %var, %eps : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.rsqrt %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.reshape %1, %shape : (tensor<4xf32>, !tosa.shape<4>) -> tensor<1x4x1x1xf32>
  %3 = tosa.mul %x, %2, %shift : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>, tensor<1xi8>) -> tensor<1x4x2x2xf32>
  return %3 : tensor<1x4x2x2xf32>
}

// -----

// An f16 network has no casts.

// CHECK-LABEL: func.func @half
// CHECK-NOT: ane.cast
// CHECK: ane.activation %{{.*}} : tensor<1x4xf16> -> tensor<1x4xf16>
// CHECK-NOT: ane.cast
func.func @half(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  %0 = tosa.exp %x : (tensor<1x4xf16>) -> tensor<1x4xf16>
  return %0 : tensor<1x4xf16>
}

// -----

// Casts between f32 and f16 vanish on data and stay on constants.

// CHECK-LABEL: func.func @casts
// CHECK: %[[IN:.*]] = ane.cast %arg0 : tensor<1x2xf32> -> tensor<1x2xf16>
// CHECK: %[[C:.*]] = ane.constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
// CHECK: ane.cast %[[C]] : tensor<2xf32> -> tensor<2xf16>
// CHECK: ane.elementwise add %[[IN]]
func.func @casts(%arg0: tensor<1x2xf32>) -> tensor<1x2xf16> {
  %c = "tosa.const"() <{values = dense<[0.1, 0.2]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %shape = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.cast %arg0 : (tensor<1x2xf32>) -> tensor<1x2xf16>
  %1 = tosa.cast %c : (tensor<2xf32>) -> tensor<2xf16>
  %2 = tosa.reshape %1, %shape : (tensor<2xf16>, !tosa.shape<2>) -> tensor<1x2xf16>
  %3 = tosa.add %0, %2 : (tensor<1x2xf16>, tensor<1x2xf16>) -> tensor<1x2xf16>
  return %3 : tensor<1x2xf16>
}

// -----

// CHECK-LABEL: func.func @reductions
// CHECK: ane.reduce sum %{{.*}} {axes = array<i64: 3>} : tensor<1x4x2x2xf16> -> tensor<1x4x2x1xf16>
// CHECK: ane.reduce max %{{.*}} {axes = array<i64: 2>}
// CHECK: ane.reduce min %{{.*}} {axes = array<i64: 0>}
// CHECK: %[[A:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 1>
// CHECK: %[[B:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 1, 0, 0>
// CHECK: %[[AB:.*]] = ane.elementwise mul %[[A]], %[[B]]
// CHECK: %[[C:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 2, 0, 0>
// CHECK: ane.elementwise mul %[[AB]], %[[C]]
func.func @reductions(%x: tensor<1x4x2x2xf32>) -> tensor<1x1x1x1xf32> {
  %0 = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x1xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<1x4x2x1xf32>) -> tensor<1x4x1x1xf32>
  %2 = tosa.reduce_min %1 {axis = 0 : i32} : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %3 = tosa.reduce_product %2 {axis = 1 : i32} : (tensor<1x4x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %3 : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @matmul
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x2x4xf16>, tensor<1x4x3xf32> -> tensor<1x2x3xf16>
func.func @matmul(%x: tensor<1x2x4xf32>) -> tensor<1x2x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x2x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// -----

// A mask of integers becomes floats at once.

// CHECK-LABEL: func.func @mask
// CHECK-DAG: %[[A:.*]] = ane.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-DAG: ane.reshape %[[A]] : tensor<2xf32> -> tensor<1x2xf32>
// CHECK-DAG: ane.constant dense<{{\[\[}}-1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
func.func @mask(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %m = "tosa.const"() <{values = dense<[0, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %n = "tosa.const"() <{values = dense_resource<n> : tensor<1x2xi64>}> : () -> tensor<1x2xi64>
  %shape = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %m, %shape : (tensor<2xi64>, !tosa.shape<2>) -> tensor<1x2xi64>
  %1 = tosa.cast %0 : (tensor<1x2xi64>) -> tensor<1x2xf32>
  %2 = tosa.cast %n : (tensor<1x2xi64>) -> tensor<1x2xf32>
  %3 = tosa.add %x, %1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %4 = tosa.add %3, %2 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %4 : tensor<1x2xf32>
}
{-# dialect_resources: { builtin: { n: "0x08000000ffffffffffffffff0200000000000000" } } #-}
