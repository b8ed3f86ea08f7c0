// RUN: ane-opt %s --pass-pipeline='builtin.module(ane-pipeline{target=h14},ane-lift,canonicalize,cse)' | FileCheck %s

// The target goes along.
// CHECK: ane.target = "h14"
// CHECK-LABEL: func.func @net
// CHECK: ane.conv %arg0, %{{.*}} {pad = array<i64: 1, 1, 1, 1>}
func.func @conv(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}
