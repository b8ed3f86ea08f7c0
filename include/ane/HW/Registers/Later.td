//===- Later.td - What the register maps from H15 on share -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of the generations after H14, with what differs between them as
// parameters. Places are those of published register maps and of recorded
// programs of compiler 9.509 (elementwise operations, functions, products with
// constants), most of which have a twin for H14. Meanings are those of the
// fields of H13 with the same name.
//
// Reset values are those of H14 where the twins leave the same registers out.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_REGISTERS_LATER_TD
#define ANE_HW_REGISTERS_LATER_TD

include "ane/HW/Registers/H14.td"

def Listed : Source<Deduced,
  "published listings of decoded programs of this generation fit this place">;
def Printed : Source<Guess, "published maps of Apple's register printer">;
def AsH14 : Source<Guess, "as on H14">;
def AsH16 : Source<Guess, "as on H16">;
def Extent : Source<Unknown, "published size of the block; what the register is for is open">;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

// `control` is the index of the word that says whether another one follows.
class LaterHeader<int control, list<HeaderWord> more>
    : HeaderBlock<"Header", !add(control, 2),
        "Words in front of the records: identity and size. One more follows when the low two bits of the last are 3.",
        !listconcat([
  HeaderWord<0, [
    Bits<"TaskWords", 26, 16, Count<"words">, Listed, "words of the task with its header; 0 in a frame of padding",
         NoEnum, NoEffect>,
    Bits<"TID", 15, 0, Count<"tasks">, Listed, "">,
  ]>,
  HeaderWord<1, [
    Bits<"ExeCycles", 16, 0, Count<"microseconds">, Listed, "estimated time">,
  ]>,
  HeaderWord<2, [
    Bits<"Unknown24", 31, 24, Plain, Listed, "not 0 in the last task of a program: 4 from H16 on, 3 on H15", NoEnum, NoEffect>,
    Bits<"LogEvents", 23, 0, Plain, Listed, "event mask for the firmware's log; 0x68 in the first task">,
  ]>,
  HeaderWord<3, [
    Bits<"Exceptions", 23, 0, Plain, Printed, "">,
  ]>,
  HeaderWord<4, [
    Bits<"DebugLogEvents", 23, 0, Plain, Listed, "event mask for debugging">,
  ]>,
  HeaderWord<5, [
    Bits<"DebugExceptions", 23, 0, Plain, Printed, "">,
  ]>], more, [
  HeaderWord<control, [
    Bits<"ENE", 18, 16, Plain, Listed, "">,
    Flag<"Flag3", 3, Listed, "last task of the program", NoEffect>,
    Flag<"TDE", 1, AsH14, "">,
    Flag<"TSR", 0, Listed, "set in every task, unlike the bit of that name on H13", NoEffect>,
  ]>,
  HeaderWord<!add(control, 1), [
    Bits<"DTID", 15, 0, Count<"tasks">, AsH14, "">,
  ]>])>;

class LiveOuts<int word, Source source>
    : HeaderWord<word, [
        Bits<"LiveOuts", 31, 0, Plain, source,
          "what must survive when another program comes in between, by the name; 0 in last tasks, else mostly 1",
          NoEnum, NoEffect>]>;

def H15_Header : LaterHeader<7, [LiveOuts<6, AsH14>]>;
def H16_Header : LaterHeader<8, [
  HeaderWord<6, [
    Bits<"Word6", 31, 0, Plain, Extent, "always 0">,
  ]>,
  LiveOuts<7, Listed>,
]>;

//===----------------------------------------------------------------------===//
// KernelDMASrc
//===----------------------------------------------------------------------===//

class LaterKernelConfig<int offset, string name, int count = 0, string meaning = "">
    : KernelDMAConfig<offset, name, count, Listed, meaning>;
