// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s

// A row of what is between takes half of L2, so there are as many strips as rows.
// CHECK-LABEL: @large
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 1>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 1>
func.func @large(%x: tensor<1x64x768x1024xf16>) -> tensor<1x64x768x1024xf16> {
  %w = ane.constant dense<0.125> : tensor<512x64x1x1xf16>
  %v = ane.constant dense<0.25> : tensor<64x512x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x64x768x1024xf16>, tensor<512x64x1x1xf16> -> tensor<1x512x768x1024xf16>
  %1 = ane.conv %0, %v : tensor<1x512x768x1024xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x768x1024xf16>
  return %1 : tensor<1x64x768x1024xf16>
}

// 15 strips fit, 14 do not; 15 is between the numbers that are tried for all groups.
// CHECK-LABEL: @between
// CHECK: ane.conv {{.*}}ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 18>
// CHECK: ane.conv {{.*}}ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 18>
// CHECK: ane.conv {{.*}}ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 18>
func.func @between(%x: tensor<1x1x270x480xf16>) -> tensor<1x4x270x480xf16> {
  %u = ane.constant dense<0.125> : tensor<64x1x5x5xf16>
  %v = ane.constant dense<0.25> : tensor<32x64x3x3xf16>
  %w = ane.constant dense<0.5> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %u {pad = array<i64: 2, 2, 2, 2>} : tensor<1x1x270x480xf16>, tensor<64x1x5x5xf16> -> tensor<1x64x270x480xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x270x480xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x270x480xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x270x480xf16>, tensor<4x32x3x3xf16> -> tensor<1x4x270x480xf16>
  return %2 : tensor<1x4x270x480xf16>
}
