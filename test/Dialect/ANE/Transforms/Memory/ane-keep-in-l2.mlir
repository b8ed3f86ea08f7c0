// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-keep-in-l2))' | FileCheck %s
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-keep-in-l2{flavour=salty}))' 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: flavour 'salty' is not available; available: 'clean'

// No intermediate needs DRAM: not between the engines, not for two readers.
// CHECK-LABEL: func @chain
// CHECK-NOT: ane.buffer
// CHECK: %[[A:.*]] = ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: ane.dma_load %arg0
// CHECK: ane.ne_conv
// CHECK-NOT: ane.dma_store
// CHECK: ane.yield
// CHECK: %[[B:.*]] = ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK-NOT: ane.dma_load
// CHECK: ane.ne_conv %[[A]]
// CHECK: ane.task {
// CHECK-NOT: ane.dma_load
// CHECK: ane.pe_elementwise add %[[B]], %[[A]]
// CHECK: ane.dma_store
func.func @chain(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %0, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.elementwise add %1, %0 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %2 : tensor<1x16x8x8xf16>
}

// A part of a tensor is read through a view of its place.
// CHECK-LABEL: func @parts
// CHECK-NOT: ane.buffer
// CHECK: %[[P:.*]] = ane.l2_buffer : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: ane.task
// CHECK: ane.keep %{{.*}}, %[[P]]
// CHECK: %[[V:.*]] = ane.subview %[[P]][0, 8, 0, 0] : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: ane.task
// CHECK-NOT: ane.dma_load
// CHECK: ane.pe_unary %[[V]]
func.func @parts(%x: tensor<1x16x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 8, 8, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x8x8x8xf16>
  %2 = ane.activation %1 {function = #ane.act<abs>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  return %2 : tensor<1x8x8x8xf16>
}

// Operands of a concat are written to their rows and channels.
// CHECK-LABEL: func @joins
// CHECK-NOT: ane.buffer
// CHECK-DAG: ane.subview %{{.*}}[0, 0, 3, 0] : memref<1x16x8x8xf16, #ane.space<l2>> -> memref<1x16x5x8xf16, #ane.space<l2>>
// CHECK-DAG: ane.subview %{{.*}}[0, 16, 0, 0] : memref<1x32x8x8xf16, #ane.space<l2>> -> memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK-COUNT-3: ane.keep
// CHECK-NOT: ane.keep
func.func @joins(%x: tensor<1x16x3x8xf16>, %y: tensor<1x16x5x8xf16>, %z: tensor<1x16x8x8xf16>) -> tensor<1x32x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x3x8xf16> -> tensor<1x16x3x8xf16>
  %1 = ane.activation %y {function = #ane.act<abs>} : tensor<1x16x5x8xf16> -> tensor<1x16x5x8xf16>
  %2 = ane.concat %0, %1 {axis = 2 : i64} : tensor<1x16x3x8xf16>, tensor<1x16x5x8xf16> -> tensor<1x16x8x8xf16>
  %3 = ane.activation %z {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %4 = ane.concat %2, %3 {axis = 1 : i64} : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x32x8x8xf16>
  %5 = ane.activation %4 {function = #ane.act<neg>} : tensor<1x32x8x8xf16> -> tensor<1x32x8x8xf16>
  return %5 : tensor<1x32x8x8xf16>
}

// The PE goes through images, and through rows that are reduced alone.
// CHECK-LABEL: func @batch
// CHECK-NOT: ane.buffer
// CHECK: ane.task -> memref<2x16x8x8xf16, #ane.space<l2>>
func.func @batch(%x: tensor<2x16x8x8xf16>) -> tensor<2x16x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<neg>} : tensor<2x16x8x8xf16> -> tensor<2x16x8x8xf16>
  return %1 : tensor<2x16x8x8xf16>
}

// CHECK-LABEL: func @rows
// CHECK-NOT: ane.buffer
// CHECK: ane.task -> memref<1x16x8x8xf16, #ane.space<l2>>
func.func @rows(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x1xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.reduce sum %0 {axes = array<i64: 3>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x1xf16>
  return %1 : tensor<1x16x8x1xf16>
}

// Groups of the NEs stay in DRAM.
// CHECK-LABEL: func @groups
// CHECK-NOT: ane.task ->
// CHECK-NOT: ane.keep
func.func @groups(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<16x8x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %0, %w {groups = 2 : i64} : tensor<1x16x8x8xf16>, tensor<16x8x1x1xf16> -> tensor<1x16x8x8xf16>
  return %1 : tensor<1x16x8x8xf16>
}

// Where a reshape joins channels and rows, all rows of a channel follow each
// other.
// CHECK-LABEL: func @reshaped
// CHECK: %[[P:.*]] = ane.l2_buffer {planar} : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: %[[V:.*]] = ane.reshape_view %[[P]]
// CHECK: ane.pe_unary %[[V]]
func.func @reshaped(%x: tensor<1x16x8x8xf16>) -> tensor<1x128x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.reshape %0 : tensor<1x16x8x8xf16> -> tensor<1x128x1x8xf16>
  %2 = ane.activation %1 {function = #ane.act<neg>} : tensor<1x128x1x8xf16> -> tensor<1x128x1x8xf16>
  return %2 : tensor<1x128x1x8xf16>
}

// Rows of one channel are channels to the PE, where they are too wide for a
// patch, also those that lie in L2 already.
// CHECK-LABEL: func @wide_rows
// CHECK: ane.pe_unary {{.*}} -> memref<1x24x1x600xf16, #ane.space<l2>>
// CHECK: ane.pe_reduce mean {{.*}} : memref<1x24x1x600xf16, #ane.space<l2>> -> memref<1x24x1x1xf16, #ane.space<l2>>
// CHECK: %[[M:.*]] = ane.permute_view %{{.*}}[0, 2, 1, 3] : memref<1x1x24x1xf16, #ane.space<l2>> -> memref<1x24x1x1xf16, #ane.space<l2>>
// CHECK: ane.pe_elementwise sub %{{.*}}, %[[M]]
func.func @wide_rows(%x: tensor<1x1x24x600xf16>) -> tensor<1x1x24x600xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x1x24x600xf16> -> tensor<1x1x24x600xf16>
  %1 = ane.reduce mean %0 {axes = array<i64: 3>} : tensor<1x1x24x600xf16> -> tensor<1x1x24x1xf16>
  %2 = ane.elementwise sub %0, %1 : tensor<1x1x24x600xf16>, tensor<1x1x24x1xf16> -> tensor<1x1x24x600xf16>
  return %2 : tensor<1x1x24x600xf16>
}

// Each tensor has 1.2 MB: with one of them there is room for the sources or the
// result of its neighbours, with two there is not.
// CHECK-LABEL: func @budget
// CHECK-COUNT-1: ane.task ->
// CHECK-NOT: ane.task ->
func.func @budget(%x: tensor<1x64x96x96xf16>) -> tensor<1x64x96x96xf16> {
  %v = ane.constant dense<0.5> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x64x96x96xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x96x96xf16>
  %1 = ane.conv %0, %v : tensor<1x64x96x96xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x96x96xf16>
  %2 = ane.conv %1, %v : tensor<1x64x96x96xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x96x96xf16>
  return %2 : tensor<1x64x96x96xf16>
}

// One of 0.8 MB is chosen for the room of the smallest tiles, not of all rows.
// CHECK-LABEL: func @tiles
// CHECK-COUNT-2: ane.task ->
func.func @tiles(%x: tensor<1x64x80x80xf16>) -> tensor<1x64x80x80xf16> {
  %v = ane.constant dense<0.5> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x64x80x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x80x80xf16>
  %1 = ane.conv %0, %v : tensor<1x64x80x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x80x80xf16>
  %2 = ane.conv %1, %v : tensor<1x64x80x80xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x80x80xf16>
  return %2 : tensor<1x64x80x80xf16>
}

// What was loaded stays for the next task that loads the same.
// CHECK-LABEL: func @loaded
// CHECK: %[[P:.*]] = ane.l2_buffer : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: %[[S:.*]] = ane.dma_load %arg0 {residency = #ane.residency<kept>}
// CHECK: ane.keep %[[S]], %[[P]]
// CHECK-NOT: ane.dma_load
// CHECK: ane.ne_conv %[[P]]
// CHECK-NOT: ane.dma_load
func.func @loaded(%x: tensor<1x16x8x8xf16>) -> (tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>) {
  %v = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %x, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  return %0, %1 : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16>
}

// The sum takes the place of the source that it reads last; the one behind it
// is a transpose, which would write over elements that it still has to read.
// CHECK-LABEL: func @in_place
// CHECK: %[[P:.*]] = ane.l2_buffer : memref<1x16x16x16xf16, #ane.space<l2>>
// CHECK: ane.keep %{{.*}}, %[[P]]
// CHECK: %[[R:.*]] = ane.pe_elementwise add %[[P]], %{{.*}}
// CHECK: ane.keep %[[R]], %[[P]]
// CHECK: %[[V:.*]] = ane.permute_view %[[P]]
// CHECK: %[[Q:.*]] = ane.task -> memref<1x16x16x16xf16, #ane.space<l2>>
// CHECK: ane.pe_elementwise add %[[P]], %[[V]]
func.func @in_place(%x: tensor<1x16x16x16xf16>, %y: tensor<1x16x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x16x16xf16> -> tensor<1x16x16x16xf16>
  %1 = ane.elementwise add %0, %y : tensor<1x16x16x16xf16>, tensor<1x16x16x16xf16> -> tensor<1x16x16x16xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x16x16x16xf16> -> tensor<1x16x16x16xf16>
  %3 = ane.elementwise add %1, %2 : tensor<1x16x16x16xf16>, tensor<1x16x16x16xf16> -> tensor<1x16x16x16xf16>
  %4 = ane.activation %3 {function = #ane.act<neg>} : tensor<1x16x16x16xf16> -> tensor<1x16x16x16xf16>
  return %4 : tensor<1x16x16x16xf16>
}

// A sum of the rows in the middle lies over them, at their row of the place. Where someone
// reads one of these rows later, it does not.
// CHECK-LABEL: func @middle
// CHECK: %[[P:.*]] = ane.l2_buffer {shared} : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: %[[V:.*]] = ane.subview %[[P]][0, 0, 1, 0] : memref<1x16x8x8xf16, #ane.space<l2>> -> memref<1x16x6x8xf16, #ane.space<l2>>
// CHECK-NOT: ane.l2_buffer
// CHECK: ane.pe_elementwise add
// CHECK: ane.keep %{{.*}}, %[[V]]
func.func @middle(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x6x8xf16>) -> tensor<1x16x6x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x6x8xf16>
  %2 = ane.elementwise add %y, %1 : tensor<1x16x6x8xf16>, tensor<1x16x6x8xf16> -> tensor<1x16x6x8xf16>
  %3 = ane.activation %2 {function = #ane.act<neg>} : tensor<1x16x6x8xf16> -> tensor<1x16x6x8xf16>
  return %3 : tensor<1x16x6x8xf16>
}

// Sums of some channels each lie over these, both in one place.
// CHECK-LABEL: func @channels
// CHECK: %[[P:.*]] = ane.l2_buffer {shared} : memref<1x32x1x64xf16, #ane.space<l2>>
// CHECK-DAG: %[[A:.*]] = ane.subview %[[P]][0, 0, 0, 0] : memref<1x32x1x64xf16, #ane.space<l2>> -> memref<1x16x1x64xf16, #ane.space<l2>>
// CHECK-DAG: %[[B:.*]] = ane.subview %[[P]][0, 16, 0, 0] : memref<1x32x1x64xf16, #ane.space<l2>> -> memref<1x16x1x64xf16, #ane.space<l2>>
// CHECK-NOT: ane.l2_buffer
// CHECK: ane.pe_elementwise add
// CHECK: ane.keep %{{.*}}, %[[A]]
// CHECK: ane.pe_elementwise add
// CHECK: ane.keep %{{.*}}, %[[B]]
func.func @channels(%x: tensor<1x32x1x64xf16>, %y: tensor<1x16x1x64xf16>) -> (tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16>) {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x32x1x64xf16> -> tensor<1x32x1x64xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 1, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x64xf16> -> tensor<1x16x1x64xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 16, 1, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x64xf16> -> tensor<1x16x1x64xf16>
  %3 = ane.elementwise add %y, %1 : tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  %4 = ane.elementwise add %y, %2 : tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  %5 = ane.activation %3 {function = #ane.act<neg>} : tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  %6 = ane.activation %4 {function = #ane.act<neg>} : tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  return %5, %6 : tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16>
}

// Not where channels of several rows lie apart.
// CHECK-LABEL: func @channels_of_rows
// CHECK: ane.l2_buffer : memref<1x32x2x64xf16, #ane.space<l2>>
// CHECK: ane.task -> memref<1x16x2x64xf16, #ane.space<l2>>
// CHECK: ane.pe_elementwise add
func.func @channels_of_rows(%x: tensor<1x32x2x64xf16>, %y: tensor<1x16x2x64xf16>) -> tensor<1x16x2x64xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x32x2x64xf16> -> tensor<1x32x2x64xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 16, 2, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x2x64xf16> -> tensor<1x16x2x64xf16>
  %2 = ane.elementwise add %y, %1 : tensor<1x16x2x64xf16>, tensor<1x16x2x64xf16> -> tensor<1x16x2x64xf16>
  %3 = ane.activation %2 {function = #ane.act<neg>} : tensor<1x16x2x64xf16> -> tensor<1x16x2x64xf16>
  return %3 : tensor<1x16x2x64xf16>
}

// CHECK-LABEL: func @later
// CHECK: ane.l2_buffer : memref<1x16x8x8xf16, #ane.space<l2>>
// CHECK: ane.task -> memref<1x16x6x8xf16, #ane.space<l2>>
// CHECK: ane.pe_elementwise add
func.func @later(%x: tensor<1x16x8x8xf16>, %y: tensor<1x16x6x8xf16>) -> tensor<1x16x6x8xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x6x8xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16> -> tensor<1x16x6x8xf16>
  %3 = ane.elementwise add %y, %1 : tensor<1x16x6x8xf16>, tensor<1x16x6x8xf16> -> tensor<1x16x6x8xf16>
  %4 = ane.elementwise add %3, %2 : tensor<1x16x6x8xf16>, tensor<1x16x6x8xf16> -> tensor<1x16x6x8xf16>
  return %4 : tensor<1x16x6x8xf16>
}

// A strip begins with rows of the one before: it lies in the same place, which is as high as
// the highest of them. Rows that would be written over what is still copied do not.
// CHECK-LABEL: func @strips
// CHECK: %[[P:.*]] = ane.l2_buffer {shared} : memref<1x16x10x8xf16, #ane.space<l2>>
// CHECK: ane.subview %[[P]][0, 0, 0, 0] : {{.*}} -> memref<1x16x9x8xf16, #ane.space<l2>>
// CHECK-NOT: ane.l2_buffer
// CHECK: ane.ne_bypass
// CHECK: return
func.func @strips(%x: tensor<1x16x16x8xf16>) -> (tensor<1x16x7x8xf16>, tensor<1x16x8x8xf16>) {
  %w = ane.constant dense<0.125> : tensor<16x16x3x3xf16>
  %s0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 10, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x8xf16> -> tensor<1x16x10x8xf16>
  %0 = ane.conv %s0, %w {pad = array<i64: 1, 0, 1, 1>} : tensor<1x16x10x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x9x8xf16>
  %y0 = ane.conv %0, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x9x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x7x8xf16>
  %k = ane.slice %0 {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 16, 2, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x9x8xf16> -> tensor<1x16x2x8xf16>
  %s1 = ane.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 1, 16, 10, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x8xf16> -> tensor<1x16x10x8xf16>
  %1 = ane.conv %s1, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x10x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x8x8xf16>
  %c = ane.concat %k, %1 {axis = 2 : i64} : tensor<1x16x2x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x10x8xf16>
  %y1 = ane.conv %c, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x10x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x8x8xf16>
  return %y0, %y1 : tensor<1x16x7x8xf16>, tensor<1x16x8x8xf16>
}

// CHECK-LABEL: func @overlapping_strips
// CHECK-COUNT-2: ane.l2_buffer
// CHECK: ane.ne_bypass
// CHECK: return
func.func @overlapping_strips(%x: tensor<1x16x16x8xf16>) -> (tensor<1x16x7x8xf16>, tensor<1x16x8x8xf16>) {
  %w = ane.constant dense<0.125> : tensor<16x16x3x3xf16>
  %s0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 10, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x8xf16> -> tensor<1x16x10x8xf16>
  %0 = ane.conv %s0, %w {pad = array<i64: 1, 0, 1, 1>} : tensor<1x16x10x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x9x8xf16>
  %y0 = ane.conv %0, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x9x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x7x8xf16>
  %k = ane.slice %0 {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x9x8xf16> -> tensor<1x16x6x8xf16>
  %s1 = ane.slice %x {offsets = array<i64: 0, 0, 10, 0>, sizes = array<i64: 1, 16, 6, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x8xf16> -> tensor<1x16x6x8xf16>
  %1 = ane.conv %s1, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x6x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x4x8xf16>
  %c = ane.concat %k, %1 {axis = 2 : i64} : tensor<1x16x6x8xf16>, tensor<1x16x4x8xf16> -> tensor<1x16x10x8xf16>
  %y1 = ane.conv %c, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x16x10x8xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x8x8xf16>
  return %y0, %y1 : tensor<1x16x7x8xf16>, tensor<1x16x8x8xf16>
}

// Images of fewer rows than a source has do not lie in its place: they could not be
// seen as one.
// CHECK-LABEL: func @images_of_rows
// CHECK-DAG: ane.l2_buffer : memref<3x7x3x10xf16
// CHECK-DAG: ane.l2_buffer : memref<3x7x1x10xf16
func.func @images_of_rows(%x: tensor<3x7x3x10xf16>) -> tensor<3x7x1x10xf16> {
  %0 = ane.activation %x {function = #ane.act<neg>} : tensor<3x7x3x10xf16> -> tensor<3x7x3x10xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 3, 7, 1, 10>, strides = array<i64: 1, 1, 1, 1>} : tensor<3x7x3x10xf16> -> tensor<3x7x1x10xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 3, 7, 1, 10>, strides = array<i64: 1, 1, 1, 1>} : tensor<3x7x3x10xf16> -> tensor<3x7x1x10xf16>
  %3 = ane.elementwise max %1, %2 : tensor<3x7x1x10xf16>, tensor<3x7x1x10xf16> -> tensor<3x7x1x10xf16>
  %4 = ane.reshape %3 : tensor<3x7x1x10xf16> -> tensor<1x21x1x10xf16>
  %5 = ane.activation %4 {function = #ane.act<abs>} : tensor<1x21x1x10xf16> -> tensor<1x21x1x10xf16>
  %6 = ane.reshape %5 : tensor<1x21x1x10xf16> -> tensor<3x7x1x10xf16>
  return %6 : tensor<3x7x1x10xf16>
}
