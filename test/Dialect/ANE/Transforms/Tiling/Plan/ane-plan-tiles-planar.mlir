// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// What the PE makes of the rows of an image, and what it needs for that.

// Rows of more than 512 columns are not in L2 for it: the convolution stores its result.
// CHECK-LABEL: @too_wide
// CHECK-NOT: ane.tile
// CHECK: return
func.func @too_wide(%x: tensor<1x4x96x640xf16>) -> tensor<1x64x96x640xf16> {
  %w = ane.constant dense<1.0> : tensor<64x4x3x3xf16>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x96x640xf16>, tensor<64x4x3x3xf16> -> tensor<1x64x96x640xf16>
  %1 = ane.elementwise mul %0, %c : tensor<1x64x96x640xf16>, tensor<1x1x1x1xf16> -> tensor<1x64x96x640xf16>
  return %1 : tensor<1x64x96x640xf16>
}

// -----

// No strip of them that could keep rows, either.
// CHECK-LABEL: @too_wide_to_keep
// CHECK-NOT: ane.keep_rows
// CHECK: return
func.func @too_wide_to_keep(%x: tensor<1x4x96x640xf16>) -> tensor<1x4x96x640xf16> {
  %w = ane.constant dense<1.0> : tensor<64x4x3x3xf16>
  %v = ane.constant dense<1.0> : tensor<4x64x3x3xf16>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x96x640xf16>, tensor<64x4x3x3xf16> -> tensor<1x64x96x640xf16>
  %1 = ane.elementwise mul %0, %c : tensor<1x64x96x640xf16>, tensor<1x1x1x1xf16> -> tensor<1x64x96x640xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x640xf16>, tensor<4x64x3x3xf16> -> tensor<1x4x96x640xf16>
  return %2 : tensor<1x4x96x640xf16>
}

// -----

// A bound is not the PE's.
// CHECK-LABEL: @bound
// CHECK: ane.elementwise  max {{.*}}size = 20
func.func @bound(%x: tensor<1x4x96x640xf16>) -> tensor<1x64x96x640xf16> {
  %w = ane.constant dense<1.0> : tensor<64x4x3x3xf16>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x96x640xf16>, tensor<64x4x3x3xf16> -> tensor<1x64x96x640xf16>
  %1 = ane.elementwise max %0, %c : tensor<1x64x96x640xf16>, tensor<1x1x1x1xf16> -> tensor<1x64x96x640xf16>
  return %1 : tensor<1x64x96x640xf16>
}

// -----

// Of more than 256 columns, 32 rows are a patch: both sources have as many in L2.
// CHECK-LABEL: @patches
// CHECK: ane.elementwise  max {{.*}}size = 24
func.func @patches(%x: tensor<1x32x192x384xf16>, %y: tensor<1x32x192x384xf16>) -> tensor<1x32x192x384xf16> {
  %w = ane.constant dense<1.0> : tensor<32x32x3x3xf16>
  %0 = ane.elementwise max %x, %y : tensor<1x32x192x384xf16>, tensor<1x32x192x384xf16> -> tensor<1x32x192x384xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x192x384xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x192x384xf16>
  return %1 : tensor<1x32x192x384xf16>
}

// -----

