// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-rematerialize))" | FileCheck %s
// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-rematerialize{flavour=zin-9.509}))" | FileCheck %s --check-prefix=ONCE
// RUN: ane-opt %s --split-input-file --ane-pipeline="stop-after=tile" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ON
// RUN: ane-opt %s --split-input-file --ane-pipeline="rematerialize=false stop-after=tile" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not=ane-rematerialize

// ON: ane-rematerialize{
// ON: ane-plan-tiles{
// OFF: ane-plan-tiles{

// The gate depends on all of the first result, 4 MiB, which is computed twice from the image.
// CHECK-LABEL: @gate
// CHECK: %[[ONE:.*]] = ane.conv %arg0, %[[W:[^ ]*]]
// CHECK: %[[SKIP:.*]] = ane.conv %[[ONE]], %[[V:[^ ]*]] {
// CHECK: ane.conv %[[SKIP]],
// CHECK: %[[MEAN:.*]] = ane.reduce mean
// CHECK: %[[GATE:.*]] = ane.conv %[[MEAN]],
// CHECK: %[[AGAIN:.*]] = ane.conv %arg0, %[[W]]
// CHECK: %[[LATE:.*]] = ane.conv %[[AGAIN]], %[[V]] {
// CHECK: ane.elementwise mul %[[LATE]], %[[GATE]]
// ONCE-LABEL: @gate
// ONCE-COUNT-5: ane.conv
// ONCE-NOT: ane.conv
// ONCE: return
func.func @gate(%x: tensor<1x3x256x256xf16>) -> tensor<1x32x256x256xf16> {
  %w = ane.constant dense<0.125> : tensor<4x3x3x3xf16>
  %v = ane.constant dense<0.125> : tensor<32x4x3x3xf16>
  %d = ane.constant dense<0.125> : tensor<64x32x3x3xf16>
  %e = ane.constant dense<0.125> : tensor<32x64x3x3xf16>
  %g = ane.constant dense<0.125> : tensor<32x32x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x256x256xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x256x256xf16>, tensor<32x4x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %d {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x32x256x256xf16>, tensor<64x32x3x3xf16> -> tensor<1x64x128x128xf16>
  %3 = ane.conv %2, %e {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x64x128x128xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x64x64xf16>
  %4 = ane.reduce mean %3 {axes = array<i64: 2, 3>} : tensor<1x32x64x64xf16> -> tensor<1x32x1x1xf16>
  %5 = ane.conv %4, %g : tensor<1x32x1x1xf16>, tensor<32x32x1x1xf16> -> tensor<1x32x1x1xf16>
  %6 = ane.elementwise mul %1, %5 : tensor<1x32x256x256xf16>, tensor<1x32x1x1xf16> -> tensor<1x32x256x256xf16>
  return %6 : tensor<1x32x256x256xf16>
}

// -----

// Arithmetic that takes longer than the memory.
// CHECK-LABEL: @expensive
// CHECK-COUNT-5: ane.conv
// CHECK-NOT: ane.conv
func.func @expensive(%x: tensor<1x3x256x256xf16>) -> tensor<1x32x256x256xf16> {
  %w = ane.constant dense<0.125> : tensor<64x3x3x3xf16>
  %v = ane.constant dense<0.125> : tensor<32x64x3x3xf16>
  %d = ane.constant dense<0.125> : tensor<64x32x3x3xf16>
  %e = ane.constant dense<0.125> : tensor<32x64x3x3xf16>
  %g = ane.constant dense<0.125> : tensor<32x32x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<64x3x3x3xf16> -> tensor<1x64x256x256xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x256x256xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %d {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x32x256x256xf16>, tensor<64x32x3x3xf16> -> tensor<1x64x128x128xf16>
  %3 = ane.conv %2, %e {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x64x128x128xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x64x64xf16>
  %4 = ane.reduce mean %3 {axes = array<i64: 2, 3>} : tensor<1x32x64x64xf16> -> tensor<1x32x1x1xf16>
  %5 = ane.conv %4, %g : tensor<1x32x1x1xf16>, tensor<32x32x1x1xf16> -> tensor<1x32x1x1xf16>
  %6 = ane.elementwise mul %1, %5 : tensor<1x32x256x256xf16>, tensor<1x32x1x1xf16> -> tensor<1x32x256x256xf16>
  return %6 : tensor<1x32x256x256xf16>
}

// -----

// Strips of all ops together leave nothing in DRAM that would be read again.
// CHECK-LABEL: @together
// CHECK-COUNT-3: ane.conv
// CHECK-NOT: ane.conv
func.func @together(%x: tensor<1x3x256x256xf16>) -> tensor<1x32x256x256xf16> {
  %w = ane.constant dense<0.125> : tensor<32x3x3x3xf16>
  %v = ane.constant dense<0.125> : tensor<32x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x256x256xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x32x256x256xf16>, tensor<1x32x256x256xf16> -> tensor<1x32x256x256xf16>
  return %3 : tensor<1x32x256x256xf16>
}

// -----

// What stays in L2 is not computed again.
// CHECK-LABEL: @small
// CHECK-COUNT-3: ane.conv
// CHECK-NOT: ane.conv
func.func @small(%x: tensor<1x3x64x64xf16>) -> tensor<1x32x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<32x3x3x3xf16>
  %v = ane.constant dense<0.125> : tensor<32x32x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x64x64xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x64x64xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x64x64xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x64x64xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x64x64xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x64x64xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x32x64x64xf16>, tensor<1x32x64x64xf16> -> tensor<1x32x64x64xf16>
  return %3 : tensor<1x32x64x64xf16>
}
