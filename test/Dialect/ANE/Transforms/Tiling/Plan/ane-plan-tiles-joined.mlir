// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels},ane-plan-tiles{remarks}))" 2>&1 | FileCheck %s

// Two results that are joined behind another shape of each are written to their places in the
// result of the function: once, so the bound is what is compulsory, and in the strips of what
// they come from, as no view stands between them.
// CHECK: remark: plan: {{.*}} 1 groups, {{.*}} no plan has less than 2567040 bytes
// CHECK-LABEL: @joined
// CHECK: ane.conv {{.*}}ane.tile
// CHECK: ane.interleave {{.*}}ane.tile
// CHECK-NEXT: ane.slice
// CHECK-NEXT: ane.interleave {{.*}}ane.tile
// CHECK-NEXT: ane.reshape
func.func @joined(%x: tensor<1x16x96x94xf16>) -> tensor<1x31x192x188xf16> {
  %w = ane.constant dense<1.0> : tensor<16x16x3x3xf16>
  %v = ane.constant dense<2.0> : tensor<124x16x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x96x94xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x96x94xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x96x94xf16>, tensor<124x16x3x3xf16> -> tensor<1x124x96x94xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 62, 96, 94>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x124x96x94xf16> -> tensor<1x62x96x94xf16>
  %3 = ane.slice %1 {offsets = array<i64: 0, 62, 0, 0>, sizes = array<i64: 1, 62, 96, 94>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x124x96x94xf16> -> tensor<1x62x96x94xf16>
  %4 = ane.interleave %2 {factor = 2 : i64} : tensor<1x62x96x94xf16> -> tensor<1x31x96x188xf16>
  %5 = ane.interleave %3 {factor = 2 : i64} : tensor<1x62x96x94xf16> -> tensor<1x31x96x188xf16>
  %6 = ane.reshape %4 : tensor<1x31x96x188xf16> -> tensor<31x96x1x188xf16>
  %7 = ane.reshape %5 : tensor<1x31x96x188xf16> -> tensor<31x96x1x188xf16>
  %8 = ane.concat %6, %7 {axis = 2 : i64} : tensor<31x96x1x188xf16>, tensor<31x96x1x188xf16> -> tensor<31x96x2x188xf16>
  %9 = ane.reshape %8 : tensor<31x96x2x188xf16> -> tensor<1x31x192x188xf16>
  return %9 : tensor<1x31x192x188xf16>
}
