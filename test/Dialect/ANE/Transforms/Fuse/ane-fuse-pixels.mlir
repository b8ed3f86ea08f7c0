// RUN: ane-opt %s --ane-fuse | FileCheck %s
// RUN: ane-opt %s --ane-fuse=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence=pipeline=ane-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-5: computes the same: largest difference 0,

// Windows between two layers of tokens: strips of rows go through all three.
// CHECK-LABEL: func @feed_forward
// CHECK: %[[I:.*]] = ane.reshape %arg0 : tensor<1x4x1x12xf16> -> tensor<1x4x3x4xf16>
// CHECK: %[[A:.*]] = ane.conv %[[I]], %{{.*}} bias %{{.*}} : tensor<1x4x3x4xf16>, tensor<8x4x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x4xf16>
// CHECK: %[[W:.*]] = ane.conv %[[A]], %{{.*}} {activation = #ane.act<relu>, groups = 8
// CHECK: %[[B:.*]] = ane.conv %[[W]], %{{.*}} : tensor<1x8x3x4xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x3x4xf16>
// CHECK: %[[T:.*]] = ane.reshape %[[B]] : tensor<1x4x3x4xf16> -> tensor<1x4x1x12xf16>
// CHECK: return %[[T]]
// ZIN-LABEL: func @feed_forward
// ZIN-NEXT: ane.constant
// ZIN: ane.conv %arg0
func.func @feed_forward(%x: tensor<1x4x1x12xf16>) -> tensor<1x4x1x12xf16> {
  %a = ane.constant dense<0.5> : tensor<8x4x1x1xf16>
  %bias = ane.constant dense<0.25> : tensor<8xf16>
  %d = ane.constant dense<0.25> : tensor<8x1x3x3xf16>
  %b = ane.constant dense<0.125> : tensor<4x8x1x1xf16>
  %0 = ane.conv %x, %a bias %bias : tensor<1x4x1x12xf16>, tensor<8x4x1x1xf16>, tensor<8xf16> -> tensor<1x8x1x12xf16>
  %1 = ane.reshape %0 : tensor<1x8x1x12xf16> -> tensor<1x8x3x4xf16>
  %2 = ane.conv %1, %d {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x3x4xf16>, tensor<8x1x3x3xf16> -> tensor<1x8x3x4xf16>
  %3 = ane.activation %2 {function = #ane.act<relu>} : tensor<1x8x3x4xf16> -> tensor<1x8x3x4xf16>
  %4 = ane.reshape %3 : tensor<1x8x3x4xf16> -> tensor<1x8x1x12xf16>
  %6 = ane.conv %4, %b : tensor<1x8x1x12xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x1x12xf16>
  return %6 : tensor<1x4x1x12xf16>
}

// More channels on the other side, windows or groups in the layer, or somebody else who needs what
// it makes: all stays.
// CHECK-LABEL: func @fewer
// CHECK: %[[A:.*]] = ane.conv %arg0
// CHECK: ane.reshape %[[A]]
func.func @fewer(%x: tensor<1x8x1x12xf16>) -> tensor<1x4x3x4xf16> {
  %a = ane.constant dense<0.5> : tensor<4x8x1x1xf16>
  %d = ane.constant dense<0.25> : tensor<4x1x3x3xf16>
  %0 = ane.conv %x, %a : tensor<1x8x1x12xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x1x12xf16>
  %1 = ane.reshape %0 : tensor<1x4x1x12xf16> -> tensor<1x4x3x4xf16>
  %2 = ane.conv %1, %d {groups = 4 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x3x4xf16>, tensor<4x1x3x3xf16> -> tensor<1x4x3x4xf16>
  return %2 : tensor<1x4x3x4xf16>
}
// CHECK-LABEL: func @more
// CHECK: %[[A:.*]] = ane.conv %arg0
// CHECK: %[[T:.*]] = ane.reshape %[[A]]
// CHECK: ane.conv %[[T]]
func.func @more(%x: tensor<1x4x3x4xf16>) -> tensor<1x4x1x12xf16> {
  %d = ane.constant dense<0.25> : tensor<4x1x3x3xf16>
  %a = ane.constant dense<0.5> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %d {groups = 4 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x3x4xf16>, tensor<4x1x3x3xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.reshape %0 : tensor<1x4x3x4xf16> -> tensor<1x4x1x12xf16>
  %2 = ane.conv %1, %a : tensor<1x4x1x12xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x1x12xf16>
  return %2 : tensor<1x4x1x12xf16>
}
// CHECK-LABEL: func @windows_of_columns
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x8x1x12xf16>
func.func @windows_of_columns(%x: tensor<1x4x1x12xf16>) -> (tensor<1x8x3x4xf16>, tensor<1x8x3x4xf16>) {
  %a = ane.constant dense<0.5> : tensor<8x4x1x3xf16>
  %g = ane.constant dense<0.5> : tensor<8x2x1x1xf16>
  %d = ane.constant dense<0.25> : tensor<8x1x3x3xf16>
  %0 = ane.conv %x, %a {pad = array<i64: 0, 0, 1, 1>} : tensor<1x4x1x12xf16>, tensor<8x4x1x3xf16> -> tensor<1x8x1x12xf16>
  %1 = ane.reshape %0 : tensor<1x8x1x12xf16> -> tensor<1x8x3x4xf16>
  %2 = ane.conv %1, %d {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x3x4xf16>, tensor<8x1x3x3xf16> -> tensor<1x8x3x4xf16>
  %3 = ane.conv %x, %g {groups = 2 : i64} : tensor<1x4x1x12xf16>, tensor<8x2x1x1xf16> -> tensor<1x8x1x12xf16>
  %4 = ane.reshape %3 : tensor<1x8x1x12xf16> -> tensor<1x8x3x4xf16>
  %5 = ane.conv %4, %d {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x3x4xf16>, tensor<8x1x3x3xf16> -> tensor<1x8x3x4xf16>
  return %2, %5 : tensor<1x8x3x4xf16>, tensor<1x8x3x4xf16>
}
// CHECK-LABEL: func @needed
// CHECK: %[[A:.*]] = ane.conv %arg0
// CHECK: ane.reshape %[[A]] : tensor<1x8x1x12xf16>
// CHECK: ane.reshape %[[A]] : tensor<1x8x1x12xf16> -> tensor<1x2x12x4xf16>
func.func @needed(%x: tensor<1x4x1x12xf16>) -> (tensor<1x8x3x4xf16>, tensor<1x2x12x4xf16>) {
  %a = ane.constant dense<0.5> : tensor<8x4x1x1xf16>
  %d = ane.constant dense<0.25> : tensor<8x1x3x3xf16>
  %0 = ane.conv %x, %a : tensor<1x4x1x12xf16>, tensor<8x4x1x1xf16> -> tensor<1x8x1x12xf16>
  %1 = ane.reshape %0 : tensor<1x8x1x12xf16> -> tensor<1x8x3x4xf16>
  %2 = ane.conv %1, %d {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x3x4xf16>, tensor<8x1x3x3xf16> -> tensor<1x8x3x4xf16>
  %3 = ane.reshape %0 : tensor<1x8x1x12xf16> -> tensor<1x2x12x4xf16>
  return %2, %3 : tensor<1x8x3x4xf16>, tensor<1x2x12x4xf16>
}
