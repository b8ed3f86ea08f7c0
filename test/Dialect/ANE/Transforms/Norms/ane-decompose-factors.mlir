// Factors and summands of channels go into the weights of what is behind them.
// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-decompose) tolerance=0.0005" -o /dev/null

// Both of a norm into two layers.
// CHECK-LABEL: @layers
// CHECK-DAG: %[[W:.*]] = ane.constant dense<{{\[\[}}[{{\[}}1.000000e+00]], {{\[\[}}-2.000000e+00]]]]> : tensor<1x2x1x1xf32>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<1.500000e+00> : tensor<1xf32>
// CHECK: ane.conv %arg0, %[[W]] bias %[[B]] :
// CHECK: ane.conv %arg0, {{.*}} bias
// CHECK-NEXT: return
func.func @layers(%x: tensor<1x2x4x4xf16>) -> (tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>) {
  %g = ane.constant dense<[[[[0.5]], [[-1.0]]]]> : tensor<1x2x1x1xf32>
  %b = ane.constant dense<[[[[1.0]], [[0.25]]]]> : tensor<1x2x1x1xf32>
  %w = ane.constant dense<[[[[2.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %c = ane.constant dense<-1.0> : tensor<1xf32>
  %v = ane.constant dense<[[[[1.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.elementwise mul %x, %g : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise add %0, %b : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.conv %1, %w bias %c : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32>, tensor<1xf32> -> tensor<1x1x4x4xf16>
  %3 = ane.conv %1, %v : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x1x4x4xf16>
  return %2, %3 : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>
}

// A border is of zeros, not of summands; factors do not care.
// CHECK-LABEL: @border
// CHECK: %[[M:.*]] = ane.conv %arg0, {{.*}} bias {{.*}} {groups = 2 : i64} : tensor<1x2x4x4xf16>, tensor<2x1x1x1xf32>
// CHECK: ane.conv %[[M]], {{.*}} {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>}
// CHECK: ane.conv %arg0, {{.*}} {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: return
func.func @border(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %g = ane.constant dense<[[[[0.5]], [[-1.0]]]]> : tensor<1x2x1x1xf32>
  %b = ane.constant dense<[[[[1.0]], [[0.25]]]]> : tensor<1x2x1x1xf32>
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]], [[[1.0, 0.0, 1.0], [2.0, 1.0, 1.0], [0.0, 3.0, 1.0]]]]> : tensor<2x1x3x3xf32>
  %0 = ane.elementwise mul %x, %g : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise add %0, %b : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.conv %1, %w {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x4x4xf16>, tensor<2x1x3x3xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise mul %x, %b : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %4 = ane.conv %3, %w {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x4x4xf16>, tensor<2x1x3x3xf32> -> tensor<1x2x4x4xf16>
  return %2, %4 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// So large that products may leave f16; and somebody else wants the product.
// CHECK-LABEL: @stays
// CHECK-COUNT-4: ane.conv
func.func @stays(%x: tensor<1x2x4x4xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>) {
  %large = ane.constant dense<[[[[100.0]], [[-1.0]]]]> : tensor<1x2x1x1xf32>
  %g = ane.constant dense<[[[[0.5]], [[-1.0]]]]> : tensor<1x2x1x1xf32>
  %w = ane.constant dense<[[[[2.0]], [[0.5]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.elementwise mul %x, %large : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %1 = ane.conv %0, %w : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x1x4x4xf16>
  %2 = ane.elementwise mul %x, %g : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.conv %2, %w : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x1x4x4xf16>
  return %2, %1, %3 : tensor<1x2x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>
}
