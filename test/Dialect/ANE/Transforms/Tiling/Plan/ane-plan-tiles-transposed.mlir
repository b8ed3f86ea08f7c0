// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s

// The convolution stores its result transposed: there is one tensor of 1 MiB, not two.
// CHECK-LABEL: @transposed
// CHECK-NOT: ane.tile
// CHECK: return
func.func @transposed(%x: tensor<1x256x32x32xf16>) -> tensor<1x512x32x32xf16> {
  %w = ane.constant dense<1.0> : tensor<256x256x1x1xf16>
  %v = ane.constant dense<1.0> : tensor<512x256x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x256x32x32xf16>, tensor<256x256x1x1xf16> -> tensor<1x256x32x32xf16>
  %1 = ane.conv %0, %v : tensor<1x256x32x32xf16>, tensor<512x256x1x1xf16> -> tensor<1x512x32x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : tensor<1x512x32x32xf16> -> tensor<1x32x32x512xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x32x32x512xf16> -> tensor<1x512x32x32xf16>
  return %3 : tensor<1x512x32x32xf16>
}
