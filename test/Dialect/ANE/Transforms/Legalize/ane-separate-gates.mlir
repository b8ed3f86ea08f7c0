// RUN: ane-opt %s --ane-separate-gates | FileCheck %s
// RUN: ane-opt %s --ane-separate-gates=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// CHECK-LABEL: @silu
// CHECK: %[[G:.*]] = ane.activation %arg0 {function = #ane.act<sigmoid>}
// CHECK: %[[Y:.*]] = ane.elementwise mul %arg0, %[[G]]
// CHECK-NEXT: return %[[Y]]
// ZIN-LABEL: @silu
// ZIN-NEXT: ane.activation %arg0 {function = #ane.act<silu>}
func.func @silu(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %y = ane.activation %x {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// Behind a norm, x is about 1: the table does.
// CHECK-LABEL: @normed
// CHECK: ane.layer_norm
// CHECK-NEXT: ane.activation %{{.*}} {function = #ane.act<silu>}
func.func @normed(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %y = ane.activation %n {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}
