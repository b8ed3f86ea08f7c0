// RUN: ane-opt %s --split-input-file --verify-diagnostics

func.func @task_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{has 2 compute ops, but must have 1 [task_c1]}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %q = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{must store its result or keep it in L2, not both or neither: it has 0 stores and keeps the result 0 times [task_c2]}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @task_c3(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{stores something else than its result [task_c3]}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %s, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c4(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{has 2 kernel loads, but at most 1 is possible [task_c4]}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load table <tanh> -> memref<64xf16, #ane.space<kernel>>
    %l = ane.kernel_load table <tanh> -> memref<64xf16, #ane.space<kernel>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c5(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{is not allowed in a task, which has loads, one compute op, a store or keep of its result, and a yield [task_c5]}}
    %b = ane.buffer : memref<1x8x4x4xf16, #ane.space<dram>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c6(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{yields types that differ from its results [task_c6]}}
  %t = ane.task -> memref<1x8x4x8xf16, #ane.space<l2>> {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @task_c7(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{tile height is 0 rows, but must be at least 1 [task_c7]}}
  ane.task attributes {tile_height = 0 : i64} {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x8xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{but both must have one shape and element type [dma_c1]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c2(%x: memref<1x8x4x4xf16, strided<[2048, 256, 20, 1]>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{stride of dimension 2 is 40 bytes, but must be a multiple of 64 [dma_c2]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[2048, 256, 20, 1]>, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @dma_c3(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1], offset: 24>, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{offset is 48 bytes, but must be a multiple of 64 [dma_c3]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1], offset: 24>, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @l2_c1_stride(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{L2 stride of dimension 1 is 8 bytes, but must be a multiple of 16 [l2_c1]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[32, 4, 32, 1]>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[32, 4, 32, 1]>, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @l2_c1_address(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{L2 address is 24 bytes, but must be a multiple of 16 [l2_c1]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 12>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 12>, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @l2_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{L2 address is 2097152 bytes, but L2 has 2097152 [l2_c2]}}
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 1048576>, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 1048576>, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @buffer_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{offset is 32 bytes, but must be a multiple of 64 [buffer_c1]}}
  %b = ane.buffer {offset = 32 : i64} : memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @constant_buffer_c1(%c: tensor<1x4x1x1xf16>) {
  // expected-error @+1 {{differs from that of 'tensor<1x4x1x1xf16>' [constant_buffer_c1]}}
  %b = ane.constant_buffer %c : tensor<1x4x1x1xf16> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{has 3 offsets and rank 4 for a source of rank 4 [subview_c1]}}
  %v = ane.subview %x[0, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{takes 4 elements of dimension 1 from 6 on, 1 apart, but it has 8 [subview_c2]}}
  %v = ane.subview %x[0, 6, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @subview_c3(%x: memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>) {
  // expected-error @+1 {{is not that of the box at 512 bytes [subview_c3]}}
  %v = ane.subview %x[0, 2, 0, 0] : memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<1x4x4x4xf16, strided<[1024, 128, 32, 1], offset: 128>, #ane.space<dram>>
  return
}

// -----

func.func @reshape_view_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{has 64 elements, but its source has 128 [reshape_view_c1]}}
  %v = ane.reshape_view %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x4x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @reshape_view_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{changes the width from 4 to 1, but rows cannot be cut or joined unless they are multiples of 64 bytes [reshape_view_c2]}}
  %v = ane.reshape_view %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x128x1x1xf16, #ane.space<dram>>
  return
}

// -----

func.func @kernel_load_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{without a weight must have a table and nothing else [kernel_load_c1]}}
    %k = ane.kernel_load -> memref<64xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @kernel_load_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but only the number of output channels may differ [kernel_load_c2]}}
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x4x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x4x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @kernel_load_c3(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{takes 8 output channels from 4 on of 8 [kernel_load_c3]}}
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> {first_channel = 4 : i64} -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @kernel_load_c4(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{has a bias of 4 channels for a weight of 8 [kernel_load_c4]}}
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> bias %b : tensor<4xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @compute_c1(%x: memref<8x4x4xf16, #ane.space<dram>>, %y: memref<8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<8x4x4xf16, #ane.space<dram>> -> memref<8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but needs rank 4 [compute_c1]}}
    %r = ane.ne_bypass %s : memref<8x4x4xf16, #ane.space<l2>> -> memref<8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<8x4x4xf16, #ane.space<l2>>, memref<8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load table <tanh> -> memref<64xf16, #ane.space<kernel>>
    // expected-error @+1 {{has a kernel of rank 1, but needs 4 [ne_conv_c1]}}
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has 8 input channels, but the kernel has 8 for each of 2 groups [ne_conv_c2]}}
    %r = ane.ne_conv %s, %k {groups = 2 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c3(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x4x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has 4 output channels, but the kernel has 8 [ne_conv_c3]}}
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x4x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x4x4x4xf16, #ane.space<l2>>, memref<1x4x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c4(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{needs two strides and two pads (top, left), but has 2 and 4 [ne_conv_c4]}}
    %r = ane.ne_conv %s, %k {pad = array<i64: 0, 0, 0, 0>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c5(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{computes 4 elements of dimension 2 from 4 with kernel 1, stride 2 and pad 0: a window lies outside the image [ne_conv_c5]}}
    %r = ane.ne_conv %s, %k {strides = array<i64: 2, 2>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_c6(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>, %w: tensor<8x8x1x1xf16>, %b: tensor<4xf16>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has activation tanh, but its kernel has no table [ne_conv_c6]}}
    %r = ane.ne_conv %s, %k {activation = #ane.act<tanh>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_bypass_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x4x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but both must have one shape and element type [ne_bypass_c1]}}
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x4x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x4x4x4xf16, #ane.space<l2>>, memref<1x4x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_bypass_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{has activation tanh, but no kernel with the table of it [ne_bypass_c2]}}
    %r = ane.ne_bypass %s {activation = #ane.act<tanh>} : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_bypass_c2_idle(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %k = ane.kernel_load table <floor> -> memref<64xf16, #ane.space<kernel>>
    // expected-error @+1 {{has activation relu and a kernel, but needs none: relu and no activation have no table [ne_bypass_c2]}}
    %r = ane.ne_bypass %s table %k {activation = #ane.act<relu>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{has activation tanh, but the PE has relu and abs [pe_c1]}}
    %r = ane.pe_elementwise add %s, %s {activation = #ane.act<tanh>} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x16x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error-re @+1 {{cannot broadcast {{.*}} to {{.*}} [pe_c2]}}
    %r = ane.pe_elementwise add %s, %s : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x16x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x16x4x4xf16, #ane.space<l2>>, memref<1x16x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_c3(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{computes div, but the PE has add, sub, mul, max and min [pe_c3]}}
    %r = ane.pe_elementwise div %s, %s : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_reduce_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x1x1xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{computes min, but the PE reduces by sum, mean and max [pe_reduce_c1]}}
    %r = ane.pe_reduce min %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x1x1xf16, #ane.space<l2>>, memref<1x8x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_reduce_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x1x4x4xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but only the width, or width and height, can go [pe_reduce_c2]}}
    %r = ane.pe_reduce sum %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x1x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x1x4x4xf16, #ane.space<l2>>, memref<1x1x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @subview_c4(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{needs a stride of 1 to 2147483647 for each dimension, and 1 for the last [subview_c4]}}
  %v = ane.subview %x[0, 0, 0, 0] {strides = array<i64: 1, 1, 1, 2>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x2xf16, #ane.space<dram>>
  return
}

// -----

func.func @permute_view_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{in an order that does not give 'memref<1x8x4x4xf16, #ane.space<dram>>' [permute_view_c1]}}
  %v = ane.permute_view %x[0, 2, 1, 3] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @permute_view_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{moves the last dimension to another place, but the elements of a row stay together [permute_view_c2]}}
  %v = ane.permute_view %x[0, 1, 3, 2] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<dram>>
  return
}

// -----

func.func @kernel_load_c5(%x: memref<1x8x4x8xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x8xf16, #ane.space<dram>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    // expected-error @+1 {{but a kernel from a tensor of f16 is 1 x 1 without bias and table, and each plane holds whole output channels [kernel_load_c5]}}
    %k = ane.kernel_load from %x : memref<1x8x4x8xf16, #ane.space<dram>> -> memref<32x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x8x4x8xf16, #ane.space<l2>> -> memref<1x8x4x8xf16, #ane.space<l2>>
    ane.dma_store %r, %x : memref<1x8x4x8xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<dram>>
  }
  return
}

// -----

module attributes {ane.target = "h14"} {
func.func @kernel_load_c6_passes(%x: memref<1x24x1x8xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x24x1x8xf16, #ane.space<dram>> -> memref<1x24x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{reads 24 planes, but there are 16 engines: h14 takes at most one plane each, or a multiple of that [kernel_load_c6]}}
    %k = ane.kernel_load from %x : memref<1x24x1x8xf16, #ane.space<dram>> -> memref<24x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x24x1x8xf16, #ane.space<l2>> -> memref<1x24x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %x : memref<1x24x1x8xf16, #ane.space<l2>>, memref<1x24x1x8xf16, #ane.space<dram>>
  }
  return
}
}

// -----

func.func @kernel_load_c6(%x: memref<1x24x1x8xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x24x1x8xf16, #ane.space<dram>> -> memref<1x24x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{reads 24 planes, but there are 16 engines: h13 takes at most one plane each [kernel_load_c6]}}
    %k = ane.kernel_load from %x : memref<1x24x1x8xf16, #ane.space<dram>> -> memref<24x8x1x1xf16, #ane.space<kernel>>
    %r = ane.ne_bypass %s : memref<1x24x1x8xf16, #ane.space<l2>> -> memref<1x24x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %x : memref<1x24x1x8xf16, #ane.space<l2>>, memref<1x24x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_bypass_c1_exchange(%x: memref<1x8x4x2xf16, #ane.space<dram>>, %y: memref<1x8x4x2xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x2xf16, #ane.space<dram>> -> memref<1x8x4x2xf16, #ane.space<l2>>
    // expected-error @+1 {{but only channels and columns are exchanged [ne_bypass_c1]}}
    %r = ane.ne_bypass %s {exchange} : memref<1x8x4x2xf16, #ane.space<l2>> -> memref<1x8x4x2xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x2xf16, #ane.space<l2>>, memref<1x8x4x2xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_reduce_c3(%x: memref<1x8x4x2xf16, #ane.space<dram>>, %y: memref<1x8x1x1xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x2xf16, #ane.space<dram>> -> memref<1x8x4x2xf16, #ane.space<l2>>
    // expected-error @+1 {{reduces by sum with an offset, which only sum_square and mean_square take [pe_reduce_c3]}}
    %r = ane.pe_reduce sum %s offset %s : memref<1x8x4x2xf16, #ane.space<l2>>, memref<1x8x4x2xf16, #ane.space<l2>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x1x1xf16, #ane.space<l2>>, memref<1x8x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_reduce_c4(%x: memref<1x8x4x2xf16, #ane.space<dram>>, %y: memref<1x8x1x1xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x2xf16, #ane.space<dram>> -> memref<1x8x4x2xf16, #ane.space<l2>>
    // expected-error @+1 {{has activation relu, but the PE ends a reduction with reciprocal or rsqrt [pe_reduce_c4]}}
    %r = ane.pe_reduce sum %s {activation = #ane.act<relu>} : memref<1x8x4x2xf16, #ane.space<l2>> -> memref<1x8x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x1x1xf16, #ane.space<l2>>, memref<1x8x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_interleave_c1(%x: memref<1x32x1x8xf16, #ane.space<dram>>, %y: memref<1x2x1x128xf16, #ane.space<dram>>) {
  ane.task {
    %s = ane.dma_load %x : memref<1x32x1x8xf16, #ane.space<dram>> -> memref<1x32x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{but the channels become fewer and the columns more by a factor of 1 to 8 [pe_interleave_c1]}}
    %r = ane.pe_interleave %s {factor = 16 : i64} : memref<1x32x1x8xf16, #ane.space<l2>> -> memref<1x2x1x128xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x2x1x128xf16, #ane.space<l2>>, memref<1x2x1x128xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c8(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x8x4x4xf16, #ane.space<l2>>
  // expected-error @+1 {{keeps something else than its result or the first source that it loads with residency kept [task_c8]}}
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.keep %s, %b : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c9(%x: memref<1x8x4x4xf16, #ane.space<dram>>, %y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{has residency kept, but its task neither keeps nor yields it [task_c9]}}
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @keep_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x8x4x8xf16, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{but both must have one shape and element type [keep_c1]}}
    ane.keep %r, %b : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x8xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @keep_c2(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  ane.task {
    %r = ane.ne_bypass %t : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    // expected-error @+1 {{needs an ane.l2_buffer or a view of one as its target [keep_c2]}}
    ane.keep %r, %t : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @keep_c3(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
  ane.task {
    %s = ane.dma_load %x : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    %r = ane.ne_bypass %s : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
    // expected-error @+1 {{but nothing moves: both must have one layout [keep_c3]}}
    ane.keep %r, %b : memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>, memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
  }
  return
}

// -----

func.func @view_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{but both must have one space and element type [view_c1]}}
  %v = ane.subview %x[0, 0, 0, 0] : memref<1x8x4x4xf16, #ane.space<dram>> -> memref<1x8x4x4xf16, #ane.space<l2>>
  return
}

// -----

func.func @subview_c5() {
  %b = ane.l2_buffer : memref<1x8x4x32xf16, strided<[256, 32, 256, 1]>, #ane.space<l2>>
  // expected-error @+1 {{starts inside 16 bytes of L2 [subview_c5]}}
  %v = ane.subview %b[0, 0, 0, 4] : memref<1x8x4x32xf16, strided<[256, 32, 256, 1]>, #ane.space<l2>> -> memref<1x8x4x8xf16, strided<[256, 32, 256, 1], offset: 4>, #ane.space<l2>>
  return
}

// -----

// Rows of channels do not follow each other: a channel of all rows has none of
// the distances that a row of all channels has.
func.func @reshape_view_c3() {
  %b = ane.l2_buffer : memref<1x8x4x32xf16, strided<[256, 32, 256, 1]>, #ane.space<l2>>
  // expected-error @+1 {{but no distance of neighbours is the same for a whole dimension [reshape_view_c3]}}
  %v = ane.reshape_view %b : memref<1x8x4x32xf16, strided<[256, 32, 256, 1]>, #ane.space<l2>> -> memref<1x32x1x32xf16, #ane.space<l2>>
  return
}

// -----

func.func @dma_c4(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x16x1x16xf16, #ane.space<dram>>) {
  ane.task {
    %r = ane.pe_unary %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{the channels become fewer and the columns more by a factor of 1 to 8, of one element type [dma_c4]}}
    ane.dma_store %r, %z {interleave = 4 : i64} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x16x1x16xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_c2_exchange(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %t: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x64x1x8xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{cannot broadcast the exchanged}}
    %r = ane.pe_elementwise add %s, %t {exchange_rhs} : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_reduce_c5(%s: memref<1x1x4x4x8xf16, #ane.space<l2>>, %z: memref<1x1x4x1xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{but of five dimensions depth, height and width go}}
    %r = ane.pe_reduce max %s : memref<1x1x4x4x8xf16, #ane.space<l2>> -> memref<1x1x4x1xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x1x4x1xf16, #ane.space<l2>>, memref<1x1x4x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_reduce_c1(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x1x1x8xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{but the NEs reduce channels by sum and max [ne_reduce_c1]}}
    %r = ane.ne_reduce mean %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x1x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x1x1x8xf16, #ane.space<l2>>, memref<1x1x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_reduce_c2(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x64x1x1xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{but only the channels go [ne_reduce_c2]}}
    %r = ane.ne_reduce max %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_reduce_c3(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x1x1x8xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{has activation reciprocal, but no kernel with the table of it [ne_reduce_c3]}}
    %r = ane.ne_reduce sum %s {activation = #ane.act<reciprocal>} : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x1x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x1x1x8xf16, #ane.space<l2>>, memref<1x1x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @pe_normalize_c1(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %t: memref<1x1x2x1xf16, #ane.space<l2>>, %z: memref<1x64x1x8xf16, #ane.space<dram>>) {
  ane.task {
    // expected-error @+1 {{needs two rows of one number for each channel or for all [pe_normalize_c1]}}
    %r = ane.pe_normalize %s, %t : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x1x2x1xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    ane.dma_store %r, %z : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @scratch_place_c1(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x64x1x8xf16, #ane.space<dram>>) {
  %b = ane.buffer : memref<1x64x1x8xf16, #ane.space<dram>>
  ane.task {
    %r = ane.pe_unary %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{is of something else than the result of the task [scratch_place_c1]}}
    ane.scratch_place %s, %b : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
    ane.dma_store %r, %z : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @scratch_place_c2(%s: memref<1x64x1x8xf16, #ane.space<l2>>, %z: memref<1x64x1x8xf16, #ane.space<dram>>) {
  %b = ane.buffer : memref<1x64x1x8xf16, #ane.space<dram>>
  ane.task {
    %r = ane.pe_unary %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{is of a result that is stored, which is saved as it is [scratch_place_c2]}}
    ane.scratch_place %r, %b : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
    ane.dma_store %r, %z : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x64x1x8xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @scratch_place_c3(%s: memref<1x64x1x8xf16, #ane.space<l2>>) {
  %b = ane.buffer : memref<1x8x1x64xf16, #ane.space<dram>>
  %0 = ane.task -> memref<1x64x1x8xf16, #ane.space<l2>> {
    %r = ane.pe_unary %s : memref<1x64x1x8xf16, #ane.space<l2>> -> memref<1x64x1x8xf16, #ane.space<l2>>
    // expected-error @+1 {{but both must have one shape and element type [scratch_place_c3]}}
    ane.scratch_place %r, %b : memref<1x64x1x8xf16, #ane.space<l2>>, memref<1x8x1x64xf16, #ane.space<dram>>
    ane.yield %r : memref<1x64x1x8xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @view_c2(%x: memref<2x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>) {
  // expected-error @+1 {{which has other distances or starts elsewhere [view_c2]}}
  %v = ane.permute_view %x[0, 2, 1, 3] : memref<2x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>> -> memref<2x4x8x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
  return
}

// -----

// What has one element has no distance, and the place of the first one counts.
func.func @view_c2_offset() {
  %b = ane.l2_buffer : memref<1x8x4x8xf16, strided<[512, 8, 64, 1], offset: 256>, #ane.space<l2>>
  %v = ane.permute_view %b[0, 2, 1, 3] : memref<1x8x4x8xf16, strided<[512, 8, 64, 1], offset: 256>, #ane.space<l2>> -> memref<1x4x8x8xf16, strided<[64, 64, 8, 1], offset: 256>, #ane.space<l2>>
  // expected-error @+1 {{which has other distances or starts elsewhere [view_c2]}}
  %w = ane.reshape_view %b : memref<1x8x4x8xf16, strided<[512, 8, 64, 1], offset: 256>, #ane.space<l2>> -> memref<1x8x4x8xf16, strided<[512, 8, 64, 1]>, #ane.space<l2>>
  return
}

// -----

func.func @layout_c1(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{but the elements of a row lie side by side, and nothing lies in front of the first one [layout_c1]}}
  %b = ane.l2_buffer : memref<1x8x4x4xf16, strided<[64, 8, 64, 2]>, #ane.space<l2>>
  return
}

// -----

func.func @layout_c1_backwards(%x: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{but the elements of a row lie side by side, and nothing lies in front of the first one [layout_c1]}}
  %b = ane.buffer : memref<1x8x4x4xf16, strided<[1024, -128, 32, 1], offset: 1024>, #ane.space<dram>>
  return
}

// -----

func.func @l2_buffer_c1(%y: memref<1x8x4x4xf16, #ane.space<dram>>) {
  // expected-error @+1 {{is shared, but ane.pe_unary looks at it without ane.subview [l2_buffer_c1]}}
  %b = ane.l2_buffer {shared} : memref<1x8x4x4xf16, #ane.space<l2>>
  %v = ane.subview %b[0, 0, 0, 0] : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x2x4xf16, #ane.space<l2>>
  ane.task {
    // expected-note @+1 {{it is here}}
    %r = ane.pe_unary %b : memref<1x8x4x4xf16, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @task_c10(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %k: memref<8x8x1x1xf16, #ane.space<kernel>>) {
  // expected-error @+1 {{computes with a kernel that it does not load [task_c10]}}
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    %r = ane.ne_conv %s, %k : memref<1x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @compute_c3(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %b: memref<1x8x4x4xui8, #ane.space<l2>>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    // expected-error @+1 {{has 'memref<1x8x4x4xui8, #ane.space<l2>>' as its second source, which must be f16 [compute_c3]}}
    %r = ane.pe_elementwise add %s, %b : memref<1x8x4x4xf16, #ane.space<l2>>, memref<1x8x4x4xui8, #ane.space<l2>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @compute_c2(%b: memref<1x8x4x4xi8, #ane.space<l2>>) {
  %t = ane.task -> memref<1x8x4x4xi8, #ane.space<l2>> {
    // expected-error @+1 {{computes on 'memref<1x8x4x4xi8, #ane.space<l2>>', but needs f16 or ui8 [compute_c2]}}
    %r = ane.ne_bypass %b : memref<1x8x4x4xi8, #ane.space<l2>> -> memref<1x8x4x4xi8, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xi8, #ane.space<l2>>
  }
  return
}

// -----

func.func @ne_conv_c7(%s: memref<1x8x4x4xf16, #ane.space<l2>>, %w: tensor<6x2x1x1xf16>) {
  %t = ane.task -> memref<1x6x4x4xf16, #ane.space<l2>> {
    %k = ane.kernel_load weight %w : tensor<6x2x1x1xf16> -> memref<6x2x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has 6 output channels, but 4 groups, which must have equally many [ne_conv_c7]}}
    %r = ane.ne_conv %s, %k {groups = 4 : i64} : memref<1x8x4x4xf16, #ane.space<l2>>, memref<6x2x1x1xf16, #ane.space<kernel>> -> memref<1x6x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x6x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

func.func @ne_conv_c8(%s: memref<2x8x4x4xf16, #ane.space<l2>>, %w: tensor<8x8x1x1xf16>) {
  %t = ane.task -> memref<1x8x4x4xf16, #ane.space<l2>> {
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{makes 1 images of 2 [ne_conv_c8]}}
    %r = ane.ne_conv %s, %k : memref<2x8x4x4xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x4x4xf16, #ane.space<l2>>
    ane.yield %r : memref<1x8x4x4xf16, #ane.space<l2>>
  }
  return
}

// -----

// What the engine does not have is a row of the table of constraints, for whoever asks.
func.func @ne_conv_limits(%x: memref<1x8x4x32xf16, #ane.space<l2>>, %y: memref<1x8x2x32xf16, #ane.space<dram>>) {
  %w = ane.constant dense<1.0> : tensor<8x8x1x1xf16>
  ane.task {
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{has strides 2x1, but h13 moves by the same stride in both directions (conv_r1)}}
    %r = ane.ne_conv %x, %k {strides = array<i64: 2, 1>} : memref<1x8x4x32xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x2x32xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x2x32xf16, #ane.space<l2>>, memref<1x8x2x32xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_conv_stride(%x: memref<1x8x9x9xf16, #ane.space<l2>>, %y: memref<1x8x3x3xf16, #ane.space<dram>>) {
  %w = ane.constant dense<1.0> : tensor<8x8x1x1xf16>
  ane.task {
    %k = ane.kernel_load weight %w : tensor<8x8x1x1xf16> -> memref<8x8x1x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{stride 3 exceeds the limit of 2 of h13 (conv_l1)}}
    %r = ane.ne_conv %x, %k {strides = array<i64: 3, 3>} : memref<1x8x9x9xf16, #ane.space<l2>>, memref<8x8x1x1xf16, #ane.space<kernel>> -> memref<1x8x3x3xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x3x3xf16, #ane.space<l2>>, memref<1x8x3x3xf16, #ane.space<dram>>
  }
  return
}

// -----

// Kernels of 16 columns are no error for h14 (target.mlir).
func.func @ne_conv_kernel(%x: memref<1x8x4x64xf16, #ane.space<l2>>, %y: memref<1x8x4x49xf16, #ane.space<dram>>) {
  %w = ane.constant dense<1.0> : tensor<8x8x1x16xf16>
  ane.task {
    %k = ane.kernel_load weight %w : tensor<8x8x1x16xf16> -> memref<8x8x1x16xf16, #ane.space<kernel>>
    // expected-error @+1 {{kernel width 16 exceeds the limit of 13 of h13 (conv_l3)}}
    %r = ane.ne_conv %x, %k : memref<1x8x4x64xf16, #ane.space<l2>>, memref<8x8x1x16xf16, #ane.space<kernel>> -> memref<1x8x4x49xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x8x4x49xf16, #ane.space<l2>>, memref<1x8x4x49xf16, #ane.space<dram>>
  }
  return
}
