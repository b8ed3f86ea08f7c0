// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks))' | FileCheck %s

// The border of the function disappears; the result is an argument.
// CHECK-LABEL: func @border(
// CHECK-SAME: %[[X:.*]]: memref<1x64x1x1xf16, #ane.space<dram>> {ane.name = "x", ane.shape = array<i64: 1, 64>},
// CHECK-SAME: %[[Y:.*]]: memref<1x64x1x1xf16, #ane.space<dram>> {ane.name = "y", ane.output, ane.shape = array<i64: 1, 64>}) {
func.func @border(%arg0: tensor<1x64xf32> {ane.name = "x"}) -> (tensor<1x64xf32> {ane.name = "y"}) {
  %0 = ane.cast %arg0 : tensor<1x64xf32> -> tensor<1x64xf16>
  %1 = ane.reshape %0 : tensor<1x64xf16> -> tensor<1x64x1x1xf16>
  // CHECK-NEXT: ane.task {
  // CHECK-NEXT: %[[S:.*]] = ane.dma_load %[[X]]
  // CHECK-NEXT: %[[R:.*]] = ane.ne_bypass %[[S]] {activation = #ane.act<relu>}
  // CHECK-NEXT: ane.dma_store %[[R]], %[[Y]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %2 = ane.activation %1 {function = #ane.act<relu>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  %3 = ane.reshape %2 : tensor<1x64x1x1xf16> -> tensor<1x64xf16>
  %4 = ane.cast %3 : tensor<1x64xf16> -> tensor<1x64xf32>
  return %4 : tensor<1x64xf32>
}

// An argument that is returned, and a value that is returned twice, are copied.
// CHECK-LABEL: func @copies(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, #ane.space<dram>>, %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]:
// CHECK: ane.pe_unary
// CHECK: ane.dma_store %{{.*}}, %[[B]]
// CHECK: ane.dma_load %[[X]]
// CHECK: ane.ne_bypass
// CHECK: ane.dma_store %{{.*}}, %[[A]]
// CHECK: ane.dma_load %[[B]]
// CHECK: ane.dma_store %{{.*}}, %[[C]]
func.func @copies(%x: tensor<1x8x4x4xf16>) -> (tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>) {
  %y = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %x, %y, %y : tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16>
}

// Producers write to their place in a concat; an argument is copied there. The
// inner concat costs nothing.
// CHECK-LABEL: func @concat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x8x4x4xf16, #ane.space<dram>>, %[[Y:[a-z0-9]+]]: memref<1x24x4x4xf16
// CHECK-DAG: %[[IN:.*]] = ane.subview %[[Y]][0, 0, 0, 0] {{.*}} -> memref<1x16x4x4xf16
// CHECK-DAG: %[[P0:.*]] = ane.subview %[[IN]][0, 0, 0, 0]
// CHECK-DAG: %[[P1:.*]] = ane.subview %[[IN]][0, 8, 0, 0]
// CHECK-DAG: %[[P2:.*]] = ane.subview %[[Y]][0, 16, 0, 0]
// CHECK: ane.pe_unary
// CHECK: ane.dma_store %{{.*}}, %[[P0]]
// CHECK: ane.dma_load %[[X]]
// CHECK: ane.dma_store %{{.*}}, %[[P1]]
// CHECK: ane.dma_load %[[P0]]
// CHECK: ane.pe_unary
// CHECK: ane.dma_store %{{.*}}, %[[P2]]
// CHECK-NOT: ane.task
func.func @concat(%x: tensor<1x8x4x4xf16>) -> tensor<1x24x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16> -> tensor<1x16x4x4xf16>
  %2 = ane.activation %0 {function = #ane.act<neg>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %3 = ane.concat %1, %2 {axis = 1 : i64} : tensor<1x16x4x4xf16>, tensor<1x8x4x4xf16> -> tensor<1x24x4x4xf16>
  return %3 : tensor<1x24x4x4xf16>
}

