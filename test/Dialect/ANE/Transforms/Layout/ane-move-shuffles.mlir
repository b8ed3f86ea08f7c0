// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-unify-rank),ane-move-shuffles)' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-unify-rank),ane-move-shuffles{flavour=zin-9.509})' | FileCheck %s --check-prefix=ZIN

// A depth-to-space moves behind the next convolution: that computes all pixels of a block
// as channels. Another flavour stores the blocks first.
// CHECK-LABEL: @behind
// CHECK: %[[A:.*]] = ane.conv %arg0, {{.*}} -> tensor<1x8x3x5xf16>
// CHECK: %[[B:.*]] = ane.conv %[[A]], {{.*}} {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x3x5xf16>, tensor<4x8x3x3xf32> -> tensor<1x4x3x5xf16>
// CHECK: ane.interleave %[[B]] {factor = 2 : i64}
// CHECK-NOT: ane.conv
// CHECK: return
// ZIN-LABEL: @behind
// ZIN: ane.conv {{.*}} -> tensor<1x8x3x5xf16>
// ZIN: ane.conv {{.*}} -> tensor<1x1x6x10xf16>
func.func @behind(%x: tensor<1x2x3x5xf16>) -> tensor<1x1x6x10xf16> {
  %w = ane.constant dense<0.5> : tensor<8x2x1x1xf16>
  %v = ane.constant dense<0.25> : tensor<1x2x5x5xf16>
  %c = ane.conv %x, %w : tensor<1x2x3x5xf16>, tensor<8x2x1x1xf16> -> tensor<1x8x3x5xf16>
  %r = ane.reshape %c : tensor<1x8x3x5xf16> -> tensor<1x2x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x2x2x2x3x5xf16> -> tensor<1x2x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x5x2xf16> -> tensor<1x2x6x10xf16>
  %y = ane.conv %s, %v {pad = array<i64: 2, 2, 2, 2>} : tensor<1x2x6x10xf16>, tensor<1x2x5x5xf16> -> tensor<1x1x6x10xf16>
  return %y : tensor<1x1x6x10xf16>
}
