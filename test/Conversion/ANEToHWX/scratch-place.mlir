// A place to save in what stays in L2: tasks of H13 name it, tasks of H14 have
// none.

// RUN: ane-opt %s --convert-ane-to-hwx | FileCheck %s
// CHECK: hwx.task @td0 {{.*}}TSE, DPC,
// RUN: not ane-opt %s --ane-set-target=target=h14 2>&1 | FileCheck %s --check-prefix=H14
// H14: scratch-place.mlir:[[@LINE+12]]:{{.*}}: error: 'ane.scratch_place' op names a place in DRAM where the result could be saved, but h14 names no DRAM place for a result that stays in L2 (scratch_place_r1); remove the op; the result stays in L2 without it

!dram = memref<1x8x4x4xf16, strided<[1024, 128, 32, 1]>, #ane.space<dram>>
!tiles = memref<1x8x4x4xf16, strided<[64, 8, 64, 1]>, #ane.space<l2>>
!kept = memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 256>, #ane.space<l2>>
!result = memref<1x8x4x4xf16, strided<[64, 8, 64, 1], offset: 512>, #ane.space<l2>>

func.func @net(%x: !dram, %y: !dram {ane.output}) attributes {ane.scratch_bytes = 2240 : i64} {
  %place = ane.buffer {offset = 0 : i64} : !dram
  %kept = ane.task -> !kept attributes {tile_height = 4 : i64} {
    %s = ane.dma_load %x : !dram -> !tiles
    %r = ane.ne_bypass %s : !tiles -> !kept
    ane.scratch_place %r, %place : !kept, !dram
    ane.yield %r : !kept
  }
  ane.task attributes {tile_height = 4 : i64} {
    %r = ane.ne_bypass %kept : !kept -> !result
    ane.dma_store %r, %y : !result, !dram
  }
  return
}
