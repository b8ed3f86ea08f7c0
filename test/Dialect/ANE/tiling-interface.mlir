// The transform dialect tiles ops of ours, and fuses producers into the loop.
// RUN: ane-opt %s -split-input-file -transform-interpreter -canonicalize -cse | FileCheck %s

module attributes {transform.with_named_sequence} {
  // Padding in the dimension that the loop cuts is done to rows of the image, of
  // which the strip has what it wants; in others it stays where it is. The last
  // strip starts where it has as many rows as the others, and inserts fewer.
  // CHECK: #[[IN:.*]] = affine_map<(d0) -> (9, d0 - 1)>
  // CHECK-LABEL: @conv
  // CHECK: scf.for %[[Y:[a-z0-9]+]] = %c0 to %c15 step %c4
  // CHECK: %[[SIZE:.*]] = affine.min
  // CHECK: %[[LAST:.*]] = affine.min
  // CHECK: affine.min #[[IN]]
  // CHECK: %[[ROW:.*]] = affine.max
  // CHECK: %[[ROWS:.*]] = tensor.extract_slice %arg0[0, 0, %[[ROW]], 0] [1, 4, 6, 8] [1, 1, 1, 1]
  // CHECK: %[[PADDED:.*]] = ane.pad %[[ROWS]] {high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 1, 0>}
  // CHECK: %[[WANTED:.*]] = tensor.extract_slice %[[PADDED]][0, 0, %{{.*}}, 0] [1, 4, 6, 8] [1, 1, 1, 1]
  // CHECK: %[[STRIP:.*]] = ane.conv %[[WANTED]], {{.*}}pad = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x4x4x8xf16>
  // CHECK: tensor.extract_slice %[[STRIP]][0, 0, %{{.*}}, 0] [1, 4, %[[SIZE]], 8]
  // CHECK: tensor.insert_slice
  func.func @conv(%x: tensor<1x4x15x8xf16>) -> tensor<1x4x15x8xf16> {
    %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
    %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x15x8xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x15x8xf16>
    return %0 : tensor<1x4x15x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["ane.conv"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // Attention over parts of the queries: rows of the scores are columns of the
  // queries, and columns of the result.
  // CHECK-LABEL: @attention
  // CHECK: scf.for %[[I:[a-z0-9]+]] =
  // CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0, 0, %[[I]]] [1, 2, 8, 16]
  // CHECK: %[[SCORES:.*]] = ane.matmul %[[Q]], %arg1 {transpose_lhs} {{.*}} -> tensor<1x2x16x64xf16>
  // CHECK: %[[SHARES:.*]] = ane.softmax %[[SCORES]]
  // CHECK: ane.matmul %arg2, %[[SHARES]] {last, transpose_rhs} {{.*}} -> tensor<1x2x8x16xf16>
  func.func @attention(%q: tensor<1x2x8x64xf16>, %k: tensor<1x2x8x64xf16>, %v: tensor<1x2x8x64xf16>) -> tensor<1x2x8x64xf16> {
    %0 = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x2x64x64xf16>
    %1 = ane.softmax %0 {axis = 3 : i64} : tensor<1x2x64x64xf16> -> tensor<1x2x64x64xf16>
    %2 = ane.matmul %v, %1 {transpose_rhs, last} : tensor<1x2x8x64xf16>, tensor<1x2x64x64xf16> -> tensor<1x2x8x64xf16>
    return %2 : tensor<1x2x8x64xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %last = transform.structured.match attributes {last} in %module : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %last tile_sizes [0, 0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
