// RUN: ane-opt %s | ane-opt | FileCheck %s
// RUN: ane-opt %s --mlir-print-op-generic | ane-opt | FileCheck %s
// RUN: ane-opt %s --emit-bytecode | ane-opt | FileCheck %s

// CHECK-LABEL: func @conv
// CHECK-SAME: memref<1x3x8x8xf16, strided<[768, 256, 32, 1]>, #ane.space<dram>>
func.func @conv(%x: memref<1x3x8x8xf16, strided<[768, 256, 32, 1]>, #ane.space<dram>>,
                %w: tensor<8x3x3x3xf16>, %b: tensor<8xf16>) {
  // CHECK: ane.buffer {offset = 4096 : i64} : memref<1x8x8x8xf16
  %y = ane.buffer {offset = 4096 : i64} : memref<1x8x8x8xf16, strided<[2048, 256, 32, 1]>, #ane.space<dram>>
  // CHECK: ane.subview %{{.*}}[0, 4, 0, 0] : {{.*}} -> memref<1x4x8x8xf16, strided<[2048, 256, 32, 1], offset: 1024>, #ane.space<dram>>
  %v = ane.subview %y[0, 4, 0, 0] : memref<1x8x8x8xf16, strided<[2048, 256, 32, 1]>, #ane.space<dram>> -> memref<1x4x8x8xf16, strided<[2048, 256, 32, 1], offset: 1024>, #ane.space<dram>>
  // CHECK: ane.task attributes {tile_height = 8 : i64} {
  ane.task attributes {tile_height = 8 : i64} {
    // CHECK: ane.dma_load
    %s = ane.dma_load %x : memref<1x3x8x8xf16, strided<[768, 256, 32, 1]>, #ane.space<dram>> -> memref<1x3x8x8xf16, strided<[24, 8, 24, 1]>, #ane.space<l2>>
    // CHECK: ane.kernel_load weight %{{.*}} : tensor<8x3x3x3xf16> bias %{{.*}} : tensor<8xf16> table <sigmoid> {first_channel = 4 : i64} -> memref<4x3x3x3xf16, #ane.space<kernel>>
    %k = ane.kernel_load weight %w : tensor<8x3x3x3xf16> bias %b : tensor<8xf16> table <sigmoid> {first_channel = 4 : i64} -> memref<4x3x3x3xf16, #ane.space<kernel>>
    // CHECK: ane.ne_conv
    %r = ane.ne_conv %s, %k {activation = #ane.act<sigmoid>, pad = array<i64: 1, 1>} : memref<1x3x8x8xf16, strided<[24, 8, 24, 1]>, #ane.space<l2>>, memref<4x3x3x3xf16, #ane.space<kernel>> -> memref<1x4x8x8xf16, strided<[32, 8, 32, 1], offset: 192>, #ane.space<l2>>
    // CHECK: ane.dma_store {{.*}} {residency = #ane.residency<staged>}
    ane.dma_store %r, %v {residency = #ane.residency<staged>} : memref<1x4x8x8xf16, strided<[32, 8, 32, 1], offset: 192>, #ane.space<l2>>, memref<1x4x8x8xf16, strided<[2048, 256, 32, 1], offset: 1024>, #ane.space<dram>>
  }
  return
}

// A result that stays in L2, then every other compute op.
// CHECK-LABEL: func @others
func.func @others(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>,
                  %z: memref<1x8x1x1xf16, #ane.space<dram>>, %c: tensor<1x8x1x1xf16>) {
  // CHECK: ane.constant_buffer
  %cb = ane.constant_buffer %c : tensor<1x8x1x1xf16> -> memref<1x8x1x1xf16, #ane.space<dram>>
  // CHECK: ane.reshape_view
  %q = ane.reshape_view %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x32x1x4xf16, #ane.space<dram>>
  // CHECK: %[[T:.*]] = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.kernel_load table <tanh> -> memref<64xf16, #ane.space<kernel>>
    %k = ane.kernel_load table <tanh> -> memref<64xf16, #ane.space<kernel>>
    // CHECK: ane.ne_bypass %{{.*}} table %{{.*}} {activation = #ane.act<tanh>}
    %r = ane.ne_bypass %s table %k {activation = #ane.act<tanh>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.yield %{{.*}} : memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  ane.task {
    %s = ane.dma_load %cb : memref<1x8x1x1xf16, #ane.space<dram>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    // CHECK: ane.pe_elementwise mul %[[T]], %{{.*}} {activation = #ane.act<relu>}
    %r = ane.pe_elementwise mul %t, %s {activation = #ane.act<relu>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x1x1xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %y : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.pe_unary %{{.*}} {bias = 1.000000e+00 : f32, scale = 5.000000e-01 : f32}
    %r = ane.pe_unary %s {scale = 0.5 : f32, bias = 1.0 : f32} : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %y : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.pe_reduce mean
    %r = ane.pe_reduce mean %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x8x1x1xf16, #ane.space<l2>>, memref<1x8x1x1xf16, #ane.space<dram>>
  }
  return
}

// Places in L2: a task writes channels of one and keeps what it loads, another
// reads rows.
// CHECK-LABEL: func @places
func.func @places(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x16x2x4xf16, #ane.space<dram>>) {
  // CHECK: %[[B:.*]] = ane.l2_buffer : memref<1x16x4x4xf16, #ane.space<l2>>
  %b = ane.l2_buffer : memref<1x16x4x4xf16, #ane.space<l2>>
  // CHECK: ane.l2_buffer {planar} : memref<1x8x4x4xf16, #ane.space<l2>>
  %c = ane.l2_buffer {planar} : memref<1x8x4x4xf16, #ane.space<l2>>
  // CHECK: ane.l2_buffer {shared} : memref<1x8x4x4xf16, #ane.space<l2>>
  %d = ane.l2_buffer {shared} : memref<1x8x4x4xf16, #ane.space<l2>>
  // CHECK: %[[V:.*]] = ane.subview %[[B]][0, 8, 0, 0] : memref<1x16x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
  %v = ane.subview %b[0, 8, 0, 0] : memref<1x16x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
  %u = ane.subview %b[0, 0, 0, 0] : memref<1x16x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
  %h = ane.subview %b[0, 0, 1, 0] : memref<1x16x4x4xf16, #ane.space<l2>> -> memref<1x16x2x4xf16, #ane.space<l2>>
  ane.task {
    // CHECK: %[[S:.*]] = ane.dma_load %{{.*}} {residency = #ane.residency<kept>}
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.keep %[[S]], %{{.*}} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
    ane.keep %s, %c : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: %[[R:.*]] = ane.pe_unary
    %r = ane.pe_unary %s {scale = 2.0 : f32} : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // CHECK: ane.keep %[[R]], %[[V]]
    ane.keep %r, %v : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.ne_bypass %c : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.keep %r, %u : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.ne_bypass %h : memref<1x16x2x4xf16, #ane.space<l2>> -> memref<1x16x2x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x16x2x4xf16, #ane.space<l2>>, memref<1x16x2x4xf16, #ane.space<dram>>
  }
  return
}

// What compiler 9.509 does in sequences: exchanged operands, statistics in two
// rows, channels reduced on the NEs, a place to be saved in, five dimensions.
// CHECK-LABEL: func @sequences
func.func @sequences(%x: memref<1x64x1x8xf16, #ane.space<dram>>, %d: memref<1x1x8x4x8xf16, #ane.space<dram>>,
    %y: memref<1x64x1x8xf16, #ane.space<dram>>, %k: memref<1x16x1x32xf16, #ane.space<dram>>) {
  %p = ane.buffer : memref<1x8x1x64xf16, #ane.space<dram>>
  %b = ane.l2_buffer : memref<1x1x2x64xf16, #ane.space<l2>>
  %m = ane.subview %b[0, 0, 0, 0] : memref<1x1x2x64xf16, #ane.space<l2>> -> memref<1x1x1x64xf16, #ane.space<l2>>
  %r = ane.subview %b[0, 0, 1, 0] : memref<1x1x2x64xf16, #ane.space<l2>> -> memref<1x1x1x64xf16, #ane.space<l2>>
  %s = ane.task -> memref<1x64x1x8xf16, #ane.space<l2>> {
    %t = ane.dma_load %x {residency = #ane.residency<kept>} : memref<1x64x1x8xf16, #ane.space<dram>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // CHECK: ane.pe_reduce mean %{{.*}} {exchange_result}
    %v = ane.pe_reduce mean %t {exchange_result} : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x1x1x64xf16, #ane.space<l2>>
    ane.keep %v, %m : memref<1x1x1x64xf16, #ane.space<l2>>, memref<1x1x1x64xf16, #ane.space<l2>>
    ane.yield %t : memref<1x64x1x8xf16, #ane.space<l2>>
  }
  ane.task {
    // CHECK: ane.pe_reduce mean_square %{{.*}} offset %{{.*}} {activation = #ane.act<rsqrt, {{.*}}>, exchange_offset, exchange_result, subtract_offset}
    %v = ane.pe_reduce mean_square %s offset %m {activation = #ane.act<rsqrt, 1.0e-05>, exchange_offset, exchange_result, subtract_offset}
       : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x1x1x64xf16, #ane.space<l2>> -> memref<1x1x1x64xf16, #ane.space<l2>>
    ane.keep %v, %r : memref<1x1x1x64xf16, #ane.space<l2>>, memref<1x1x1x64xf16, #ane.space<l2>>
  }
  %n = ane.task -> memref<1x64x1x8xf16, #ane.space<l2>> {
    // CHECK: ane.pe_normalize %{{.*}}, %{{.*}} {exchange_rows}
    %v = ane.pe_normalize %s, %b {exchange_rows} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x1x2x64xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    ane.yield %v : memref<1x64x1x8xf16, #ane.space<l2>>
  }
  %c = ane.task -> memref<1x1x1x8xf16, #ane.space<l2>> {
    %t = ane.kernel_load table #ane.act<reciprocal> -> memref<64xf16, #ane.space<kernel>>
    // CHECK: ane.ne_reduce sum %{{.*}} table %{{.*}} {activation = #ane.act<reciprocal>}
    %v = ane.ne_reduce sum %n table %t {activation = #ane.act<reciprocal>} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x1x1x8xf16, #ane.space<l2>>
    ane.yield %v : memref<1x1x1x8xf16, #ane.space<l2>>
  }
  %e = ane.task -> memref<1x8x1x64xf16, #ane.space<l2>> {
    // CHECK: %[[V:.*]] = ane.pe_elementwise mul %{{.*}}, %{{.*}} {exchange_result}
    %v = ane.pe_elementwise mul %n, %c {exchange_result} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x1x1x8xf16, #ane.space<l2>> -> memref<1x8x1x64xf16, #ane.space<l2>>
    // CHECK: ane.scratch_place %[[V]], %{{.*}}
    ane.scratch_place %v, %p : memref<1x8x1x64xf16, #ane.space<l2>>, memref<1x8x1x64xf16, #ane.space<dram>>
    ane.yield %v : memref<1x8x1x64xf16, #ane.space<l2>>
  }
  ane.task {
    // CHECK: ane.pe_elementwise sub %{{.*}}, %{{.*}} {exchange_lhs}
    %v = ane.pe_elementwise sub %e, %n {exchange_lhs} : memref<1x8x1x64xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // CHECK: ane.dma_store %{{.*}}, %{{.*}} {interleave = 4 : i64} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x16x1x32xf16, #ane.space<dram>>
    ane.dma_store %v, %k {interleave = 4 : i64} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x16x1x32xf16, #ane.space<dram>>
  }
  %f = ane.task -> memref<1x1x1x1xf16, #ane.space<l2>> {
    %t = ane.dma_load %d : memref<1x1x8x4x8xf16, #ane.space<dram>> -> memref<1x1x8x4x8xf16, #ane.space<l2>>
    // CHECK: ane.pe_reduce max %{{.*}} : memref<1x1x8x4x8xf16, #ane.space<l2>> -> memref<1x1x1x1xf16, #ane.space<l2>>
    %v = ane.pe_reduce max %t : memref<1x1x8x4x8xf16, #ane.space<l2>> -> memref<1x1x1x1xf16, #ane.space<l2>>
    ane.yield %v : memref<1x1x1x1xf16, #ane.space<l2>>
  }
  return
}