// Four words for each stream next to the coefficients. The base counterparts
// the offset of H13: both count from the constants.
class LaterAux<int offset, string name, Source source> {
  list<RegArray> List = [
    KernelDMAConfig<offset, name # "DMAConfig", 0, source, "">,
    KernelSize<!add(offset, 4), name # "BfrSize", 0, source>,
    KernelBase<!add(offset, 8), name # "BaseAddr", 0, source>,
    AddrHi<!add(offset, 12), name # "BaseAddrHi">];
}
class LaterKernelDMASrc<int words, list<RegArray> aux>
    : RegBlock<"KernelDMASrc", 0x05500, words,
        "Streams coefficients and biases from memory, one stream for each neural engine, and tables of functions.",
        !listconcat([
  Reg<0x00, "MasterConfig", [
    Bits<"NextTID", 31, 16, Count<"tasks">, Listed,
      "TID + 1 where coefficients or a table are read, else 0", NoEnum, NoEffect>,
    Flag<"KernelEn", 9, Listed, "set exactly with MasterEnable", NoEffect>,
    Flag<"LastTask", 7, Listed, "end of network: last task of the program", "Header.EON">,
    Flag<"MasterEnable", 6, Listed, "">,
    Flag<"ZeroSkipEn", 5, Printed, "">,
    Flag<"GroupKernelReuse", 4, Printed, "all groups use the same coefficients, by the name">,
  ]>,
  Reg<0x04, "AlignedCoeffSizePerCh", [
    Bits<"Value", 27, 0, Plain, Printed, "">,
  ]>,
  Reg<0x08, "Prefetch", [
    Bits<"PrefetchRate", 31, 16, Plain, Printed, "how early coefficients are read, by the name">,
    Flag<"StopOnError", 1, Printed, "by the name">,
    Flag<"EarlyTermEn", 0, Printed, "by the name">,
  ]>,
  Reg<0x10, "CoeffBase", [
    Bits<"Addr", 31, 0, Plain, Listed, "low word of what is added to every CoeffBaseAddr">,
  ]>,
  AddrHi<0x14, "CoeffBaseHi">,
  Reg<0x18, "GroupStride", [
    Bits<"Stride", 31, 6, Shift<6>, Printed, "from the coefficients of a group to the next">,
  ]>,
  Reg<0x1c, "OCGStride", [
    Bits<"Stride", 31, 6, Shift<6>, Printed, "from the coefficients of a pass to the next">,
  ]>,
  LaterKernelConfig<0x20, "CoeffDMAConfig", 16>,
  KernelBase<0x60, "CoeffBaseAddr", 16, Listed, "offset of the stream from CoeffBase">,
  KernelSize<0xa0, "CoeffBfrSize", 16, Listed>], aux)>;

defvar LaterAuxBlocks = !listconcat(
  LaterAux<0xe0, "Bias", Printed>.List, LaterAux<0xf0, "PostScale", Printed>.List,
  LaterAux<0x100, "Palette", Printed>.List, LaterAux<0x110, "NonlinearLut", Listed>.List);

def H15_KernelDMASrc : LaterKernelDMASrc<72, LaterAuxBlocks>;
def H17_KernelDMASrc : LaterKernelDMASrc<81, !listconcat(LaterAuxBlocks, [
  Reg<0x140, "UserTag", [Bits<"Value", 31, 0, Plain, Printed, "by the name", NoEnum, NoEffect>]>,
])>;
// Where the other streams have their words is open.
def H18_KernelDMASrc : LaterKernelDMASrc<83, [
  KernelDMAConfig<0x12c, "NonlinearLutDMAConfig", 0, Listed, "">,
  KernelSize<0x130, "NonlinearLutBfrSize", 0, Listed>,
  KernelBase<0x138, "NonlinearLutBaseAddr", 0, Listed>,
  AddrHi<0x13c, "NonlinearLutBaseAddrHi">,
]>;

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

// Formats of the two sources and the result, in lanes of `lane` bits each.
class LaterChCfg<int offset, int lane>
    : Reg<offset, "ChCfg", [
        EnumBits<"OutFmt", !sub(!mul(3, lane), 1), !mul(2, lane), H13_Format, Printed, "">,
        EnumBits<"Src2InFmt", !sub(!mul(2, lane), 1), lane, H13_Format, Printed, "">,
        EnumBits<"InFmt", !sub(lane, 1), 0, H13_Format, Printed, "">],
        /*reset=*/!add(!shl(2, !mul(2, lane)), !shl(2, lane), 2)>;

// The planar engine can take texture and index sources here.
defvar LaterPECfg = [
  Bits<"ActiveNE", 21, 19, Plain, Printed, "by the name", NoEnum, NoTwin>,
  Bits<"PEPrimarySource", 18, 16, Plain, Printed, "by the name">,
  Flag<"IdxBroadcast", 15, Printed, "indices are repeated, by the name">,
  Flag<"IdxTranspose", 14, Printed, "indices are stored with C and W exchanged, by the name">,
  Flag<"ResultExchange", 10, Printed, "">,
  Flag<"Src2Exchange", 9, Listed, "">,
  Flag<"Src1Exchange", 8, Printed, "">,
  Bits<"Src2Broadcast", 7, 4, Plain, Printed, "">,
  Bits<"Src1Broadcast", 3, 0, Plain, Printed, "">];

// The kind of work is a bit higher from H17 on.
class LaterCommon<int formatBits, int kindBit = 20>
    : RegBlock<"Common", 0x00000, 23, "Sizes, formats and the kind of work.", [
  LaterChCfg<0x00, formatBits>,
  Size<0x04, "InWidth", "Win", 17, Listed, "Common.InDim.Win", 256>,
  Size<0x08, "InHeight", "Hin", 17, Listed, "Common.InDim.Hin">,
  Size<0x0c, "Cin", "Cin", 17, Listed>,
  Size<0x10, "InDepth", "Din", 17, Listed, "", 1>,
  Size<0x14, "OutWidth", "Wout", 17, Listed, "Common.OutDim.Wout", 256>,
  Size<0x18, "OutHeight", "Hout", 17, Listed, "Common.OutDim.Hout">,
  Size<0x1c, "Cout", "Cout", 17, Listed>,
  Size<0x20, "OutDepth", "Dout", 17, Listed, "", 1>,
  Size<0x24, "NumGroups", "NumGroups", 17, Printed, "Common.GroupConvCfg.NumGroups", 1>,
  WideConvCfg<0x28, Listed>,
  ConvCfg3D<0x2c, Printed>,
  Reg<0x30, "UnicastCfg", [
    Bits<"UnicastCin", 31, 16, Count<"elements">, Listed, "", NoEnum, "Common.GroupConvCfg.UnicastCin">,
    Flag<"ElemMultMode", 15, Listed, "", "Common.GroupConvCfg.ElemMultMode">,
    Flag<"UnicastEn", 14, Listed, "", "Common.GroupConvCfg.UnicastEn">,
  ], /*reset=*/0x10000>,
  Size<0x34, "TileCfg", "TileHeight", 17, Listed>,
  Reg<0x38, "TileOverlap", [
    Bits<"PadBottom", 30, 26, Count<"elements">, Printed, "rows of padding below a tile, by the name">,
    Bits<"PadTop", 25, 21, Count<"elements">, Printed, "rows of padding above a tile, by the name">,
    Bits<"Overlap", 20, 16, Count<"elements">, Printed, "rows that tiles share, by the name">,
  ]>,
  Reg<0x3c, "Cfg", [
    Flag<"AccDoubleBufEn", 29, AsH14, "accumulators are double buffered">,
    Flag<"ResultExchange", 28, Listed, "">,
    Bits<"ReluType", 27, 24, Plain, Printed, "by the name">,
    Bits<"ActiveNE", 21, 19, Count<"log2 of engines">, Listed, "">,
    ShapeCode<"ShMax", 16, "largest", Listed>,
    ShapeCode<"ShMin", 12, "smallest", Listed>,
    ShapeCode<"ShPref", 8, "preferred", Listed>,
    EnumBits<"TaskType", 7, 4, H13_TaskType, Listed, "">,
    Flag<"SmallSourceMode", 2, Listed, "">,
  ]>,
  Reg<0x40, "NECfg", [
    Bits<"WUStackLog2", 5, 4, Plain, Listed, "log2 of work units on top of each other, by engines that few channels leave idle",
         NoEnum, NoEffect>,
    Flag<"FatTileEnable", 3, Listed, "units of twice the height, by as many engines", NoEffect>,
    Bits<"OCGSize", 2, 0, Count<"log2 of channels">, Listed, "", NoEnum, "Common.ConvCfg.OCGSize">,
  ], /*reset=*/3>,
  PatchCfg<0x44, Listed>,
  Reg<0x48, "PECfg", LaterPECfg>,
  Reg<0x4c, "TaskInfo", [
    Bits<"NID", !add(kindBit, 7), kindBit, Plain, Listed, "">,
    Bits<"TaskQ", 19, 16, Plain, Printed, "">,
    Bits<"TaskID", 15, 0, Plain, Printed, "">,
  ]>,
  Reg<0x50, "DPE", [
    Bits<"Category", 3, 0, Plain, Listed, "">,
  ]>,
]>;

def H16_Common : LaterCommon<2>;
def H17_Common : LaterCommon<2, /*kindBit=*/21>;
def H18_Common : LaterCommon<3, /*kindBit=*/21>;

//===----------------------------------------------------------------------===//
// TileDMASrc
//===----------------------------------------------------------------------===//

class LaterSrcConfig<int offset, string name>
    : Reg<offset, name, !listconcat([
        Bits<"DependencyMode", 29, 28, Plain, Printed, "">,
        Bits<"DependencyInterval", 27, 24, Plain, Printed, "by the name">],
        DMATags, [
        EnumBits<"CacheHint", 7, 4, H13_CacheHint, Listed, "">,
        Flag<"En", 0, Listed, "">])>;
class LaterCacheHints<int offset, string name, string config>
    : Reg<offset, name, [
        Bits<"WrapStatic", 31, 16, Plain, Printed, "by the name">,
        Bits<"WrapCfg", 10, 8, Plain, Printed, "by the name">,
        EnumBits<"CacheHintNoReuse", 7, 4, H13_CacheHint, Listed, "", "TileDMASrc." # config # ".CacheHintNoReuse">,
        EnumBits<"CacheHintReuse", 3, 0, H13_CacheHint, Listed, "", "TileDMASrc." # config # ".CacheHintReuse">]>;
// Addresses and strides of a source.
class LaterSource<int offset, string name> {
  list<RegArray> List = [
    DMABase<offset, name # "BaseAddr", Listed, "">,
    AddrHi<!add(offset, 4), name # "BaseAddrHi">,
    DMAStride<!add(offset, 8), name # "RowStride", Listed, "">,
    DMAStride<!add(offset, 12), name # "PlaneStride", Listed, "">,
    DMAStride<!add(offset, 16), name # "DepthStride", Listed, "">,
    DMAStride<!add(offset, 20), name # "GroupStride", Listed, "">];
}
// A register of which only the name is known.
class Named<int offset, string name, Source source = Printed>
    : Reg<offset, name, [Bits<"Unknown", 31, 0, Plain, source, "">]>;
class Addr<int offset, string name>
    : Reg<offset, name, [Bits<"Addr", 31, 0, Plain, Printed, "low word of an address">]>;
class MetaData<int offset, string name, string fields>
    : Reg<offset, name, [Bits<fields, 31, 7, Shift<7>, Printed, "by the name">]>;
class CompressedInfo<int offset, string name, bit hasTag>
    : Reg<offset, name, !listconcat(!if(hasTag, [
        Bits<"MdUserTag", 31, 24, Plain, Printed, "by the name">], []<Bits>), [
        Flag<"LossyEnable", 13, Printed, "packed with loss">,
        Bits<"PackingFormatTableIdx", 9, 4, Plain, Printed, "by the name">,
        Flag<"MacroblockSize", 2, Printed, "by the name">,
        Flag<"CompressedEnable", 0, Printed, "data in memory is packed">])>;
class CompressedSource<int offset, string name> {
  list<RegArray> List = [
    CompressedInfo<offset, name # "CompressedInfo", 1>,
    Reg<!add(offset, 4), name # "CompressedSize", [
      Bits<"Size", 31, 0, Count<"bytes">, Printed, "packed bytes, low word">]>,
    Reg<!add(offset, 8), name # "CompressedSizeHi", [Bits<"Size", 31, 0, Plain, Printed, "packed bytes, high word">]>,
    Reg<!add(offset, 12), name # "CropOffset", [
      Bits<"CropOffset", 31, 16, Plain, Printed, "by the name">,
      Bits<"OffsetY", 15, 0, Plain, Printed, "by the name">]>];
}
class Halves<int offset, string name>
    : Reg<offset, name, [
        Bits<"Hi", 31, 16, Plain, Printed, "by the name of the register">,
        Bits<"Lo", 15, 0, Plain, Printed, "by the name of the register">]>;
class Wrap<int offset, string name>
    : Reg<offset, name, [
        Bits<"WrapLen", 31, 12, Plain, Printed, "by the name">,
        Bits<"WrapNumBlocks", 11, 0, Plain, Printed, "by the name">]>;

// The texture engine resizes, crops and gathers.
def H15_TextureMode : RegEnum<"TextureMode", [
  Enumerator<0, "Off", "">,
  Enumerator<1, "Gather", "">,
  Enumerator<2, "Bilinear", "">,
  Enumerator<3, "Bicubic", "">,
  Enumerator<4, "Nearest", "">,
]>;

class LaterTileDMASrc<int words>
    : RegBlock<"TileDMASrc", 0x04d00, words,
        "Brings tiles of up to two sources from DRAM into L2; also where the texture engine takes its sources.",
        !listconcat([
  LaterSrcConfig<0x00, "Src1DMAConfig">,
  LaterSrcConfig<0x04, "Src2DMAConfig">,
  LaterCacheHints<0x08, "Src1CacheHints", "Src1DMAConfig">,
  LaterCacheHints<0x0c, "Src2CacheHints", "Src2DMAConfig">],
  LaterSource<0x10, "Src1">.List,
  LaterSource<0x28, "Src2">.List, [
  Addr<0x40, "Src1MetaDataAddr">,
  AddrHi<0x44, "Src1MetaDataAddrHi">,
  Addr<0x48, "Src2MetaDataAddr">,
  AddrHi<0x4c, "Src2MetaDataAddrHi">,
  MetaData<0x50, "Src1MetaDataConfig", "Config">,
  MetaData<0x54, "Src1MetaDataConfig2", "Config">,
  MetaData<0x58, "Src1MetaDataSize", "Size">,
  MetaData<0x5c, "Src2MetaDataConfig", "Config">,
  MetaData<0x60, "Src2MetaDataConfig2", "Config">,
  MetaData<0x64, "Src2MetaDataSize", "Size">,
  SrcFmt<0x68, "Src1Fmt", Listed>,
  SrcFmt<0x6c, "Src2Fmt", Listed>],
  CompressedSource<0x78, "Src1">.List,
  CompressedSource<0x88, "Src2">.List, [
  Wrap<0xb8, "Src1WrapDynamic">,
  Wrap<0xbc, "Src2WrapDynamic">,
  Named<0xc0, "Src1DependencyOffset">,
  Named<0xc4, "Src2DependencyOffset">,
  Reg<0xc8, "TextureConfig", [
    Bits<"WrapParam", 28, 24, Plain, Printed, "by the name">,
    Flag<"DepthValSel", 23, Printed, "by the name">,
    Flag<"BackgroundEn", 22, Printed, "pixels outside are TextureBackgroundVal">,
    Bits<"CropCoeff2", 20, 17, Plain, Printed, "by the name">,
    Bits<"CropCoeff1", 16, 12, Plain, Printed, "or a filter: maps disagree">,
    Bits<"Norm2", 8, 6, Plain, Printed, "by the name">,
    Bits<"Norm1", 5, 3, Plain, Printed, "by the name">,
    EnumBits<"Mode", 2, 0, H15_TextureMode, Printed, "how pixels between pixels are found">,
  ]>,
  Reg<0xcc, "TextureIdxPermute", [
    Bits<"Permute1", 14, 12, Plain, Printed, "order of the axes of the indices">,
    Bits<"Permute0", 8, 6, Plain, Printed, "order of the axes of the indices">,
  ]>,
  Reg<0xd0, "TextureSrcPermute", [
    Bits<"WrapParam", 28, 24, Plain, Printed, "by the name">,
    Flag<"PreserveFrac", 22, Printed, "or a bit of the wrap: maps disagree">,
    Bits<"IndPermute", 18, 16, Plain, Printed, "order of the axes of the indices">,
    Bits<"Src2Permute", 14, 12, Plain, Printed, "order of the axes of source 2">,
    Bits<"SrcPermute", 2, 0, Plain, Printed, "order of the axes of source 1">,
  ]>,
  Reg<0xd4, "TextureBackgroundVal", [
    Bits<"Value", 15, 0, Plain, Printed, "what pixels outside are">,
  ]>,
  Halves<0xd8, "TextureExtMaxDim1">,
  Halves<0xdc, "TextureExtMaxDim2">,
  Halves<0xe0, "TextureExtMaxDim3">,
  Halves<0xe4, "TextureCropBatchSplitDim1">,
  Halves<0xe8, "TextureCropDepthDim1">,
  Halves<0xec, "TextureCropBatchSplitDim2">,
  Reg<0xf8, "Src1Ephemeral", [Flag<"EphemeralEnable", 0, Printed, "by the name">]>,
  Named<0x104, "TextureCropCoeffVal">])>;

def H15_TileDMASrc : LaterTileDMASrc<69>;
def H16_TileDMASrc : LaterTileDMASrc<81>;
def H17_TileDMASrc : LaterTileDMASrc<83>;

// H18 has the data set in a register of its own and packs formats in another
// way. The registers after them are open.
def H18_TileDMASrc : RegBlock<"TileDMASrc", 0x04d00, 83,
  "Brings tiles of up to two sources from DRAM into L2.", !listconcat([
  LaterSrcConfig<0x00, "Src1DMAConfig">,
  LaterSrcConfig<0x04, "Src2DMAConfig">,
  LaterCacheHints<0x08, "Src1CacheHints", "Src1DMAConfig">,
  LaterCacheHints<0x0c, "Src2CacheHints", "Src2DMAConfig">,
  Reg<0x10, "Src1DataSet", [Bits<"Value", 31, 0, Plain, Listed, "data set, with a base", NoEnum, NoEffect>]>,
  Reg<0x14, "Src2DataSet", [Bits<"Value", 31, 0, Plain, Listed, "data set, with a base", NoEnum, NoEffect>]>],
  LaterSource<0x18, "Src1">.List,
  LaterSource<0x30, "Src2">.List, [
  Reg<0x70, "Src1Fmt", [Bits<"Unknown", 31, 0, Plain, Listed, "0x3211 for fp16", NoEnum, NoTwin>]>,
  Reg<0x74, "Src2Fmt", [Bits<"Unknown", 31, 0, Plain, Listed, "0x3211 for fp16", NoEnum, NoTwin>]>])>;

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

// Base and strides of an operand.
class LaterOperand<int offset, string name> {
  list<RegArray> List = [
    L2Base<offset, name # "Base", Listed, "">,
    L2Stride<!add(offset, 4), name # "ChannelStride", Listed, "">,
    L2Stride<!add(offset, 8), name # "RowStride", Listed, "">,
    L2Stride<!add(offset, 12), name # "DepthStride", Listed, "">,
    L2Stride<!add(offset, 16), name # "GroupStride", Listed, "">];
}
class LaterSourceCfg<int offset, string name, Source source>
    : Reg<offset, name, !listconcat(L2Compression, L2Alias<source>.List, [
        Bits<"Dependent", 3, 2, Plain, source, "">,
        EnumBits<"SourceType", 1, 0, H13_SourceType, source, "">]), /*reset=*/0x100>;
// H13 has one configuration for both sources; what source 2 waits for is part
// of it there.
class LaterSource2Cfg<int offset>
    : Reg<offset, "Source2Cfg", !listconcat(L2Compression, [
        Flag<"AliasPlanarRslt", 22, Listed, "as in SourceCfg, of source 2", NoEffect>,
        Flag<"AliasPlanarSrc", 20, Listed, "as in SourceCfg, of source 2", NoEffect>,
        Bits<"DMAOffsetCh", 18, 16, Plain, Printed, "as in SourceCfg, of source 2">,
        Bits<"DMACmpVec", 15, 12, Plain, Printed, "as in SourceCfg, of source 2">,
        Bits<"DMAInterleave", 11, 8, Count<"channels">, Listed, "as in SourceCfg, of source 2">,
        EnumBits<"DMAFmt", 7, 6, H13_DMAFmt, Listed, "size of the elements of source 2 by DMA, else 0">,
        Flag<"AliasConvRslt", 5, Listed, "as in SourceCfg, of source 2", NoEffect>,
        Flag<"AliasConvSrc", 4, Listed, "as in SourceCfg, of source 2", NoEffect>,
        Bits<"Dependent", 3, 2, Plain, Printed, "as in SourceCfg, of source 2", NoEnum, NoEffect>,
        EnumBits<"SourceType", 1, 0, H13_SourceType, Listed, "where source 2 is">]), /*reset=*/0x100>;

def H15_L2 : RegBlock<"L2", 0x04100, 30,
  "Where sources and result live in the software-managed L2 memory. Source2Cfg is to source 2 what SourceCfg is to "
  "source 1.", !listconcat([
  L2Config<0x00, Printed>,
  LaterSourceCfg<0x04, "SourceCfg", Listed>,
  LaterSource2Cfg<0x08>],
  LaterOperand<0x0c, "Source">.List,
  LaterOperand<0x20, "Source2">.List, [
  L2ResultCfg<0x34, Listed>],
  LaterOperand<0x38, "Result">.List)>;

// `more` are registers after those that all have.
class LaterL2<int words, list<RegArray> more>
    : RegBlock<"L2", 0x04100, words,
        "Where sources, indices and result live in the software-managed L2 memory. Source2Cfg and SourceIndexCfg are to "
        "source 2 and to indices what SourceCfg is to source 1.", !listconcat([
  L2Config<0x00, Printed>,
  LaterSourceCfg<0x04, "SourceCfg", Listed>,
  LaterSource2Cfg<0x08>,
  LaterSourceCfg<0x0c, "SourceIndexCfg", Printed>],
  LaterOperand<0x10, "Source">.List,
  LaterOperand<0x24, "Source2">.List, [
  L2Base<0x38, "SourceIndexBase", Printed, "address of the indices">,
  L2Stride<0x3c, "SourceIndexChannelStride", Printed, "from channel to channel of the indices">,
  L2Stride<0x40, "SourceIndexDepthStride", Printed, "from depth slice to depth slice of the indices">,
  L2Stride<0x44, "SourceIndexGroupStride", Printed, "from group to group of the indices">,
  L2ResultCfg<0x48, Listed>],
  LaterOperand<0x4c, "Result">.List, [
  Wrap<0x64, "SrcAndResultWrapCfg">,
  Wrap<0x68, "Src1WrapStart">,
  Wrap<0x6c, "Src2WrapStart">,
  Reg<0x74, "ResultWrapIndexAndStart", [
    Bits<"StartOffset", 31, 16, Plain, Printed, "by the name">,
    Bits<"WrapIndex", 15, 0, Plain, Printed, "by the name">,
  ]>,
  Reg<0x8c, "PEIndexCfg", [
    Flag<"Transpose", 26, Printed, "indices are stored with axes exchanged, by the name">,
    Bits<"Broadcast", 25, 24, Plain, Printed, "axes along which indices are repeated, by the name">,
    Bits<"Mode", 18, 16, Plain, Printed, "what is done with the indices">,
    Bits<"MaxIndex", 15, 0, Plain, Printed, "largest index">,
  ]>,
  Named<0x90, "Src1AddrWrap">,
  Named<0x94, "Src2AddrWrap">,
  Reg<0x9c, "ResultWrapAddrCfg", [
    Bits<"ResultWrapAddrOffset", 26, 16, Plain, Printed, "by the name">,
    Bits<"ResultWrapAddr", 11, 0, Plain, Printed, "by the name">,
  ]>,
  Reg<0xa0, "SrcOffset", [
    Bits<"SrcOffsetYlsbs", 12, 8, Plain, Printed, "low bits of the first row, by the name">,
    Bits<"SrcOffsetXlsbs", 5, 0, Plain, Printed, "low bits of the first column, by the name">,
  ]>], more)>;

def H16_L2 : LaterL2<41, []>;
def H17_L2 : LaterL2<42, [Named<0xa4, "L2TraceCfg", Extent>]>;
def H18_L2 : LaterL2<43, []>;

//===----------------------------------------------------------------------===//
// PE
//===----------------------------------------------------------------------===//

// A factor or a term. Values are 19 bits of a float, the upper ones of 32.
class Term<int offset, string name, string meaning, Source source, int reset = 0>
    : Reg<offset, name, [Bits<name, 31, 0, F32, source, meaning, NoEnum, NoTwin>], reset>;

class LaterPE<int words, list<RegArray> more>
    : RegBlock<"PE", 0x04500, words,
        "The planar engine, with terms of 19 bits in place of the halves of H13.", !listconcat([
  PEConfig<0x00, Listed, /*condMsb=*/9>,
  Term<0x04, "Bias", "added after Scale", Listed>,
  Term<0x08, "Scale", "factor of the result of the operation", Listed, /*reset=*/0x3f800000>,
  Term<0x0c, "Epsilon", "added before the function", Printed>,
  Term<0x10, "PreScale", "factor of source 1 before the operation", Printed, /*reset=*/0x3f800000>,
  Reg<0x14, "FinalScale", [
    Bits<"FinalScale", 31, 0, F32, Printed, "">,
  ], /*reset=*/0x3f800000>,
  RegArray<0x18, "Lut", 8, [Bits<"Unknown", 31, 0, Plain, Printed, "a table of a function, by the name">]>,
  PEQuant<0x38>], more)>;

def H15_PE : LaterPE<15, []>;
def H17_PE : LaterPE<16, [Named<0x3c, "PETraceCfg", Extent>]>;

//===----------------------------------------------------------------------===//
// NE
//===----------------------------------------------------------------------===//

// `kernel` and `mac` are bits that a generation has besides.
class LaterNE<int words, list<RegArray> more, list<Bits> kernel = [], list<Bits> mac = []>
    : RegBlock<"NE", 0x04900, words, "The neural engines.", !listconcat([
  Reg<0x00, "KernelCfg", !listconcat(kernel, [
    Flag<"AsymQuantEn", 24, Printed, "coefficients have a zero point, by the name">,
    Bits<"BlockSize", 23, 21, Plain, Printed, "coefficients that share a scale, by the name">,
    Flag<"RuntimeKernel", 16, Listed, "set where there is a table and no coefficients">,
    Flag<"SparseBinary", 15, Printed, "by the name">,
    Flag<"GroupKernelReuse", 10, Printed, "">,
    Flag<"SparseFmt", 8, Printed, "">,
    Bits<"PalettizedBits", 7, 4, Count<"bits">, Listed, "">,
    Flag<"PalettizedEn", 2, Printed, "">,
    EnumBits<"KernelFmt", 1, 0, H13_NE_KernelFmt, Listed, "">,
  ]), /*reset=*/0x82>,
  Reg<0x04, "MACCfg", !listconcat(mac, [
    Flag<"DoubleInt8En", 26, Printed, "two products of bytes in place of one of halves, by the name">,
    Bits<"ArgSel", 23, 20, Plain, Listed, "">,
    Flag<"MaxPoolEn", 19, Printed, "maximum of windows, by the name">,
    EnumBits<"NonlinearMode", 17, 16, H13_NE_NonlinearMode, Listed, "">,
    Flag<"PostScaleMode", 14, Printed, "">,
    Bits<"BinaryPoint", 13, 8, Plain, Listed,
      "a bit more than on H13, which repeats the one below: 60 with fp16 coefficients from H16 on, 28 on H15">,
    Flag<"MatrixBiasEn", 6, Printed, "">,
    Flag<"PassEn", 5, Printed, "">,
    Flag<"BiasMode", 4, Printed, "">,
    Flag<"KernelMode", 3, Listed, "">,
    EnumBits<"OpMode", 2, 0, H13_NE_OpMode, Listed, "">,
  ])>,
  MatrixVectorBias<0x08>,
  AccBias<0x0c>,
  PostScale<0x10>,
  Reg<0x14, "RcasConfig", [
    Flag<"Mode", 20, Printed, "by the name">,
    Bits<"SenseBit", 19, 16, Plain, Printed, "by the name">,
    Bits<"Axis", 13, 12, Plain, Printed, "by the name">,
    Bits<"CmpBit", 10, 8, Plain, Printed, "by the name">,
    Bits<"KeyMask", 7, 0, Plain, Printed, "by the name">,
  ]>,
  Reg<0x18, "RoundModeCfg", [
    Bits<"IntBits", 8, 4, Plain, Printed, "by the name">,
    Bits<"Mode", 1, 0, Plain, Printed, "how results are rounded, by the name">,
  ]>,
  RegArray<0x1c, "SRSeed", 4, [Bits<"Seed", 31, 0, Plain, Printed, "of stochastic rounding, by the name">]>], more)>;

defvar LaterZeroPoint = Reg<0x2c, "QuantZeroPoint", [
  Bits<"ZeroPoint", 7, 0, Plain, Printed, "what stands for zero in coefficients of bytes">]>;

def H15_NE : LaterNE<11, []>;
def H16_NE : LaterNE<12, [LaterZeroPoint]>;
defvar LaterTrace = Named<0x30, "NETraceCfg", Extent>;
def H17_NE : LaterNE<13, [LaterZeroPoint, LaterTrace], [
  Flag<"Unknown28", 28, Listed, "set exactly where coefficients are read", NoEffect>]>;
def H18_NE : LaterNE<13, [LaterZeroPoint, LaterTrace], [
  Flag<"Unknown28", 28, Listed, "set where coefficients are read for images wider than 8", NoEffect>], [
  Flag<"Unknown27", 27, Listed, "set where coefficients are read for images of up to 8 columns", NoEffect>]>;

//===----------------------------------------------------------------------===//
// TileDMADst
//===----------------------------------------------------------------------===//

class LaterDstConfig<int offset>
    : Reg<offset, "DMAConfig", !listconcat([
        Flag<"L2BfrMode", 24, Listed, "">], DMATags, [
        EnumBits<"CacheHint", 7, 4, H13_CacheHint, Listed, "">,
        Flag<"En", 0, Listed, "">])>;
class LaterResult<int offset> {
  list<RegArray> List = [
    DMABase<offset, "BaseAddr", Listed, "">,
    AddrHi<!add(offset, 4), "BaseAddrHi">,
    DMAStride<!add(offset, 8), "RowStride", Listed, "">,
    DMAStride<!add(offset, 12), "PlaneStride", Listed, "">,
    DMAStride<!add(offset, 16), "DepthStride", Listed, "">,
    DMAStride<!add(offset, 20), "GroupStride", Listed, "">];
}

class LaterTileDMADst<int words>
    : RegBlock<"TileDMADst", 0x05100, words, "Stores the result from L2 to DRAM.", !listconcat([
  LaterDstConfig<0x00>],
  LaterResult<0x08>.List, [
  Named<0x20, "InternalCfg">,
  Addr<0x28, "MetaDataAddr">,
  AddrHi<0x2c, "MetaDataAddrHi">,
  Reg<0x30, "MetaDataSize", [
    Bits<"Size", 31, 7, Shift<7>, Printed, "by the name">,
    Bits<"FmtMode", 1, 0, Plain, Printed, "by the name">,
  ]>,
  DstFmt<0x38, Listed>,
  CompressedInfo<0x40, "CompressedInfo", 0>,
  Reg<0x48, "CompressedSize", [Bits<"Size", 31, 0, Count<"bytes">, Printed, "packed bytes, low word">]>,
  Reg<0x4c, "CompressedSizeHi", [Bits<"Size", 31, 0, Plain, Printed, "packed bytes, high word">]>,
  Named<0x50, "PixelOffset">])>;

def H15_TileDMADst : LaterTileDMADst<21>;
def H17_TileDMADst : LaterTileDMADst<23>;
def H18_TileDMADst : RegBlock<"TileDMADst", 0x05100, 27, "Stores the result from L2 to DRAM.", !listconcat([
  LaterDstConfig<0x00>,
  Reg<0x08, "DataSet", [Bits<"Value", 31, 0, Plain, Listed, "data set, with a base", NoEnum, NoEffect>]>],
  LaterResult<0x10>.List, [
  Reg<0x40, "Fmt", [Bits<"Unknown", 31, 0, Plain, Listed, "0xf0003211 for fp16", NoEnum, NoTwin>]>])>;

//===----------------------------------------------------------------------===//
// CacheDMA
//===----------------------------------------------------------------------===//

class CacheWord<int offset, string name, string meaning = "by the name">
    : Reg<offset, name, [Bits<"Unknown", 31, 0, Plain, Listed, meaning, NoEnum, NoEffect>]>;
class CacheDMA<int words, list<RegArray> more>
    : RegBlock<"CacheDMA", 0x05900, words,
        "Tells the system cache what a program will read. Written by its last task; the same in every recorded program "
        "but for the number of the task.",
        !listconcat([
  Reg<0x00, "TelemetryControl", [
    Bits<"EarlyTerm", 8, 4, Plain, Listed, "by the name", NoEnum, NoEffect>,
    Bits<"TaskSync", 3, 2, Plain, Listed, "by the name", NoEnum, NoEffect>,
    Flag<"Enable", 1, Listed, "by the name", NoEffect>,
    Flag<"Flush", 0, Listed, "by the name", NoEffect>,
  ]>,
  CacheWord<0x04, "TelemetryPre0">,
  Reg<0x08, "TelemetryPre1", [
    Bits<"TaskID", 31, 16, Count<"tasks">, Listed, "TID of the task", NoEnum, NoEffect>,
    Bits<"Sieve1", 13, 0, Plain, Listed, "by the name", NoEnum, NoEffect>,
  ], /*reset=*/0xe0>,
  Reg<0x18, "TelemetryDSID", [
    Bits<"DataSetIdAndSize", 29, 7, Plain, Printed, "by the name", NoEnum, NoEffect>,
  ]>,
  Reg<0x1c, "FootprintArg", [Bits<"FootprintArg2", 27, 17, Plain, Printed, "by the name", NoEnum, NoEffect>]>,
  Reg<0x20, "EarlyTermArg12", [
    Bits<"Arg2", 31, 16, Plain, Printed, "by the name", NoEnum, NoEffect>,
    Bits<"Arg1", 15, 0, Plain, Printed, "by the name", NoEnum, NoEffect>,
  ]>,
  Reg<0x24, "Flush", [Bits<"FlushArg", 15, 0, Plain, Printed, "by the name", NoEnum, NoEffect>]>,
  Reg<0x28, "EarlyTermArg34", [
    Bits<"Arg4", 23, 16, Plain, Listed, "by the name", NoEnum, NoEffect>,
    Bits<"Arg3", 7, 0, Plain, Listed, "by the name", NoEnum, NoEffect>,
  ]>,
  CacheWord<0x2c, "BackoffControl">], more)>;

def H15_CacheDMA : CacheDMA<12, []>;
def H17_CacheDMA : CacheDMA<14, [Named<0x34, "PrefetchRate">]>;
def H18_CacheDMA : CacheDMA<14, []>;

#endif // ANE_HW_REGISTERS_LATER_TD
