// RUN: ane-opt %s | ane-opt | FileCheck %s
// RUN: ane-opt %s | ane-opt --mlir-print-op-generic | ane-opt | FileCheck %s

// The same fields have the same names in every generation, wherever they are.

// Kernels have six bits in each direction; OCGSize has a register of its own, and
// a scattered record writes it, zero or not.
// CHECK-LABEL: hwx.program @h14 target = h14 text = 0x60 {
// CHECK-NEXT: hwx.task @td0 target = h14 at 0x10 {TaskWords = 20, ENE = 5, TSR} [
// CHECK-NEXT: KernelDMASrc[0 to 0] {MasterConfig = {LastTask}},
// CHECK-NEXT: Common scatter {InDim = {Hin = 8, Win = 8}, OCGSize = 0,
// CHECK-NEXT: ConvCfg = {Oy = 1, Ox = 1, Sy = 1, Sx = 1, Kh = 33, Kw = 3}},
// CHECK-NEXT: L2 scatter {SourceCfg = {Src2Dma, SourceType = DMA}, ResultBase = 0x4200},
// CHECK-NEXT: TileDMASrc[4 to 5] base 4 {Src1BaseAddr = 0x40}
// CHECK-NEXT: ]
hwx.program @h14 target = h14 text = 0x60 {
  hwx.task @td0 target = h14 at 0x10 {TaskWords = 20, ENE = 5, TSR = 1} [
    KernelDMASrc[0 to 0] {MasterConfig = {LastTask = 1}},
    Common scatter {InDim = {Hin = 8, Win = 8}, OCGSize = 0, ConvCfg = {Oy = 1, Ox = 1, Sy = 1, Sx = 1, Kh = 33, Kw = 3}},
    L2 scatter {SourceCfg = {Src2Dma = 1, SourceType = DMA}, ResultBase = 0x4200},
    TileDMASrc[4 to 5] base 4 {Src1BaseAddr = 0x40}
  ]
}

// L2 has a configuration for source 2, and the planar engine terms of its own.
// CHECK-LABEL: hwx.program @h15 target = h15 text = 0x5c {
// CHECK-NEXT: hwx.task @td0 target = h15 at 0x10 {TaskWords = 18, ENE = 5, TSR} [
// CHECK-NEXT: Common scatter {InDim = {Hin = 8, Win = 8}, ConvCfg = {Kh = 3, Kw = 3}},
// CHECK-NEXT: L2 scatter {SourceCfg = {SourceType = DMA}, Source2Cfg = {SourceType = DMA},
// CHECK-NEXT: ResultBase = 0x4200},
// CHECK-NEXT: PE[0 to 1] {Cfg = {OpMode = Mul}, Bias = 5.0E-1}
// CHECK-NEXT: ]
hwx.program @h15 target = h15 text = 0x5c {
  hwx.task @td0 target = h15 at 0x10 {TaskWords = 18, ENE = 5, TSR = 1} [
    Common scatter {InDim = {Hin = 8, Win = 8}, ConvCfg = {Kh = 3, Kw = 3}},
    L2 scatter {SourceCfg = {SourceType = DMA}, Source2Cfg = {SourceType = DMA}, ResultBase = 0x4200},
    PE[0 to 1] {Cfg = {OpMode = Mul}, Bias = 0x3f000000}
  ]
}

// Sizes have registers of their own, the header has a ninth word, L2 takes indices.
// CHECK-LABEL: hwx.program @h16 target = h16 text = 0x50 {
// CHECK-NEXT: hwx.task @td0 target = h16 at 0x10 {TaskWords = 16, LiveOuts = 1, ENE = 5, Flag3, TSR} [
// CHECK-NEXT: Common scatter {InHeight = 8, InDepth = 1, ConvCfg = {Kh = 3, Kw = 3}},
// CHECK-NEXT: L2 scatter {SourceIndexCfg = {SourceType = DMA}, ResultBase = 0x4200}
// CHECK-NEXT: ]
hwx.program @h16 target = h16 text = 0x50 {
  hwx.task @td0 target = h16 at 0x10 {TaskWords = 16, LiveOuts = 1, ENE = 5, Flag3 = 1, TSR = 1} [
    Common scatter {InHeight = 8, InDepth = 1, ConvCfg = {Kh = 3, Kw = 3}},
    L2 scatter {SourceIndexCfg = {SourceType = DMA}, ResultBase = 0x4200}
  ]
}

// A few registers more.
// CHECK-LABEL: hwx.program @h17 target = h17 text = 0x50 {
// CHECK-NEXT: hwx.task @td0 target = h17 at 0x10 {TaskWords = 16, TSR} [
// CHECK-NEXT: Common[0 to 1] {ChCfg = {OutFmt = Float16, InFmt = Float16}, InWidth = 8},
// CHECK-NEXT: L2[41 to 41] {L2TraceCfg = 1},
// CHECK-NEXT: NE[12 to 12] {NETraceCfg = 1}
// CHECK-NEXT: ]
hwx.program @h17 target = h17 text = 0x50 {
  hwx.task @td0 target = h17 at 0x10 {TaskWords = 16, TSR = 1} [
    Common[0 to 1] {ChCfg = {OutFmt = Float16, InFmt = Float16}, InWidth = 8},
    L2[41 to 41] {L2TraceCfg = {Unknown = 1}},
    NE[12 to 12] {NETraceCfg = {Unknown = 1}}
  ]
}

// Formats have three bits; data sets have registers, which have a base.
// CHECK-LABEL: hwx.program @h18 target = h18 text = 0x5c {
// CHECK-NEXT: hwx.task @td0 target = h18 at 0x10 {TaskWords = 19, TSR} [
// CHECK-NEXT: Common[0 to 1] {ChCfg = {OutFmt = Float16, InFmt = Float16}, InWidth = 8},
// CHECK-NEXT: TileDMASrc[4 to 4] base 4 {Src1DataSet = 3},
// CHECK-NEXT: TileDMASrc[6 to 7] base 6 {Src1BaseAddr = 0x80},
// CHECK-NEXT: TileDMASrc[28 to 28] {Src1Fmt = 12817}
// CHECK-NEXT: ]
hwx.program @h18 target = h18 text = 0x5c {
  hwx.task @td0 target = h18 at 0x10 {TaskWords = 19, TSR = 1} [
    Common[0 to 1] {ChCfg = {OutFmt = Float16, InFmt = Float16}, InWidth = 8},
    TileDMASrc[4 to 4] base 4 {Src1DataSet = 3},
    TileDMASrc[6 to 7] base 6 {Src1BaseAddr = 0x80},
    TileDMASrc[28 to 28] {Src1Fmt = 0x3211}
  ]
}
