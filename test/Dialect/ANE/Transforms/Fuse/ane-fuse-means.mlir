// RUN: ane-opt %s --ane-fuse --split-input-file | FileCheck %s

// A sum that is multiplied with 1 / n is a mean, also of sums of sums under other shapes: f16 may
// hold the mean where it does not hold the sum.

// CHECK-LABEL: @sum_of_sums
// CHECK: %[[A:.*]] = ane.reduce{{ +}}mean %arg0 {axes = array<i64: 3>}
// CHECK: %[[B:.*]] = ane.reshape %[[A]]
// CHECK: %[[C:.*]] = ane.reduce{{ +}}mean %[[B]] {axes = array<i64: 1>}
// CHECK: return %[[C]]
func.func @sum_of_sums(%x: tensor<1x2x256x256xf16>) -> tensor<2x1xf16> {
  %k = ane.constant dense<1.52587891e-05> : tensor<1x1xf32>
  %a = ane.reduce sum %x {axes = array<i64: 3>} : tensor<1x2x256x256xf16> -> tensor<1x2x256x1xf16>
  %b = ane.reshape %a : tensor<1x2x256x1xf16> -> tensor<2x256xf16>
  %c = ane.reduce sum %b {axes = array<i64: 1>} : tensor<2x256xf16> -> tensor<2x1xf16>
  %y = ane.elementwise mul %c, %k : tensor<2x1xf16>, tensor<1x1xf32> -> tensor<2x1xf16>
  return %y : tensor<2x1xf16>
}

// -----

// CHECK-LABEL: @other_factor
// CHECK: ane.reduce{{ +}}sum
// CHECK: ane.elementwise
func.func @other_factor(%x: tensor<2x256xf16>) -> tensor<2x1xf16> {
  %k = ane.constant dense<0.01> : tensor<1x1xf32>
  %c = ane.reduce sum %x {axes = array<i64: 1>} : tensor<2x256xf16> -> tensor<2x1xf16>
  %y = ane.elementwise mul %c, %k : tensor<2x1xf16>, tensor<1x1xf32> -> tensor<2x1xf16>
  return %y : tensor<2x1xf16>
}

// -----

// An unbiased variance, whose factor f16 tells from 1 / n.

// CHECK-LABEL: @one_less
// CHECK: ane.reduce{{ +}}sum
// CHECK: ane.elementwise
func.func @one_less(%x: tensor<2x1024xf16>) -> tensor<2x1xf16> {
  %k = ane.constant dense<9.77517105e-04> : tensor<1x1xf32>
  %c = ane.reduce sum %x {axes = array<i64: 1>} : tensor<2x1024xf16> -> tensor<2x1xf16>
  %y = ane.elementwise mul %c, %k : tensor<2x1xf16>, tensor<1x1xf32> -> tensor<2x1xf16>
  return %y : tensor<2x1xf16>
}

// -----

// As f16 holds 1 / 768.

// CHECK-LABEL: @rounded
// CHECK: ane.reduce{{ +}}mean
// CHECK-NOT: ane.elementwise
func.func @rounded(%x: tensor<2x768xf16>) -> tensor<2x1xf16> {
  %k = ane.constant dense<1.302E-03> : tensor<1x1xf16>
  %c = ane.reduce sum %x {axes = array<i64: 1>} : tensor<2x768xf16> -> tensor<2x1xf16>
  %y = ane.elementwise mul %c, %k : tensor<2x1xf16>, tensor<1x1xf16> -> tensor<2x1xf16>
  return %y : tensor<2x1xf16>
}
