// RUN: ane-opt %s --ane-decompose --split-input-file | FileCheck %s

// The image once for each tap, in the order of the taps of the weight, is one product.

// CHECK-LABEL: func.func @taps
// CHECK: ane.transpose {{.*}} {perm = array<i64: 0, 1, 3, 2>} : tensor<1x4x3x2xf16>
// CHECK: ane.concat {{.*}} {axis = 1 : i64} : tensor<1x3x6x5xf16>, tensor<1x3x6x5xf16>
// CHECK: ane.matmul {{.*}} : tensor<1x1x4x6xf16>, tensor<1x1x6x30xf16> -> tensor<1x1x4x30xf16>
func.func @taps(%x: tensor<1x3x6x6xf16>, %w: tensor<4x3x1x2xf16>) -> tensor<1x4x6x5xf16> {
  %0 = ane.conv %x, %w : tensor<1x3x6x6xf16>, tensor<4x3x1x2xf16> -> tensor<1x4x6x5xf16>
  return %0 : tensor<1x4x6x5xf16>
}

// -----

// A row of a matrix has at most 16,384 pixels.

// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: ane.matmul
// CHECK-NOT: ane.matmul
func.func @rows(%x: tensor<1x8x160x200xf16>, %w: tensor<4x8x1x1xf16>) -> tensor<1x4x160x200xf16> {
  %0 = ane.conv %x, %w : tensor<1x8x160x200xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x160x200xf16>
  return %0 : tensor<1x4x160x200xf16>
}
