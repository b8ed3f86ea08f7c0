// RUN: ane-opt %s --split-input-file --convert-ane-to-mil --verify-diagnostics | FileCheck %s

// A norm by squares is infinite on the engine from 256 on: [x, -x] has the same
// variance as x has mean square.
// CHECK: %[[NEG:.*]] = mil.op "mul"(x = %input0, y = {{.*}}) {{.*}} -> tensor<1x8x64xf16>
// CHECK: %[[BOTH:.*]] = mil.op "concat"({{.*}}values = (%input0, %[[NEG]])) {{.*}} -> tensor<1x8x128xf16>
// CHECK: %[[NORM:.*]] = mil.op "layer_norm"({{.*}}x = %[[BOTH]]) {{.*}} -> tensor<1x8x128xf16>
// CHECK: %[[HALF:.*]] = mil.op "slice_by_size"({{.*}}x = %[[NORM]]) {{.*}} -> tensor<1x8x64xf16>
// CHECK: mil.op "mul"({{.*}}%[[HALF]]
func.func @norm(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  %g = ane.constant dense<2.0> : tensor<64xf16>
  %y = ane.rms_norm %x gamma %g {axes = array<i64: 2>, epsilon = 1.0e-6 : f32} : tensor<1x8x64xf16> gamma tensor<64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

// The inverse root of 0 is one of the guard.
func.func @reached(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  // expected-warning @+1 {{ane.activation: a guard of 1.000000e-10 is 5.96e-08 in fp16, its smallest number; results where it counts are wrong; choose a larger guard}}
  %y = ane.activation %x {function = #ane.act<rsqrt, 1.0e-10>} : tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}

// -----

func.func @vanished(%x: tensor<1x8x64xf16>) -> tensor<1x8x64xf16> {
  // expected-warning @+1 {{ane.elementwise: a parameter of 1.000000e-09 is 0 in fp16 (smallest magnitude 5.96e-08); scale what it is used with}}
  %y = ane.elementwise add %x, %x {scale = 1.0e-9 : f32} : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
  return %y : tensor<1x8x64xf16>
}
