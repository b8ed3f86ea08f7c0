// RUN: ane-opt %s --ane-decompose --ane-form-tasks --split-input-file | FileCheck %s

// What the NEs do to bytes needs no task that makes numbers of them.

// CHECK-LABEL: func @negation
// CHECK-COUNT-1: ane.task
// CHECK: ane.ne_bypass %{{.*}} table %{{.*}} : memref<1x1x64x64xui8, {{.*}} -> memref<1x1x64x64xui8, #ane.space<l2>>
// CHECK-NOT: ane.task
func.func @negation(%x: tensor<1x1x64x64xui8>) -> tensor<1x1x64x64xui8> {
  %0 = ane.cast %x : tensor<1x1x64x64xui8> -> tensor<1x1x64x64xf16>
  %1 = ane.activation %0 {function = #ane.act<where_nonzero, 0.0, 1.0>} : tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
  %2 = ane.cast %1 : tensor<1x1x64x64xf16> -> tensor<1x1x64x64xui8>
  return %2 : tensor<1x1x64x64xui8>
}

// -----

// CHECK-LABEL: func @moved
// CHECK-COUNT-1: ane.task
// CHECK: ane.ne_bypass %{{.*}} {exchange} : memref<{{.*}}xui8, {{.*}} -> memref<{{.*}}xui8,
// CHECK-NOT: ane.task
func.func @moved(%x: tensor<1x1x64x32xui8>) -> tensor<1x1x32x64xui8> {
  %0 = ane.cast %x : tensor<1x1x64x32xui8> -> tensor<1x1x64x32xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 1, 3, 2>} : tensor<1x1x64x32xf16> -> tensor<1x1x32x64xf16>
  %2 = ane.cast %1 : tensor<1x1x32x64xf16> -> tensor<1x1x32x64xui8>
  return %2 : tensor<1x1x32x64xui8>
}

// -----

// A product of numbers with fractions is rounded by the PE alone.
// CHECK-LABEL: func @rounded
// CHECK-COUNT-2: ane.task
// CHECK: ane.pe_unary
func.func @rounded(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xui8> {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.cast %0 : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xui8>
  return %1 : tensor<1x4x8x8xui8>
}

// -----

// Both masks come from bytes that the first leaves in L2.
// CHECK-LABEL: func @choice
// CHECK: %[[KEPT:.*]] = ane.task
// CHECK: ane.ne_bypass %{{.*}} table %{{.*}}where_positive{{.*}} : memref<1x8x4x4xui8
// CHECK: ane.pe_elementwise min
// CHECK: ane.ne_bypass %[[KEPT]] table %{{.*}}where_positive
// CHECK: ane.pe_elementwise min
// CHECK: ane.pe_elementwise max
// CHECK-NOT: ane.task
func.func @choice(%c: tensor<1x8x4x4xui8>, %a: tensor<1x8x4x4xf16>, %b: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.select %c, %a, %b : tensor<1x8x4x4xui8>, tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// -----

// The PE applies relu to its second source.
// CHECK-LABEL: func @residual
// CHECK-COUNT-1: ane.task
// CHECK: ane.pe_elementwise add %{{.*}}relu_rhs
// CHECK-NOT: ane.task
func.func @residual(%x: tensor<1x256x1x1xf16>) -> tensor<1x256x1x1xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x256x1x1xf16> -> tensor<1x256x1x1xf16>
  %1 = ane.elementwise add %x, %0 : tensor<1x256x1x1xf16>, tensor<1x256x1x1xf16> -> tensor<1x256x1x1xf16>
  return %1 : tensor<1x256x1x1xf16>
}

// -----

// A constant that is not repeated is a second source.
// CHECK-LABEL: func @shifted
// CHECK-COUNT-1: ane.task
// CHECK: ane.pe_elementwise add
func.func @shifted(%x: tensor<1x4x1x1xf16>) -> tensor<1x4x1x1xf16> {
  %c = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf16>
  %0 = ane.elementwise add %x, %c : tensor<1x4x1x1xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>
  return %0 : tensor<1x4x1x1xf16>
}

// -----

// The mean of an image has no coefficients.
// CHECK-LABEL: func @mean
// CHECK: ane.pe_reduce mean
// CHECK-NOT: ane.kernel_load
func.func @mean(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x1x1xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %1 = ane.pool average %0 {kernel = array<i64: 8, 8>} : tensor<1x64x8x8xf16> -> tensor<1x64x1x1xf16>
  return %1 : tensor<1x64x1x1xf16>
}
