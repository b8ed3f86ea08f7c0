// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-keep-in-l2))' | FileCheck %s

// Tasks that no pass makes: tensors that are written again, or not in time, and
// several images on the NEs.

!d = memref<1x8x4x8xf16, #ane.space<dram>>
!l = memref<1x8x4x8xf16, #ane.space<l2>>

// What a task has loaded is of use to a later one only if nobody writes the
// tensor in between.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-2: ane.dma_load %arg1
func.func @between(%x: !d, %y: !d {ane.output}, %z: !d {ane.output}, %u: !d {ane.output}) {
  ane.task {
    %s = ane.dma_load %x : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %z : !l, !d
  }
  ane.task {
    %s = ane.dma_load %x : !d -> !l
    %r = ane.pe_unary %s {scale = 3.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %u : !l, !d
  }
  return
}

// The task itself writes what it has loaded.
// CHECK-LABEL: func.func @by_the_first
// CHECK-COUNT-2: ane.dma_load %arg0
func.func @by_the_first(%y: !d {ane.output}, %z: !d {ane.output}) {
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %z : !l, !d
  }
  return
}

// The last one reads before it writes.
// CHECK-LABEL: func.func @by_the_last
// CHECK-COUNT-1: ane.dma_load %arg0
// CHECK-NOT: ane.dma_load %arg0
func.func @by_the_last(%y: !d {ane.output}, %z: !d {ane.output}) {
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %z : !l, !d
  }
  ane.task {
    %s = ane.dma_load %y : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  return
}

// A tensor that is read before anybody writes it stays where it is.
// CHECK-LABEL: func.func @unwritten
// CHECK: ane.buffer
// CHECK-NOT: ane.task ->
func.func @unwritten(%x: !d, %y: !d {ane.output}, %z: !d {ane.output}) {
  %b = ane.buffer : !d
  ane.task {
    %s = ane.dma_load %b : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  ane.task {
    %s = ane.dma_load %x : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %b : !l, !d
  }
  ane.task {
    %s = ane.dma_load %b : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %z : !l, !d
  }
  return
}

// Nor does one that nobody reads.
// CHECK-LABEL: func.func @unread
// CHECK: ane.buffer
// CHECK-NOT: ane.task ->
func.func @unread(%x: !d, %y: !d {ane.output}) {
  %b = ane.buffer : !d
  ane.task {
    %s = ane.dma_load %x : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %b : !l, !d
  }
  ane.task {
    %s = ane.dma_load %x : !d -> !l
    %r = ane.pe_unary %s {scale = 3.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  return
}

// The NEs have one image at a time.
!i = memref<2x8x4x8xf16, #ane.space<dram>>
!j = memref<2x8x4x8xf16, #ane.space<l2>>
// CHECK-LABEL: func.func @images
// CHECK-NOT: ane.task ->
func.func @images(%x: !i, %y: !i {ane.output}) {
  %b = ane.buffer : !i
  ane.task {
    %s = ane.dma_load %x : !i -> !j
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !j -> !j
    ane.dma_store %r, %b : !j, !i
  }
  ane.task {
    %s = ane.dma_load %b : !i -> !j
    %r = ane.ne_bypass %s : !j -> !j
    ane.dma_store %r, %y : !j, !i
  }
  return
}

// Nobody writes it: what is in it then is not for this pass to say.
// CHECK-LABEL: func.func @never_written
// CHECK: ane.buffer
// CHECK: ane.dma_load
func.func @never_written(%y: !d {ane.output}) {
  %b = ane.buffer : !d
  ane.task {
    %s = ane.dma_load %b : !d -> !l
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !l -> !l
    ane.dma_store %r, %y : !l, !d
  }
  return
}