// Slices and reshapes that keep the width are views.
// CHECK-LABEL: func @views
// CHECK: %[[S:.*]] = ane.subview %{{.*}}[0, 4, 1, 0] : {{.*}} -> memref<1x4x2x4xf16
// CHECK: ane.dma_load %[[S]]
// CHECK: %[[R:.*]] = ane.reshape_view %{{.*}} -> memref<1x8x1x4xf16
// CHECK: ane.dma_load %[[R]]
func.func @views(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x1x4xf16> {
  %0 = ane.slice %x {offsets = array<i64: 0, 4, 1, 0>, sizes = array<i64: 1, 4, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x4x4xf16> -> tensor<1x4x2x4xf16>
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x4x2x4xf16> -> tensor<1x4x2x4xf16>
  %2 = ane.reshape %1 : tensor<1x4x2x4xf16> -> tensor<1x8x1x4xf16>
  %3 = ane.activation %2 {function = #ane.act<sigmoid>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %3 : tensor<1x8x1x4xf16>
}

// 2304 steps of 16 lanes exceed the 64 KiB of an NE: 14 lanes, the rest first,
// the last channels first. L2 cannot hold source and result.
// CHECK-LABEL: func @cout_split
// CHECK: ane.kernel_load weight %{{.*}} {first_channel = 224 : i64} -> memref<32x256x3x3xf16
// CHECK: ane.kernel_load weight %{{.*}} -> memref<224x256x3x3xf16
func.func @cout_split(%x: tensor<1x256x64x64xf16>) -> tensor<1x256x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x64x64xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x64x64xf16>
  return %0 : tensor<1x256x64x64xf16>
}

// The same kernel on a small image streams, so it is one task.
// CHECK-LABEL: func @cout_small
// CHECK: ane.kernel_load weight %{{.*}} -> memref<256x256x3x3xf16
// CHECK-NOT: ane.kernel_load
func.func @cout_small(%x: tensor<1x256x8x8xf16>) -> tensor<1x256x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x8x8xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x8x8xf16>
  return %0 : tensor<1x256x8x8xf16>
}

// 64 steps x 48 channels do fit, 64 channels do not: full passes of 16 lanes.
// CHECK-LABEL: func @cout_passes
// CHECK: {first_channel = 768 : i64} -> memref<256x64x3x3xf16
// CHECK: -> memref<768x64x3x3xf16
func.func @cout_passes(%x: tensor<1x64x32x64xf16>) -> tensor<1x1024x32x64xf16> {
  %w = ane.constant dense<0.5> : tensor<1024x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x32x64xf16>, tensor<1024x64x3x3xf16> -> tensor<1x1024x32x64xf16>
  return %0 : tensor<1x1024x32x64xf16>
}

// Every image of a batch is a task of its own on the NEs, none on the PE.
// CHECK-LABEL: func @batch
// CHECK: ane.subview %{{.*}}[0, 0, 0, 0]
// CHECK: ane.ne_conv
// CHECK: ane.subview %{{.*}}[1, 0, 0, 0]
// CHECK: ane.ne_conv
// CHECK: ane.pe_elementwise mul {{.*}} -> memref<2x8x4x4xf16
func.func @batch(%x: tensor<2x8x4x4xf16>) -> tensor<2x8x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x8x4x4xf16>, tensor<8x8x1x1xf16> -> tensor<2x8x4x4xf16>
  %1 = ane.elementwise mul %0, %x : tensor<2x8x4x4xf16>, tensor<2x8x4x4xf16> -> tensor<2x8x4x4xf16>
  return %1 : tensor<2x8x4x4xf16>
}

