// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// Stride 2 takes the zero-skipping kernel; pads are those in front.
// CHECK: hwx.tensor input "input0" base 5
// CHECK: hwx.tensor output "output0" base 4
// CHECK: hwx.task @td0 at 0x0 {EON, LogEvents = 1058
// CHECK: ENE = 5, WBE, WBase = 4, RBE0, RBase0 = 5, KBE0, KBase0 = 1}
// CHECK: MasterConfig = {MasterEnable, ZeroSkipEn}
// CHECK: ConvCfg = {Oy = 1, Ox = 1, Py = 1, Px = 1, Sy = 2, Sx = 2, OCGSize = 2, Kh = 3, Kw = 3}
// CHECK: SmallSourceMode
// CHECK: KernelCfg = {SparseFmt, PalettizedBits = 8, KernelFmt = Float16}
// CHECK: MACCfg = {ArgSel = 1, NonlinearMode = ReLU, BinaryPoint = 28, BiasMode}
func.func @conv(%x: tensor<1x3x16x16xf16>) -> tensor<1x64x8x8xf16> {
  %w = ane.constant dense<0.5> : tensor<64x3x3x3xf16>
  %b = ane.constant dense<0.25> : tensor<64xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>} : tensor<1x3x16x16xf16>, tensor<64x3x3x3xf16>, tensor<64xf16> -> tensor<1x64x8x8xf16>
  return %0 : tensor<1x64x8x8xf16>
}
