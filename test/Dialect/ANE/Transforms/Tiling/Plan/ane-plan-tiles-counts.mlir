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
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 19>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 19>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 19>
func.func @between(%x: tensor<1x1x285x480xf16>) -> tensor<1x4x285x480xf16> {
  %u = ane.constant dense<0.125> : tensor<64x1x5x5xf16>
  %v = ane.constant dense<0.25> : tensor<32x64x3x3xf16>
  %w = ane.constant dense<0.5> : tensor<4x32x3x3xf16>
  %0 = ane.conv %x, %u {pad = array<i64: 2, 2, 2, 2>} : tensor<1x1x285x480xf16>, tensor<64x1x5x5xf16> -> tensor<1x64x285x480xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x285x480xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x285x480xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x285x480xf16>, tensor<4x32x3x3xf16> -> tensor<1x4x285x480xf16>
  return %2 : tensor<1x4x285x480xf16>
}

// What is between takes 65536 bytes a row, 31 of which nearly fill L2: the rest is for tiles
// of the source that streams.
// CHECK-LABEL: @full
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 31>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 31>
func.func @full(%x: tensor<1x4x124x128xf16>) -> tensor<1x4x124x128xf16> {
  %v = ane.constant dense<0.25> : tensor<256x4x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<4x256x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x4x124x128xf16>, tensor<256x4x1x1xf16> -> tensor<1x256x124x128xf16>
  %1 = ane.conv %0, %w : tensor<1x256x124x128xf16>, tensor<4x256x1x1xf16> -> tensor<1x4x124x128xf16>
  return %1 : tensor<1x4x124x128xf16>
}

// A strip of 59 rows needs 61 that are shuffled from 31 rows, whether it starts with the first
// or the second row of one: 32768 bytes each, and as many where they are shuffled to.
// CHECK-LABEL: @shuffled
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 59>
func.func @shuffled(%x: tensor<1x8x88x128xf16>) -> tensor<1x2x176x256xf16> {
  %v = ane.constant dense<0.25> : tensor<128x8x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<2x32x3x3xf16>
  %0 = ane.conv %x, %v : tensor<1x8x88x128xf16>, tensor<128x8x1x1xf16> -> tensor<1x128x88x128xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : tensor<1x128x88x128xf16> -> tensor<1x88x128x128xf16>
  %2 = ane.reshape %1 : tensor<1x88x128x128xf16> -> tensor<1x88x256x64xf16>
  %3 = ane.slice %2 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 88, 256, 32>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x88x256x64xf16> -> tensor<1x88x256x32xf16>
  %4 = ane.transpose %3 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x88x256x32xf16> -> tensor<1x32x88x256xf16>
  %5 = ane.reshape %4 : tensor<1x32x88x256xf16> -> tensor<32x88x1x256xf16>
  %6 = ane.slice %2 {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 88, 256, 32>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x88x256x64xf16> -> tensor<1x88x256x32xf16>
  %7 = ane.transpose %6 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x88x256x32xf16> -> tensor<1x32x88x256xf16>
  %8 = ane.reshape %7 : tensor<1x32x88x256xf16> -> tensor<32x88x1x256xf16>
  %9 = ane.concat %5, %8 {axis = 2 : i64} : tensor<32x88x1x256xf16>, tensor<32x88x1x256xf16> -> tensor<32x88x2x256xf16>
  %10 = ane.reshape %9 : tensor<32x88x2x256xf16> -> tensor<1x32x176x256xf16>
  %11 = ane.conv %10, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x176x256xf16>, tensor<2x32x3x3xf16> -> tensor<1x2x176x256xf16>
  return %11 : tensor<1x2x176x256xf16>
}

// The maximum of two rows each does not lie over what it has yet to read: both results are
// there, with 32768 bytes a row.
// CHECK-LABEL: @apart
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0
// CHECK: ane.elementwise max {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 26>
func.func @apart(%x: tensor<1x4x129x128xf16>) -> tensor<1x4x128x128xf16> {
  %v = ane.constant dense<0.25> : tensor<128x4x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<4x128x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x4x129x128xf16>, tensor<128x4x1x1xf16> -> tensor<1x128x129x128xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 128, 128, 128>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x128x129x128xf16> -> tensor<1x128x128x128xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 128, 128, 128>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x128x129x128xf16> -> tensor<1x128x128x128xf16>
  %3 = ane.elementwise max %1, %2 : tensor<1x128x128x128xf16>, tensor<1x128x128x128xf16> -> tensor<1x128x128x128xf16>
  %4 = ane.conv %3, %w : tensor<1x128x128x128xf16>, tensor<4x128x1x1xf16> -> tensor<1x4x128x128xf16>
  return %4 : tensor<1x4x128x128xf16>
}

// 5 of 45 rows fit, 6 do not: 10 strips, which are tried, would be 9.
// CHECK-LABEL: @fewer
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 5>
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 5>
func.func @fewer(%x: tensor<1x4x45x352xf16>) -> tensor<1x4x45x352xf16> {
  %v = ane.constant dense<0.25> : tensor<512x4x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<4x512x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x4x45x352xf16>, tensor<512x4x1x1xf16> -> tensor<1x512x45x352xf16>
  %1 = ane.conv %0, %w : tensor<1x512x45x352xf16>, tensor<4x512x1x1xf16> -> tensor<1x4x45x352xf16>
  return %1 : tensor<1x4x45x352xf16>
}
