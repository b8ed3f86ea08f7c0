// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// Equal tables lie in the constants once for all tasks of as many channels.
// CHECK: CoeffDMAConfig[0 to 15] = {CacheHint = Drop, En}, CoeffBfrSize[0 to 15] = 0x80
// CHECK: CoeffDMAConfig[0 to 15] = {CacheHint = Drop, En}, CoeffBfrSize[0 to 15] = 0x80
// CHECK: CoeffBaseAddr[0 to 15] = 0x800
// CHECK: CoeffBaseAddr[0 to 7] = 0x1000
func.func @tables(%x: tensor<1x16x1x1xf16>, %y: tensor<1x16x1x8xf16>, %z: tensor<1x8x1x1xf16>) -> (tensor<1x16x1x1xf16>, tensor<1x16x1x8xf16>, tensor<1x16x1x1xf16>, tensor<1x8x1x1xf16>) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x16x1x1xf16> -> tensor<1x16x1x1xf16>
  %1 = ane.activation %y {function = #ane.act<sigmoid>} : tensor<1x16x1x8xf16> -> tensor<1x16x1x8xf16>
  %2 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x16x1x1xf16> -> tensor<1x16x1x1xf16>
  %3 = ane.activation %z {function = #ane.act<sigmoid>} : tensor<1x8x1x1xf16> -> tensor<1x8x1x1xf16>
  return %0, %1, %2, %3 : tensor<1x16x1x1xf16>, tensor<1x16x1x8xf16>, tensor<1x16x1x1xf16>, tensor<1x8x1x1xf16>
}
