// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-propagate-layout" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=AFTER --implicit-check-not=ane.transpose
// CHECK: computes the same

// The transpose of a product goes into it, also from behind a reshape. Alone it
// would sink below the reshape again, and come back, for all rounds.
// AFTER: ane.matmul %{{.*}}, %{{.*}} {transpose_lhs} : tensor<1x5x5xf32>, tensor<1x5x8xf16> -> tensor<1x5x8xf16>
func.func @chased(%a: tensor<5x8xf16>, %b: tensor<16x8xf16>) -> tensor<8x2xf16> {
  %w = ane.constant dense<0.5> : tensor<1x5x5xf32>
  %v = ane.constant dense<0.25> : tensor<2x21xf16>
  %0 = ane.softmax %a {axis = 1 : i64} : tensor<5x8xf16> -> tensor<5x8xf16>
  %1 = ane.reshape %0 : tensor<5x8xf16> -> tensor<1x5x8xf16>
  %2 = ane.matmul %1, %w {transpose_lhs} : tensor<1x5x8xf16>, tensor<1x5x5xf32> -> tensor<1x8x5xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 2, 1>} : tensor<1x8x5xf16> -> tensor<1x5x8xf16>
  %4 = ane.reshape %3 : tensor<1x5x8xf16> -> tensor<5x8xf16>
  %5 = ane.concat %b, %4 {axis = 0 : i64} : tensor<16x8xf16>, tensor<5x8xf16> -> tensor<21x8xf16>
  %6 = ane.matmul %5, %v {transpose_lhs, transpose_rhs} : tensor<21x8xf16>, tensor<2x21xf16> -> tensor<8x2xf16>
  return %6 : tensor<8x2xf16>
}
