// Transform scripts of stock mlir-opt tile our ops; ane-compile takes what comes out.

// The runtime of sanitizers has to be in the program, which is not ours.
// UNSUPPORTED: sanitizers

// RUN: mlir-opt --load-dialect-plugin=%ane_plugin %s -transform-interpreter -canonicalize -cse -o %t.tiled.mlir
// RUN: FileCheck %s --input-file=%t.tiled.mlir
// RUN: ane-compile %t.tiled.mlir -o %t.tiled.hwx
// RUN: ane-compile %s -o %t.hwx
// RUN: ane-run %t.tiled.hwx --seed=3 --output %t.tiled.npy
// RUN: ane-run %t.hwx --seed=3 --output %t.npy
// RUN: cmp %t.tiled.npy %t.npy

// CHECK: scf.for
// CHECK: ane.conv {{.*}} -> tensor<1x4x4x32xf16>

module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<1x4x16x32xf16>) -> tensor<1x4x16x32xf16> {
    %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
    %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x16x32xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x16x32xf16>
    return %0 : tensor<1x4x16x32xf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["ane.conv"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
