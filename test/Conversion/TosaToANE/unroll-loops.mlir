// Loops that the transform dialect makes of our ops become strips again, which
// compute the same numbers.
// RUN: ane-opt %s -split-input-file -verify-diagnostics --ane-check-equivalence="pipeline=transform-interpreter,convert-tosa-to-ane{function=f} tolerance=0" | FileCheck %s

module attributes {transform.with_named_sequence} {
  // Output channels and rows; what was padded for the loop is padding of the
  // first and the last strip.
  // CHECK-LABEL: @f
  // CHECK-NOT: {{scf|tensor\.|arith}}
  // CHECK: %[[FIRST:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 5, 8>
  // CHECK: ane.pad %[[FIRST]] {high = array<i64: 0, 0, 0, 0>, low = array<i64: 0, 0, 1, 0>}
  // CHECK-COUNT-8: ane.conv {{.*}} -> tensor<1x3x4x8xf16>
  // CHECK-COUNT-2: ane.concat {{.*}}axis = 2
  // CHECK: ane.concat {{.*}}axis = 1
  // CHECK-NOT: {{scf|tensor\.|arith}}
  // CHECK: transform.named_sequence
  // expected-remark @+1 {{computes the same: largest difference 0}}
  func.func @f(%x: tensor<1x4x16x8xf16>) -> tensor<1x6x16x8xf16> {
    %w = ane.constant dense<0.125> : tensor<6x4x3x3xf16>
    %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x16x8xf16>, tensor<6x4x3x3xf16> -> tensor<1x6x16x8xf16>
    return %0 : tensor<1x6x16x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.conv"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 3, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // All that have parts of channels, each in a loop of its own.
  // CHECK-LABEL: @f
  // CHECK-NOT: {{scf|tensor\.|arith}}
  // CHECK: transform.named_sequence
  // expected-remark @+1 {{computes the same: largest difference 0}}
  func.func @f(%x: tensor<1x4x4x4xf16>, %b: tensor<8xf16>) -> tensor<1x16x10x24xf16> {
    %w = ane.constant dense<0.5> : tensor<4x8x2x2xf16>
    %0 = ane.conv_transpose %x, %w bias %b {strides = array<i64: 2, 2>} : tensor<1x4x4x4xf16>, tensor<4x8x2x2xf16>, tensor<8xf16> -> tensor<1x8x8x8xf16>
    %1 = ane.resize nearest %x : tensor<1x4x4x4xf16> -> tensor<1x4x8x8xf16>
    %2 = ane.tile %1 {repeats = array<i64: 1, 2, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x8x8x8xf16>
    %3 = ane.concat %0, %2 {axis = 3 : i64} : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x8x8x16xf16>
    %4 = ane.pad %3 {low = array<i64: 0, 4, 1, 4>, high = array<i64: 0, 4, 1, 4>, value = 2.0 : f32} : tensor<1x8x8x16xf16> -> tensor<1x16x10x24xf16>
    return %4 : tensor<1x16x10x24xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["ane.conv_transpose", "ane.resize", "ane.tile", "ane.concat", "ane.pad"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %ops tile_sizes [0, 4, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // The padding of a convolution goes into no loop, again and again; a producer
  // that cannot be cut like that stays in front of it, without an error.
  // CHECK-LABEL: @f
  // CHECK-COUNT-1: ane.softmax
  // CHECK-NOT: ane.softmax
  // CHECK: transform.named_sequence
  // expected-remark @+1 {{computes the same: largest difference 0}}
  func.func @f(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
    %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
    %0 = ane.softmax %x {axis = 2 : i64} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x8x8xf16>
    %2 = ane.elementwise add %1, %0 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    return %2 : tensor<1x4x8x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.elementwise"]} in %module : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %op tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
