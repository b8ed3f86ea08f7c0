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
// products instead, of which three have one part of the columns each.

// CHECK-LABEL: func @zeros
// CHECK-COUNT-9: ane.conv %{{.*}} : tensor<1x512x20x20xf16>, tensor<32x512x1x1xf32>{{.*}} -> tensor<1x32x20x20xf16>
// ZIN-LABEL: func @zeros
// ZIN: tensor<32x512x11x11xf32>
func.func @zeros(%x: tensor<1x512x30x30xf16>) -> tensor<1x32x20x20xf16> {
  %w = ane.constant dense<0.5> : tensor<32x512x3x3xf32>
  %y = ane.conv %x, %w {dilations = array<i64: 5, 5>} : tensor<1x512x30x30xf16>, tensor<32x512x3x3xf32> -> tensor<1x32x20x20xf16>
  return %y : tensor<1x32x20x20xf16>
}

// -----

// CHECK-LABEL: func @near
// CHECK: ane.conv %{{.*}} {pad = array<i64: 2, 2, 2, 2>} : tensor<1x128x20x20xf16>, tensor<32x128x5x5xf32> -> tensor<1x32x20x20xf16>
func.func @near(%x: tensor<1x128x20x20xf16>) -> tensor<1x32x20x20xf16> {
  %w = ane.constant dense<0.5> : tensor<32x128x3x3xf32>
  %y = ane.conv %x, %w {dilations = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x128x20x20xf16>, tensor<32x128x3x3xf32> -> tensor<1x32x20x20xf16>
  return %y : tensor<1x32x20x20xf16>
}
