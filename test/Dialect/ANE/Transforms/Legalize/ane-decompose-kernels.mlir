// Windows and strides that no pass of the engine has.
// RUN: ane-opt %s --ane-fold --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-fold,ane-decompose tolerance=0.0005" -o /dev/null

// Patches of 14 x 14: every pixel of a patch is a channel.
// CHECK-LABEL: @patches
// CHECK: ane.conv {{.*}} : tensor<1x196x2x3xf16>, tensor<4x196x1x1xf32>, tensor<4xf32> -> tensor<1x4x2x3xf16>
// CHECK-NOT: ane.conv
// CHECK: return
func.func @patches(%x: tensor<1x1x28x42xf16>) -> tensor<1x4x2x3xf16> {
  %w = ane.constant dense<[[[[0.5, -1.0, 2.0, 0.25, 1.0, -0.5, 3.0, 1.5, -2.0, 0.75, 1.0, 1.0, -1.0, 0.5]]],
                           [[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]]],
                           [[[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0]]],
                           [[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]]]]> : tensor<4x1x1x14xf32>
  %rows = ane.constant dense<[[[[1.0], [2.0], [0.5], [-1.0], [0.25], [1.0], [0.0], [1.0], [3.0], [-2.0], [1.0], [0.5], [0.0], [1.0]]]]> : tensor<1x1x14x1xf32>
  %b = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %k = ane.elementwise mul %w, %rows : tensor<4x1x1x14xf32>, tensor<1x1x14x1xf32> -> tensor<4x1x14x14xf32>
  %0 = ane.conv %x, %k bias %b {strides = array<i64: 14, 14>} : tensor<1x1x28x42xf16>, tensor<4x1x14x14xf32>, tensor<4xf32> -> tensor<1x4x2x3xf16>
  return %0 : tensor<1x4x2x3xf16>
}

// Every fifth sample with a window of seven, zeros at either end, in groups:
// windows of two blocks.
// CHECK-LABEL: @samples
// CHECK: ane.conv {{.*}} {activation = #ane.act<relu>, groups = 2 : i64} : tensor<1x10x1x9xf16>, tensor<4x5x1x2xf32> -> tensor<1x4x1x8xf16>
// CHECK-NOT: ane.conv
// CHECK: return
func.func @samples(%x: tensor<1x2x1x40xf16>) -> tensor<1x4x1x8xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]], [[[-1.0, 0.5, 0.25, 2.0, 1.0, 0.0, 1.0]]],
                           [[[0.5, 1.5, -2.0, 1.0, 0.0, 0.0, 3.0]]], [[[2.0, 0.0, 1.0, 0.0, 1.0, -1.0, 0.5]]]]> : tensor<4x1x1x7xf32>
  %0 = ane.conv %x, %w {strides = array<i64: 5, 5>, pad = array<i64: 0, 0, 1, 2>, groups = 2 : i64, activation = #ane.act<relu>}
     : tensor<1x2x1x40xf16>, tensor<4x1x1x7xf32> -> tensor<1x4x1x8xf16>
  return %0 : tensor<1x4x1x8xf16>
}

// A window of 17 columns is one of nine and one of eight.
// CHECK-LABEL: @columns
// CHECK: %[[A:.*]] = ane.conv {{.*}} bias {{.*}} tensor<2x1x1x9xf32>
// CHECK: %[[B:.*]] = ane.conv {{.*}} tensor<2x1x1x8xf32> -> tensor<1x2x1x40xf16>
// CHECK-NEXT: %[[S:.*]] = ane.elementwise add %[[A]], %[[B]]
// CHECK-NEXT: ane.activation %[[S]] {{.*}}function = #ane.act<silu>}
func.func @columns(%x: tensor<1x2x1x40xf16>) -> tensor<1x2x1x40xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]],
                           [[[0.5, 0.0, -3.0, 1.0, 2.0, 0.0, 7.0, 1.0, 1.0, -1.0, 2.0, 0.5, 4.0, 0.0, 1.0, -2.0, 3.0]]]]> : tensor<2x1x1x17xf32>
  %s = ane.constant dense<0.0625> : tensor<1x1x1x1xf32>
  %k = ane.elementwise mul %w, %s : tensor<2x1x1x17xf32>, tensor<1x1x1x1xf32> -> tensor<2x1x1x17xf32>
  %b = ane.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = ane.conv %x, %k bias %b {pad = array<i64: 0, 0, 8, 8>, groups = 2 : i64, activation = #ane.act<silu>, ane.form = "table"}
     : tensor<1x2x1x40xf16>, tensor<2x1x1x17xf32>, tensor<2xf32> -> tensor<1x2x1x40xf16>
  return %0 : tensor<1x2x1x40xf16>
}

