// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-keep-in-l2))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-keep-in-l2,ane-allocate-dram,ane-allocate-l2,ane-verify-memory))' -o /dev/null

// Depthwise, the NEs have no loop over groups.
// CHECK-LABEL: func @depthwise
// CHECK: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
func.func @depthwise(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<16x1x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %0, %w {groups = 16 : i64} : tensor<1x16x8x8xf16>, tensor<16x1x1x1xf16> -> tensor<1x16x8x8xf16>
  return %1 : tensor<1x16x8x8xf16>
}

// What a task has loaded stays if it is one image.
// CHECK-LABEL: func @images
// CHECK-COUNT-2: ane.dma_load %arg0
func.func @images(%x: tensor<2x16x8x8xf16>) -> (tensor<2x16x8x8xf16>, tensor<2x16x8x8xf16>) {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  %1 = ane.activation %x {function = #ane.act<neg>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  return %0, %1 : tensor<2x16x8x8xf16>, tensor<2x16x8x8xf16>
}

// The PE loads its only source to a place, and the NEs theirs.
// CHECK-LABEL: func @one_source
// CHECK-COUNT-1: ane.dma_load %arg0
// CHECK-NOT: ane.dma_load %arg0
func.func @one_source(%x: tensor<1x16x8x8xf16>) -> (tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>) {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %x {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %0, %1 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>
}

// Of two sources it leaves none.
// CHECK-LABEL: func @two_sources
// CHECK-COUNT-2: ane.dma_load %arg0
// CHECK-NOT: ane.keep
func.func @two_sources(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x8x8xf16>) -> (tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>) {
  %0 = ane.elementwise add %x, %y : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %x {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %0, %1 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>
}

// Half of the columns lie with the strides of all: they have a place of their
// own.
// CHECK-LABEL: func @columns
// CHECK: ane.task -> memref<1x8x1x4xf16, #ane.space<l2>>
func.func @columns(%x: tensor<1x8x1x8xf16>) -> tensor<1x8x1x4xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x1x8xf16> -> tensor<1x8x1x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x1x8xf16> -> tensor<1x8x1x4xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  %3 = ane.activation %2 {function = #ane.act<abs>} : tensor<1x8x1x4xf16> -> tensor<1x8x1x4xf16>
  return %3 : tensor<1x8x1x4xf16>
}

// A result with more channels does not end where the place of its first source
// does, nor begin in front of it.
// CHECK-LABEL: func @behind
// CHECK: ane.task -> memref<1x32x1x16xf16, #ane.space<l2>>
func.func @behind(%x: tensor<1x32x1x16xf16>, %y: tensor<1x32x1x16xf16>) -> tensor<1x64x1x16xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x32x1x16xf16> -> tensor<1x32x1x16xf16>
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x32x1x16xf16> -> tensor<1x32x1x16xf16>
  %2 = ane.activation %y {function = #ane.act<neg>} : tensor<1x32x1x16xf16> -> tensor<1x32x1x16xf16>
  %3 = ane.concat %1, %2 {axis = 1 : i64} : tensor<1x32x1x16xf16>, tensor<1x32x1x16xf16> -> tensor<1x64x1x16xf16>
  %4 = ane.activation %3 {function = #ane.act<abs>} : tensor<1x64x1x16xf16> -> tensor<1x64x1x16xf16>
  return %4 : tensor<1x64x1x16xf16>
}

// CHECK-LABEL: func @before
// CHECK: ane.task -> memref<1x64x1x16xf16, #ane.space<l2>>
func.func @before(%x: tensor<1x64x1x16xf16>, %y: tensor<1x32x1x16xf16>) -> tensor<1x96x1x16xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x64x1x16xf16> -> tensor<1x64x1x16xf16>
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x64x1x16xf16> -> tensor<1x64x1x16xf16>
  %2 = ane.activation %y {function = #ane.act<neg>} : tensor<1x32x1x16xf16> -> tensor<1x32x1x16xf16>
  %3 = ane.concat %2, %1 {axis = 1 : i64} : tensor<1x32x1x16xf16>, tensor<1x64x1x16xf16> -> tensor<1x96x1x16xf16>
  %4 = ane.activation %3 {function = #ane.act<abs>} : tensor<1x96x1x16xf16> -> tensor<1x96x1x16xf16>
  return %4 : tensor<1x96x1x16xf16>
}

// Channels for columns: none of the result lies where the source is read.
// CHECK-LABEL: func @exchanged
// CHECK: %[[A:.*]] = ane.task -> memref<1x8x1x8xf16, #ane.space<l2>>
// CHECK: %[[B:.*]] = ane.task -> memref<1x8x1x8xf16, #ane.space<l2>>
// CHECK: ane.ne_bypass %[[A]] {exchange}
func.func @exchanged(%x: tensor<1x8x1x8xf16>) -> tensor<1x8x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x1x8xf16> -> tensor<1x8x1x8xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x8x1x8xf16> -> tensor<1x8x1x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x8x1x8xf16> -> tensor<1x8x1x8xf16>
  return %2 : tensor<1x8x1x8xf16>
}

// A convolution needs all channels of its source for each of its result.
// CHECK-LABEL: func @convolved
// CHECK-COUNT-2: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
func.func @convolved(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %0, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %2 : tensor<1x16x8x8xf16>
}

// Element by element the first half may lie where it comes from, but the second
// one is convolved: all of the result is somewhere else.
// CHECK-LABEL: func @in_parts
// CHECK-COUNT-2: ane.l2_buffer : memref<1x16x8x8xf16
func.func @in_parts(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x4x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x16x4x8xf16> -> tensor<1x16x4x8xf16>
  %3 = ane.slice %0 {offsets = array<i64: 0, 0, 4, 0>, sizes = array<i64: 1, 16, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x4x8xf16>
  %4 = ane.conv %3, %w : tensor<1x16x4x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x4x8xf16>
  %5 = ane.concat %2, %4 {axis = 2 : i64} : tensor<1x16x4x8xf16>, tensor<1x16x4x8xf16> -> tensor<1x16x8x8xf16>
  %6 = ane.activation %5 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %6 : tensor<1x16x8x8xf16>
}

// A later task needs the source.
// CHECK-LABEL: func @needed_later
// CHECK: %[[P:.*]] = ane.l2_buffer
// CHECK: ane.keep %{{.*}}, %[[P]]
// CHECK: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK-NEXT: ane.pe_unary %[[P]]
func.func @needed_later(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.elementwise add %y, %0 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %3 = ane.elementwise mul %2, %1 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %3 : tensor<1x16x8x8xf16>
}

// The first result lies over 24 channels of the source, though only 16 come from
// there; the second one would lie over the others.
// CHECK-LABEL: func @taken_part
// CHECK: ane.l2_buffer {shared} : memref<1x32x1x16xf16
// CHECK: ane.task -> memref<1x8x1x16xf16, #ane.space<l2>>
func.func @taken_part(%x: tensor<1x32x1x16xf16>, %y: tensor<1x8x1x16xf16>) -> (tensor<1x24x1x16xf16>, tensor<1x8x1x16xf16>) {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x32x1x16xf16> -> tensor<1x32x1x16xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 1, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x16xf16> -> tensor<1x16x1x16xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x16x1x16xf16> -> tensor<1x16x1x16xf16>
  %3 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 8, 1, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x16xf16> -> tensor<1x8x1x16xf16>
  %4 = ane.activation %3 {function = #ane.act<neg>} : tensor<1x8x1x16xf16> -> tensor<1x8x1x16xf16>
  %5 = ane.activation %y {function = #ane.act<abs>} : tensor<1x8x1x16xf16> -> tensor<1x8x1x16xf16>
  %6 = ane.concat %2, %5 {axis = 1 : i64} : tensor<1x16x1x16xf16>, tensor<1x8x1x16xf16> -> tensor<1x24x1x16xf16>
  %7 = ane.activation %6 {function = #ane.act<abs>} : tensor<1x24x1x16xf16> -> tensor<1x24x1x16xf16>
  %8 = ane.activation %4 {function = #ane.act<abs>} : tensor<1x8x1x16xf16> -> tensor<1x8x1x16xf16>
  return %7, %8 : tensor<1x24x1x16xf16>, tensor<1x8x1x16xf16>
}

// Two results of one source, of which the first is needed behind the second:
// only one of them has its place.
// CHECK-LABEL: func @two_results
// CHECK-COUNT-1: ane.l2_buffer : memref<1x16x8x8xf16
// CHECK: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
func.func @two_results(%x: tensor<1x16x8x8xf16>) -> (tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>) {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.activation %0 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %3 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %4 = ane.activation %2 {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %3, %4 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>
}

// Of two sources that go, the first one leaves its place.
// CHECK-LABEL: func @two_places
// CHECK: %[[P:.*]] = ane.l2_buffer : memref<1x16x8x8xf16
// CHECK: ane.keep %{{.*}}, %[[P]]
// CHECK: %[[T:.*]] = ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: ane.pe_elementwise add %[[P]], %[[T]]
// CHECK-NEXT: ane.keep %{{.*}}, %[[P]]
func.func @two_places(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %y {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.elementwise add %0, %1 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %3 = ane.activation %2 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %3 : tensor<1x16x8x8xf16>
}

// Nor in rows in front of the place.
// CHECK-LABEL: func @rows_before
// CHECK-COUNT-2: ane.l2_buffer : memref<1x16x8x8xf16
func.func @rows_before(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x2x8xf16>) -> tensor<1x16x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x6x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x16x6x8xf16> -> tensor<1x16x6x8xf16>
  %3 = ane.activation %y {function = #ane.act<abs>} : tensor<1x16x2x8xf16> -> tensor<1x16x2x8xf16>
  %4 = ane.concat %3, %2 {axis = 2 : i64} : tensor<1x16x2x8xf16>, tensor<1x16x6x8xf16> -> tensor<1x16x8x8xf16>
  %5 = ane.activation %4 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %5 : tensor<1x16x8x8xf16>
}

// Images with fewer rows lie closer.
// CHECK-LABEL: func @closer_images
// CHECK: ane.task -> memref<2x16x4x8xf16, #ane.space<l2>>
func.func @closer_images(%x: tensor<2x16x8x8xf16>) -> tensor<2x16x4x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 16, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<2x16x8x8xf16> -> tensor<2x16x4x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<2x16x4x8xf16> -> tensor<2x16x4x8xf16>
  %3 = ane.activation %2 {function = #ane.act<abs>} : tensor<2x16x4x8xf16> -> tensor<2x16x4x8xf16>
  return %3 : tensor<2x16x4x8xf16>
}

// One of two images has a place of its own.
// CHECK-LABEL: func @one_image
// CHECK: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
func.func @one_image(%x: tensor<2x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 1, 0, 0, 0>, sizes = array<i64: 1, 16, 8, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<2x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %3 = ane.activation %2 {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %3 : tensor<1x16x8x8xf16>
}
