// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// Source and result of the product are as large as L2 to a few tiles: its
// coefficients need none, they go past it.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.000 times the least; 0 groups
// CHECK-LABEL: @coefficients
// CHECK-NOT: ane.tile
func.func @coefficients(%x: tensor<1x16x1x2000xf16>, %c: tensor<1x64x1x976xf16>) -> tensor<1x16x1x2000xf16> {
  %v = ane.constant dense<0.5> : tensor<244x16x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<16x256x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x16x1x2000xf16>, tensor<244x16x1x1xf16> -> tensor<1x244x1x2000xf16>
  %1 = ane.runtime_conv %0, %c {lanes = 4 : i64} : tensor<1x244x1x2000xf16>, tensor<1x64x1x976xf16> -> tensor<1x256x1x2000xf16>
  %2 = ane.conv %1, %w : tensor<1x256x1x2000xf16>, tensor<16x256x1x1xf16> -> tensor<1x16x1x2000xf16>
  return %2 : tensor<1x16x1x2000xf16>
}

// -----

// The function works in the place of both operands of the concat, so that two
// strips have room.
// REMARK: remark: plan: {{.*}}; 1 groups
// CHECK-LABEL: @joined
// CHECK: ane.activation {{.*}}ane.tile = #ane.tile<group = 0, dim = 3, size = 4096>
func.func @joined(%x: tensor<1x8x1x8192xf16>) -> tensor<1x8x1x8192xf16> {
  %u = ane.constant dense<0.5> : tensor<128x8x1x1xf16>
  %v = ane.constant dense<0.5> : tensor<92x8x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<8x220x1x1xf16>
  %0 = ane.conv %x, %u : tensor<1x8x1x8192xf16>, tensor<128x8x1x1xf16> -> tensor<1x128x1x8192xf16>
  %1 = ane.conv %x, %v : tensor<1x8x1x8192xf16>, tensor<92x8x1x1xf16> -> tensor<1x92x1x8192xf16>
  %2 = ane.concat %0, %1 {axis = 1 : i64} : tensor<1x128x1x8192xf16>, tensor<1x92x1x8192xf16> -> tensor<1x220x1x8192xf16>
  %3 = ane.activation %2 {function = #ane.act<exp>} : tensor<1x220x1x8192xf16> -> tensor<1x220x1x8192xf16>
  %4 = ane.conv %3, %w : tensor<1x220x1x8192xf16>, tensor<8x220x1x1xf16> -> tensor<1x8x1x8192xf16>
  return %4 : tensor<1x8x1x8192xf16>
}
