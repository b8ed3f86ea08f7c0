// RUN: ane-opt %s --split-input-file --ane-pipeline="flavour=zin-9.509" | FileCheck %s

// Rows of C x 1 x 1 that would meet in a bank of L2 are moved apart by two units,
// and the second source starts in another bank than the first.
// CHECK-LABEL: hwx.program
// CHECK: SourceRowStride = 0x420
// CHECK: Source2Base = 0x2100,
// CHECK: ResultBase = 0x4200}
func.func @banks(%x: tensor<1x64x8x8xf16>, %y: tensor<1x64x8x8xf16>) -> tensor<1x64x8x8xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  return %0 : tensor<1x64x8x8xf16>
}

// -----

// Columns that do not fill strips of 64 bytes are put together in L2; eight
// channels of them are 32 units, which become 33.
// CHECK-LABEL: hwx.program
// CHECK: PatchCfg = {PatchHeight = 4, PatchWidth = 5}
// CHECK: SourceChannelStride = 0x40, SourceRowStride = 0x210,
// CHECK: ResultBase = 0x30570, ResultChannelStride = 0x40, ResultRowStride = 0x210,
func.func @strips(%x: tensor<1x8x375x375xf16>) -> tensor<1x8x375x375xf16> {
  %c = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise mul %x, %c : tensor<1x8x375x375xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x375x375xf16>
  return %0 : tensor<1x8x375x375xf16>
}

// -----

// The NEs have strips of 256 bytes, and read eight rows of a unit at once.
// CHECK-LABEL: hwx.program
// CHECK: ShMax = 3
// CHECK: SourceRowStride = 0x430,
// CHECK: ResultBase = 0x2180}
func.func @units(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  return %0 : tensor<1x64x8x8xf16>
}

// -----

// A row that is repeated stays in L2.
// CHECK-LABEL: hwx.program
// CHECK-COUNT-1: hwx.task
// CHECK: PECfg = {Src1Broadcast = 2}
// CHECK: SourceType = DMAKept}
// CHECK-NEXT: SourceChannelStride = 0x2f0, SourceRowStride = 0x2f0, SourceDepthStride = 0x1780,
// CHECK: PE {Cfg = {ReluEn}
func.func @repeated(%x: tensor<1x8x1x375xf16>) -> tensor<1x8x375x375xf16> {
  %0 = ane.tile %x {repeats = array<i64: 1, 1, 375, 1>} : tensor<1x8x1x375xf16> -> tensor<1x8x375x375xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x8x375x375xf16> -> tensor<1x8x375x375xf16>
  return %1 : tensor<1x8x375x375xf16>
}

// -----

// Of several images it does not: L2 has room for one at a time.
// CHECK-LABEL: hwx.program
// CHECK-COUNT-1: hwx.task
// CHECK: NumGroups = 7
// CHECK: PECfg = {Src1Broadcast = 2}
// CHECK: SourceType = DMA}
// CHECK: ResultBase = 0x1770
func.func @repeated_images(%x: tensor<7x375x1x2xf16>) -> tensor<7x375x2x2xf16> {
  %0 = ane.tile %x {repeats = array<i64: 1, 1, 2, 1>} : tensor<7x375x1x2xf16> -> tensor<7x375x2x2xf16>
  return %0 : tensor<7x375x2x2xf16>
}

// -----

// An epsilon in front of a table of roots.
// CHECK-LABEL: hwx.program
// CHECK: DPE = 1}
// CHECK: MACCfg = {ArgSel = 1, NonlinearMode = LUT, BinaryPoint = 28, KernelMode},
// CHECK-NEXT: AccBias = {AccBias = 5.0E-1}
func.func @epsilon(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %0 = ane.activation %x {function = #ane.act<rsqrt, 0.5>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %0 : tensor<1x64x1x1xf16>
}

// -----

// Pairs of channels on the NEs.
// CHECK-LABEL: hwx.program
// CHECK: hwx.task @td0
// CHECK: SourceBase = 0x800,
// CHECK: ResultChannelStride = 0x20, ResultRowStride = 0x800,
// CHECK: hwx.task @td1
// CHECK: SourceBase = 0x800,
// CHECK: ResultBase = 0x10,
// CHECK: hwx.task @td2
// CHECK: GroupConvCfg = {UnicastCin = 2, ElemMultMode, UnicastEn, NumGroups = 1}
// CHECK: DPE = 2}
// CHECK: OpMode = ElementMultiply}
func.func @power(%x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %0 = ane.elementwise pow %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %0 : tensor<1x64x1x1xf16>
}

// -----

// Offsets and factors of channels.
// CHECK-LABEL: hwx.program
// CHECK: hwx.task @td0
// CHECK: RBase0 = 1}
// CHECK: hwx.task @td1
// CHECK: PECfg = {Src2Exchange}
// CHECK-NEXT: TaskType = PEScaleBias
// CHECK: PE {Cfg = {SecSrc = Plain}
func.func @rows(%x: tensor<1x2x1x1xf16>) -> tensor<1x2x1x1xf16> {
  %c = ane.constant dense<[[[[0.5]], [[0.25]]]]> : tensor<1x2x1x1xf16>
  %0 = ane.elementwise add %x, %c : tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  return %0 : tensor<1x2x1x1xf16>
}

// -----

// A relu on the second source, which lies right behind the first.
// CHECK-LABEL: hwx.program
// CHECK: L2Cfg = {Src2InputReLU}
// CHECK: Source2Base = 0x1020,
// CHECK: ResultBase = 0x2040}
func.func @residual(%x: tensor<1x256x1x1xf16>) -> tensor<1x256x1x1xf16> {
  %f = ane.activation %x {function = #ane.act<relu>} : tensor<1x256x1x1xf16> -> tensor<1x256x1x1xf16>
  %0 = ane.elementwise add %x, %f : tensor<1x256x1x1xf16>, tensor<1x256x1x1xf16> -> tensor<1x256x1x1xf16>
  return %0 : tensor<1x256x1x1xf16>
}
