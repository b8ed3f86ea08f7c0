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

// -----

module attributes {transform.with_named_sequence} {
  // Sizes that divide nothing: the last strip is smaller, also of rows that two
  // strips need and of channels that are no whole group. Each op computes what
  // is used of it, and the padding of a producer is where the image ends.
  // CHECK-LABEL: @f
  // CHECK-NOT: {{scf|tensor\.|arith|affine}}
  // CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 12, 13>
  // CHECK: -> tensor<1x6x5x7xf16>
  // CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 4, 15, 13>
  // CHECK: -> tensor<1x6x5x7xf16>
  // CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 17, 0>, sizes = array<i64: 1, 4, 6, 13>
  // CHECK: ane.conv {{.*}} -> tensor<1x6x5x13xf16>
  // CHECK: ane.conv {{.*}} -> tensor<1x6x4x13xf16>
  // CHECK: ane.pool {{.*}} -> tensor<1x6x2x7xf16>
  // CHECK: ane.concat {{.*}}axis = 2
  // CHECK-NOT: {{scf|tensor\.|arith|affine}}
  // CHECK: transform.named_sequence
  // expected-remark @+1 {{computes the same: largest difference 0}}
  func.func @f(%x: tensor<1x4x23x13xf16>) -> tensor<1x6x12x7xf16> {
    %w = ane.constant dense<0.125> : tensor<6x4x3x3xf16>
    %v = ane.constant dense<0.0625> : tensor<6x2x3x3xf16>
    %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x23x13xf16>, tensor<6x4x3x3xf16> -> tensor<1x6x23x13xf16>
    %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>, groups = 3 : i64} : tensor<1x6x23x13xf16>, tensor<6x2x3x3xf16> -> tensor<1x6x23x13xf16>
    %2 = ane.pool max %1 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x6x23x13xf16> -> tensor<1x6x12x7xf16>
    return %2 : tensor<1x6x12x7xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.pool"]} in %module : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %op tile_sizes [0, 0, 5, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // The last of five threads has no channel left of 8; what is cut is cut again,
  // also within a group of 2 channels, of which each strip has all and takes
  // some. An average that does not count its padding is another op in each strip.
  // CHECK-LABEL: @f
  // CHECK-NOT: {{scf|tensor\.|arith|affine}}
  // CHECK: ane.activation {{.*}} -> tensor<1x2x5x5xf16>
  // CHECK: ane.conv {{.*}} {groups = 2 : i64} {{.*}} -> tensor<1x4x4x2xf16>
  // CHECK: ane.slice {{.*}} -> tensor<1x3x4x2xf16>
  // CHECK: ane.conv {{.*}} -> tensor<1x2x4x2xf16>
  // CHECK: ane.pool  average {{.*}} -> tensor<1x8x2x5xf16>
  // CHECK: ane.pool  average {{.*}} -> tensor<1x8x1x5xf16>
  // CHECK-NOT: {{scf|tensor\.|arith|affine}}
  // CHECK: transform.named_sequence
  // expected-remark @+1 {{computes the same: largest difference 0}}
  func.func @f(%x: tensor<1x8x5x5xf16>) -> tensor<1x8x3x5xf16> {
    %w = ane.constant dense<0.125> : tensor<8x2x2x1xf16>
    %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x5x5xf16> -> tensor<1x8x5x5xf16>
    %1 = ane.conv %0, %w {groups = 4 : i64} : tensor<1x8x5x5xf16>, tensor<8x2x2x1xf16> -> tensor<1x8x4x5xf16>
    %2 = ane.pool average %1 {kernel = array<i64: 3, 1>, pad = array<i64: 1, 0, 0, 0>} : tensor<1x8x4x5xf16> -> tensor<1x8x3x5xf16>
    return %2 : tensor<1x8x3x5xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %pool = transform.structured.match ops{["ane.pool"]} in %module : (!transform.any_op) -> !transform.any_op
    %p, %pools = transform.structured.tile_using_for %pool tile_sizes [0, 0, 2, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %relu = transform.structured.match ops{["ane.activation"]} in %module : (!transform.any_op) -> !transform.any_op
    %r, %relus = transform.structured.tile_using_forall %relu num_threads [0, 5, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %conv = transform.structured.match ops{["ane.conv"]} in %module : (!transform.any_op) -> !transform.any_op
    %c, %convs = transform.structured.tile_using_for %conv tile_sizes [0, 0, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c2, %convs2:2 = transform.structured.tile_using_for %c tile_sizes [0, 3, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
