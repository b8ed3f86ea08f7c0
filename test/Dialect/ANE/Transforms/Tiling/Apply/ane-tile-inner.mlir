// Strips that are cut once more, along another dimension.
// RUN: ane-opt %s --ane-tile | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-tile)" -o /dev/null

// Both parts of the first strip, then both of the second; each with its halo.
// CHECK-LABEL: @rows_and_columns
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 9, 11>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 9>, sizes = array<i64: 1, 4, 9, 7>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 4, 9, 11>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 7, 9>, sizes = array<i64: 1, 4, 9, 7>
// CHECK-NEXT: %[[LAST:.*]] = ane.conv {{.*}}pad = array<i64: 0, 1, 0, 1>
// CHECK: ane.concat {{.*}}axis = 3{{.*}}-> tensor<1x4x8x16xf16>
// CHECK: ane.concat {{.*}}, %[[LAST]] {axis = 3{{.*}}-> tensor<1x4x8x16xf16>
// CHECK: ane.concat {{.*}}axis = 2{{.*}}-> tensor<1x4x16x16xf16>
func.func @rows_and_columns(%x: tensor<1x4x16x16xf16>, %w: tensor<4x4x3x3xf16>) -> tensor<1x4x16x16xf16> {
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 2, size = 8, innerDim = 3, innerSize = 10>}
     : tensor<1x4x16x16xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x16x16xf16>
  return %0 : tensor<1x4x16x16xf16>
}

// Results of other sizes have as many strips and parts as they need, down to a
// last one that is smaller or not there.
// CHECK-LABEL: @other_sizes
func.func @other_sizes(%x: tensor<1x4x15x12xf16>, %w: tensor<4x4x3x3xf16>) -> (tensor<1x4x15x12xf16>, tensor<1x4x7x6xf16>) {
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 3, size = 5, innerDim = 2, innerSize = 4>}
     : tensor<1x4x15x12xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x15x12xf16>
  %1 = ane.pool max %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, ane.tile = #ane.tile<group = 0, dim = 3, size = 3, innerDim = 2, innerSize = 2>}
     : tensor<1x4x15x12xf16> -> tensor<1x4x7x6xf16>
  return %0, %1 : tensor<1x4x15x12xf16>, tensor<1x4x7x6xf16>
}

// A part takes what it can from the one before it in its strip, and nothing from
// the last strip.
// CHECK-LABEL: @kept
// CHECK: %[[FIRST:.*]] = ane.conv {{.*}}-> tensor<1x4x5x9xf16>
// CHECK: ane.conv %[[FIRST]]
// CHECK: %[[OLD:.*]] = ane.slice %[[FIRST]] {{.*}}-> tensor<1x4x2x9xf16>
// CHECK: %[[NEW:.*]] = ane.conv {{.*}}-> tensor<1x4x3x9xf16>
// CHECK: ane.concat %[[OLD]], %[[NEW]] {axis = 2
// CHECK: ane.conv
// CHECK: ane.conv {{.*}}-> tensor<1x4x5x9xf16>
func.func @kept(%x: tensor<1x4x8x16xf16>, %w: tensor<4x4x3x3xf16>) -> tensor<1x4x8x16xf16> {
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 3, size = 8, innerDim = 2, innerSize = 4>}
     : tensor<1x4x8x16xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x8x16xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 3, size = 8, innerDim = 2, innerSize = 4>}
     : tensor<1x4x8x16xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x8x16xf16>
  return %1 : tensor<1x4x8x16xf16>
}

// A reshape that can be cut along one of them only is computed for all of the
// other.
// CHECK-LABEL: @one_of_them
// CHECK: ane.reshape {{.*}}-> tensor<1x2x8x8xf16>
func.func @one_of_them(%x: tensor<1x2x4x16xf16>, %w: tensor<4x2x3x3xf16>) -> tensor<1x4x8x8xf16> {
  %0 = ane.reshape %x {ane.tile = #ane.tile<group = 0, dim = 1, size = 2, innerDim = 3, innerSize = 4>} : tensor<1x2x4x16xf16> -> tensor<1x2x8x8xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 1, size = 2, innerDim = 3, innerSize = 4>}
     : tensor<1x2x8x8xf16>, tensor<4x2x3x3xf16> -> tensor<1x4x8x8xf16>
  return %1 : tensor<1x4x8x8xf16>
}
