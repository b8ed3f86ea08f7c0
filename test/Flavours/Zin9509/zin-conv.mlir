// RUN: ane-opt %s --split-input-file --ane-pipeline="flavour=zin-9.509 stop-after=memory" | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-pipeline="stop-after=tasks" | FileCheck %s --check-prefix=CLEAN

// Parts of the channels: the last 32, then 224. The source is loaded once and
// stays, rows moved apart by 0x30; each part's result streams behind it.
// CHECK-LABEL: func @split
// CHECK: %[[S:.*]] = ane.task -> memref<1x256x32x32xf16, strided<[8192, 32, 8216, 1]>
// CHECK: ane.dma_load %{{.*}} {residency = #ane.residency<kept>}
// CHECK: ane.kernel_load weight %{{.*}} {first_channel = 224 : i64}
// CHECK: ane.dma_store
// CHECK: ane.task
// CHECK-NOT: ane.dma_load
// CHECK: ane.kernel_load weight {{.*}} -> memref<224x
// CHECK: ane.ne_conv %[[S]]
// CLEAN-LABEL: func @split
// CLEAN: ane.dma_load
// CLEAN: ane.task
// CLEAN: ane.dma_load
func.func @split(%x: tensor<1x256x32x32xf16>) -> tensor<1x256x32x32xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x32x32xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x32x32xf16>
  return %0 : tensor<1x256x32x32xf16>
}

// -----

// With stride 2, a part of 64 channels is said to have the 16 lanes of the whole.
// CHECK-LABEL: func @lanes
// CHECK: ane.kernel_load weight {{.*}} -> memref<64x
// CHECK: ane.ne_conv {{.*}}lanes = 16
// CHECK: ane.kernel_load weight {{.*}} -> memref<192x
// CHECK: ane.ne_conv {{.*}}lanes = 16
// CLEAN-LABEL: func @lanes
// CLEAN-NOT: lanes =
// CLEAN: return
func.func @lanes(%x: tensor<1x256x32x32xf16>) -> tensor<1x256x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>} : tensor<1x256x32x32xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x16x16xf16>
  return %0 : tensor<1x256x16x16xf16>
}

// -----

// One group of 16 channels after the other lies in L2: rows of 0x220 bytes. The
// bias is in the task.
// CHECK-LABEL: func @groups
// CHECK: ane.dma_load {{.*}} -> memref<1x64x16x16xf16, strided<[256, 16, 272, 1]>
// CHECK: ane.kernel_load weight {{.*}} bias
// CHECK: groups = 4
// CHECK-NOT: ane.task
// CHECK: return
// CLEAN-LABEL: func @groups
// CLEAN: ane.kernel_load weight {{.*}} bias
// CLEAN-NOT: ane.task
// CLEAN: return
func.func @groups(%x: tensor<1x64x16x16xf16>) -> tensor<1x64x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  %b = ane.constant dense<0.5> : tensor<64xf16>
  %0 = ane.conv %x, %w bias %b {groups = 4 : i64} : tensor<1x64x16x16xf16>, tensor<64x16x1x1xf16>, tensor<64xf16> -> tensor<1x64x16x16xf16>
  return %0 : tensor<1x64x16x16xf16>
}

// -----

// Two rows a tile where 64 rows do not fit: one step of 128 pixels.
// CHECK-LABEL: func @steps
// CHECK: tile_height = 2
func.func @steps(%x: tensor<1x256x64x64xf16>) -> tensor<1x256x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x256x64x64xf16>, tensor<256x256x1x1xf16> -> tensor<1x256x64x64xf16>
  return %0 : tensor<1x256x64x64xf16>
}
// -----

// A stride stays where nothing moves.
// CHECK-LABEL: func @idle
// CHECK: strides = array<i64: 2, 2>
// CLEAN-LABEL: func @idle
// CLEAN-NOT: strides = array<i64: 2, 2>
// CLEAN: return
func.func @idle(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %w = ane.constant dense<0.5> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %w {strides = array<i64: 2, 2>} : tensor<1x64x1x1xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %0 : tensor<1x64x1x1xf16>
}

// -----

// 375 columns go through in strips of 128.
// CHECK-LABEL: func @strips
// CHECK: ane.dma_load {{.*}} -> memref<1x16x1x375xf16, strided<[2048, 128, 2048, 1]>
func.func @strips(%x: tensor<1x16x1x375xf16>) -> tensor<1x16x1x375xf16> {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x1x375xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x1x375xf16>
  return %0 : tensor<1x16x1x375xf16>
}

// -----

// A number behind a convolution multiplies its result.
// CHECK-LABEL: func @factor
// CHECK: ane.constant dense<5.000000e-01>
// CHECK: ane.ne_conv {{.*}}activation = #ane.act<relu>, post_scale = 1.250000e-01 : f32
// CLEAN-LABEL: func @factor
// CLEAN: ane.constant dense<6.250000e-02>
// CLEAN-NOT: post_scale
// CLEAN: return
func.func @factor(%x: tensor<1x16x4x4xf16>) -> tensor<1x16x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %f = ane.constant dense<0.125> : tensor<1x1x1x1xf16>
  %c = ane.conv %x, %w : tensor<1x16x4x4xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x4x4xf16>
  %m = ane.elementwise mul %c, %f : tensor<1x16x4x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x16x4x4xf16>
  %r = ane.activation %m {function = #ane.act<relu>} : tensor<1x16x4x4xf16> -> tensor<1x16x4x4xf16>
  return %r : tensor<1x16x4x4xf16>
}
