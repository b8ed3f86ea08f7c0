// out = a - b over 1x2x1x3, on the planar engine.
hwx.program @net target = h13 text = 0x274 {
  hwx.tensor input "a" base 4 shape [1, 2, 1, 3, 1] strides [128, 64, 64, 2, 128] type f16 bytes 128
  hwx.tensor input "b" base 5 shape [1, 2, 1, 3, 1] strides [128, 64, 64, 2, 128] type f16 bytes 128
  hwx.tensor output "out" base 6 shape [1, 2, 1, 3, 1] strides [128, 64, 64, 2, 128] type f16 bytes 128
  hwx.constants dense<0> : tensor<64xui8>
  hwx.task @td0 at 0x0 {EON, WBE, WBase = 6, RBE1, RBase1 = 5, RBE0, RBase0 = 4} [
    KernelDMASrc {},
    Common {InDim = {Hin = 1, Win = 3}, InDepth = 1,
      ChCfg = {OutFmt = Float16, Src2InFmt = Float16, InFmt = Float16}, Cin = 2, Cout = 2,
      OutDim = {Hout = 1, Wout = 3}, OutDepth = 1,
      ConvCfg = {Oy = 1, Ox = 1, Sy = 1, Sx = 1, Kh = 1, Kw = 1},
      ConvCfg3D = {Oz = 1, Sz = 1, Kd = 1}, GroupConvCfg = {UnicastCin = 1, NumGroups = 1},
      TileCfg = 1, Cfg = {TaskType = PEElementwise, Src2En, Src1En}},
    TileDMASrc {Src1DMAConfig = {En}, Src1RowStride = 0x40, Src1PlaneStride = 0x40,
      Src2RowStride = 0x40, Src2PlaneStride = 0x40,
      Src1Fmt = {Interleave = 1, MemFmt = 2, Truncate = 3, FmtMode = 1},
      Src2Fmt = {MemFmt = 2, Truncate = 3}},
    L2 {SourceCfg = {Src2Dma, SourceType = DMA}, SourceChannelStride = 0x10, SourceRowStride = 0x20,
      Source2Base = 0x40, ResultCfg = {ResultType = DMA}, ResultBase = 0x80},
    PE {Cfg = {SecSrc = Negated}, BiasScale = {Scale = 1.0}, PreScale = {PreScale = 1.0},
      FinalScale = 1.0},
    NE {},
    TileDMADst {DMAConfig = {En}, RowStride = 0x40, PlaneStride = 0x40,
      Fmt = {Interleave = 1, MemFmt = 2, Truncate = 3, FmtMode = 1}}
  ]
}
