// RUN: ane-opt %s --ane-decompose=sequences=false --split-input-file | FileCheck %s

// As many rows as a kernel covers are summed in the accumulator, and the sums are rows again. A
// mean divides by powers of two until the last step, whose shares add up to the rest.

// CHECK-LABEL: @mean
// CHECK-DAG: %[[PART:.*]] = ane.constant dense<3.125000e-02> : tensor<3x1x25x1xf16>
// CHECK: %[[P0:.*]] = ane.conv %{{.*}}, %[[PART]] {groups = 3 : i64} : tensor<1x3x25x5xf16>, tensor<3x1x25x1xf16> -> tensor<1x3x1x5xf16>
// CHECK: %[[ALL:.*]] = ane.concat {{.*}} {axis = 2 : i64} : {{.*}} -> tensor<1x3x4x5xf16>
// CHECK: ane.conv %[[ALL]], %{{.*}} {groups = 3 : i64}
// CHECK-NOT: elementwise add
func.func @mean(%x: tensor<1x3x100x5xf16>) -> tensor<1x3x1x5xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 2>} : tensor<1x3x100x5xf16> -> tensor<1x3x1x5xf16>
  return %y : tensor<1x3x1x5xf16>
}

// -----

// CHECK-LABEL: @sum
// CHECK-DAG: ane.constant dense<1.000000e+00> : tensor<2x1x20x1xf16>
// CHECK: %[[ALL:.*]] = ane.concat {{.*}} {axis = 2 : i64} : {{.*}} -> tensor<1x2x2x3xf16>
// CHECK: ane.conv %[[ALL]]
func.func @sum(%x: tensor<1x2x40x3xf16>) -> tensor<1x2x1x3xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x2x40x3xf16> -> tensor<1x2x1x3xf16>
  return %y : tensor<1x2x1x3xf16>
}
