// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-allocate-dram))' --split-input-file --verify-diagnostics | FileCheck %s

// a -> b -> c -> d of one size: two places are enough. The unused one warns.
// CHECK-LABEL: func @chain
// CHECK-SAME: ane.scratch_bytes = 2048 : i64
// CHECK: ane.buffer {offset = 0 : i64}
// CHECK-NEXT: ane.buffer {offset = 1024 : i64}
// CHECK-NEXT: ane.buffer {offset = 0 : i64}
func.func @chain(%x: memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>, %y: memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>) {
  %a = ane.buffer : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  %b = ane.buffer : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  %c = ane.buffer : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  // expected-warning @+1 {{is never used}}
  %d = ane.buffer : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  ane.task {
    %s = ane.dma_load %x : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %a : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %a : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %b : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %b : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %c : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %c : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

// A view keeps its buffer alive; the large one is placed first.
// CHECK-LABEL: func @views
// CHECK-SAME: ane.scratch_bytes = 3072 : i64
// CHECK: ane.buffer {offset = 2048 : i64} : memref<1x16x
// CHECK: ane.buffer {offset = 0 : i64} : memref<1x32x
func.func @views(%x: memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>, %y: memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>) {
  %a = ane.buffer : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  %b = ane.buffer : memref<1x32x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  %v = ane.subview %b[0, 0, 0, 0] : memref<1x32x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  ane.task {
    %s = ane.dma_load %x : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %v : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %x : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %a : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %v : memref<1x16x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %t = ane.dma_load %a : memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    %r = ane.pe_elementwise add %s, %t : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, #ane.space<l2>> -> memref<1x16x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x16x1x1xf16, #ane.space<l2>>, memref<1x16x1x1xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

// What is placed later may lie lower: the last one fits neither between two that it meets
// nor below both.
// CHECK-LABEL: func @between
// CHECK-SAME: ane.scratch_bytes = 5888 : i64
// CHECK: ane.buffer {offset = 0 : i64} : memref<1x40x
// CHECK-NEXT: ane.buffer {offset = 2560 : i64} : memref<1x32x
// CHECK-NEXT: ane.buffer {offset = 0 : i64} : memref<1x24x
// CHECK-NEXT: ane.buffer {offset = 4608 : i64} : memref<1x20x
func.func @between(%x: memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>>, %y: memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>>) {
  %a = ane.buffer : memref<1x40x1x1xf16, strided<[1280, 32, 32, 1]>, #ane.space<dram>>
  %b = ane.buffer : memref<1x32x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  %c = ane.buffer : memref<1x24x1x1xf16, strided<[768, 32, 32, 1]>, #ane.space<dram>>
  %d = ane.buffer : memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>>
  %av = ane.subview %a[0, 0, 0, 0] : memref<1x40x1x1xf16, strided<[1280, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, strided<[1280, 32, 32, 1]>, #ane.space<dram>>
  %bv = ane.subview %b[0, 0, 0, 0] : memref<1x32x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  %cv = ane.subview %c[0, 0, 0, 0] : memref<1x24x1x1xf16, strided<[768, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, strided<[768, 32, 32, 1]>, #ane.space<dram>>
  ane.task {
    %s = ane.dma_load %x : memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x20x1x1xf16, #ane.space<l2>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %av : memref<1x20x1x1xf16, #ane.space<l2>>, memref<1x20x1x1xf16, strided<[1280, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %av : memref<1x20x1x1xf16, strided<[1280, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x20x1x1xf16, #ane.space<l2>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %bv : memref<1x20x1x1xf16, #ane.space<l2>>, memref<1x20x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %bv : memref<1x20x1x1xf16, strided<[1024, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x20x1x1xf16, #ane.space<l2>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %d : memref<1x20x1x1xf16, #ane.space<l2>>, memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %d : memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x20x1x1xf16, #ane.space<l2>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %cv : memref<1x20x1x1xf16, #ane.space<l2>>, memref<1x20x1x1xf16, strided<[768, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %cv : memref<1x20x1x1xf16, strided<[768, 32, 32, 1]>, #ane.space<dram>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x20x1x1xf16, #ane.space<l2>> -> memref<1x20x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x20x1x1xf16, #ane.space<l2>>, memref<1x20x1x1xf16, strided<[640, 32, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @no_layout() {
  // expected-error @+1 {{has no layout yet; run ane-assign-layout before ane-allocate-dram}}
  %a = ane.buffer : memref<1x16x1x1xf16, #ane.space<dram>>
  return
}
