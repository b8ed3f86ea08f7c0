//===- H14.td - Registers of the H14 engine (A15, M2) ------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every known register of a task descriptor of the H14 generation. Fields have
// the names of H13.td where they mean the same, and its meaning where none is
// written here; what has moved names its counterpart.
//
// What is known comes from comparing programs that one compiler made for both
// generations: where a word of H14 has the value that the twin has in another
// word of H13, it is its counterpart. A register that tasks leave out has its
// reset value in each of them, whatever earlier tasks wrote: the second task of
// a matrix product relies on an L2 source at 0 after the first had one
// elsewhere, the last task of an attention on 8 output channels per engine
// after another had 1.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_REGISTERS_H14_TD
#define ANE_HW_REGISTERS_H14_TD

include "ane/HW/Registers/H13.td"

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def Twin : Source<Seen,
  "programs that compiler 9.509 made for both generations have the same values here and on H13">;
def Recorded : Source<Seen, "set in recorded programs of compiler 9.509">;
def LeftOut : Source<Deduced,
  "no recorded program writes the register; the reset value is what the H13 twins of all have">;
def RecordedOnce : Source<Deduced, "set in one recorded task, next to an open field of its H13 twin">;
def Buffers : Source<Deduced,
  "set in recorded programs where older compilers set the bit of H13 by what its name says">;
def OpenBit : Source<Unknown, "set in some recorded programs, on no public map">;
def Published : Source<Guess,
  "published maps of Apple's register printer; zero in every recorded program">;
def SameOrder : Source<Guess, "order of H13; zero in every recorded program">;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

