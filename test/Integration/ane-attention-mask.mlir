// RUN: split-file %s %t
// RUN: %python %ane_src/utils/check-ane.py %t/keys.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/causal.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/computed.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: ane-opt %t/keys.mlir --ane-decompose | FileCheck %s
// RUN: ane-opt %t/causal.mlir --ane-decompose | FileCheck %s
// RUN: ane-opt %t/computed.mlir --ane-decompose | FileCheck %s

// Scores with something added are scores: keys are channels all the same.

// CHECK: ane.runtime_conv
// CHECK: ane.elementwise add
// CHECK: ane.runtime_conv

//--- keys.mlir

// The last of the keys count for less.

func.func @net(%q: tensor<1x2x32x64xf16>, %k: tensor<1x2x32x6xf16>, %v: tensor<1x2x32x6xf16>) -> tensor<1x2x32x64xf16> {
  %mask = ane.constant dense<[[[[0.0, 0.5, -1.0, 0.0, -2.0, -30000.0]]]]> : tensor<1x1x1x6xf32>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x64xf16>, tensor<1x2x32x6xf16> -> tensor<1x2x64x6xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x2x64x6xf16>, tensor<1x1x1x6xf32> -> tensor<1x2x64x6xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x2x64x6xf16> -> tensor<1x2x64x6xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x6xf16>, tensor<1x2x64x6xf16> -> tensor<1x2x32x64xf16>
  return %o : tensor<1x2x32x64xf16>
}

//--- causal.mlir

// Another mask for each query, the same for groups and heads. Keys are rows of
// the scores.

func.func @net(%q: tensor<2x3x32x4xf16>, %k: tensor<2x1x32x4xf16>, %v: tensor<2x1x32x4xf16>) -> tensor<2x3x32x4xf16> {
  %mask = ane.constant dense<[[[[0.0, 0.0, 0.0, 0.0], [-30000.0, 0.0, 0.0, 0.0], [-30000.0, -30000.0, 0.0, 0.0], [-30000.0, -30000.0, -30000.0, 0.0]]]]> : tensor<1x1x4x4xf32>
  %s = ane.matmul %k, %q {transpose_lhs} : tensor<2x1x32x4xf16>, tensor<2x3x32x4xf16> -> tensor<2x3x4x4xf16>
  %m = ane.elementwise add %mask, %s : tensor<1x1x4x4xf32>, tensor<2x3x4x4xf16> -> tensor<2x3x4x4xf16>
  %p = ane.softmax %m {axis = 2 : i64} : tensor<2x3x4x4xf16> -> tensor<2x3x4x4xf16>
  %o = ane.matmul %v, %p : tensor<2x1x32x4xf16>, tensor<2x3x4x4xf16> -> tensor<2x3x32x4xf16>
  return %o : tensor<2x3x32x4xf16>
}

//--- computed.mlir

// A bias of positions for each head.

func.func @net(%q: tensor<1x4x64x32xf16>, %k: tensor<1x4x96x32xf16>, %v: tensor<1x4x96x32xf16>, %mask: tensor<1x4x64x96xf16>) -> tensor<1x4x64x32xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x4x64x32xf16>, tensor<1x4x96x32xf16> -> tensor<1x4x64x96xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x4x64x96xf16>, tensor<1x4x64x96xf16> -> tensor<1x4x64x96xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x4x64x96xf16> -> tensor<1x4x64x96xf16>
  %o = ane.matmul %p, %v : tensor<1x4x64x96xf16>, tensor<1x4x96x32xf16> -> tensor<1x4x64x32xf16>
  return %o : tensor<1x4x64x32xf16>
}
