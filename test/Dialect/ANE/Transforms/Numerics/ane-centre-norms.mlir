// RUN: ane-opt %s --split-input-file --ane-centre-norms | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-set-accuracy-goal=goal=best --ane-centre-norms | FileCheck %s --check-prefix=BEST

// Data showed a mean of 100 deviations in one channel, and of none in the other.
// CHECK-LABEL: @measured
// CHECK: %[[MEAN:.*]] = ane.reduce mean %arg0 {axes = array<i64: 2, 3>}
// CHECK: %[[CENTRED:.*]] = ane.elementwise sub %arg0, %[[MEAN]]
// CHECK: ane.layer_norm %[[CENTRED]] {axes = array<i64: 2, 3>
// CHECK-NOT: mean_ratio
func.func @measured(%x: tensor<1x2x4x8xf16>) -> tensor<1x2x4x8xf16> {
  %y = ane.layer_norm %x {ane.mean_ratio = 100.0, axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  return %y : tensor<1x2x4x8xf16>
}

// -----

// CHECK-LABEL: @measured_small
// CHECK-NOT: ane.reduce
// BEST-LABEL: @measured_small
// BEST-NOT: ane.reduce
func.func @measured_small(%x: tensor<1x2x4x8xf16> {ane.range = [4.0, 5.0]}) -> tensor<1x2x4x8xf16> {
  %y = ane.layer_norm %x {ane.mean_ratio = 7.0, axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  return %y : tensor<1x2x4x8xf16>
}

// -----

// The range leaves no mean of less than 39 deviations.
// CHECK-LABEL: @ranged
// BEST-LABEL: @ranged
// CHECK: ane.reduce mean %arg0 {axes = array<i64: 1>}
func.func @ranged(%x: tensor<4x64xf16> {ane.range = [195.0, 205.0]}) -> tensor<4x64xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<4x64xf16> -> tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}

// -----

// Here it may be 0.
// CHECK-LABEL: @around_0
// CHECK-NOT: ane.reduce
// BEST-LABEL: @around_0
// BEST: ane.reduce mean
func.func @around_0(%x: tensor<4x64xf16> {ane.range = [-1.0, 205.0]}) -> tensor<4x64xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<4x64xf16> -> tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}

// -----

// Nothing is known: with the goal best, a pass is less than the error.
// CHECK-LABEL: @unknown
// CHECK-NOT: ane.reduce
// BEST-LABEL: @unknown
// BEST: ane.reduce mean
func.func @unknown(%x: tensor<4x64xf16>) -> tensor<4x64xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<4x64xf16> -> tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}
