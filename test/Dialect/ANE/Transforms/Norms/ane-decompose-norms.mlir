// RUN: ane-opt %s --ane-decompose-norms --split-input-file | FileCheck %s

// The factors of a norm of channels go into the weights behind it: 0.5 x 2 and 0.25 x 4.
// CHECK-LABEL: @factors
// CHECK: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<4x2x1x1xf16>
// CHECK: %[[N:.*]] = ane.rms_norm %arg0 {axes = array<i64: 1>, epsilon = {{.*}}} : tensor<1x2x1x16xf16>
// CHECK: ane.conv %[[N]], %[[W]]
func.func @factors(%x: tensor<1x2x1x16xf16>) -> tensor<1x4x1x16xf16> {
  %g = ane.constant dense<[2.0, 4.0]> : tensor<2xf16>
  %w = ane.constant dense<[[[[0.5]], [[0.25]]], [[[0.5]], [[0.25]]], [[[0.5]], [[0.25]]], [[[0.5]], [[0.25]]]]> : tensor<4x2x1x1xf16>
  %n = ane.rms_norm %x gamma %g {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x2x1x16xf16> gamma tensor<2xf16> -> tensor<1x2x1x16xf16>
  %y = ane.conv %n, %w : tensor<1x2x1x16xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x1x16xf16>
  return %y : tensor<1x4x1x16xf16>
}
