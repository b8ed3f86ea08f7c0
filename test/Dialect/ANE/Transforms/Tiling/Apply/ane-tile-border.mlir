// RUN: ane-opt %s --ane-pipeline=stop-after=tile | FileCheck %s

// The host converts f32 at the border, so strips are of what is behind it.
// CHECK-LABEL: func.func @net
// CHECK-NOT: ane.slice %arg0
// CHECK: %[[X:.*]] = ane.cast %arg0 : tensor<1x32x256x256xf32> -> tensor<1x32x256x256xf16>
// CHECK: ane.slice %[[X]]
// CHECK: %[[Y:.*]] = ane.concat {{.*}} -> tensor<1x32x256x256xf16>
// CHECK: ane.cast %[[Y]] : tensor<1x32x256x256xf16> -> tensor<1x32x256x256xf32>
func.func @net(%x: tensor<1x32x256x256xf32>) -> tensor<1x32x256x256xf32> {
  %w = ane.constant dense<0.5> : tensor<32x32x3x3xf16>
  %0 = ane.cast %x : tensor<1x32x256x256xf32> -> tensor<1x32x256x256xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %3 = ane.conv %2, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %4 = ane.cast %3 : tensor<1x32x256x256xf16> -> tensor<1x32x256x256xf32>
  return %4 : tensor<1x32x256x256xf32>
}