// The same through a view.
// CHECK-LABEL: @patches_of_view
// CHECK: ane.elementwise  max {{.*}}size = 20
func.func @patches_of_view(%x: tensor<1x3x192x384xf16>, %y: tensor<1x64x192x384xf16>) -> tensor<1x32x192x384xf16> {
  %v = ane.constant dense<1.0> : tensor<32x3x3x3xf16>
  %w = ane.constant dense<1.0> : tensor<32x32x3x3xf16>
  %0 = ane.conv %x, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x192x384xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x192x384xf16>
  %a = ane.slice %y {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 192, 384>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x384xf16> -> tensor<1x32x192x384xf16>
  %1 = ane.elementwise max %0, %a : tensor<1x32x192x384xf16>, tensor<1x32x192x384xf16> -> tensor<1x32x192x384xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x192x384xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x192x384xf16>
  return %2 : tensor<1x32x192x384xf16>
}

// -----

// Rows and the rows 40 below: a strip needs 40 rows more than each has.
// CHECK-LABEL: @shifted
// CHECK: ane.elementwise  max {{.*}}size = 64
func.func @shifted(%x: tensor<1x8x296x128xf16>) -> tensor<1x64x256x128xf16> {
  %w = ane.constant dense<1.0> : tensor<64x8x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x296x128xf16>, tensor<64x8x3x3xf16> -> tensor<1x64x296x128xf16>
  %a = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 256, 128>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x296x128xf16> -> tensor<1x64x256x128xf16>
  %b = ane.slice %0 {offsets = array<i64: 0, 0, 40, 0>, sizes = array<i64: 1, 64, 256, 128>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x296x128xf16> -> tensor<1x64x256x128xf16>
  %1 = ane.elementwise max %a, %b : tensor<1x64x256x128xf16>, tensor<1x64x256x128xf16> -> tensor<1x64x256x128xf16>
  return %1 : tensor<1x64x256x128xf16>
}

// -----

// One row of many is for one strip, wherever it lies: it is no such distance.
// CHECK-LABEL: @last_row
// CHECK: ane.elementwise  max {{.*}}size = 52
func.func @last_row(%x: tensor<1x8x256x128xf16>) -> tensor<1x64x257x128xf16> {
  %w = ane.constant dense<1.0> : tensor<64x8x3x3xf16>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x256x128xf16>, tensor<64x8x3x3xf16> -> tensor<1x64x256x128xf16>
  %a = ane.slice %0 {offsets = array<i64: 0, 0, 255, 0>, sizes = array<i64: 1, 64, 1, 128>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x256x128xf16> -> tensor<1x64x1x128xf16>
  %1 = ane.concat %0, %a {axis = 2 : i64} : tensor<1x64x256x128xf16>, tensor<1x64x1x128xf16> -> tensor<1x64x257x128xf16>
  %2 = ane.elementwise max %1, %c : tensor<1x64x257x128xf16>, tensor<1x1x1x1xf16> -> tensor<1x64x257x128xf16>
  return %2 : tensor<1x64x257x128xf16>
}

// -----

// A part of a concat that is copied there is read from DRAM once.
// REMARK: remark: plan: 5035734 bytes
// CHECK-LABEL: @joined
func.func @joined(%x: tensor<1x16x321x224xf16>) -> tensor<1x19x321x224xf16> {
  %w = ane.constant dense<1.0> : tensor<3x16x1x1xf16>
  %v = ane.constant dense<2.0> : tensor<19x19x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x321x224xf16>, tensor<3x16x1x1xf16> -> tensor<1x3x321x224xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x3x321x224xf16>, tensor<1x16x321x224xf16> -> tensor<1x19x321x224xf16>
  %2 = ane.conv %1, %v : tensor<1x19x321x224xf16>, tensor<19x19x1x1xf16> -> tensor<1x19x321x224xf16>
  return %2 : tensor<1x19x321x224xf16>
}

// -----

// What is in DRAM for the PE is read from there by each source: no strip of rows saves
// anything.
// REMARK: remark: plan: {{.*}} 0 groups
// CHECK-LABEL: @too_wide_twice
// CHECK-NOT: ane.tile
// CHECK: return
func.func @too_wide_twice(%x: tensor<1x4x97x640xf16>) -> tensor<1x64x96x640xf16> {
  %w = ane.constant dense<1.0> : tensor<64x4x1x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 1, 1>} : tensor<1x4x97x640xf16>, tensor<64x4x1x3xf16> -> tensor<1x64x97x640xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 96, 640>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x97x640xf16> -> tensor<1x64x96x640xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 64, 96, 640>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x97x640xf16> -> tensor<1x64x96x640xf16>
  %3 = ane.elementwise max %1, %2 : tensor<1x64x96x640xf16>, tensor<1x64x96x640xf16> -> tensor<1x64x96x640xf16>
  return %3 : tensor<1x64x96x640xf16>
}
