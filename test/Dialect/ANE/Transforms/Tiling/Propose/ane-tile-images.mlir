// RUN: ane-opt %s -split-input-file --ane-tile-images | FileCheck %s
// Parts compute what the whole did.
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=ane-tile-images" -o /dev/null

// L2 holds three rows of what the second convolution reads and writes, so that
// strips of rows would be mostly halo. Parts begin at multiples of 32 columns, those
// around a part among them; ops inside pad as they did. What is on its way out is
// cut before it is moved.
// CHECK-LABEL: @upscale
// CHECK: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 24, 1603>
// CHECK: %[[A0:.*]] = ane.conv %[[X0]], {{.*}}pad = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<1x64x24x1603xf16>
// CHECK: %[[B0:.*]] = ane.conv %[[A0]], {{.*}}pad = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<1x32x24x1603xf16>
// CHECK: %[[C0:.*]] = ane.conv %[[B0]], {{.*}}pad = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<1x4x24x1603xf16>
// CHECK: %[[D0:.*]] = ane.slice %[[C0]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 24, 1600>
// CHECK: %[[E0:.*]] = ane.interleave %[[D0]] {factor = 2 : i64} {{.*}} -> tensor<1x2x24x3200xf16>
// CHECK: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 1568>, sizes = array<i64: 1, 1, 24, 1632>
// CHECK: %[[C1:.*]] = ane.conv {{.*}} -> tensor<1x4x24x1632xf16>
// CHECK: %[[D1:.*]] = ane.slice %[[C1]] {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 4, 24, 1600>
// CHECK: %[[E1:.*]] = ane.interleave %[[D1]]
// CHECK: ane.concat %[[E0]], %[[E1]] {axis = 3 : i64}
func.func @upscale(%x: tensor<1x1x24x3200xf16>) -> tensor<1x2x24x6400xf16> {
  %w = ane.constant dense<0.125> : tensor<64x1x3x3xf16>
  %u = ane.constant dense<0.0625> : tensor<32x64x3x3xf16>
  %v = ane.constant dense<0.0625> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x1x24x3200xf16>, tensor<64x1x3x3xf16> -> tensor<1x64x24x3200xf16>
  %1 = ane.conv %0, %u {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x64x24x3200xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x24x3200xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x32x24x3200xf16>, tensor<4x32x3x3xf16> -> tensor<1x4x24x3200xf16>
  %3 = ane.interleave %2 {factor = 2 : i64} : tensor<1x4x24x3200xf16> -> tensor<1x2x24x6400xf16>
  return %3 : tensor<1x2x24x6400xf16>
}
