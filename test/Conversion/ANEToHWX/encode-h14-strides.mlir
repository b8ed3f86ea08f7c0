// DEFINE: %{choice} = flavour=zin-9.509
// RUN: ane-opt %s --split-input-file --pass-pipeline='builtin.module(ane-set-target{target=h14},func.func(ane-form-tasks{%{choice}},ane-assign-layout,ane-keep-in-l2{%{choice}},ane-allocate-dram,ane-allocate-l2{%{choice}}),convert-ane-to-hwx{%{choice}})' | FileCheck %s

// The compiler of the recorded programs of H14 writes no stride that leads nowhere, as from
// the one row of a plane to the next; in L2, none of what stays there.
// CHECK: hwx.task @td0
// CHECK: TileDMASrc scatter {Src1PlaneStride = 0x80, Src2PlaneStride = 0x80,
// CHECK-NEXT: Src1Fmt
// CHECK: SourceRowStride = 0x800,
// CHECK-NEXT: SourceDepthStride = 0x800, SourceGroupStride = 0x800,
// CHECK: ResultCfg
// CHECK-NEXT: ResultChannelStride = 0x80},
// CHECK: hwx.task @td1
// CHECK: SourceCfg = {AliasPlanarRslt, DMAInterleave = 1, Dependent = 2},
// CHECK-NEXT: SourceChannelStride = 0x80, Source2ChannelStride = 0x80,
// CHECK-NEXT: ResultCfg
// CHECK: TileDMADst scatter
// CHECK-NEXT: {{^ *}}PlaneStride = 0x80,
// CHECK-NEXT: Fmt
func.func @rows(%x: tensor<1x16x1x64xf16>, %y: tensor<1x16x1x64xf16>) -> tensor<1x16x1x64xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  %1 = ane.elementwise mul %0, %0 : tensor<1x16x1x64xf16>, tensor<1x16x1x64xf16> -> tensor<1x16x1x64xf16>
  return %1 : tensor<1x16x1x64xf16>
}

// -----

// One plane.
// CHECK: TileDMASrc scatter {Src1RowStride = 0x80, Src2RowStride = 0x80,
// CHECK-NEXT: Src1Fmt
// CHECK: TileDMADst scatter
// CHECK-NEXT: {{^ *}}RowStride = 0x80,
// CHECK-NEXT: Fmt
func.func @planes(%x: tensor<1x1x8x64xf16>, %y: tensor<1x1x8x64xf16>) -> tensor<1x1x8x64xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return %0 : tensor<1x1x8x64xf16>
}

// -----

// Images are groups, which have no depth.
// CHECK: TileDMASrc scatter {Src1RowStride = 0x80, Src1PlaneStride = 0x400, Src1GroupStride = 0x4000,
// CHECK-NEXT: Src2RowStride = 0x80, Src2PlaneStride = 0x400, Src2GroupStride = 0x4000,
// CHECK: ResultChannelStride = 0x80, ResultRowStride = 0x820, ResultGroupStride = 0x4100},
// CHECK: hwx.task @td1
// CHECK: SourceChannelStride = 0x80, SourceRowStride = 0x820, SourceGroupStride = 0x4100,
// CHECK-NEXT: Source2ChannelStride = 0x80, Source2RowStride = 0x820, Source2GroupStride = 0x4100,
// CHECK: TileDMADst scatter
// CHECK-NEXT: {{^ *}}RowStride = 0x80, PlaneStride = 0x400, GroupStride = 0x4000,
func.func @images(%x: tensor<2x16x8x64xf16>, %y: tensor<2x16x8x64xf16>) -> tensor<2x16x8x64xf16> {
  %0 = ane.elementwise add %x, %y : tensor<2x16x8x64xf16>, tensor<2x16x8x64xf16> -> tensor<2x16x8x64xf16>
  %1 = ane.elementwise mul %0, %0 : tensor<2x16x8x64xf16>, tensor<2x16x8x64xf16> -> tensor<2x16x8x64xf16>
  return %1 : tensor<2x16x8x64xf16>
}
