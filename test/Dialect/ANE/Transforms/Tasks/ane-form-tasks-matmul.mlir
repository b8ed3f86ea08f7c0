// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-form-tasks))" | FileCheck %s

// 80 rows: 64 with four lanes, 16 as they lie.
// CHECK-LABEL: func @matmul
func.func @matmul(%a: tensor<1x1x80x48xf16>, %b: tensor<1x1x48x70xf16>) -> tensor<1x1x80x70xf16> {
  // CHECK: %[[SIDE:.*]] = ane.buffer : memref<1x16x1x192xf16
  // CHECK-DAG: %[[ROWS:.*]] = ane.permute_view %arg0[0, 2, 1, 3]
  // CHECK-DAG: %[[IMAGE:.*]] = ane.permute_view %arg1[0, 2, 1, 3]
  // CHECK-DAG: %[[TARGET:.*]] = ane.permute_view %arg2[0, 2, 1, 3]
  // CHECK: ane.task
  // CHECK: ane.pe_interleave %{{.*}} {factor = 4 : i64} : memref<1x64x1x48xf16, {{.*}} -> memref<1x16x1x192xf16
  // CHECK: ane.task
  // CHECK: ane.dma_load %[[IMAGE]]
  // CHECK: %[[K:.*]] = ane.kernel_load from %[[SIDE]] : {{.*}} -> memref<64x48x1x1xf16
  // CHECK: ane.ne_conv %{{.*}}, %[[K]] :
  // CHECK: %[[REST:.*]] = ane.subview %[[ROWS]][0, 64, 0, 0]
  // CHECK: ane.task
  // CHECK: ane.kernel_load from %[[REST]] : {{.*}} -> memref<16x48x1x1xf16
  // CHECK-NOT: ane.task
  %0 = ane.matmul %a, %b : tensor<1x1x80x48xf16>, tensor<1x1x48x70xf16> -> tensor<1x1x80x70xf16>
  return %0 : tensor<1x1x80x70xf16>
}

// -----

// Both transposed: the rows of the other operand are coefficients, and channels
// and columns of the result change places.
// CHECK-LABEL: func @transposed
func.func @transposed(%a: tensor<1x1x48x70xf16>, %b: tensor<1x1x16x48xf16>) -> tensor<1x1x70x16xf16> {
  // CHECK: ane.kernel_load from {{.*}} -> memref<16x48x1x1xf16
  // CHECK: ane.ne_conv {{.*}} {exchange} : {{.*}} -> memref<1x70x1x16xf16
  // CHECK-NOT: ane.task
  %0 = ane.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<1x1x48x70xf16>, tensor<1x1x16x48xf16> -> tensor<1x1x70x16xf16>
  return %0 : tensor<1x1x70x16xf16>
}

// -----

// CHECK-LABEL: func @transpose
func.func @transpose(%a: tensor<1x5x20x70xf16>) -> tensor<1x5x70x20xf16> {
  // CHECK: ane.task
  // CHECK: ane.ne_bypass %{{.*}} {exchange} : memref<1x20x5x70xf16, {{.*}} -> memref<1x70x5x20xf16
  // CHECK-NOT: ane.task
  %0 = ane.transpose %a {perm = array<i64: 0, 1, 3, 2>} : tensor<1x5x20x70xf16> -> tensor<1x5x70x20xf16>
  return %0 : tensor<1x5x70x20xf16>
}

// -----

// Heads: cut rows and other strides, nothing moves; the result is written to its
// place at once.
// CHECK-LABEL: func @heads
func.func @heads(%a: tensor<1x40x128xf16>) -> tensor<1x4x40x32xf16> {
  // CHECK: %[[WAY:.*]] = ane.permute_view %arg1[0, 2, 1, 3]
  // CHECK: ane.reshape_view %arg0 : memref<1x1x40x128xf16, {{.*}} -> memref<1x40x4x32xf16
  // CHECK: ane.task
  // CHECK: ane.dma_store %{{.*}}, %[[WAY]]
  // CHECK-NOT: ane.task
  %0 = ane.reshape %a : tensor<1x40x128xf16> -> tensor<1x40x4x32xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x40x4x32xf16> -> tensor<1x40x4x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x40x4x32xf16> -> tensor<1x4x40x32xf16>
  return %2 : tensor<1x4x40x32xf16>
}

// -----

