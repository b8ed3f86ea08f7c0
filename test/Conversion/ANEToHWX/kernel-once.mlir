// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' --split-input-file | FileCheck %s

// Equal coefficients lie in the constants once, at 0 here. Others are those with another
// bias, behind which there is another table, and those that are packed for another stride.
// CHECK-LABEL: hwx.program @net
// CHECK: hwx.task @td0 at
// CHECK: CoeffBaseAddr[1] = 0x4c0
// CHECK: hwx.task @td1 at
// CHECK: CoeffBaseAddr[0] = 0x4c00
// CHECK: hwx.task @td2 at
// CHECK: CoeffBaseAddr[0] = 0x9800
// CHECK: hwx.task @td3 at
// CHECK: CoeffBaseAddr[0] = 0xec00
// CHECK: hwx.task @td4 at
// CHECK: CoeffBaseAddr[0] = 0x14000
// CHECK: hwx.task @td5 at
// CHECK: CoeffBaseAddr[1] = 0x4c0
func.func @kernels(%x: tensor<1x16x8x8xf16>) -> (tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x4x4xf16>, tensor<1x64x8x8xf16>) {
  %w = ane.constant dense<0.5> : tensor<64x16x3x3xf16>
  %b = ane.constant dense<1.0> : tensor<64xf16>
  %c = ane.constant dense<2.0> : tensor<64xf16>
  %0 = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  %1 = ane.conv %x, %w bias %c {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  %2 = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>, activation = #ane.act<sigmoid>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  %3 = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>, activation = #ane.act<tanh>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  %4 = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x4x4xf16>
  %5 = ane.conv %x, %w bias %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16>, tensor<64x16x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>, tensor<1x64x4x4xf16>, tensor<1x64x8x8xf16>
}

// -----

// Tasks that share the channels have those of their own.
// CHECK-LABEL: hwx.program @net
// CHECK: hwx.task @td0 at
// CHECK: CoeffBaseAddr[1] = 0x6c00
// CHECK: hwx.task @td1 at
// CHECK: CoeffBaseAddr[0] = 0x6c000
func.func @parts(%x: tensor<1x256x16x16xf16>) -> tensor<1x192x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<192x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x16x16xf16>, tensor<192x256x3x3xf16> -> tensor<1x192x16x16xf16>
  return %0 : tensor<1x192x16x16xf16>
}

// -----

// Tables with a parameter stand behind coefficients like others, and so does that of the root;
// only an epsilon has no place there.
// CHECK-LABEL: hwx.program @net
// CHECK: NonlinearMode = LUT
// CHECK: NonlinearMode = LUT
func.func @functions(%x: tensor<1x16x4x4xf16>) -> (tensor<1x16x4x4xf16>, tensor<1x16x4x4xf16>) {
  %w = ane.constant dense<0.5> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w {activation = #ane.act<leaky_relu, 1.0e-01>} : tensor<1x16x4x4xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x4x4xf16>
  %1 = ane.conv %x, %w {activation = #ane.act<rsqrt>} : tensor<1x16x4x4xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x4x4xf16>
  return %0, %1 : tensor<1x16x4x4xf16>, tensor<1x16x4x4xf16>
}
