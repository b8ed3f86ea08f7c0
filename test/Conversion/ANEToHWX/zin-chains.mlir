// RUN: ane-opt %s --split-input-file --ane-pipeline="flavour=zin-9.509" | FileCheck %s

// Tasks of the PE in a chain: each but the last goes on without letting others in. The mean of
// each row lies as a column, channels and columns exchanged.
// CHECK-LABEL: hwx.program
// CHECK: hwx.task @td0
// CHECK: SPL, DisallowAbort,
// CHECK: PECfg = {ResultExchange}
// CHECK: KernelCfg = {ChainOut,
// CHECK: hwx.task @td1
// CHECK: DisallowAbort,
// CHECK: PECfg = {ResultExchange, Src1Exchange,
// CHECK: KernelCfg = {ChainIn, ChainOut,
// CHECK: hwx.task @td2
// CHECK-NOT: DisallowAbort
// CHECK: PECfg = {Src2Exchange}
// CHECK: KernelCfg = {ChainIn, PalettizedBits
func.func @rows(%a: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> {
  %0 = ane.layer_norm %a {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x64x256xf16> -> tensor<1x64x256xf16>
  return %0 : tensor<1x64x256xf16>
}

// -----

// What is reduced over all dimensions has rows as depth: 6 planes of 24 rows.
// CHECK-LABEL: hwx.program
// CHECK: Common {InDim = {Hin = 24, Win = 10}, InDepth = 6,
// CHECK: Src1RowStride = 0x180, Src1PlaneStride = 0x2400, Src1DepthStride = 0x40,
// CHECK-NEXT: Src1GroupStride = 0x2400,
// CHECK: SourceChannelStride = 0x20, SourceRowStride = 0xc0,
// CHECK-NEXT: SourceDepthStride = 0x20, SourceGroupStride = 0xc0,
func.func @whole(%a: tensor<1x24x6x10xf16>) -> tensor<1x24x6x10xf16> {
  %0 = ane.layer_norm %a {axes = array<i64: 1, 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x24x6x10xf16> -> tensor<1x24x6x10xf16>
  return %0 : tensor<1x24x6x10xf16>
}

// -----

// A result in L2 that the NEs exchange once more has a place in scratch memory, in case it has
// to be saved: the task that makes it names it, and the one that reads it.
// CHECK-LABEL: hwx.program
// CHECK: hwx.task @td1
// CHECK: TSE, DPC, TSR, {{.*}}TBE, WBE, WBase = 3} [
// CHECK: TileDMADst {DMAConfig = {CacheHint = Depri}, RowStride = 0xc0, PlaneStride = 0xc0,
// CHECK: hwx.task @td2
// CHECK: SPC, SPL, {{.*}}TBE, RBE0, RBase0 = 3,
// CHECK: Cfg = {ResultExchange, ActiveNE
// CHECK: Src1RowStride = 0xc0, Src1PlaneStride = 0xc0, Src1DepthStride = 0xc0,
// CHECK: SourceCfg = {{.*}}DMAFmt = Bits16
// CHECK: hwx.task @td4
// CHECK: SourceCfg = {DMAInterleave = 1, Dependent = 2}
func.func @saved(%a: tensor<1x96x1x1xf16>) -> tensor<1x96x1x1xf16> {
  %0 = ane.softmax %a {axis = 3 : i64} : tensor<1x96x1x1xf16> -> tensor<1x96x1x1xf16>
  return %0 : tensor<1x96x1x1xf16>
}
