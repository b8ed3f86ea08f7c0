// RUN: ane-opt %s --ane-set-target=target=h14 --convert-ane-to-hwx --verify-diagnostics
// Errors name the registers of the target, whatever tasks are encoded in.

!dram = memref<1x8x40x4xf16, strided<[10240, 1280, 32, 1]>, #ane.space<dram>>
!tiles = memref<1x8x40x4xf16, strided<[2560, 8, 64, 1]>, #ane.space<l2>>
!result = memref<1x8x9x4xf16, strided<[576, 8, 64, 1], offset: 4096>, #ane.space<l2>>
!out = memref<1x8x9x4xf16, strided<[2304, 288, 32, 1]>, #ane.space<dram>>
func.func @net(%x: !dram, %y: !out {ane.output}) {
  %w = ane.constant dense<0.5> : tensor<8x8x32x1xf16>
  ane.task attributes {tile_height = 9 : i64} {
    %s = ane.dma_load %x : !dram -> !tiles
    %k = ane.kernel_load weight %w : tensor<8x8x32x1xf16> -> memref<8x8x32x1xf16, #ane.space<kernel>>
    // expected-error @+1 {{cannot be encoded for h14: Common.ConvCfg.Kh (0x20) is 32 (0x20), but must be at most 31 (0x1f) in the form that tasks are encoded in; take several tasks}}
    %r = ane.ne_conv %s, %k : !tiles, memref<8x8x32x1xf16, #ane.space<kernel>> -> !result
    ane.dma_store %r, %y : !result, !out
  }
  return
}
