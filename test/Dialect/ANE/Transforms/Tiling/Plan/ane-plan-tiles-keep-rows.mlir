// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks dump=%{near}.json}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.json}))" | FileCheck %s
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles,ane-tile,ane-form-tasks,ane-keep-in-l2))" | FileCheck %s --check-prefix=PLACE
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels},ane-tile),ane-fold,func.func(ane-plan-tiles))" | FileCheck %s --check-prefix=BOTH
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels},ane-tile),ane-fold,func.func(ane-plan-tiles,ane-tile,ane-form-tasks,ane-schedule,ane-keep-in-l2))" | FileCheck %s --check-prefix=PLACE

// Residual blocks on a tensor that fits L2 once, not twice. Each strip of the sum lies over
// the same rows of the shortcut. That needs the rows of the first convolution that the next
// strip needs again to be kept, because what they came from is overwritten.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.6{{[0-9]+}} times the least; 4 groups
// CHECK-LABEL: @blocks
// CHECK: ane.conv {{.*}}ane.keep_rows{{.*}}, ane.tile = #ane.tile<group = 0, dim = 2
// CHECK: ane.conv {{.*}}ane.keep_rows{{.*}}, ane.tile = #ane.tile<group = 0, dim = 2
// CHECK: ane.elementwise {{.*}}ane.keep_rows{{.*}}, ane.tile = #ane.tile<group = 0, dim = 2
// Beside the tensor, L2 has room for half of the first convolution, as rows for the second
// strip stay where they are, and a quarter of the channels of half of the second one.
// BOTH-LABEL: @blocks
// BOTH: ane.conv {{.*}}ane.keep_rows{{.*}}, ane.tile = #ane.tile<group = 0, dim = 2, size = 48>
// BOTH: ane.conv {{.*}}ane.keep_rows{{.*}}, ane.tile = #ane.tile<group = 0, dim = 2, size = 48>{{.*}} -> tensor<1x16x96x96xf16>
// PLACE-LABEL: @blocks
// PLACE-NOT: ane.buffer
// PLACE: return
func.func @blocks(%x: tensor<1x64x96x96xf16>) -> tensor<1x64x96x96xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %v = ane.constant dense<0.25> : tensor<64x64x3x3xf16>
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %3 = ane.elementwise add %2, %0 : tensor<1x64x96x96xf16>, tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  %4 = ane.conv %3, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %5 = ane.conv %4, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %6 = ane.elementwise add %5, %3 : tensor<1x64x96x96xf16>, tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  %7 = ane.conv %6, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %8 = ane.conv %7, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %9 = ane.elementwise add %8, %6 : tensor<1x64x96x96xf16>, tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  %10 = ane.conv %9, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %11 = ane.conv %10, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %12 = ane.elementwise add %11, %9 : tensor<1x64x96x96xf16>, tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  %13 = ane.activation %12 {function = #ane.act<abs>} : tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  return %13 : tensor<1x64x96x96xf16>
}