// Scalars become scale and bias: 2 * (3 - x) + 1 = -2x + 7; max(x, 0) is relu.
// CHECK-LABEL: func @scalars
// CHECK: ane.pe_unary %{{.*}} {bias = 7.000000e+00 : f32, scale = -2.000000e+00 : f32}
// CHECK: ane.ne_bypass %{{.*}} {activation = #ane.act<relu>}
// CHECK: ane.kernel_load table <clamp
// CHECK: ane.ne_bypass %{{.*}} table
// CHECK: ane.kernel_load table <exp2>
// CHECK: ane.ne_bypass %{{.*}} {activation = #ane.act<exp2>, post_scale = 1.442382
// CHECK: ane.kernel_load table <silu, 1.3330078125>
// CHECK: ane.ne_bypass %{{.*}} {activation = #ane.act<silu, 1.3330078125>, post_scale = 1.333007{{[0-9]*}} : f32}
func.func @scalars(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  %z = ane.constant dense<0.0> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise sub %c, %x {scale = 2.0 : f32, bias = 1.0 : f32} : tensor<1x1x1x1xf16>, tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.elementwise max %0, %z : tensor<1x8x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x4x4xf16>
  %2 = ane.elementwise min %1, %c : tensor<1x8x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x4x4xf16>
  %3 = ane.activation %2 {function = #ane.act<exp>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %4 = ane.activation %3 {function = #ane.act<silu>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %4 : tensor<1x8x4x4xf16>
}

// A function of an elementwise pair that the PE lacks is a second pass.
// CHECK-LABEL: func @epilogue
// CHECK: %[[B:.*]] = ane.buffer
// CHECK: ane.pe_elementwise add
// CHECK: ane.dma_store %{{.*}}, %[[B]]
// CHECK: ane.dma_load %[[B]]
// CHECK: ane.ne_bypass {{.*}}#ane.act<sigmoid, 1.33{{[0-9]*}}>
func.func @epilogue(%x: tensor<1x8x4x4xf16>, %y: tensor<1x8x1x1xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.elementwise add %x, %y {activation = #ane.act<sigmoid>} : tensor<1x8x4x4xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// Rows are reduced as groups, so every image is a task of its own.
// CHECK-LABEL: func @reduce_rows
// CHECK: ane.pe_reduce max {{.*}} -> memref<1x8x4x1xf16
// CHECK: ane.pe_reduce max {{.*}} -> memref<1x8x4x1xf16
func.func @reduce_rows(%x: tensor<2x8x4x4xf16>) -> tensor<2x8x4x1xf16> {
  %0 = ane.reduce max %x {axes = array<i64: 3>} : tensor<2x8x4x4xf16> -> tensor<2x8x4x1xf16>
  return %0 : tensor<2x8x4x1xf16>
}

// A constant operand is read from the constant section.
// CHECK-LABEL: func @constant_operand
// CHECK: %[[C:.*]] = ane.constant_buffer
// CHECK: ane.dma_load %[[C]]
func.func @constant_operand(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<[[[[3.0]], [[4.0]]]]> : tensor<1x2x1x1xf16>
  %0 = ane.elementwise mul %x, %c : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  return %0 : tensor<1x2x1x1xf16>
}

// A repeated operand is copied to L2 and becomes source 2: z - x = -(x - z).
// CHECK-LABEL: func @broadcast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x8x4x4xf16{{.*}}, %[[Z:[a-z0-9]+]]: memref<1x8x1x1xf16
// CHECK: %[[L2:.*]] = ane.task -> memref<1x8x1x1xf16, #ane.space<l2>>
// CHECK: ane.dma_load %[[Z]]
// CHECK: ane.yield
// CHECK: ane.task {
// CHECK: %[[S:.*]] = ane.dma_load %[[X]]
// CHECK-NEXT: ane.pe_elementwise sub %[[S]], %[[L2]] {scale = -2.000000e+00 : f32}
func.func @broadcast(%x: tensor<1x8x4x4xf16>, %z: tensor<1x8x1x1xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.elementwise sub %z, %x {scale = 2.0 : f32} : tensor<1x8x1x1xf16>, tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

// The copy has no loop over a batch: two tasks for each image.
// CHECK-LABEL: func @broadcast_batch
// CHECK-COUNT-2: ane.pe_elementwise mul {{.*}} -> memref<1x8x4x4xf16
func.func @broadcast_batch(%x: tensor<2x8x4x4xf16>, %z: tensor<2x8x1x1xf16>) -> tensor<2x8x4x4xf16> {
  %0 = ane.elementwise mul %x, %z : tensor<2x8x4x4xf16>, tensor<2x8x1x1xf16> -> tensor<2x8x4x4xf16>
  return %0 : tensor<2x8x4x4xf16>
}

// Groups are divided among tasks when they do not fit together.
// CHECK-LABEL: func @groups_split
// CHECK: ane.subview %{{.*}}[0, 384, 0, 0] : {{.*}} -> memref<1x128x16x16xf16
// CHECK: {first_channel = 384 : i64} -> memref<128x128x3x3xf16
// CHECK: ane.ne_conv
// CHECK-SAME: -> memref<1x128x16x16xf16
// CHECK: ane.subview %{{.*}}[0, 0, 0, 0] : {{.*}} -> memref<1x384x16x16xf16
// CHECK: -> memref<384x128x3x3xf16
// CHECK: groups = 3
func.func @groups_split(%x: tensor<1x512x16x16xf16>) -> tensor<1x512x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<512x128x3x3xf16>
  %0 = ane.conv %x, %w {groups = 4 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x16x16xf16>, tensor<512x128x3x3xf16> -> tensor<1x512x16x16xf16>
  return %0 : tensor<1x512x16x16xf16>
}

// A part of what others use is copied to its place at once, not when all of the concat is there.
// CHECK-LABEL: func @early(
// CHECK: ane.ne_conv
// CHECK: ane.ne_bypass
// CHECK: ane.pe_unary
// CHECK: ane.pe_elementwise
// CHECK: return
func.func @early(%x: tensor<1x8x6x8xf16>) -> (tensor<1x8x10x8xf16>, tensor<1x8x6x8xf16>) {
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x8x6x8xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x6x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 8, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x6x8xf16> -> tensor<1x8x4x8xf16>
  %2 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x8x6x8xf16> -> tensor<1x8x6x8xf16>
  %3 = ane.elementwise add %2, %0 : tensor<1x8x6x8xf16>, tensor<1x8x6x8xf16> -> tensor<1x8x6x8xf16>
  %4 = ane.concat %1, %2 {axis = 2 : i64} : tensor<1x8x4x8xf16>, tensor<1x8x6x8xf16> -> tensor<1x8x10x8xf16>
  return %4, %3 : tensor<1x8x10x8xf16>, tensor<1x8x6x8xf16>
}

// A result may be a constant of any rank.
// CHECK-LABEL: func @constant_result
// CHECK-SAME: memref<1x2x1x3xf16, {{.*}}> {ane.output, ane.shape = array<i64: 2, 1, 3>}
// CHECK: ane.constant_buffer %{{.*}} : tensor<1x2x1x3xf16>
func.func @constant_result() -> tensor<2x1x3xf16> {
  %0 = ane.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf16>
  return %0 : tensor<2x1x3xf16>
}
