// RUN: ane-opt %s --split-input-file --verify-diagnostics

// Rules of task-errors.mlir that ask for several things: each of them alone.

func.func @buffer_c1_negative() {
  // expected-error @+1 {{offset is -64 bytes, but must be a multiple of 64 [buffer_c1]}}
  %b = ane.buffer {offset = -64 : i64} : memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c1_rank(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{has 4 offsets and rank 3 for a source of rank 4 [subview_c1]}}
  %v = ane.subview %x[0, 0, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c2_negative(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{takes 4 elements of dimension 1 from -1 on, 1 apart, but it has 8 [subview_c2]}}
  %v = ane.subview %x[0, -1, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c4_count(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{[subview_c4]}}
  %v = ane.subview %x[0, 0, 0, 0] {strides = array<i64: 1, 1, 1>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c4_zero(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{[subview_c4]}}
  %v = ane.subview %x[0, 0, 0, 0] {strides = array<i64: 1, 1, 0, 1>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c3_strides(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>) {
  // expected-error @+1 {{is not that of the box at 0 bytes [subview_c3]}}
  %v = ane.subview %x[0, 0, 0, 0] : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x8x2x4xf16, strided<[1024, 128, 64, 1]>, #ane.space<dram>>
  return
}

// -----

func.func @view_c1_element(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{but both must have one space and element type [view_c1]}}
  %v = ane.subview %x[0, 0, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xui8, #ane.space<dram>>
  return
}

// -----

func.func @view_c2_gap(%x: memref<1x8x4x32xf16, strided<[2048, 256, 64, 1]>, #ane.space<dram>>) {
  // expected-error @+1 {{which has other distances or starts elsewhere [view_c2]}}
  %v = ane.reshape_view %x : memref<1x8x4x32xf16, strided<[2048, 256, 64, 1]>, #ane.space<dram>> -> memref<1x8x2x64xf16, strided<[1024, 128, 64, 1]>, #ane.space<dram>>
  return
}

// -----

func.func @permute_view_c1_twice(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{in an order that does not give}}
  %v = ane.permute_view %x[0, 1, 1, 3] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x8x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @permute_view_c1_beyond(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{in an order that does not give}}
  %v = ane.permute_view %x[0, 1, 4, 3] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @permute_view_c1_count(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{in an order that does not give}}
  %v = ane.permute_view %x[0, 1, 3] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @dma_c4_images(%s: memref<2x8x4x4xf16, #ane.space<l2>>, %y: memref<1x4x4x8xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<2x8x4x4xf16, #ane.space<l2>> -> memref<2x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{of one element type [dma_c4]}}
    ane.dma_store %r, %y {interleave = 2 : i64} : memref<2x8x4x4xf16, #ane.space<l2>>, memref<1x4x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c4_rows(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<1x4x2x8xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{of one element type [dma_c4]}}
    ane.dma_store %r, %y {interleave = 2 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x4x2x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c4_channels(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<1x2x4x8xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{of one element type [dma_c4]}}
    ane.dma_store %r, %y {interleave = 2 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x2x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c4_rank(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<4x4x8xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{of one element type [dma_c4]}}
    ane.dma_store %r, %y {interleave = 2 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<4x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c4_factor_0(%s: memref<1x16x1x4xf16, #ane.space<l2>>, %y: memref<1x1x1x64xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x16x1x4xf16, #ane.space<l2>> -> memref<1x16x1x4xf16, #ane.space<l2>>
    // expected-error @+1 {{by a factor of 1 to 8}}
    ane.dma_store %r, %y {interleave = 0 : i64} : memref<1x16x1x4xf16, #ane.space<l2>>, memref<1x1x1x64xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c4_factor_16(%s: memref<1x16x1x4xf16, #ane.space<l2>>, %y: memref<1x1x1x64xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x16x1x4xf16, #ane.space<l2>> -> memref<1x16x1x4xf16, #ane.space<l2>>
    // expected-error @+1 {{by a factor of 1 to 8}}
    ane.dma_store %r, %y {interleave = 16 : i64} : memref<1x16x1x4xf16, #ane.space<l2>>, memref<1x1x1x64xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c1_store(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<1x8x4x8xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but both must have one shape and element type [dma_c1]}}
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c1_element(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<1x8x4x4xui8, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but both must have one shape and element type [dma_c1]}}
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xui8, #ane.space<dram>>
  }
  return
}

// -----

func.func @kernel_load_c5_window(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<1x8x1x24xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<1x8x1x24xf16, #ane.space<dram>> -> memref<8x8x1x3xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_high(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<1x8x1x24xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<1x8x1x24xf16, #ane.space<dram>> -> memref<8x8x3x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_images(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<2x4x1x8xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<2x4x1x8xf16, #ane.space<dram>> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_elements(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<1x8x1x8xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<1x8x1x8xf16, #ane.space<dram>> -> memref<4x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_part(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<1x16x1x4xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<1x16x1x4xf16, #ane.space<dram>> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_rank(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<8x1x8xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %z : memref<8x1x8xf16, #ane.space<dram>> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c3_negative(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %w: tensor<8x8x1x1xf16>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{takes 8 output channels from -1 on of 8 [kernel_load_c3]}}
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> {first_channel = -1 : i64} -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

// Numbers that no sum or product may be made of.
func.func @subview_c2_overflow(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{takes 4 elements of dimension 1 from 9223372036854775807 on, 1 apart, but it has 8 [subview_c2]}}
  %v = ane.subview %x[0, 9223372036854775807, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c2_steps(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{takes 4 elements of dimension 1 from 2 on, 2 apart, but it has 8 [subview_c2]}}
  %v = ane.subview %x[0, 2, 0, 0] {strides = array<i64: 1, 2, 1, 1>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c4_overflow(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{needs a stride of 1 to 2147483647 for each dimension, and 1 for the last [subview_c4]}}
  %v = ane.subview %x[0, 0, 0, 0] {strides = array<i64: 1, 1, 9223372036854775807, 1>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x3x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @kernel_load_c3_overflow(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %w: tensor<8x8x1x1xf16>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{takes 8 output channels from 9223372036854775807 on of 8 [kernel_load_c3]}}
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> {first_channel = 9223372036854775807 : i64} -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @kernel_load_c5_bytes(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %z: memref<1x8x1x8xui8, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{but a kernel from a tensor of f16 is 1 x 1}}
    %k = ane.kernel_load from %z : memref<1x8x1x8xui8, #ane.space<dram>> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @dma_c4_bytes(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %y: memref<1x4x4x8xui8, #ane.space<dram>>) {
  ane.task {
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{of one element type [dma_c4]}}
    ane.dma_store %r, %y {interleave = 2 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x4x4x8xui8, #ane.space<dram>>
  }
  return
}

// -----

func.func @compute_c1_result(%s: memref<1x8x4x4xf16, #ane.space<l2>>) {
  %t = ane.task -> memref<1x8x1x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{computes on 'memref<1x8x1x4x4xf16, #ane.space<l2>>', but needs rank 4 [compute_c1]}}
    %r = ane.pe_unary %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x1x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x1x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @compute_c2_deep(%b: memref<1x8x2x4x4xi8, #ane.space<l2>>) {
  %t = ane.task -> memref<1x8x1x1xf16, #ane.space<l2>> {
    // expected-error @+1 {{but needs f16 or ui8 [compute_c2]}}
    %r = ane.pe_reduce max %b : memref<1x8x2x4x4xi8, #ane.space<l2>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x1x1xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @ne_conv_c4_zero(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %w: tensor<8x8x1x1xf16>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has strides 0 x 0, but needs at least 1 [ne_conv_c4]}}
    %r = ane.ne_conv %s, %k {strides = array<i64: 0, 0>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}
