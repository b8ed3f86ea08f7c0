// RUN: ane-opt %s --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-decompose --ane-form-tasks --split-input-file | FileCheck %s --check-prefix=TASKS

// Functions that become tasks as a whole.

// CHECK-LABEL: func @norm
// CHECK-SAME: ane.sequence
// CHECK: ane.layer_norm
// TASKS-LABEL: func @norm
// TASKS-COUNT-3: ane.task
// TASKS-NOT: ane.task
func.func @norm(%x: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x256xf16> -> tensor<1x64x256xf16>
  return %y : tensor<1x64x256xf16>
}

// -----

// CHECK-LABEL: func @maximum
// CHECK-SAME: ane.sequence
// TASKS-LABEL: func @maximum
// TASKS-COUNT-1: ane.task
// TASKS-NOT: ane.task
func.func @maximum(%x: tensor<1x64x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  return %y : tensor<1x1x8x8xf16>
}

// -----

// Sums of channels take fewer tasks in another form.
// CHECK-LABEL: func @sum
// TASKS-LABEL: func @sum
// CHECK-NOT: ane.sequence
func.func @sum(%x: tensor<1x64x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  return %y : tensor<1x1x8x8xf16>
}
