// RUN: ane-opt %s --ane-cut-long-rows | FileCheck %s

// Nothing of images without elements is a task.
// CHECK-LABEL: @no_elements
// CHECK-NEXT: ane.transpose %arg0
// CHECK-NEXT: return
func.func @no_elements(%x: tensor<400x0x3x5xf16>) -> tensor<400x3x0x5xf16> {
  %y = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<400x0x3x5xf16> -> tensor<400x3x0x5xf16>
  return %y : tensor<400x3x0x5xf16>
}
// CHECK-LABEL: @empty_matrices
// CHECK-NEXT: ane.matmul %arg0, %arg1
// CHECK-NEXT: return
func.func @empty_matrices(%x: tensor<20000x1x4x0xf16>, %w: tensor<20000x1x0x3xf16>) -> tensor<20000x1x4x3xf16> {
  %y = ane.matmul %x, %w : tensor<20000x1x4x0xf16>, tensor<20000x1x0x3xf16> -> tensor<20000x1x4x3xf16>
  return %y : tensor<20000x1x4x3xf16>
}
