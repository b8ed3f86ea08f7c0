// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// A group is what the channel counts and the group strides describe.
// CHECK: Cin = 16, Cout = 16,
// CHECK: GroupConvCfg = {UnicastCin = 1, NumGroups = 4}
// CHECK: ShMax = 3, ShMin = 3, ShPref = 3, Src1En
// CHECK: Src1DepthStride = 0x10000,
// CHECK: Src1GroupStride = 0x4000
// CHECK: TileDMADst
// CHECK: GroupStride = 0x4000
func.func @grouped(%x: tensor<1x64x16x16xf16>) -> tensor<1x64x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  %0 = ane.conv %x, %w {groups = 4 : i64} : tensor<1x64x16x16xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x16x16xf16>
  return %0 : tensor<1x64x16x16xf16>
}
