// RUN: ane-opt %s --ane-split-for-l2 | FileCheck %s

// An NE holds 65,536 bytes of coefficients of an output channel: 668 input channels of
// 7 x 7. Of 1,024, two halves are summed.
// CHECK-LABEL: @channels
// CHECK: %[[W:.*]] = ane.constant dense<7.500000e-01> : tensor<16x512x7x7xf16>
// CHECK: %[[LOW:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 512, 16, 16>
// CHECK: %[[A:.*]] = ane.conv %[[LOW]], %[[W]] {pad = array<i64: 3, 3, 3, 3>}
// CHECK: %[[HIGH:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 512, 0, 0>, sizes = array<i64: 1, 512, 16, 16>
// CHECK: %[[B:.*]] = ane.conv %[[HIGH]], %[[W]] {pad = array<i64: 3, 3, 3, 3>}
// CHECK: %[[Y:.*]] = ane.elementwise add %[[A]], %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @channels(%x: tensor<1x1024x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %w = ane.constant dense<0.75> : tensor<16x1024x7x7xf16>
  %y = ane.conv %x, %w {pad = array<i64: 3, 3, 3, 3>} : tensor<1x1024x16x16xf16>, tensor<16x1024x7x7xf16> -> tensor<1x16x16x16xf16>
  return %y : tensor<1x16x16x16xf16>
}
