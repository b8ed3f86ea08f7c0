// RUN: ane-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// Products of pairs of channels, a relu on a source, offsets that are added.
// CHECK-LABEL: func @forms
func.func @forms(%x: memref<1x64x1x1xf16, #ane.space<dram>>, %y: memref<1x64x1x1xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x128x1x1xf16, #ane.space<l2>>
  %m = ane.l2_buffer : memref<1x1x2x64xf16, #ane.space<l2>>
  ane.task {
    %k = ane.kernel_load table #ane.act<exp2> -> memref<64xf16, #ane.space<kernel>>
    // CHECK: ane.ne_product %{{.*}} table %{{.*}} {activation = #ane.act<exp2>}
    %r = ane.ne_product %b table %k {activation = #ane.act<exp2>}
       : memref<1x128x1x1xf16, #ane.space<l2>>, memref<64xf16, #ane.space<kernel>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %x : memref<1x64x1x1xf16, #ane.space<dram>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    %t = ane.dma_load %x : memref<1x64x1x1xf16, #ane.space<dram>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    // CHECK: ane.pe_elementwise add %{{.*}}, %{{.*}} {relu_rhs}
    %r = ane.pe_elementwise add %s, %t {relu_rhs} : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  ane.task {
    %s = ane.dma_load %x : memref<1x64x1x1xf16, #ane.space<dram>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    // CHECK: ane.pe_normalize %{{.*}}, %{{.*}} {activation = #ane.act<relu>, add, exchange_rows}
    %r = ane.pe_normalize %s, %m {activation = #ane.act<relu>, add, exchange_rows} : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x1x2x64xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_product_c1(%y: memref<1x64x1x1xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x64x1x1xf16, #ane.space<l2>>
  ane.task {
    // expected-error @+1 {{but two of them give one [ne_product_c1]}}
    %r = ane.ne_product %b : memref<1x64x1x1xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  return
}

// -----

func.func @ne_product_c2(%y: memref<1x64x1x1xf16, #ane.space<dram>>) {
  %b = ane.l2_buffer : memref<1x128x1x1xf16, #ane.space<l2>>
  ane.task {
    // expected-error @+1 {{has activation exp2, but no kernel with the table of it [ne_product_c2]}}
    %r = ane.ne_product %b {activation = #ane.act<exp2>} : memref<1x128x1x1xf16, #ane.space<l2>> -> memref<1x64x1x1xf16, #ane.space<l2>>
    ane.dma_store %r, %y : memref<1x64x1x1xf16, #ane.space<l2>>, memref<1x64x1x1xf16, #ane.space<dram>>
  }
  return
}
