// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' --split-input-file | FileCheck %s

// A constant operand is a tensor in the constant section (base 1).
// CHECK: RBE1, RBase1 = 1, RBE0
// CHECK: Src2RowStride = 0x40, Src2PlaneStride = 0x40
// CHECK: PE {Cfg = {SecSrc = Plain, OpMode = Max}
// CHECK: BiasScale = {Scale = 2.0, Bias = 5.0E-1}
// CHECK: constants: "0x010000000042
func.func @constant(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<[[[[3.0]], [[4.0]]]]> : tensor<1x2x1x1xf16>
  %0 = ane.elementwise max %x, %c {scale = 2.0 : f32, bias = 0.5 : f32} : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  return %0 : tensor<1x2x1x1xf16>
}

// -----

// The second one lies behind the first, and a part of it further behind.
// CHECK: hwx.task @td0
// CHECK-NOT: Src2BaseAddr
// CHECK: hwx.task @td1
// CHECK: Src2BaseAddr = 0xc0
func.func @second(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<[[[[3.0]], [[4.0]]]]> : tensor<1x2x1x1xf16>
  %d = ane.constant dense<[[[[5.0]], [[6.0]], [[7.0]], [[8.0]]]]> : tensor<1x4x1x1xf16>
  %part = ane.slice %d {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 2, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x1x1xf16> -> tensor<1x2x1x1xf16>
  %0 = ane.elementwise max %x, %c : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  %1 = ane.elementwise min %0, %part : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  return %1 : tensor<1x2x1x1xf16>
}
