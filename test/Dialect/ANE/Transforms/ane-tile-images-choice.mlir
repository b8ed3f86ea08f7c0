// RUN: ane-opt %s -split-input-file --ane-tile-images | FileCheck %s

// Strips of rows of two images are half as high as those of one, and halo twice as
// often.
// CHECK-LABEL: @large
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x4x270x480xf16>
func.func @large(%x: tensor<2x1x270x480xf16>) -> tensor<2x4x270x480xf16> {
  %w = ane.constant dense<0.125> : tensor<64x1x3x3xf16>
  %u = ane.constant dense<0.0625> : tensor<32x64x3x3xf16>
  %v = ane.constant dense<0.0625> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x1x270x480xf16>, tensor<64x1x3x3xf16> -> tensor<2x64x270x480xf16>
  %1 = ane.conv %0, %u {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x64x270x480xf16>, tensor<32x64x3x3xf16> -> tensor<2x32x270x480xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x32x270x480xf16>, tensor<4x32x3x3xf16> -> tensor<2x4x270x480xf16>
  return %2 : tensor<2x4x270x480xf16>
}

// -----

// These fit together.
// CHECK-LABEL: @small
// CHECK-NOT: ane.slice
func.func @small(%x: tensor<2x4x6x8xf16>) -> tensor<2x4x6x8xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x4x6x8xf16>, tensor<4x4x3x3xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x4x6x8xf16>, tensor<4x4x3x3xf16> -> tensor<2x4x6x8xf16>
  return %1 : tensor<2x4x6x8xf16>
}

// -----

// What only an option makes legal is in the parts of a batch, too.
// RUN: ane-opt %s -split-input-file --ane-tile-images=allow-unproven | FileCheck %s --check-prefix=UNPROVEN
// CHECK-LABEL: @unproven
// CHECK-NOT: ane.slice
// UNPROVEN-LABEL: @unproven
// UNPROVEN-COUNT-2: ane.pool max {{.*}} -> tensor<1x4x270x480xf16>
func.func @unproven(%x: tensor<2x1x270x480xf16>) -> tensor<2x4x270x480xf16> {
  %w = ane.constant dense<0.125> : tensor<64x1x3x3xf16>
  %u = ane.constant dense<0.0625> : tensor<32x64x3x3xf16>
  %v = ane.constant dense<0.0625> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x1x270x480xf16>, tensor<64x1x3x3xf16> -> tensor<2x64x270x480xf16>
  %1 = ane.conv %0, %u {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x64x270x480xf16>, tensor<32x64x3x3xf16> -> tensor<2x32x270x480xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x32x270x480xf16>, tensor<4x32x3x3xf16> -> tensor<2x4x270x480xf16>
  %3 = ane.pool max %2 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x4x270x480xf16> -> tensor<2x4x270x480xf16>
  return %3 : tensor<2x4x270x480xf16>
}
