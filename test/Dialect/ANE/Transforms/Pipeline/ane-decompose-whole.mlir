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

// As good op by op.
// CHECK-LABEL: func @maximum
// CHECK-NOT: ane.sequence
// TASKS-LABEL: func @maximum
// TASKS-COUNT-1: ane.task
// TASKS-NOT: ane.task
func.func @maximum(%x: tensor<1x64x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  return %y : tensor<1x1x8x8xf16>
}

// -----

// Op by op it is one task, too, but with coefficients of 1 to load.
// CHECK-LABEL: func @sum
// CHECK-SAME: ane.sequence
// TASKS-LABEL: func @sum
// TASKS-COUNT-1: ane.task
// TASKS: ane.ne_reduce sum
// TASKS-NOT: ane.task
func.func @sum(%x: tensor<1x64x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  return %y : tensor<1x1x8x8xf16>
}

// -----

// The sequence has a task that puts pixels in rows of 8, and goes through them
// no better.
// CHECK-LABEL: func @product
// CHECK-NOT: ane.sequence
// TASKS-LABEL: func @product
// TASKS-COUNT-2: ane.task
// TASKS-NOT: ane.task
func.func @product(%x: tensor<64x256xf16>) -> tensor<64x1024xf16> {
  %w = ane.constant dense<0.5> : tensor<256x1024xf16>
  %y = ane.matmul %x, %w : tensor<64x256xf16>, tensor<256x1024xf16> -> tensor<64x1024xf16>
  return %y : tensor<64x1024xf16>
}
