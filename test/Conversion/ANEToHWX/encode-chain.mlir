// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s

// Tasks hand over through the scratch region (base 3), and say so.
// CHECK: text = 0x874 scratch
// CHECK: hwx.task @td0 at 0x0 {NextSize = 156, LogEvents = 1024, DebugLogEvents = 16775272
// CHECK: NextPointer = 0x300, TBE, WBE, WBase = 3, RBE0, RBase0 = 5}
// CHECK: TaskType = PEUnary
// CHECK: PE {Cfg = {Cond = Abs}
// CHECK: CacheHint = Intermediate, En
// CHECK: hwx.task @td1 at 0x300 {LNID, TID = 1, NextSize = 156, LogEvents = 1024,
// CHECK-NEXT: DebugLogEvents = 16766976
// CHECK: NextPointer = 0x600
// CHECK: RBase0 = 3
// CHECK: CoeffDMAConfig[0 to 7] = {CacheHint = Drop, En}
// CHECK: Src1DMAConfig = {DependencyMode = 1, CacheHintNoReuse = ReadScratch
// CHECK: SourceCfg = {AliasPlanarSrc, DMAInterleave = 1, DMAFmt = Bits16, AliasConvRslt, AliasConvSrc, SourceType = DMA}
// CHECK: hwx.task @td2 at 0x600 {EON, LNID, TID = 2
// CHECK: RBE1, RBase1 = 6, RBE0, RBase0 = 3}
// CHECK: TaskType = PEElementwise, Src2En, Src1En
// CHECK: Src1DMAConfig = {DependencyMode = 1
// CHECK: Src1BaseAddr = 0x800
// CHECK: SourceCfg = {Src2Dma, AliasPlanarRslt
// CHECK: PE {Cfg = {SecSrc = Negated, ReluEn}
// CHECK: CacheHint = Depri, En
func.func @chain(%x: tensor<1x8x4x4xf16>, %z: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.activation %0 {function = #ane.act<sqrt>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  %2 = ane.elementwise sub %1, %z {activation = #ane.act<relu>} : tensor<1x8x4x4xf16>, tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %2 : tensor<1x8x4x4xf16>
}
