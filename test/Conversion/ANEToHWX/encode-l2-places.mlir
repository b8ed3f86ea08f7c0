// RUN: ane-opt %s --convert-ane-to-hwx | FileCheck %s

!d = memref<1x8x4x8xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!a = memref<1x8x4x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!b = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!c = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>
!e = memref<1x8x4x8xf16, strided<[64, 8, 64, 1], offset: 768>, #ane.space<l2>>
!v = memref<1x8x2x8xf16, strided<[64, 8, 128, 1], offset: 320>, #ane.space<l2>>
!w = memref<1x8x2x8xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!u = memref<1x8x2x8xf16, strided<[1024, 64, 32, 1]>, #ane.space<dram>>

// The first source goes to its place by DMA and stays.
// CHECK: hwx.task @td0
// CHECK: SourceType = DMAKept
// CHECK: SourceBase = 0x200
// CHECK: ResultBase = 0x400
// The NEs read what the task before wrote to its place.
// CHECK: hwx.task @td1
// CHECK-NOT: SourceType
// CHECK: SourceBase = 0x400
// The PE writes over what the task before the last of the NEs reads: the word
// that waits for the last one waits for both.
// CHECK: hwx.task @td2
// CHECK: ResultCfg = {{.*}}AliasConvRslt
// Every other row, from the second on.
// CHECK: hwx.task @td3
// CHECK: SourceBase = 0x280
// CHECK: SourceRowStride = 0x100
func.func @places(%x: !d, %y: !u {ane.output}) {
  %p = ane.l2_buffer : !b
  %q = ane.l2_buffer : !c
  %s3 = ane.subview %p[0, 0, 1, 0] {strides = array<i64: 1, 1, 2, 1>} : !b -> !v
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x {residency = #ane.residency<kept>} : !d -> !b
    ane.keep %s, %p : !b, !b
    %r = ane.ne_bypass %s {activation = #ane.act<relu>} : !b -> !c
    ane.keep %r, %q : !c, !c
  }
  %t = ane.task -> !a attributes {tile_height = 4 : i64} {
    %r = ane.ne_bypass %q {activation = #ane.act<relu>} : !c -> !a
    ane.yield %r : !a
  }
  ane.task attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !d -> !e
    %r = ane.pe_unary %s {scale = 2.0 : f32} : !e -> !b
    ane.keep %r, %p : !b, !b
  }
  ane.task attributes {tile_height = 2 : i64} {
    %r = ane.pe_unary %s3 {scale = 2.0 : f32} : !v -> !w
    ane.dma_store %r, %y : !w, !u
  }
  return
}
