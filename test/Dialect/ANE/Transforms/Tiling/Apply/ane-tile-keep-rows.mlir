// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-tile))" | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-tile) tolerance=0" 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: @kept computes the same: largest difference 0,
// SAME: @strided computes the same: largest difference 0,
// SAME: @overlapping computes the same: largest difference 0,

// The second strip of the first convolution computes seven rows, and copies the two that the
// second convolution needs again, before that; nothing is computed twice.
// CHECK-LABEL: @kept
// CHECK: %[[S:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, 10, 16>
// CHECK: %[[A:.*]] = ane.conv %[[S]], %{{.*}} -> tensor<1x8x9x16xf16>
// CHECK: %[[Y:.*]] = ane.conv %[[A]], %{{.*}} -> tensor<1x8x8x16xf16>
// CHECK: %[[K:.*]] = ane.slice %[[A]] {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 8, 2, 16>
// CHECK: %[[T:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 8, 0>, sizes = array<i64: 1, 8, 8, 16>
// CHECK: %[[B:.*]] = ane.conv %[[T]], %{{.*}} -> tensor<1x8x7x16xf16>
// CHECK: %[[P:.*]] = ane.concat %[[K]], %[[B]] {axis = 2 : i64} : {{.*}} -> tensor<1x8x9x16xf16>
// CHECK: %[[Z:.*]] = ane.conv %[[P]], %{{.*}} -> tensor<1x8x8x16xf16>
// CHECK: ane.concat %[[Y]], %[[Z]]
func.func @kept(%x: tensor<1x8x16x16xf16>) -> tensor<1x8x16x16xf16> {
  %w = ane.constant dense<0.03125> : tensor<8x8x3x3xf16>
  %0 = ane.conv %x, %w {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x16x16xf16>
  %1 = ane.conv %0, %w {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x16x16xf16>
  return %1 : tensor<1x8x16x16xf16>
}

// Values with several users that need different rows; 12 + 12 + 12 + 6 rows are computed.
// CHECK-LABEL: @strided
// CHECK-COUNT-9: ane.conv
// CHECK-NOT: ane.conv
func.func @strided(%x: tensor<1x8x12x16xf16>) -> tensor<1x8x6x8xf16> {
  %w = ane.constant dense<0.03125> : tensor<8x8x3x3xf16>
  %v = ane.constant dense<0.03125> : tensor<8x8x5x5xf16>
  %0 = ane.conv %x, %v {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x8x12x16xf16>, tensor<8x8x5x5xf16> -> tensor<1x8x12x16xf16>
  %1 = ane.conv %0, %w {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x12x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x12x16xf16>
  %2 = ane.elementwise add %0, %1 {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x8x12x16xf16>, tensor<1x8x12x16xf16> -> tensor<1x8x12x16xf16>
  %3 = ane.conv %2, %v {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 2>, pad = array<i64: 2, 2, 2, 2>, strides = array<i64: 2, 2>} : tensor<1x8x12x16xf16>, tensor<8x8x5x5xf16> -> tensor<1x8x6x8xf16>
  return %3 : tensor<1x8x6x8xf16>
}

// Four rows are kept, three rows further up: where the first three go nobody has to read any
// more, and the last one goes to where the first of them was. So both tasks find their rows free.
// CHECK-LABEL: @overlapping
// CHECK: %[[A:.*]] = ane.concat {{.*}} -> tensor<1x8x7x16xf16>
// CHECK: %[[K:.*]] = ane.slice %[[A]] {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 1, 8, 3, 16>
// CHECK: %[[L:.*]] = ane.slice %[[A]] {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 1, 8, 1, 16>
// CHECK: %[[B:.*]] = ane.conv {{.*}} -> tensor<1x8x3x16xf16>
// CHECK: ane.concat %[[K]], %[[L]], %[[B]] {axis = 2 : i64}
func.func @overlapping(%x: tensor<1x8x15x16xf16>) -> tensor<1x8x15x16xf16> {
  %w = ane.constant dense<0.03125> : tensor<8x8x3x3xf16>
  %v = ane.constant dense<0.03125> : tensor<8x8x5x5xf16>
  %0 = ane.conv %x, %w {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x15x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x15x16xf16>
  %1 = ane.conv %0, %v {ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 3>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x8x15x16xf16>, tensor<8x8x5x5xf16> -> tensor<1x8x15x16xf16>
  return %1 : tensor<1x8x15x16xf16>
}
