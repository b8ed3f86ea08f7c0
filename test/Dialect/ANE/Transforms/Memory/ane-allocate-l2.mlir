// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-l2))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not ane-opt %s --pass-pipeline='builtin.module(func.func(ane-allocate-l2{flavour=salty}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: flavour 'salty' is not available; available: 'clean'

// As in gemm.hwx: row 0x2030 (+0x30), result at 0x2030 with row 0x2020 (+0x20).
// CHECK-LABEL: func @gemm
// CHECK: ane.task attributes {tile_height = 1 : i64}
// CHECK: ane.dma_load {{.*}} -> memref<1x512x1x1xf16, strided<[4096, 8, 4120, 1]>, #ane.space<l2>>
// CHECK: ane.ne_conv {{.*}} -> memref<1x512x1x1xf16, strided<[4096, 8, 4112, 1], offset: 4120>, #ane.space<l2>>
// CHECK: ane.dma_store {{.*}} {residency = #ane.residency<staged>}
func.func @gemm(%x: tensor<1x512x1x1xf16>) -> tensor<1x512x1x1xf16> {
  %w = ane.constant dense<0.5> : tensor<512x512x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x512x1x1xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x1x1xf16>
  return %0 : tensor<1x512x1x1xf16>
}

// -----

// As in sum.hwx: both rows 0x420, second source at 0x440, result at 0x860.
// CHECK-LABEL: func @sum
// CHECK: ane.dma_load {{.*}} strided<[512, 8, 528, 1]>, #ane.space<l2>>
// CHECK: ane.dma_load {{.*}} strided<[512, 8, 528, 1], offset: 544>, #ane.space<l2>>
// CHECK: ane.pe_elementwise {{.*}} offset: 1072>, #ane.space<l2>>
func.func @sum(%x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %0 : tensor<1x64x1x1xf16>
}

// -----

// 2 MiB of source do not fit next to a result: tiles of 54 rows, the largest
// multiple of two 64-wide rows for which 55 source rows (one of them halo) and the
// result rows fit; the result streams.
// CHECK-LABEL: func @tiled
// CHECK: ane.task attributes {tile_height = 54 : i64}
// CHECK: ane.dma_load {{.*}} strided<[16384, 64, 16408, 1]>, #ane.space<l2>>
// CHECK: ane.ne_conv {{.*}} offset: 902440>, #ane.space<l2>>
// CHECK-NOT: staged
func.func @tiled(%x: tensor<1x256x64x64xf16>) -> tensor<1x32x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<32x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x64x64xf16>, tensor<32x256x3x3xf16> -> tensor<1x32x64x64xf16>
  return %0 : tensor<1x32x64x64xf16>
}

// -----

// As in a real program (add of 2560 x 1600): columns of 512 elements, whole
// patches of 32 rows; both sources share the room.
// CHECK-LABEL: func @strips
// CHECK: ane.task attributes {tile_height = 672 : i64}
// CHECK: ane.dma_load {{.*}} strided<[512, 512, 512, 1]>, #ane.space<l2>>
func.func @strips(%x: tensor<1x1x2560x1600xf16>, %y: tensor<1x1x2560x1600xf16>) -> tensor<1x1x2560x1600xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x1x2560x1600xf16>, tensor<1x1x2560x1600xf16> -> tensor<1x1x2560x1600xf16>
  return %0 : tensor<1x1x2560x1600xf16>
}

// -----

// PE tiles are whole patches of 32 rows.
// CHECK-LABEL: func @pe_tiled
// CHECK: ane.task attributes {tile_height = 32 : i64}
func.func @pe_tiled(%x: tensor<1x192x56x56xf16>, %y: tensor<1x192x56x56xf16>) -> tensor<1x192x56x56xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x192x56x56xf16>, tensor<1x192x56x56xf16> -> tensor<1x192x56x56xf16>
  return %0 : tensor<1x192x56x56xf16>
}

// -----

func.func @too_large(%x: tensor<1x4096x64x256xf16>) -> tensor<1x16x64x256xf16> {
  %w = ane.constant dense<0.5> : tensor<16x4096x1x1xf16>
  // expected-error @+1 {{needs 2097200 bytes of L2 for the smallest tile of its sources, but 1966080 are left for them}}
  %0 = ane.conv %x, %w : tensor<1x4096x64x256xf16>, tensor<16x4096x1x1xf16> -> tensor<1x16x64x256xf16>
  return %0 : tensor<1x16x64x256xf16>
}

// -----

func.func @too_large_result(%x: tensor<1x1368x1x512xf16>) -> tensor<1x1368x1x512xf16> {
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  // expected-error @+1 {{needs 1400864 bytes of L2 for the smallest tile of its sources and 1400832 for a row of its result, but 2097152 are left for them; run ane-cut-tasks, and ane-decompose for sums of parts of its input channels}}
  %0 = ane.elementwise add %x, %c : tensor<1x1368x1x512xf16>, tensor<1x1x1x1xf16> -> tensor<1x1368x1x512xf16>
  return %0 : tensor<1x1368x1x512xf16>
}

// -----

// The columns of a streamed result that count are those that are computed, here 128
// of 256 for each of 3072 channels: two tiles of two rows do not leave room for them.
// CHECK-LABEL: func @exchanged
// CHECK: ane.task attributes {tile_height = 1 : i64}
// CHECK: ane.ne_bypass {{.*}} {exchange}
func.func @exchanged(%x: tensor<1x3072x2x256xf16>) -> tensor<1x256x2x3072xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 2, 1>} : tensor<1x3072x2x256xf16> -> tensor<1x256x2x3072xf16>
  return %0 : tensor<1x256x2x3072xf16>
}
