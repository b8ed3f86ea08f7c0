// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// The repeated operand becomes source 2 and lies in L2; the batch is a group.
// CHECK: hwx.task @td0 at 0x0 {{{.*}}DebugLogEvents = 104, SrcLoc, SPL,
// CHECK: OpMode = Bypass
// CHECK: TileDMADst {DMAConfig = {CacheHint = Depri}, Fmt = {Interleave = 1}}
// CHECK: hwx.task @td1 at 0x300
// CHECK-SAME: DstLoc,
// CHECK-NEXT: SrcLoc, TSE, TSR, WBE
// CHECK: NumGroups = 2
// CHECK: PECfg = {Src2Broadcast = 3}
// CHECK: Cfg = {TaskType = PEElementwise, Src1En}
// CHECK: Src1GroupStride = 0x800
// CHECK: Source2ChannelStride = 0x10,
// CHECK-NEXT: Source2RowStride = 0x80, Source2DepthStride = 0x80,
// CHECK-NEXT: ResultCfg
// CHECK: OpMode = Mul
func.func @broadcast(%x: tensor<2x8x4x4xf16>, %z: tensor<1x8x1x1xf16>) -> tensor<2x8x4x4xf16> {
  %0 = ane.elementwise mul %z, %x : tensor<1x8x1x1xf16>, tensor<2x8x4x4xf16> -> tensor<2x8x4x4xf16>
  return %0 : tensor<2x8x4x4xf16>
}
