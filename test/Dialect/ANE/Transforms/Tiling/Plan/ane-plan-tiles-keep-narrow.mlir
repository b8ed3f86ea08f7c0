// RUN: split-file %s %t
// RUN: ane-opt %t/narrow.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{dump=%{near}/narrow.json}))" | FileCheck %t/narrow.mlir
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t/narrow.json
// RUN: ane-opt %t/narrow.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}/narrow.json}))" | FileCheck %t/narrow.mlir
// RUN: ane-opt %t/behind.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{dump=%{near}/behind.json}))" | FileCheck %t/behind.mlir
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t/behind.json
// RUN: ane-opt %t/behind.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}/behind.json}))" | FileCheck %t/behind.mlir
// DUMP: "keep": "narrow"

// Two functions have two plans.
// RUN: rm -f %t/both.json && cat %t/narrow.mlir %t/behind.mlir > %t/both.mlir
// RUN: not ane-opt %t/both.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{dump=%{near}/both.json}))" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ls %t/both.json
// BOTH: error: is one of 2 functions, but '{{.*}}both.json' holds the plan of one; plan each in a module of its own

//--- narrow.mlir

// The first two results are large: strips of them leave no room for rows that are kept. They
// are computed twice as far as a strip of the third reaches, which has a quarter of the bytes
// and keeps the rows that all behind it need.
// CHECK-LABEL: @narrow
// CHECK: ane.conv
// CHECK-NOT: ane.keep_rows
// CHECK: ane.conv
// CHECK-NOT: ane.keep_rows
// CHECK: ane.conv {{.*}}ane.keep_rows, {{.*}} -> tensor<1x32x128x128xf16>
// CHECK-NOT: ane.keep_rows{{.*}} -> tensor<1x64x128x128xf16>
// CHECK: return
func.func @narrow(%x: tensor<1x3x256x256xf16>) -> (tensor<1x64x128x128xf16>, tensor<1x64x64x64xf16>) {
  %a = ane.constant dense<0.125> : tensor<32x3x3x3xf16>
  %b = ane.constant dense<0.25> : tensor<32x32x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<32x32x3x3xf16>
  %d = ane.constant dense<0.125> : tensor<64x32x3x3xf16>
  %e = ane.constant dense<0.25> : tensor<64x64x3x3xf16>
  %f = ane.constant dense<0.5> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x256x256xf16>
  %1 = ane.conv %0, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %c {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x128x128xf16>
  %3 = ane.conv %2, %d {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x128x128xf16>, tensor<64x32x3x3xf16> -> tensor<1x64x128x128xf16>
  %4 = ane.conv %3, %e {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x128x128xf16>
  %5 = ane.conv %4, %f {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x64x128x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  return %4, %5 : tensor<1x64x128x128xf16>, tensor<1x64x64x64xf16>
}

//--- behind.mlir

// What works in the place of the third result has as few bytes: it is that one whose rows are
// kept, so that the third is not computed for them twice.
// CHECK-LABEL: @narrow_behind
// CHECK-NOT: ane.keep_rows
// CHECK: ane.activation {{.*}}ane.keep_rows, {{.*}} -> tensor<1x32x128x128xf16>
// CHECK-NOT: ane.keep_rows{{.*}} -> tensor<1x64x128x128xf16>
// CHECK: return
func.func @narrow_behind(%x: tensor<1x3x256x256xf16>) -> (tensor<1x64x128x128xf16>, tensor<1x64x64x64xf16>) {
  %a = ane.constant dense<0.125> : tensor<32x3x3x3xf16>
  %b = ane.constant dense<0.25> : tensor<32x32x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<32x32x3x3xf16>
  %d = ane.constant dense<0.125> : tensor<64x32x3x3xf16>
  %e = ane.constant dense<0.25> : tensor<64x64x3x3xf16>
  %f = ane.constant dense<0.5> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x3x256x256xf16>, tensor<32x3x3x3xf16> -> tensor<1x32x256x256xf16>
  %1 = ane.conv %0, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %c {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x32x256x256xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x128x128xf16>
  %n = ane.activation %2 {function = #ane.act<abs>} : tensor<1x32x128x128xf16> -> tensor<1x32x128x128xf16>
  %3 = ane.conv %n, %d {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x128x128xf16>, tensor<64x32x3x3xf16> -> tensor<1x64x128x128xf16>
  %4 = ane.conv %3, %e {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x128x128xf16>
  %5 = ane.conv %4, %f {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x64x128x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  return %4, %5 : tensor<1x64x128x128xf16>, tensor<1x64x64x64xf16>
}
