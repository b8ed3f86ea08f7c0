// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-keep-in-l2,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' --split-input-file | FileCheck %s

// The first source is in L2, the second comes from DRAM: its format is that of halves, and the
// mode of the first is set as if both came from there. What stays in L2 has no distance from one
// group to the next.
// CHECK: hwx.task @td1
// CHECK: Cfg = {TaskType = PEElementwise, Src2En}
// CHECK: Src2RowStride = 0x40, Src2PlaneStride = 0x100, Src2DepthStride = 0x1000,
// CHECK-NEXT: Src1Fmt = {Interleave = 1, FmtMode = 1}, Src2Fmt = {MemFmt = 2, Truncate = 3}}
// CHECK: SourceCfg = {Src2Dma, DMAInterleave = 1, DMAFmt = Bits16,
// CHECK-NEXT: SourceChannelStride = 0x10, SourceRowStride = 0x100, SourceDepthStride = 0x100,
// CHECK-NEXT: Source2Base = 0x400,
func.func @second_from_dram(%x: tensor<1x16x4x4xf16>, %y: tensor<1x16x4x4xf16>) -> tensor<1x16x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x16x4x4xf16> -> tensor<1x16x4x4xf16>
  %1 = ane.elementwise sub %0, %y : tensor<1x16x4x4xf16>, tensor<1x16x4x4xf16> -> tensor<1x16x4x4xf16>
  return %1 : tensor<1x16x4x4xf16>
}

// -----

// Images are groups: 0x1000 bytes from one to the next in DRAM, 0x400 in L2.
// CHECK: hwx.task @td2
// CHECK: NumGroups = 2
// CHECK: Src2GroupStride = 0x1000, Src1Fmt
// CHECK: SourceRowStride = 0x100, SourceDepthStride = 0x100,
// CHECK-NEXT: SourceGroupStride = 0x400, Source2Base
// CHECK: ResultDepthStride = 0x400,
// CHECK-NEXT: ResultGroupStride = 0x400}
// CHECK: hwx.task @td3
// CHECK: NumGroups = 2
// CHECK: Src1GroupStride = 0x1000,
// CHECK: Src2GroupStride = 0x1000,
func.func @images(%x: tensor<2x16x4x4xf16>, %y: tensor<2x16x4x4xf16>) -> tensor<2x16x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<2x16x4x4xf16> -> tensor<2x16x4x4xf16>
  %1 = ane.elementwise sub %0, %y : tensor<2x16x4x4xf16>, tensor<2x16x4x4xf16> -> tensor<2x16x4x4xf16>
  %2 = ane.elementwise add %x, %y : tensor<2x16x4x4xf16>, tensor<2x16x4x4xf16> -> tensor<2x16x4x4xf16>
  %3 = ane.elementwise mul %1, %2 : tensor<2x16x4x4xf16>, tensor<2x16x4x4xf16> -> tensor<2x16x4x4xf16>
  return %3 : tensor<2x16x4x4xf16>
}

// -----

// What is interleaved has the size of its source.
// CHECK: hwx.task @td0
// CHECK: Common {InDim = {Hin = 4, Win = 4}
// CHECK: Cin = 16, Cout = 16,
// CHECK-NEXT: OutDim = {Hout = 4, Wout = 4}
// CHECK: ResultCfg = {{{.*}}DMAInterleave = 4
// CHECK: TileDMADst {{.*}}RowStride = 0x40
// CHECK: Fmt = {{{.*}}Interleave = 4
func.func @interleave(%x: tensor<1x16x4x4xf16>) -> tensor<1x4x4x16xf16> {
  %0 = ane.interleave %x {factor = 4 : i64} : tensor<1x16x4x4xf16> -> tensor<1x4x4x16xf16>
  return %0 : tensor<1x4x4x16xf16>
}