// CHECK-LABEL: func @squares
func.func @squares(%a: tensor<1x5x20x70xf16>) -> tensor<1x5x20x1xf16> {
  // CHECK: %[[ZERO:.*]] = ane.task
  // CHECK: ane.pe_reduce mean_square %{{.*}} offset %[[ZERO]] {activation = #ane.act<rsqrt, 1.000000e-03>}
  %0 = ane.reduce mean_square %a {axes = array<i64: 3>, activation = #ane.act<rsqrt, 0.001>} : tensor<1x5x20x70xf16> -> tensor<1x5x20x1xf16>
  return %0 : tensor<1x5x20x1xf16>
}

// -----

// CHECK-LABEL: func @cast
func.func @cast(%a: tensor<1x1x8x8xui8>) -> tensor<1x1x8x8xf16> {
  // CHECK: ane.dma_load %arg0 : memref<1x1x8x8xui8
  // CHECK: ane.pe_unary %{{.*}} : memref<1x1x8x8xui8, {{.*}} -> memref<1x1x8x8xf16
  %0 = ane.cast %a : tensor<1x1x8x8xui8> -> tensor<1x1x8x8xf16>
  return %0 : tensor<1x1x8x8xf16>
}

// -----

// Every third row: the stride of a view.
// CHECK-LABEL: func @rows
func.func @rows(%a: tensor<1x1x9x8xf16>) -> tensor<1x1x3x8xf16> {
  // CHECK: ane.subview %arg0[0, 0, 1, 0] {strides = array<i64: 1, 1, 3, 1>}
  %0 = ane.slice %a {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 1, 3, 8>, strides = array<i64: 1, 1, 3, 1>} : tensor<1x1x9x8xf16> -> tensor<1x1x3x8xf16>
  return %0 : tensor<1x1x3x8xf16>
}

// -----

// A linear layer: the convolution stores its channels as columns.
// CHECK-LABEL: func @linear
func.func @linear(%a: tensor<1x48x2x40xf16>) -> tensor<1x2x40x32xf16> {
  %w = ane.constant dense<0.5> : tensor<32x48x1x1xf16>
  // CHECK: ane.task
  // CHECK: ane.ne_conv {{.*}} {exchange} : memref<1x48x2x40xf16, {{.*}} -> memref<1x40x2x32xf16
  // CHECK-NOT: ane.task
  %0 = ane.conv %a, %w : tensor<1x48x2x40xf16>, tensor<32x48x1x1xf16> -> tensor<1x32x2x40xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : tensor<1x32x2x40xf16> -> tensor<1x2x40x32xf16>
  return %1 : tensor<1x2x40x32xf16>
}

// -----

// A row of 4 MiB passes through L2 in whole planes that fit twice.
// CHECK-LABEL: func @rows_in_parts
func.func @rows_in_parts(%x: tensor<1x4096x1x512xf16>) -> tensor<1x512x1x4096xf16> {
  // CHECK-COUNT-4: ane.pe_interleave {{.*}} : memref<1x960x1x512xf16, {{.*}} -> memref<1x120x1x4096xf16
  // CHECK: ane.subview %arg0[0, 3840, 0, 0]
  // CHECK: ane.pe_interleave {{.*}} : memref<1x256x1x512xf16, {{.*}} -> memref<1x32x1x4096xf16
  %0 = ane.interleave %x {factor = 8 : i64} : tensor<1x4096x1x512xf16> -> tensor<1x512x1x4096xf16>
  return %0 : tensor<1x512x1x4096xf16>
}

// -----

// The source is in L2 with all of its columns, only the result passes through.
// CHECK-LABEL: func @wide_rows_in_parts
func.func @wide_rows_in_parts(%x: tensor<1x1024x1x800xf16>) -> tensor<1x128x1x6400xf16> {
  // CHECK: ane.pe_interleave {{.*}} : memref<1x744x1x800xf16, {{.*}} -> memref<1x93x1x6400xf16
  // CHECK: ane.pe_interleave {{.*}} : memref<1x280x1x800xf16, {{.*}} -> memref<1x35x1x6400xf16
  %0 = ane.interleave %x {factor = 8 : i64} : tensor<1x1024x1x800xf16> -> tensor<1x128x1x6400xf16>
  return %0 : tensor<1x128x1x6400xf16>
}

// -----

// A convolution stores channels side by side itself, each part of them so.
// CHECK-LABEL: func @conv_stored_interleaved
func.func @conv_stored_interleaved(%x: tensor<1x768x1x80xf16>) -> tensor<1x192x1x320xf16> {
  %w = ane.constant dense<0.5> : tensor<768x768x1x1xf16>
  // CHECK-NOT: ane.pe_interleave
  // CHECK: %[[R0:.*]] = ane.ne_conv {{.*}} -> memref<1x256x1x80xf16
  // CHECK: ane.dma_store %[[R0]], %{{.*}} {interleave = 4 : i64} : memref<1x256x1x80xf16, {{.*}}>, memref<1x64x1x320xf16
  // CHECK: ane.dma_store %{{.*}}, %{{.*}} {interleave = 4 : i64} : memref<1x512x1x80xf16
  // CHECK-NOT: ane.task
  // CHECK: return
  %0 = ane.conv %x, %w : tensor<1x768x1x80xf16>, tensor<768x768x1x1xf16> -> tensor<1x768x1x80xf16>
  %1 = ane.interleave %0 {factor = 4 : i64} : tensor<1x768x1x80xf16> -> tensor<1x192x1x320xf16>
  return %1 : tensor<1x192x1x320xf16>
}

// Not for somebody else, of several rows, or of every second pixel.
// CHECK-LABEL: func @conv_not_stored_interleaved
func.func @conv_not_stored_interleaved(%x: tensor<1x64x1x80xf16>, %y: tensor<1x64x2x80xf16>) -> (tensor<1x16x1x320xf16>, tensor<1x64x1x80xf16>, tensor<1x16x2x320xf16>, tensor<1x16x1x160xf16>) {
  %w = ane.constant dense<0.5> : tensor<64x64x1x1xf16>
  // CHECK-NOT: {interleave =
  // CHECK-COUNT-3: ane.pe_interleave
  %0 = ane.conv %x, %w : tensor<1x64x1x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x1x80xf16>
  %1 = ane.interleave %0 {factor = 4 : i64} : tensor<1x64x1x80xf16> -> tensor<1x16x1x320xf16>
  %2 = ane.conv %y, %w : tensor<1x64x2x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x2x80xf16>
  %3 = ane.interleave %2 {factor = 4 : i64} : tensor<1x64x2x80xf16> -> tensor<1x16x2x320xf16>
  %4 = ane.conv %x, %w {strides = array<i64: 2, 2>} : tensor<1x64x1x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x1x40xf16>
  %5 = ane.interleave %4 {factor = 4 : i64} : tensor<1x64x1x40xf16> -> tensor<1x16x1x160xf16>
  return %1, %0, %3, %5 : tensor<1x16x1x320xf16>, tensor<1x64x1x80xf16>, tensor<1x16x2x320xf16>, tensor<1x16x1x160xf16>
}
