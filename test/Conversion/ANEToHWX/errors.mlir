// RUN: ane-opt %s --convert-ane-to-hwx --split-input-file --verify-diagnostics
// RUN: not ane-opt %s --convert-ane-to-hwx=flavour=salty --split-input-file 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: flavour 'salty' is not available; available: 'clean'

func.func @tensor_level(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>) {
  // expected-error @+1 {{is not at the task level; run ane-form-tasks}}
  %0 = arith.constant 0 : i32
  return
}

// -----

// expected-error @+1 {{has no tasks: there is nothing to run}}
func.func @empty(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>) {
  return
}

// -----

// expected-error @+1 {{a surface is an f16 or ui8 memref of rank 4 with a layout; run ane-form-tasks and ane-assign-layout}}
func.func @no_layout(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  return
}

// -----

func.func @no_address(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  // expected-error @+1 {{which has no layout; run ane-assign-layout, ane-allocate-dram and ane-allocate-l2}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @no_offset(%y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  // expected-error @+1 {{has no offset; run ane-allocate-dram}}
  %x = ane.buffer : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @scratch(%y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) attributes {ane.scratch_bytes = 2240 : i64} {
  // expected-error @+1 {{has 1992 bytes at offset 256, but ane.scratch_bytes is 2240; run ane-allocate-dram}}
  %x = ane.buffer {offset = 256 : i64} : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @no_tile_height(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  // expected-error @+1 {{has no tile height; run ane-allocate-l2}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @no_table(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    // expected-error @+1 {{needs a table for floor, but there is none; run ane-decompose}}
    %k = ane.kernel_load table <floor> -> memref<64xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s table %k {activation = #ane.act<floor>} : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @no_data(%x: memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  %w = ane.constant dense_resource<nothing> : tensor<16x16x1x1xf16>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>> -> memref<1x16x4x4xf16, strided<[128, 8, 128, 1]>, #ane.space<l2>>
    // expected-error @+1 {{reads the resource 'nothing', which has no data}}
    %k = ane.kernel_load weight %w : tensor<16x16x1x1xf16> -> memref<16x16x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x16x4x4xf16, strided<[128, 8, 128, 1]>, #ane.space<l2>>, memref<16x16x1x1xf16, #ane.space<kernel>> -> memref<1x16x4x4xf16, strided<[128, 8, 128, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : memref<1x16x4x4xf16, strided<[128, 8, 128, 1], offset: 512>, #ane.space<l2>>, memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @epsilon(%x: memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  %w = ane.constant dense<1.0> : tensor<16x16x1x1xf16>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>> -> memref<1x16x4x4xf16, strided<[128, 8, 128, 1]>, #ane.space<l2>>
    // expected-error @+1 {{adds an epsilon between weights and a table; run ane-decompose}}
    %k = ane.kernel_load weight %w : tensor<16x16x1x1xf16> table <rsqrt, 1.0e-03> -> memref<16x16x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k {activation = #ane.act<rsqrt, 1.0e-03>} : memref<1x16x4x4xf16, strided<[128, 8, 128, 1]>, #ane.space<l2>>, memref<16x16x1x1xf16, #ane.space<kernel>> -> memref<1x16x4x4xf16, strided<[128, 8, 128, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : memref<1x16x4x4xf16, strided<[128, 8, 128, 1], offset: 512>, #ane.space<l2>>, memref<1x16x4x4xf16, strided<[2048, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @broadcast(%x: memref<1x8x1x1xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>>, %z: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %z : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %t = ane.dma_load %x : memref<1x8x1x1xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>> -> memref<1x8x1x1xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    // expected-error @+1 {{needs a broadcast of a source of a pair that comes from DRAM, which no recorded program shows; allow-unproven emits it}}
    %r = ane.pe_elementwise add %s, %t : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>, memref<1x8x1x1xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @base_of_coefficients(%x: memref<1x16x1x32xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>, %a: memref<1x16x1x16xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>, %b: memref<1x16x1x16xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>, %y: memref<1x16x1x32xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> {ane.output}) {
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : memref<1x16x1x32xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<1x16x1x32xf16, strided<[512, 32, 536, 1]>, #ane.space<l2>>
    %k = ane.kernel_load from %b : memref<1x16x1x16xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>> -> memref<16x16x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{reads coefficients from the tensor with base 7, which a header cannot name; copy them to an ane.buffer}}
    %r = ane.ne_conv %s, %k : memref<1x16x1x32xf16, strided<[512, 32, 536, 1]>, #ane.space<l2>>, memref<16x16x1x1xf16, #ane.space<kernel>> -> memref<1x16x1x32xf16, strided<[512, 32, 528, 1], offset: 536>, #ane.space<l2>>
    ane.dma_store %r, %y {residency = #ane.residency<staged>} : memref<1x16x1x32xf16, strided<[512, 32, 528, 1], offset: 536>, #ane.space<l2>>, memref<1x16x1x32xf16, strided<[512, 32, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

// expected-error @+1 {{argument 0 is 'memref<1x8x4x4xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>', but a surface has 'memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>'; run ane-assign-layout}}
func.func @surface(%x: memref<1x8x4x4xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>) {
  return
}

// -----

func.func @constant(%y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  %c = ane.constant dense<1.0> : tensor<1x8x4x4xf16>
  // expected-error @+1 {{but constants are written planar; run ane-assign-layout}}
  %x = ane.constant_buffer %c : tensor<1x8x4x4xf16> -> memref<1x8x4x4xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>>
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 32, 256, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

// Coefficients that a task writes to a result of the function.
func.func @written_kernel(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %z: memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>>, %q: memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>> {ane.output}, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %z : memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>> -> memref<1x8x1x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x1x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x1x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %q : memref<1x8x1x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>, memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>>
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    // expected-error @+1 {{reads coefficients from a tensor of the function that task 0 writes, but only for scratch memory is it known how to wait; copy them to a buffer}}
    %k = ane.kernel_load from %q : memref<1x8x1x8xf16, strided<[256, 32, 32, 1]>, #ane.space<dram>> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}

// -----

func.func @number_beyond_half(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> {ane.output}) {
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    // expected-error @+1 {{would be 90000, but f16 ends at 65504}}
    %r = ane.pe_unary %s {bias = 90000.0 : f32} : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  }
  return
}
