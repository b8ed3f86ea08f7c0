// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// Exporters write some ops as arith and math on tensors.

// CHECK-LABEL: func.func @binaries
// CHECK: ane.elementwise add
// CHECK: ane.elementwise div
// CHECK: ane.elementwise max
// CHECK: ane.elementwise max
// CHECK: ane.elementwise min
// CHECK: ane.elementwise min
// CHECK: ane.elementwise mul
// CHECK: ane.elementwise sub
// CHECK: ane.elementwise pow {{.*}} -> tensor<2x3xf16>
func.func @binaries(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = arith.addf %x, %y : tensor<2x3xf32>
  %1 = arith.divf %0, %y : tensor<2x3xf32>
  %2 = arith.maximumf %1, %y : tensor<2x3xf32>
  %3 = arith.maxnumf %2, %y : tensor<2x3xf32>
  %4 = arith.minimumf %3, %y : tensor<2x3xf32>
  %5 = arith.minnumf %4, %y : tensor<2x3xf32>
  %6 = arith.mulf %5, %y : tensor<2x3xf32>
  %7 = arith.subf %6, %y : tensor<2x3xf32>
  %8 = math.powf %7, %y : tensor<2x3xf32>
  return %8 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @activations
// CHECK: #ane.act<neg>
// CHECK: #ane.act<abs>
// CHECK: #ane.act<ceil>
// CHECK: #ane.act<erf>
// CHECK: #ane.act<exp2>
// CHECK: #ane.act<exp>
// CHECK: #ane.act<floor>
// CHECK: #ane.act<log2>
// CHECK: #ane.act<log>
// CHECK: #ane.act<rsqrt>
// CHECK: #ane.act<sqrt>
// CHECK: #ane.act<tanh>
func.func @activations(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = arith.negf %x : tensor<2x3xf32>
  %1 = math.absf %0 : tensor<2x3xf32>
  %2 = math.ceil %1 : tensor<2x3xf32>
  %3 = math.erf %2 : tensor<2x3xf32>
  %4 = math.exp2 %3 : tensor<2x3xf32>
  %5 = math.exp %4 : tensor<2x3xf32>
  %6 = math.floor %5 : tensor<2x3xf32>
  %7 = math.log2 %6 : tensor<2x3xf32>
  %8 = math.log %7 : tensor<2x3xf32>
  %9 = math.rsqrt %8 : tensor<2x3xf32>
  %10 = math.sqrt %9 : tensor<2x3xf32>
  %11 = math.tanh %10 : tensor<2x3xf32>
  return %11 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @powers
// CHECK: %[[SQ:.*]] = ane.elementwise mul %[[X:.*]], %[[X]]
// CHECK: %[[THREE:.*]] = ane.constant dense<3.000000e+00> : tensor<1x1xf32>
// CHECK: ane.elementwise pow %[[SQ]]
// CHECK: ane.constant dense<[
func.func @powers(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %two = arith.constant dense<2> : tensor<1x3xi32>
  %three = arith.constant dense<3> : tensor<1x3xi32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %0 = math.fpowi %x, %two : tensor<1x3xf32>, tensor<1x3xi32>
  %1 = math.fpowi %0, %three : tensor<1x3xf32>, tensor<1x3xi32>
  %2 = arith.addf %1, %c : tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}
