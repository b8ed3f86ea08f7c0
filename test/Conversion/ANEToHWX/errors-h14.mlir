// RUN: ane-opt %s --ane-set-target=target=h14 --convert-ane-to-hwx --verify-diagnostics
// Errors name the registers of the target, whatever tasks are encoded in.

!dram = memref<1x1x1x40000xf16, strided<[40000, 40000, 40000, 1]>, #ane.space<dram>>
!tiles = memref<1x1x1x40000xf16, strided<[40000, 40000, 40000, 1]>, #ane.space<l2>>
!result = memref<1x1x1x40000xf16, strided<[40000, 40000, 40000, 1], offset: 40000>, #ane.space<l2>>
func.func @net(%x: !dram, %y: !dram {ane.output}) {
  ane.task attributes {tile_height = 1 : i64} {
    %s = ane.dma_load %x : !dram -> !tiles
    // expected-error @+1 {{cannot be encoded for h14: Common.InDim.Win (0x0) is 40000 (0x9c40), but must be at most 32767 (0x7fff) in the form that tasks are encoded in; take several tasks}}
    %r = ane.ne_bypass %s : !tiles -> !result
    ane.dma_store %r, %y : !result, !dram
  }
  return
}