// Three taps 16 columns apart are three windows of one; 15 rows apart, two taps
// fit into one.
// CHECK-LABEL: @dilated
// CHECK-COUNT-6: ane.conv {{.*}}, tensor<1x1x{{1|16}}x1xf32> -> tensor<1x1x26x34xf16>
// CHECK-NOT: tensor<1x1x{{1|16}}x1xf32>
// CHECK: return
func.func @dilated(%x: tensor<1x1x26x34xf16>) -> tensor<1x1x26x34xf16> {
  %w = ane.constant dense<[[[[1.0, 2.0, -1.0], [0.5, 3.0, 4.0], [-2.0, 0.25, 1.0]]]]> : tensor<1x1x3x3xf32>
  %0 = ane.conv %x, %w {pad = array<i64: 15, 15, 16, 16>, dilations = array<i64: 15, 16>} : tensor<1x1x26x34xf16>, tensor<1x1x3x3xf32> -> tensor<1x1x26x34xf16>
  return %0 : tensor<1x1x26x34xf16>
}

// A window of 30 rows at every second row: one of 15 blocks.
// CHECK-LABEL: @rows
// CHECK: ane.conv {{.*}} : tensor<1x4x20x3xf16>, tensor<1x4x15x1xf32> -> tensor<1x1x6x3xf16>
// CHECK-NEXT: return
func.func @rows(%x: tensor<1x1x40x5xf16>) -> tensor<1x1x6x3xf16> {
  %c = ane.constant dense<[[[[1.0, -2.0]]]]> : tensor<1x1x1x2xf32>
  %r = ane.constant dense<[[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0], [9.0], [10.0], [11.0], [12.0], [13.0], [14.0], [15.0],
                             [5.0], [1.0], [3.0], [6.0], [2.0], [4.0], [0.5], [0.0], [9.0], [-1.0], [1.0], [2.0], [-3.0], [4.0], [1.0]]]]> : tensor<1x1x30x1xf32>
  %k = ane.elementwise mul %r, %c : tensor<1x1x30x1xf32>, tensor<1x1x1x2xf32> -> tensor<1x1x30x2xf32>
  %0 = ane.conv %x, %k {strides = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 1>} : tensor<1x1x40x5xf16>, tensor<1x1x30x2xf32> -> tensor<1x1x6x3xf16>
  return %0 : tensor<1x1x6x3xf16>
}

// A window that covers an image of 20 columns does not move.
// CHECK-LABEL: @whole
// CHECK: ane.conv {{.*}} : tensor<1x20x3x1xf16>, tensor<2x20x3x1xf32> -> tensor<1x2x1x1xf16>
func.func @whole(%x: tensor<1x1x3x20xf16>) -> tensor<1x2x1x1xf16> {
  %r = ane.constant dense<[[[[1.0], [2.0], [-1.0]]], [[[0.5], [0.0], [2.0]]]]> : tensor<2x1x3x1xf32>
  %c = ane.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]]]]> : tensor<1x1x1x20xf32>
  %k = ane.elementwise mul %r, %c : tensor<2x1x3x1xf32>, tensor<1x1x1x20xf32> -> tensor<2x1x3x20xf32>
  %0 = ane.conv %x, %k : tensor<1x1x3x20xf16>, tensor<2x1x3x20xf32> -> tensor<1x2x1x1xf16>
  return %0 : tensor<1x2x1x1xf16>
}