def H14_Header : HeaderBlock<"Header", 9,
  "Eight words in front of the records: identity and size. A ninth follows when the low two bits of "
  "the eighth are 3. Bases are not here: the records of addresses have them.", [
  HeaderWord<0, [
    Bits<"TaskWords", 26, 16, Count<"words">, Recorded, "words of the task with its header; 0 in a frame of padding",
         NoEnum, NoEffect>,
    Bits<"TID", 15, 0, Count<"tasks">, Twin, "">,
  ]>,
  HeaderWord<1, [
    Bits<"ExeCycles", 16, 0, Count<"microseconds">, Twin, "estimated time">,
  ]>,
  HeaderWord<2, [
    Bits<"LogEvents", 23, 0, Plain, Recorded,
      "event mask for the firmware's log; 0x08 in the first task, 0x22 in the last, 0x2a in an only one">,
  ]>,
  HeaderWord<3, [
    Bits<"Exceptions", 23, 0, Plain, Published, "">,
  ]>,
  HeaderWord<4, [
    Bits<"DebugLogEvents", 23, 0, Plain, Recorded,
      "event mask for debugging; 0xfff800 unless the task only copies, 0x68 more at the ends of a program">,
  ]>,
  HeaderWord<5, [
    Bits<"DebugExceptions", 23, 0, Plain, Published, "">,
  ]>,
  HeaderWord<6, [
    Bits<"LiveOuts", 31, 0, Plain, Recorded,
      "what must survive when another program comes in between, by the name; 0 in last tasks, else mostly 1",
      NoEnum, NoEffect>,
  ]>,
  HeaderWord<7, [
    Bits<"ENE", 18, 16, Plain, Twin, "">,
    Flag<"Flag3", 3, Published, "meaning open; set from H16 on">,
    Flag<"TDE", 1, Twin, "">,
    Flag<"TSR", 0, Recorded, "set in every task, unlike the bit of that name on H13", NoEffect>,
  ]>,
  HeaderWord<8, [
    Bits<"DTID", 15, 0, Count<"tasks">, Twin, "">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// KernelDMASrc
//===----------------------------------------------------------------------===//

// Fields of every DMA configuration that no result depends on.
defvar DMATags = [
  Bits<"UserTag", 23, 16, Count<"tasks">, Recorded, "TID of the task", NoEnum, NoEffect>,
  Bits<"DataSetId", 15, 8, Plain, Recorded,
    "14 for tensors and scratch, 0 for constants and where coefficients are off", NoEnum, NoEffect>];

class KernelDMAConfig<int offset, string name, int count, Source source, string meaning>
    : RegArray<offset, name, count, !listconcat(DMATags, [
        EnumBits<"CacheHint", 7, 4, H13_CacheHint, source, "">,
        Flag<"En", 0, source, meaning>]), /*reset=*/0x20>;
class KernelBase<int offset, string name, int count, Source source, string meaning = "">
    : RegArray<offset, name, count, [
        Bits<"Addr", 31, 6, Shift<6>, source, meaning>]>;
class KernelSize<int offset, string name, int count, Source source, int reset = 0>
    : RegArray<offset, name, count, [
        Bits<"MemBfrSize", 31, 6, Shift<6>, source, "">], reset>;
// Bits above the low word of an address. Programs leave them to the loader.
class AddrHi<int offset, string name>
    : Reg<offset, name, [
        Bits<"Addr", 31, 0, Plain, Recorded,
          "high word of the address; 0 in files, the loader adds the base">]>;

def H14_KernelDMASrc : RegBlock<"KernelDMASrc", 0x01900, 70,
  "Streams coefficients and biases from memory, one stream for each neural engine, and tables of functions on "
  "a stream of their own.", [
  Reg<0x00, "MasterConfig", [
    Bits<"NextTID", 31, 16, Count<"tasks">, Recorded,
      "TID + 1 where coefficients or a table are read, else 0", NoEnum, NoEffect>,
    Flag<"KernelEn", 9, Recorded, "set exactly with MasterEnable", NoEffect>,
    Flag<"LastTask", 7, Recorded, "end of network: last task of the program", "Header.EON">,
    Flag<"MasterEnable", 6, Twin, "">,
    Flag<"ZeroSkipEn", 5, Twin, "">,
    Flag<"GroupKernelReuse", 4, Published, "all groups use the same coefficients, by the name">,
  ]>,
  Reg<0x04, "AlignedCoeffSizePerCh", [
    Bits<"Value", 27, 0, Plain, Published, "">,
  ]>,
  Reg<0x08, "CoeffBase", [
    Bits<"Addr", 31, 0, Plain, Recorded, "low word of what is added to every CoeffBaseAddr; 0 in files">,
  ]>,
  AddrHi<0x0c, "CoeffBaseHi">,
  Reg<0x10, "GroupStride", [
    Bits<"Stride", 31, 6, Shift<6>, Published, "from the coefficients of a group to the next, by the maps from H15 on">,
  ]>,
  Reg<0x14, "OCGStride", [
    Bits<"Stride", 31, 6, Shift<6>, Recorded,
      "where coefficients come from scratch, from those of a pass to those of the next: the bytes of all streams. 0 "
      "where each stream has all passes">,
  ]>,
  KernelDMAConfig<0x18, "CoeffDMAConfig", 16, Twin, "">,
  KernelBase<0x58, "CoeffBaseAddr", 16, Twin, "offset of the stream from CoeffBase">,
  // A stream of this size is left out even between others.
  KernelSize<0x98, "CoeffBfrSize", 16, Twin, /*reset=*/0x40>,
  KernelDMAConfig<0xd8, "BiasDMAConfig", 0, Recorded, "the bias channel reads; never seen set">,
  KernelDMAConfig<0xdc, "PostScaleDMAConfig", 0, Recorded, "the post-scale channel reads; never seen set">,
  KernelDMAConfig<0xe0, "PaletteDMAConfig", 0, Recorded, "the palette channel reads; never seen set">,
  KernelDMAConfig<0xe4, "NonlinearLutDMAConfig", 0, Recorded,
    "a table is read: tasks with a table and no coefficients; else it stands in front of the coefficients">,
  KernelBase<0xe8, "BiasBaseAddr", 0, SameOrder>,
  KernelBase<0xec, "PostScaleBaseAddr", 0, SameOrder>,
  KernelBase<0xf0, "PaletteBaseAddr", 0, SameOrder>,
  KernelBase<0xf4, "NonlinearLutBaseAddr", 0, Recorded, "offset of the table from its base">,
  Reg<0x100, "NonlinearLutBase", [
    Bits<"Addr", 31, 0, Plain, Recorded,
      "the same offset as NonlinearLutBaseAddr, with a base of its own", NoEnum, NoEffect>,
  ]>,
  AddrHi<0x104, "NonlinearLutBaseHi">,
  KernelSize<0x108, "BiasBfrSize", 0, SameOrder>,
  KernelSize<0x10c, "PostScaleBfrSize", 0, SameOrder>,
  KernelSize<0x110, "PaletteBfrSize", 0, SameOrder>,
  KernelSize<0x114, "NonlinearLutBfrSize", 0, Recorded>,
]>;

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

class InDim<int offset, Source source>
    : Reg<offset, "InDim", [
        Bits<"Hin", 30, 16, Count<"elements">, source, "">,
        Bits<"Win", 14, 0, Count<"elements">, source, "">]>;
class OutDim<int offset, Source source>
    : Reg<offset, "OutDim", [
        Bits<"Hout", 30, 16, Count<"elements">, source, "">,
        Bits<"Wout", 14, 0, Count<"elements">, source, "">]>;

// One size in a register of its own.
class Size<int offset, string name, string value, int width, Source source, string twin = "", int reset = 0>
    : Reg<offset, name, [
        Bits<value, !sub(width, 1), 0, Count<"elements">, source, "", NoEnum, twin>], reset>;

// H13 has the kernel in five bits each, and the output channels between them
// and the strides.
class WideConvCfg<int offset, Source source>
    : Reg<offset, "ConvCfg", [
        Bits<"Oy", 31, 30, Count<"elements">, source, "">,
        Bits<"Ox", 29, 28, Count<"elements">, source, "">,
        Bits<"Py", 26, 22, Count<"elements">, source, "">,
        Bits<"Px", 21, 17, Count<"elements">, source, "">,
        Bits<"Sy", 16, 15, Count<"elements">, source, "">,
        Bits<"Sx", 14, 13, Count<"elements">, source, "">,
        Bits<"Kh", 11, 6, Count<"elements">, source, "">,
        Bits<"Kw", 5, 0, Count<"elements">, source, "">], /*reset=*/0x5000a041>;
class ConvCfg3D<int offset, Source source>
    : Reg<offset, "ConvCfg3D", [
        Bits<"Oz", 14, 13, Count<"elements">, source, "">,
        Bits<"Pz", 11, 8, Count<"elements">, source, "">,
        Bits<"Sz", 7, 6, Count<"elements">, source, "">,
        Bits<"Kd", 4, 0, Count<"elements">, source, "">], /*reset=*/0x2041>;
class PatchCfg<int offset, Source source>
    : Reg<offset, "PatchCfg", [
        Bits<"PatchHeight", 8, 4, Count<"log2 of elements">, source, "">,
        Bits<"PatchWidth", 3, 0, Count<"log2 of elements">, source, "">]>;

// `sources` are the bits that say which sources there are.
defvar PackedSources = [
  Flag<"Src2En", 1, Twin, "">,
  Flag<"Src1En", 0, Twin, "">];
class PackedCommon<Source seen, Source leftOut, Source buffers, list<Bits> sources = [], int cfgReset = 0,
                   int channelsReset = 0>
    : RegBlock<"Common", 0x00000, 19, "Sizes, formats and the kind of work.", [
  InDim<0x00, seen>,
  Size<0x04, "InDepth", "Din", 15, seen, "", 1>,
  Reg<0x08, "ChCfg", [
    EnumBits<"OutFmt", 5, 4, H13_Format, leftOut, "">,
    EnumBits<"Src2InFmt", 3, 2, H13_Format, leftOut, "elements of source 2; also fp16 when there is none">,
    EnumBits<"InFmt", 1, 0, H13_Format, leftOut, "">,
  ], /*reset=*/0x2a>,
  Size<0x0c, "Cin", "Cin", 17, seen, "", channelsReset>,
  Size<0x10, "Cout", "Cout", 17, seen, "", channelsReset>,
  OutDim<0x14, seen>,
  Size<0x18, "OutDepth", "Dout", 15, seen, "", 1>,
  Reg<0x1c, "OCGSize", [
    Bits<"OCGSize", 2, 0, Count<"log2 of channels">, seen, "", NoEnum, "Common.ConvCfg.OCGSize">,
  ], /*reset=*/3>,
  WideConvCfg<0x20, seen>,
  ConvCfg3D<0x24, leftOut>,
  Reg<0x28, "GroupConvCfg", [
    Bits<"UnicastCin", 31, 16, Count<"elements">, seen,
      "with UnicastEn: source channels that each output channel has for itself; in copies 1 << OCGSize">,
    Flag<"ElemMultMode", 15, Published, "">,
    Flag<"UnicastEn", 14, seen, "">,
    Bits<"NumGroups", 12, 0, Count<"elements">, seen, "">,
  ], /*reset=*/0x10001>,
  Reg<0x2c, "TileCfg", [
    Bits<"TileHeight", 14, 0, Count<"elements">, seen, "">,
  ]>,
  PatchCfg<0x30, seen>,
  Reg<0x34, "PECfg", [
    Flag<"ResultExchange", 10, seen, "">,
    Flag<"Src2Exchange", 9, seen, "">,
    Flag<"Src1Exchange", 8, seen, "">,
    Bits<"Src2Broadcast", 7, 4, Plain, seen, "">,
    Bits<"Src1Broadcast", 3, 0, Plain, seen, "">,
  ]>,
  Reg<0x38, "Cfg", !listconcat([
    Flag<"AccDoubleBufEn", 29, buffers,
      "accumulators are double buffered; set with 4 and 8 output channels per engine in images of one row">,
    Flag<"ResultExchange", 28, seen, "">,
    Bits<"ActiveNE", 21, 19, Count<"log2 of engines">, seen, "">,
    ShapeCode<"ShMax", 16, "largest", seen>,
    ShapeCode<"ShMin", 12, "smallest", seen>,
    ShapeCode<"ShPref", 8, "preferred", seen>,
    EnumBits<"TaskType", 7, 4, H13_TaskType, seen, "">,
    Flag<"SmallSourceMode", 2, seen, "">], sources), cfgReset>,
  Reg<0x3c, "TaskInfo", [
    Bits<"NID", 27, 20, Plain, seen, "">,
    Bits<"TaskQ", 19, 16, Plain, Published, "">,
    Bits<"TaskID", 15, 0, Plain, Published, "">,
  ]>,
  Reg<0x40, "DPE", [
    Bits<"Category", 3, 0, Plain, SameOrder, "">,
  ]>,
]>;
def H14_Common : PackedCommon<Twin, LeftOut, Buffers, PackedSources, /*cfgReset=*/1, /*channelsReset=*/16>;

//===----------------------------------------------------------------------===//
// TileDMASrc
//===----------------------------------------------------------------------===//

class TileDMAConfig<int offset, string name, Source source, string meaning = "">
    : Reg<offset, name, !listconcat([
        Bits<"DependencyMode", 31, 28, Plain, Published, "">],
        DMATags, [
        EnumBits<"CacheHint", 7, 4, H13_CacheHint, source, "">,
        Flag<"En", 0, source, meaning>])>;
class CacheHints<int offset, string name, string config>
    : Reg<offset, name, [
        EnumBits<"CacheHintNoReuse", 7, 4, H13_CacheHint, Twin, "",
          "TileDMASrc." # config # ".CacheHintNoReuse">,
        EnumBits<"CacheHintReuse", 3, 0, H13_CacheHint, Twin, "",
          "TileDMASrc." # config # ".CacheHintReuse">]>;

def H14_TileDMASrc : RegBlock<"TileDMASrc", 0x01100, 53,
  "Brings tiles of up to two sources from DRAM into L2.", [
  TileDMAConfig<0x00, "Src1DMAConfig", Twin>,
  TileDMAConfig<0x04, "Src2DMAConfig", Twin>,
  CacheHints<0x08, "Src1CacheHints", "Src1DMAConfig">,
  CacheHints<0x0c, "Src2CacheHints", "Src2DMAConfig">,
  DMABase<0x10, "Src1BaseAddr", Twin, "offset from the base of source 1">,
  AddrHi<0x14, "Src1BaseAddrHi">,
  DMAStride<0x18, "Src1RowStride", Twin, "">,
  DMAStride<0x1c, "Src1PlaneStride", Twin, "">,
  DMAStride<0x20, "Src1DepthStride", Twin, "">,
  DMAStride<0x24, "Src1GroupStride", SameOrder, "">,
  DMABase<0x28, "Src2BaseAddr", Twin, "offset from the base of source 2">,
  AddrHi<0x2c, "Src2BaseAddrHi">,
  DMAStride<0x30, "Src2RowStride", Twin, "">,
  DMAStride<0x34, "Src2PlaneStride", Twin, "">,
  DMAStride<0x38, "Src2DepthStride", SameOrder, "">,
  DMAStride<0x3c, "Src2GroupStride", SameOrder, "">,
  SrcFmt<0x50, "Src1Fmt", Twin>,
  SrcFmt<0x54, "Src2Fmt", Recorded>,
  RegArray<0x68, "PixelOffset", 4, [
    Bits<"Offset", 15, 0, Plain, Published, "">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

// The bits that all configurations of L2 share.
class L2Alias<Source source> {
  list<Bits> List = [
    Flag<"AliasPlanarRslt", 22, source, "">,
    Flag<"AliasPlanarSrc", 20, source, "">,
    Bits<"DMAOffsetCh", 18, 16, Plain, Published, "">,
    Bits<"DMACmpVec", 15, 12, Plain, Published, "">,
    Bits<"DMAInterleave", 11, 8, Count<"channels">, source, "">,
    EnumBits<"DMAFmt", 7, 6, H13_DMAFmt, source,
      "size of the elements; results of the planar engine that stay in L2 have 0">,
    Flag<"AliasConvRslt", 5, source, "">,
    Flag<"AliasConvSrc", 4, source, "">];
}
// Of data in DRAM: kept packed by the DMA.
defvar L2Compression = [
  Bits<"Compression", 26, 25, Plain, Published, "how data in memory is packed">];

class L2Config<int offset, Source source>
    : Reg<offset, "L2Cfg", [
        Flag<"Barrier", 16, Published, "orders the task, by the name">,
        Flag<"Src2InputReLU", 4, Published, "">,
        Bits<"PaddingMode", 3, 2, Plain, source, "">,
        Flag<"InputReLU", 0, Published, "">]>;
class L2SourceCfg<int offset, string name, Source source, int reset = 0>
    : Reg<offset, name, !listconcat(L2Compression, [
        Flag<"Src2Dma", 24, source, "">],
        L2Alias<source>.List, [
        Bits<"Dependent", 3, 2, Plain, source, "">,
        EnumBits<"SourceType", 1, 0, H13_SourceType, source, "">]), reset>;
class L2ResultCfg<int offset, Source source>
    : Reg<offset, "ResultCfg", !listconcat(L2Compression, L2Alias<source>.List, [
        Flag<"L2BfrMode", 3, source, "">,
        EnumBits<"ResultType", 1, 0, H13_ResultType, source, "">]), /*reset=*/0x100>;

def H14_L2 : RegBlock<"L2", 0x00500, 25,
  "Where sources and result live in the software-managed L2 memory: [row][channel][column]. Strides of a single row, "
  "channel or slice are left out.", [
  L2Config<0x00, Twin>,
  L2SourceCfg<0x04, "SourceCfg", Twin, /*reset=*/0x100>,
  L2Base<0x08, "SourceBase", Twin, "">,
  L2Stride<0x0c, "SourceChannelStride", Twin, "">,
  L2Stride<0x10, "SourceRowStride", Twin, "">,
  L2Stride<0x14, "SourceDepthStride", Twin, "">,
  L2Stride<0x18, "SourceGroupStride", Twin, "">,
  L2Base<0x1c, "Source2Base", Twin, "">,
  L2Stride<0x20, "Source2ChannelStride", Twin, "">,
  L2Stride<0x24, "Source2RowStride", Twin, "">,
  L2Stride<0x28, "Source2DepthStride", Twin, "">,
  L2Stride<0x2c, "Source2GroupStride", Twin, "">,
  L2ResultCfg<0x30, Twin>,
  L2Base<0x34, "ResultBase", Twin, "">,
  L2Stride<0x38, "ResultChannelStride", Twin, "">,
  L2Stride<0x3c, "ResultRowStride", Twin, "">,
  L2Stride<0x40, "ResultDepthStride", SameOrder, "">,
  L2Stride<0x44, "ResultGroupStride", Twin, "">,
]>;

//===----------------------------------------------------------------------===//
// PE
//===----------------------------------------------------------------------===//

class PEConfig<int offset, Source source, int condMsb = 8>
    : Reg<offset, "Cfg", [
        EnumBits<"SecSrc", 19, 18, H13_PE_SecSrc, source, "">,
        Flag<"FirstSrc", 16, source, "">,
        EnumBits<"NLMode", 13, 12, H13_PE_NLMode, source, "">,
        EnumBits<"Cond", condMsb, 6, H13_PE_Cond, Published, "">,
        Flag<"ReluEn", 5, SameOrder, "">,
        EnumBits<"OpMode", 4, 2, H13_PE_OpMode, source, "">,
        EnumBits<"PoolMode", 1, 0, H13_PE_PoolMode, source, "">]>;
class PEQuant<int offset>
    : Reg<offset, "Quant", [
        Bits<"OutputZeroPoint", 23, 16, Plain, Published, "what stands for zero in a result of bytes">,
        Bits<"Src2InputOffset", 15, 8, Plain, Published, "what stands for zero in source 2">,
        Bits<"Src1InputOffset", 7, 0, Plain, Published, "what stands for zero in source 1">]>;

def H14_PE : RegBlock<"PE", 0x00900, 5,
  "The planar engine, as on H13. Factors that a task does not write are 1.", [
  PEConfig<0x00, Twin>,
  Reg<0x04, "BiasScale", [
    Bits<"Scale", 31, 16, F16, Twin, "">,
    Bits<"Bias", 15, 0, F16, Twin, "">,
  ], /*reset=*/0x3c000000>,
  Reg<0x08, "PreScale", [
    Bits<"PreScale", 31, 16, F16, Twin, "">,
    Bits<"Epsilon", 15, 0, F16, Twin, "">,
  ], /*reset=*/0x3c000000>,
  Reg<0x0c, "FinalScale", [
    Bits<"FinalScale", 31, 0, F32, Twin, "">,
  ], /*reset=*/0x3f800000>,
  PEQuant<0x10>,
]>;

//===----------------------------------------------------------------------===//
// NE
//===----------------------------------------------------------------------===//

class MatrixVectorBias<int offset>
    : Reg<offset, "MatrixVectorBias", [
        Bits<"MatrixVectorBias", 15, 0, Plain, Published, "">]>;
class AccBias<int offset>
    : Reg<offset, "AccBias", [
        Bits<"AccBiasShift", 20, 16, Plain, Published, "">,
        Bits<"AccBias", 15, 0, F16, Published, "">]>;
class PostScale<int offset>
    : Reg<offset, "PostScale", [
        Bits<"PostRightShift", 20, 16, Plain, Published, "">,
        Bits<"PostScale", 15, 0, F16, Twin, "">]>;

def H14_NE : RegBlock<"NE", 0x00d00, 5,
  "The neural engines, as on H13; chains of tasks have no bits here.", [
  Reg<0x00, "KernelCfg", [
    Flag<"RuntimeKernel", 16, Recorded,
      "coefficients come from a tensor or from scratch; also set where there is a table and no coefficients">,
    Flag<"GroupKernelReuse", 10, Published, "">,
    Flag<"SparseFmt", 8, Twin, "">,
    Bits<"PalettizedBits", 7, 4, Count<"bits">, Twin, "">,
    Flag<"PalettizedEn", 2, Published, "">,
    EnumBits<"KernelFmt", 1, 0, H13_NE_KernelFmt, Twin, "">,
  ], /*reset=*/0x82>,
  Reg<0x04, "MACCfg", [
    Bits<"ArgSel", 23, 20, Plain, Twin, "">,
    EnumBits<"NonlinearMode", 17, 16, H13_NE_NonlinearMode, Twin, "">,
    Flag<"PostScaleMode", 14, Published, "">,
    Bits<"BinaryPoint", 12, 8, Plain, Twin, "">,
    Flag<"MatrixBiasEn", 6, Published, "">,
    Flag<"PassEn", 5, Published, "">,
    Flag<"BiasMode", 4, Recorded, "">,
    Flag<"KernelMode", 3, Twin, "">,
    EnumBits<"OpMode", 2, 0, H13_NE_OpMode, Twin, "">,
  ]>,
  MatrixVectorBias<0x08>,
  AccBias<0x0c>,
  PostScale<0x10>,
]>;

//===----------------------------------------------------------------------===//
// TileDMADst
//===----------------------------------------------------------------------===//

class DstFmt<int offset, Source source>
    : Reg<offset, "Fmt", [
        Bits<"CmpVec", 31, 28, Plain, Published, "">,
        Bits<"Interleave", 27, 24, Count<"channels">, source, "">,
        Flag<"CmpVecFill", 22, Published, "">,
        Flag<"ZeroPadFirst", 21, source, "">,
        Flag<"ZeroPadLast", 20, source, "">,
        Bits<"OffsetCh", 18, 16, Plain, Published, "">,
        Bits<"MemFmt", 13, 12, Plain, source, "">,
        Flag<"Shift", 8, Published, "">,
        Bits<"Truncate", 5, 4, Plain, source, "">,
        Bits<"FmtMode", 1, 0, Plain, source, "">]>;

def H14_TileDMADst : RegBlock<"TileDMADst", 0x01500, 10,
  "Stores the result from L2 to DRAM.", [
  Reg<0x00, "DMAConfig", !listconcat([
    Bits<"Unknown29", 30, 29, Plain, RecordedOnce, "", NoEnum, "TileDMADst.DMAConfig.Unknown18">,
    Bits<"Unknown25", 27, 25, Plain, RecordedOnce,
      "maps have a bit BypassEOW at 25", NoEnum, "TileDMADst.DMAConfig.Unknown22">,
    Flag<"L2BfrMode", 24, Twin, "">],
    DMATags, [
    EnumBits<"CacheHint", 7, 4, H13_CacheHint, Twin, "">,
    Flag<"En", 0, Twin, ""> ])>,
  DMABase<0x08, "BaseAddr", Twin, "offset from the base of the result">,
  AddrHi<0x0c, "BaseAddrHi">,
  DMAStride<0x10, "RowStride", Twin, "">,
  DMAStride<0x14, "PlaneStride", Twin, "">,
  DMAStride<0x18, "DepthStride", SameOrder, "">,
  DMAStride<0x1c, "GroupStride", SameOrder, "">,
  DstFmt<0x20, Twin>,
  Reg<0x24, "Spare", [
    Bits<"Unknown", 31, 0, Plain, OpenBit,
      "0xdead in some tasks, in some of them twice: fills the stream", NoEnum, NoEffect>,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

class PackedMap<string name, string meaning, list<RegBlock> blocks>
    : RegMap<name, meaning, blocks> {
  let Records =
    "A record of a task writes consecutive registers, (count - 1) << 15 | address / 4 in its first word, or some of 17: "
    "with bit 31 set, bits 30 to 15 say which of the 16 behind the first are written, too. The loader adds an address to "
    "what a record with bit 29 writes: that which is bound to the entry in bits 28 to 23 of the base table. A register "
    "that a task does not write has its reset value, 0 where none is given.";
  let Counterparts = "H13";
}

def H14 : PackedMap<"H14",
  "A15 and the M2 family. Tasks of 8 header words and records of the registers that differ from their reset values.", [
  H14_Header, H14_KernelDMASrc, H14_Common, H14_TileDMASrc, H14_L2, H14_PE,
  H14_NE, H14_TileDMADst,
]>;

#endif // ANE_HW_REGISTERS_H14_TD
