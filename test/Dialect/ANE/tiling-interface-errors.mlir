// RUN: ane-opt %s -split-input-file -verify-diagnostics -transform-interpreter

module attributes {transform.with_named_sequence} {
  func.func @reduced(%x: tensor<1x4x15x8xf16>) -> tensor<1x4x1x8xf16> {
    // expected-error @+3 {{is cut along dimension 2 of 15, which it reduces; partial results would round differently, so use the tile size 0 there}}
    // expected-error @+2 {{to tile operation}}
    // expected-error @+1 {{failed to generate tiling loops}}
    %0 = ane.reduce sum %x {axes = array<i64: 2>} : tensor<1x4x15x8xf16> -> tensor<1x4x1x8xf16>
    return %0 : tensor<1x4x1x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.reduce"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @summed(%x: tensor<1x4x16x8xf16>) -> tensor<1x4x16x8xf16> {
    // expected-error @+3 {{cannot be cut like this: operand 0 has no slice for it}}
    // expected-error @+2 {{to tile operation}}
    // expected-error @+1 {{failed to generate tiling loops}}
    %0 = ane.softmax %x {axis = 3 : i64} : tensor<1x4x16x8xf16> -> tensor<1x4x16x8xf16>
    return %0 : tensor<1x4x16x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.softmax"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @negative(%x: tensor<1x4x16x8xf16>) -> tensor<1x4x16x8xf16> {
    // expected-error @+3 {{is cut along dimension 2 into tiles of -1, but they must be at least 1}}
    // expected-error @+2 {{to tile operation}}
    // expected-error @+1 {{failed to generate tiling loops}}
    %0 = ane.pool max %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x16x8xf16> -> tensor<1x4x16x8xf16>
    return %0 : tensor<1x4x16x8xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["ane.pool"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, -1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
