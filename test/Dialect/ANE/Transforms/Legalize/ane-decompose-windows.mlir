// Transposed convolutions whose windows meet without overlap.
// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-decompose)" -o /dev/null

// CHECK-LABEL: @meets
// CHECK: ane.conv %arg0, {{.*}} : tensor<1x3x4x5xf16>, tensor<8x3x1x1xf32>, tensor<8xf32> -> tensor<1x8x4x5xf16>
// CHECK-COUNT-2: ane.interleave {{.*}} -> tensor<1x2x4x10xf16>
// CHECK-NOT: ane.conv
// CHECK: return {{.*}} : tensor<1x2x8x10xf16>
func.func @meets(%x: tensor<1x3x4x5xf16>) -> tensor<1x2x8x10xf16> {
  %w = ane.constant dense<[[[[0.5, 1.0], [2.0, -1.0]], [[0.25, 3.0], [-2.0, 1.5]]],
                           [[[1.5, 0.0], [1.0, 1.0]], [[-0.25, 1.0], [2.5, 0.5]]],
                           [[[0.75, 2.0], [-1.0, 0.5]], [[1.25, -3.0], [0.0, 2.0]]]]> : tensor<3x2x2x2xf16>
  %b = ane.constant dense<[0.5, -1.0]> : tensor<2xf16>
  %0 = ane.conv_transpose %x, %w bias %b {strides = array<i64: 2, 2>, activation = #ane.act<relu>}
     : tensor<1x3x4x5xf16>, tensor<3x2x2x2xf16>, tensor<2xf16> -> tensor<1x2x8x10xf16>
  return %0 : tensor<1x2x8x10xf16>
}
