// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0
// RUN: ane-opt %s --ane-pipeline=stop-after=tasks | FileCheck %s

// One task stores every pixel in its place: columns by interleave, rows by the
// strides of the result.

// CHECK-COUNT-1: ane.task
// CHECK: ane.pe_interleave {{.*}} {factor = 2 : i64} : memref<6x4x5x40xf16
// CHECK-NOT: ane.task

func.func @net(%a: tensor<1x24x5x40xf16>) -> tensor<1x6x10x80xf16> {
  %0 = ane.reshape %a : tensor<1x24x5x40xf16> -> tensor<1x6x2x2x5x40xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x6x2x2x5x40xf16> -> tensor<1x6x5x2x40x2xf16>
  %2 = ane.reshape %1 : tensor<1x6x5x2x40x2xf16> -> tensor<1x6x10x80xf16>
  return %2 : tensor<1x6x10x80xf16>
}
