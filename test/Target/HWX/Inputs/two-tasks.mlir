// Two chained tasks with a stream of coefficients each.
hwx.program @net target = h13 text = 0x574 scratch = 0x4000 {
  hwx.tensor input "x" base 5 shape [1, 3, 2, 5, 1] strides [384, 128, 64, 2, 384] type f16 bytes 384
  hwx.tensor input "a" base 6 shape [1, 3, 2, 5, 1] strides [384, 128, 64, 1, 384] type i8 bytes 384
  hwx.tensor output "y" base 4 shape [1, 3, 2, 5, 1] strides [384, 128, 64, 2, 384] type f16 bytes 384
  hwx.constants dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<64xui8>
  hwx.task @td0 at 0x0 {NextSize = 156, NextPointer = 0x300, KBE0, KBase0 = 1} [
    KernelDMASrc {CoeffDMAConfig[0] = {En}, CoeffBfrSize[0] = 0x40},
    Common {InDim = {Hin = 2, Win = 5}, Cin = 3, Cout = 3} raw {0x0 = 0x8000},
    TileDMASrc {Src1RowStride = 0x40}, L2 {}, PE {}, NE {MACCfg = {OpMode = Bypass}}, TileDMADst {}
  ]
  hwx.task @td1 at 0x300 {TID = 1, LNID, EON, KBE0, KBase0 = 1} [
    KernelDMASrc {CoeffDMAConfig[0] = {En}, CoeffBfrSize[0] = 0x40},
    Common {}, TileDMASrc {}, L2 {}, PE {FinalScale = 1.0}, NE {}, TileDMADst {RowStride = 0x40}
  ]
}
