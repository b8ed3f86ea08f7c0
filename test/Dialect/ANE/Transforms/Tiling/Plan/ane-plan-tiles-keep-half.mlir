// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s

// The second result has half of the channels, though a row of it takes a little more than
// half of the room in L2. If both kept rows, there would be none for strips of 20.
// CHECK-LABEL: @half
// CHECK: ane.conv
// CHECK-NOT: ane.keep_rows
// CHECK: ane.conv {{.*}}ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 20>{{.*}} -> tensor<1x32x270x480xf16>
// CHECK: return
func.func @half(%x: tensor<1x1x270x480xf16>) -> tensor<1x4x270x480xf16> {
  %u = ane.constant dense<0.125> : tensor<64x1x5x5xf16>
  %v = ane.constant dense<0.25> : tensor<32x64x3x3xf16>
  %w = ane.constant dense<0.5> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %u {pad = array<i64: 2, 2, 2, 2>} : tensor<1x1x270x480xf16>, tensor<64x1x5x5xf16> -> tensor<1x64x270x480xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x270x480xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x270x480xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x270x480xf16>, tensor<4x32x3x3xf16> -> tensor<1x4x270x480xf16>
  %3 = ane.activation %2 {function = #ane.act<tanh>} : tensor<1x4x270x480xf16> -> tensor<1x4x270x480xf16>
  return %3 : tensor<1x4x270x480xf16>
}
