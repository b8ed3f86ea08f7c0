// The root is taken before squares are rounded to f16, of which 256 has none, also where nothing is summed.
// RUN: ane-opt %s --ane-decompose | FileCheck %s
// An epsilon that f16 does not have is its smallest number: a token whose channels are equal would be 0 * infinity.
// RUN: ane-compile %s --function=tokens --stop-after=tasks -o - | FileCheck %s --check-prefix=TOKENS
// RUN: ane-compile %s --function=tokens --hwx-flavour=zin-9.509 --stop-after=tasks -o - | FileCheck %s --check-prefix=TOKENS
// RUN: ane-compile %s --function=one -o %t.hwx && ane-run %t.hwx

// CHECK-LABEL: func.func @one(
// CHECK: ane.reduce mean_square {{.*}}activation = #ane.act<rsqrt
func.func @one(%x: tensor<1x4x8x1xf16>) -> tensor<1x4x8x1xf16> {
  %y = ane.rms_norm %x {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x8x1xf16> -> tensor<1x4x8x1xf16>
  return %y : tensor<1x4x8x1xf16>
}

// Of several columns there is no such sum.
// CHECK-LABEL: func.func @columns(
// CHECK: ane.elementwise mul
// CHECK: ane.activation {{.*}}rsqrt
func.func @columns(%x: tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16> {
  %y = ane.reduce mean_square %x {axes = array<i64: 1>, activation = #ane.act<rsqrt, 0.01>} : tensor<1x1x8x16xf16> -> tensor<1x1x8x16xf16>
  return %y : tensor<1x1x8x16xf16>
}

// TOKENS: rsqrt, 5.9604644775390625E-8>
func.func @tokens(%x: tensor<1x1x64x768xf16>) -> tensor<1x1x64x768xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 3>, epsilon = 1.0e-12 : f32} : tensor<1x1x64x768xf16> -> tensor<1x1x64x768xf16>
  return %y : tensor<1x1x64x768xf16>
}
