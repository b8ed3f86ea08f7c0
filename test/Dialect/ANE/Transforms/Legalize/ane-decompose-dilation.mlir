// RUN: ane-opt %s --split-input-file --ane-decompose | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// No kernel covers three columns that are 8 apart, but one covers two, and the
// rows.

// CHECK-LABEL: func @far
// CHECK: ane.conv %{{.*}} : tensor<1x4x20x28xf16>, tensor<2x4x17x9xf32>{{.*}} -> tensor<1x2x20x20xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x4x20x20xf16>, tensor<2x4x17x1xf32>{{.*}} -> tensor<1x2x20x20xf16>
// CHECK: ane.elementwise{{ +}}add %{{.*}} {activation = #ane.act<relu>}
func.func @far(%x: tensor<1x4x20x20xf16>) -> tensor<1x2x20x20xf16> {
  %w = ane.constant dense<0.5> : tensor<2x4x3x3xf32>
  %b = ane.constant dense<0.25> : tensor<2xf32>
  %y = ane.conv %x, %w bias %b {dilations = array<i64: 8, 8>, pad = array<i64: 8, 8, 8, 8>, activation = #ane.act<relu>} : tensor<1x4x20x20xf16>, tensor<2x4x3x3xf32>, tensor<2xf32> -> tensor<1x2x20x20xf16>
  return %y : tensor<1x2x20x20xf16>
}

// -----

// A kernel would cover the taps, but most of its work would be zeros: nine
// products instead, each of the rows that its taps reach. What the taps of a
// column give is shifted by the padding of a convolution with a single one.

// CHECK-LABEL: func @zeros
// CHECK: ane.conv %{{.*}} bias %{{.*}} : tensor<1x512x20x24xf16>, tensor<32x512x1x1xf32>, tensor<32xf32> -> tensor<1x32x20x24xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x512x15x24xf16>, tensor<32x512x1x1xf32> -> tensor<1x32x15x24xf16>
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 5, 24>
// CHECK: ane.elementwise{{ +}}add %{{.*}} : tensor<1x32x15x24xf16>
// CHECK: ane.concat %{{.*}} {axis = 2 : i64}
// CHECK: ane.conv %{{.*}} {groups = 32 : i64, pad = array<i64: 0, 0, 5, 0>} : tensor<1x32x20x24xf16>, tensor<32x1x1x6xf16> -> tensor<1x32x20x24xf16>
// CHECK: ane.conv %{{.*}} {groups = 32 : i64, pad = array<i64: 0, 0, 0, 5>}
// CHECK: ane.elementwise{{ +}}add %{{.*}} {activation = #ane.act<relu>}
// ZIN-LABEL: func @zeros
// ZIN: tensor<32x512x11x11xf32>
func.func @zeros(%x: tensor<1x512x20x24xf16>) -> tensor<1x32x20x24xf16> {
  %w = ane.constant dense<0.5> : tensor<32x512x3x3xf32>
  %b = ane.constant dense<0.25> : tensor<32xf32>
  %y = ane.conv %x, %w bias %b {dilations = array<i64: 5, 5>, pad = array<i64: 5, 5, 5, 5>, activation = #ane.act<relu>} : tensor<1x512x20x24xf16>, tensor<32x512x3x3xf32>, tensor<32xf32> -> tensor<1x32x20x24xf16>
  return %y : tensor<1x32x20x24xf16>
}

// -----

// The source has fewer channels: it is shifted, twice where no kernel is large
// enough. Rows of the window that are never above the image give nothing.

// CHECK-LABEL: func @source
// CHECK-NOT: ane.slice
// CHECK: ane.conv %{{.*}} {groups = 8 : i64, pad = array<i64: 0, 0, 12, 0>}
// CHECK: ane.conv %{{.*}} {groups = 8 : i64, pad = array<i64: 0, 0, 2, 0>}
// CHECK: ane.conv %{{.*}} : tensor<1x8x14x30xf16>, tensor<32x8x1x1xf32> -> tensor<1x32x14x30xf16>
// CHECK: ane.conv %{{.*}} {groups = 8 : i64, pad = array<i64: 0, 0, 0, 12>}
// CHECK: ane.conv %{{.*}} {groups = 8 : i64, pad = array<i64: 0, 0, 0, 2>}
// CHECK-NOT: ane.slice
func.func @source(%x: tensor<1x8x14x30xf16>) -> tensor<1x32x14x30xf16> {
  %w = ane.constant dense<0.5> : tensor<32x8x3x3xf32>
  %y = ane.conv %x, %w {dilations = array<i64: 14, 14>, pad = array<i64: 14, 14, 14, 14>} : tensor<1x8x14x30xf16>, tensor<32x8x3x3xf32> -> tensor<1x32x14x30xf16>
  return %y : tensor<1x32x14x30xf16>
}

// -----

// Of one row, columns far away are views but for what is left to an alignment.

// CHECK-LABEL: func @row
// CHECK-NOT: pad = array<i64: 0, 0, 4, 0>
// CHECK: return
func.func @row(%x: tensor<1x64x1x96xf16>) -> tensor<1x64x1x96xf16> {
  %w = ane.constant dense<0.5> : tensor<64x64x1x3xf32>
  %y = ane.conv %x, %w {dilations = array<i64: 1, 16>, pad = array<i64: 0, 0, 16, 16>} : tensor<1x64x1x96xf16>, tensor<64x64x1x3xf32> -> tensor<1x64x1x96xf16>
  return %y : tensor<1x64x1x96xf16>
}

// -----

// CHECK-LABEL: func @near
// CHECK: ane.conv %{{.*}} {pad = array<i64: 2, 2, 2, 2>} : tensor<1x128x20x20xf16>, tensor<32x128x5x5xf32> -> tensor<1x32x20x20xf16>
func.func @near(%x: tensor<1x128x20x20xf16>) -> tensor<1x32x20x20xf16> {
  %w = ane.constant dense<0.5> : tensor<32x128x3x3xf32>
  %y = ane.conv %x, %w {dilations = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x128x20x20xf16>, tensor<32x128x3x3xf32> -> tensor<1x32x20x20xf16>
  return %y : tensor<1x32x20x20xf16>
}
