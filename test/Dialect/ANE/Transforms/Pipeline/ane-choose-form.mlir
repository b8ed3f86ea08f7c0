// RUN: ane-opt %s --ane-choose-form --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-choose-form --ane-expand-ops --split-input-file | FileCheck %s --check-prefix=EXPANDED

// Fewer tasks as one sequence: the function is marked, and the passes behind leave it.
// CHECK-LABEL: func @norm
// CHECK-SAME: attributes {ane.sequence}
// CHECK-NEXT: ane.layer_norm
// CHECK-NEXT: return
// EXPANDED-LABEL: func @norm
// EXPANDED: ane.layer_norm
func.func @norm(%x: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x256xf16> -> tensor<1x64x256xf16>
  return %y : tensor<1x64x256xf16>
}

// -----

// As good op by op.
// CHECK-LABEL: func @maximum
// CHECK-NOT: ane.sequence
// CHECK: ane.reduce max
func.func @maximum(%x: tensor<1x64x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1>} : tensor<1x64x8x8xf16> -> tensor<1x1x8x8xf16>
  return %y : tensor<1x1x8x8xf16>
}
