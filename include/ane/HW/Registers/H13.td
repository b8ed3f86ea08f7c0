//===- H13.td - Registers of the H13 engine (A14, M1) ------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every register of a task descriptor of the H13 generation, in the order of
// the stream of a full task: header, KernelDMASrc, Common, TileDMASrc, L2, PE,
// NE, TileDMADst. Names are the public ones, so that a search finds them
// elsewhere; where no public name exists, a register is called after its place
// (Word34) and a field after what it was seen to do.
//
// Widths and positions of most fields come from Apple's own register printer.
// Meanings come from executing recorded programs with one rule changed at a
// time: a field whose change altered no result is said to be a hint.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_REGISTERS_H13_TD
#define ANE_HW_REGISTERS_H13_TD

include "ane/HW/Registers/RegisterBase.td"

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def Printer : Source<Seen,
  "place: register printer of Apple's compiler, probed bit by bit (tinygrad aneregs.json)">;
def PrinterExecuted : Source<Seen,
  "place: Apple's register printer; meaning: programs compute wrong results otherwise">;
def Executed : Source<Seen,
  "place: freedomtan's maps; meaning: programs compute wrong results otherwise">;
def ExecutedNew : Source<Seen,
  "on no public map; programs of compiler 9.509 compute wrong results otherwise">;
def Values : Source<Deduced,
  "place: maps of later generations; the values in real programs fit">;
def Samples : Source<Deduced, "values in real programs, on no public map">;
def Analogy : Source<Guess, "place and name: maps of later generations; never set in a real program">;
def Open : Source<Unknown, "place in the stream; zero in every program read">;
def OpenSet : Source<Unknown, "set in some real programs, on no public map">;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

// A base is an index into the 32 entries of the base-address table. Each comes
// with a bit that says whether it is used.
class Base<string name, int lsb, string meaning>
    : Bits<name, !add(lsb, 4), lsb, Count<"table index">, PrinterExecuted, meaning>;

def H13_Header : HeaderBlock<"Header", 11,
  "Ten words in front of the records: identity, chaining, residency and bases. "
  "An eleventh follows when KBase0 is 3 and enabled.", [
  HeaderWord<0, [
    Flag<"EON", 25, Printer, "end of network: last task of the program">,
    Flag<"LNID", 24, Printer, "set on every task but the first">,
    Bits<"NID", 23, 16, Plain, Printer, "network id; zero in files, written when a program is loaded">,
    Bits<"TID", 15, 0, Count<"tasks">, Printer, "number of the task in its program, from 0">,
  ]>,
  HeaderWord<1, [
    Bits<"NextSize", 24, 16, Count<"words">, Printer, "words of the next task less one; 0 on the last task">,
    Bits<"ExeCycles", 15, 0, Count<"microseconds">, Printer,
      "estimated time: bytes moved at 34.128 GB/s or MACs at 5.85e12/s, the larger; 0 from compiler 4.2.1">,
  ]>,
  HeaderWord<2, [
    Bits<"LogEvents", 23, 0, Plain, Printer, "event mask for the firmware's log; 0x400 in all tasks, 0x022 more in the last, 0x008 in the first from compiler 9">,
  ]>,
  HeaderWord<3, [
    Bits<"Exceptions", 23, 0, Plain, Printer, "exception mask; always 0">,
  ]>,
  HeaderWord<4, [
    Bits<"DebugLogEvents", 23, 0, Plain, Printer,
      "event mask for debugging; 0xfff800 unless the task only copies, 0x68 more at the ends of a program">,
  ]>,
  HeaderWord<5, [
    Bits<"DebugExceptions", 23, 0, Plain, Printer, "exception mask for debugging; always 0">,
  ]>,
  HeaderWord<6, [
    Flag<"TQDis", 31, Printer, "meaning open; always 0">,
    Flag<"DstLoc", 29, Printer, "the result goes to DRAM; equals TileDMADst.DMAConfig.En">,
    Flag<"SrcLoc", 28, Printer, "some source comes from DRAM">,
    Flag<"TDE", 24, Printer, "set on tasks with the extra header word">,
    Bits<"NextPriority", 21, 16, Plain, Printer, "always 0">,
    Flag<"TSE", 15, Printer, "set with TSR">,
    Flag<"DPC", 14, Printer, "set on a task that fills a scratch-shaped L2 region for the next one">,
    Flag<"SPC", 13, Printer, "set on the reader of such a region">,
    Flag<"TSR", 12, Printer, "set on the last writer of an output in DRAM">,
    Flag<"SPL", 11, Printer, "set on a first task with a source in DRAM; perhaps prefetch">,
    Flag<"KPC", 10, Printer, "meaning open; always 0">,
    Flag<"TDSkip", 9, Printer, "always 0">,
    Flag<"DisallowAbort", 8, Printer, "set with NE.KernelCfg.ChainOut by compiler 9, by older ones never">,
  ]>,
  HeaderWord<7, [
    Bits<"NextPointer", 31, 0, Count<"bytes">, Printer, "offset of the next task in the text section; 0 on the last">,
  ]>,
  HeaderWord<8, [
    Bits<"ENE", 26, 24, Plain, Printer, "0 for tasks of the planar engine, else Common.Cfg.ActiveNE + 1">,
    Flag<"TBE", 23, Printer, "NextPointer is used">,
    Base<"TBase", 18, "where the next task is fetched from; 0 is the text section">,
    Flag<"WBE", 17, PrinterExecuted, "WBase is used; also set when the strides only describe a scratch place">,
    Base<"WBase", 12, "destination of the tile DMA">,
    Flag<"RBE1", 11, PrinterExecuted, "RBase1 is used">,
    Base<"RBase1", 6, "source 2 of the tile DMA">,
    Flag<"RBE0", 5, PrinterExecuted, "RBase0 is used">,
    Base<"RBase0", 0, "source 1 of the tile DMA">,
  ]>,
  HeaderWord<9, [
    Flag<"KBE3", 23, Printer, "KBase3 is used">,
    Base<"KBase3", 18, "fourth base for coefficients; never used">,
    Flag<"KBE2", 17, Printer, "KBase2 is used">,
    Base<"KBase2", 12, "third base for coefficients; never used">,
    Flag<"KBE1", 11, Printer, "KBase1 is used">,
    Base<"KBase1", 6, "second base for coefficients; never used">,
    Flag<"KBE0", 5, PrinterExecuted, "KBase0 is used">,
    Base<"KBase0", 0, "coefficients: 1 constants, 3 scratch, from 4 a tensor">,
  ]>,
  HeaderWord<10, [
    Bits<"DTID", 15, 0, Count<"tasks">, Samples,
      "present when the coefficients come from scratch: TID of the task that stored them there">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// Enumerations and fields that several blocks share
//===----------------------------------------------------------------------===//

def H13_CacheHint : RegEnum<"CacheHint", [
  Enumerator<0, "Alloc",   "allocate in the system cache">,
  Enumerator<1, "NoAlloc", "do not allocate">,
  Enumerator<2, "Drop",    "drop after use; what unused channels carry">,
  Enumerator<3, "Depri",   "lower the priority; results of a program">,
  Enumerator<4, "ReadScratch", "seen where a task reads scratch memory (name is a guess)">,
  Enumerator<12, "LastRead", "seen for data that nobody reads again (name is a guess)">,
  Enumerator<14, "Reuse",    "seen for data that is read again (name is a guess)">,
  Enumerator<15, "Intermediate", "seen for results in scratch memory (name is a guess)">,
]>;

// Two bits next to every cache hint; later maps have them under the same name.
class CrH<Source source>
    : Bits<"CrH", 5, 4, Plain, source, "meaning open; always 0">;

//===----------------------------------------------------------------------===//
// KernelDMASrc
//===----------------------------------------------------------------------===//

// Side channels next to the 16 coefficient streams. The public H16 map has them
// in this order; on H13 none was ever seen enabled.
class AuxConfig<int offset, string name, string what>
    : Reg<offset, name, [
        EnumBits<"CacheHint", 9, 6, H13_CacheHint, Values, "cache hint of the " # what # " channel">,
        CrH<Values>,
        Flag<"En", 0, Values, "the " # what # " channel reads; never seen set">]>;
class AuxBase<int offset, string name, string what>
    : Reg<offset, name, [
        Bits<"Addr", 31, 6, Shift<6>, Analogy, "offset of the " # what # " stream">]>;
class AuxSize<int offset, string name, string what>
    : Reg<offset, name, [
        Bits<"MemBfrSize", 31, 6, Shift<6>, Analogy,
          "size of the " # what # " stream; 0x40 from compiler 9.509, else 0">]>;

def H13_KernelDMASrc : RegBlock<"KernelDMASrc", 0x1f800, 62,
  "Streams coefficients, biases and tables from memory, one stream for each neural engine.", [
  Reg<0x00, "MasterConfig", [
    Flag<"MasterEnable", 6, Values, "some stream is enabled">,
    Flag<"ZeroSkipEn", 5, Samples, "streams are in the zero-skipping form; equals NE.KernelCfg.SparseFmt, all stride-2 convolutions">,
  ]>,
  Reg<0x04, "AlignedCoeffSizePerCh", [
    Bits<"Value", 31, 0, Plain, Open, "the name is that of later generations">,
  ]>,
  RegArray<0x08, "CoeffDMAConfig", 16, [
    Flag<"PrefetchParticipateEn", 28, Printer, "meaning open; always 0">,
    EnumBits<"CacheHint", 9, 6, H13_CacheHint, Printer, "cache hint of the stream; Drop in tasks of the neural engines">,
    CrH<Printer>,
    Flag<"En", 0, PrinterExecuted, "the stream of this neural engine is read">,
  ]>,
  RegArray<0x48, "CoeffBaseAddr", 16, [
    Bits<"Addr", 31, 6, Shift<6>, PrinterExecuted, "offset of the stream from KBase0; relocated in containers">,
  ]>,
  RegArray<0x88, "CoeffBfrSize", 16, [
    Bits<"MemBfrSize", 31, 6, Shift<6>, PrinterExecuted, "size of the stream; 0x40 where unused">,
  ]>,
  AuxConfig<0xc8, "BiasDMAConfig", "bias">,
  AuxConfig<0xcc, "PostScaleDMAConfig", "post-scale">,
  AuxConfig<0xd0, "PaletteDMAConfig", "palette">,
  AuxConfig<0xd4, "NonlinearLutDMAConfig", "table">,
  AuxBase<0xd8, "BiasBaseAddr", "bias">,
  AuxBase<0xdc, "PostScaleBaseAddr", "post-scale">,
  AuxBase<0xe0, "PaletteBaseAddr", "palette">,
  AuxBase<0xe4, "NonlinearLutBaseAddr", "table">,
  AuxSize<0xe8, "BiasBfrSize", "bias">,
  AuxSize<0xec, "PostScaleBfrSize", "post-scale">,
  AuxSize<0xf0, "PaletteBfrSize", "palette">,
  AuxSize<0xf4, "NonlinearLutBfrSize", "table">,
]>;

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

def H13_Format : RegEnum<"Format", [
  Enumerator<0, "UInt8",   "unsigned byte; also booleans">,
  Enumerator<1, "Int8",    "signed byte">,
  Enumerator<2, "Float16", "IEEE half">,
]>;

def H13_TaskType : RegEnum<"TaskType", [
  Enumerator<0, "NE",             "neural engines: convolution, matrix product, copy, table">,
  Enumerator<2, "PEUnary",        "planar engine, one source">,
  Enumerator<3, "PEElementwise",  "planar engine, two sources of the same shape or broadcast">,
  Enumerator<4, "PEScaleBias",    "planar engine, (source 1 + row 0 of source 2) * row 1 of source 2">,
  Enumerator<5, "PEReduction",    "planar engine, reduces one source over W, H and D">,
  Enumerator<6, "PEElementwiseReduction", "planar engine, two sources combined and then reduced">,
]>;

// Axes along which a source of size 1 is repeated.
class Broadcast<string name, int lsb, string what>
    : Bits<name, !add(lsb, 3), lsb, Plain, Executed,
        what # " has size 1 along and is repeated: bit 0 W, 1 H, 2 D, 3 C">;

// Work-unit shapes: 4 is 8 pixels wide, 3 16, 2 32, 1 64, 0 wider.
class ShapeCode<string name, int lsb, string what, Source source = Printer>
    : Bits<name, !add(lsb, 2), lsb, Plain, source,
        what # " shape of the work unit: 4 = 8 pixels wide, 3 = 16, 2 = 32, 1 = 64, 0 = more">;

def H13_Common : RegBlock<"Common", 0x00000, 16,
  "Sizes, formats and the kind of work.", [
  Reg<0x00, "InDim", [
    Bits<"Hin", 30, 16, Count<"elements">, PrinterExecuted, "height of the source">,
    Bits<"Win", 14, 0, Count<"elements">, PrinterExecuted, "width of the source">,
  ]>,
  Reg<0x04, "InDepth", [
    Bits<"Din", 14, 0, Count<"elements">, Values, "depth of the source">,
  ]>,
  Reg<0x08, "ChCfg", [
    EnumBits<"OutFmt", 5, 4, H13_Format, PrinterExecuted, "elements of the result">,
    EnumBits<"Src2InFmt", 3, 2, H13_Format, Values, "elements of source 2; 0 when there is none">,
    EnumBits<"InFmt", 1, 0, H13_Format, PrinterExecuted, "elements of source 1">,
  ]>,
  Reg<0x0c, "Cin", [
    Bits<"Cin", 16, 0, Count<"elements">, PrinterExecuted, "channels of the source, of one group">,
  ]>,
  Reg<0x10, "Cout", [
    Bits<"Cout", 16, 0, Count<"elements">, PrinterExecuted, "channels of the result, of one group">,
  ]>,
  Reg<0x14, "OutDim", [
    Bits<"Hout", 30, 16, Count<"elements">, PrinterExecuted, "height of the result">,
    Bits<"Wout", 14, 0, Count<"elements">, PrinterExecuted, "width of the result">,
  ]>,
  Reg<0x18, "OutDepth", [
    Bits<"Dout", 14, 0, Count<"elements">, Values, "depth of the result">,
  ]>,
  Reg<0x1c, "ConvCfg", [
    Bits<"Oy", 31, 30, Count<"elements">, Printer, "step of the output along H; 1, 2 in convolutions taken apart">,
    Bits<"Ox", 29, 28, Count<"elements">, Printer, "step of the output along W">,
    Bits<"Py", 26, 22, Count<"elements">, PrinterExecuted, "padding above; what is missing below follows from the sizes">,
    Bits<"Px", 21, 17, Count<"elements">, PrinterExecuted, "padding on the left">,
    Bits<"Sy", 16, 15, Count<"elements">, PrinterExecuted, "stride along H">,
    Bits<"Sx", 14, 13, Count<"elements">, PrinterExecuted, "stride along W">,
    Bits<"OCGSize", 12, 10, Count<"log2 of channels">, PrinterExecuted,
      "output channels that one engine computes in a pass">,
    Bits<"Kh", 9, 5, Count<"elements">, PrinterExecuted, "height of the kernel">,
    Bits<"Kw", 4, 0, Count<"elements">, PrinterExecuted, "width of the kernel">,
  ]>,
  Reg<0x20, "ConvCfg3D", [
    Bits<"Oz", 14, 13, Count<"elements">, Values, "step of the output along D; always 1">,
    Bits<"Pz", 11, 8, Count<"elements">, Values, "padding along D; always 0">,
    Bits<"Sz", 7, 6, Count<"elements">, Values, "stride along D; always 1">,
    Bits<"Kd", 4, 0, Count<"elements">, Values, "depth of the kernel; always 1">,
  ]>,
  Reg<0x24, "GroupConvCfg", [
    Bits<"UnicastCin", 31, 16, Count<"elements">, PrinterExecuted,
      "with UnicastEn: source channels that each output channel has for itself">,
    Flag<"ElemMultMode", 15, PrinterExecuted, "the unicast channels are multiplied with each other">,
    Flag<"UnicastEn", 14, PrinterExecuted,
      "each output channel has its own source channels: copies, depthwise convolutions">,
    Bits<"NumGroups", 12, 0, Count<"elements">, PrinterExecuted,
      "groups; also the batch, and any outer loop over the group strides">,
  ]>,
  Reg<0x28, "TileCfg", [
    Bits<"TileHeight", 14, 0, Count<"elements">, Printer, "result rows of a tile; all rows when nothing is tiled">,
  ]>,
  Reg<0x2c, "PatchCfg", [
    Bits<"PatchHeight", 8, 4, Count<"log2 of elements">, Values, "rows of a patch of the planar engine, 0 to 5">,
    Bits<"PatchWidth", 3, 0, Count<"log2 of elements">, Values, "columns of such a patch, 4 to 9; 0 in tasks of the neural engines">,
  ]>,
  Reg<0x30, "PECfg", [
    Flag<"ResultExchange", 10, ExecutedNew, "the result is stored with C and W exchanged">,
    Flag<"Src2Exchange", 9, ExecutedNew, "source 2 is stored with C and W exchanged">,
    Flag<"Src1Exchange", 8, ExecutedNew, "source 1 is stored with C and W exchanged">,
    Broadcast<"Src2Broadcast", 4, "source 2">,
    Broadcast<"Src1Broadcast", 0, "source 1">,
  ]>,
  Reg<0x34, "Cfg", [
    Flag<"ResultExchange", 28, ExecutedNew, "the neural engines store their result with C and W exchanged">,
    Flag<"AccDoubleBufEn", 26, Printer, "accumulators are double buffered; off from 16 output channels per engine on">,
    Flag<"ContextSwitchOut", 24, Printer, "always 0">,
    Flag<"ContextSwitchIn", 22, Printer, "always 0">,
    Bits<"ActiveNE", 21, 19, Count<"log2 of engines">, PrinterExecuted, "neural engines at work, 0 to 4">,
    ShapeCode<"ShMax", 16, "largest">,
    ShapeCode<"ShMin", 12, "smallest">,
    ShapeCode<"ShPref", 8, "preferred">,
    EnumBits<"TaskType", 7, 4, H13_TaskType, Executed, "engine and kind of work">,
    Flag<"SmallSourceMode", 2, PrinterExecuted, "convolutions of at most 8x8 pixels; slots of zero-skipping streams have 4 entries or more, else 2">,
    Flag<"Src2En", 1, Samples, "source 2 comes by tile DMA; equals L2.SourceCfg.Src2Dma">,
    Flag<"Src1En", 0, Samples, "0 exactly in tasks of the planar engine with source 1 in L2 and source 2 by DMA">,
  ]>,
  Reg<0x38, "TaskInfo", [
    Bits<"NID", 27, 20, Plain, Printer, "1 in tasks of the neural engines, else 0">,
    Bits<"TaskQ", 19, 16, Plain, Printer, "always 0">,
    Bits<"TaskID", 15, 0, Plain, Printer, "always 0">,
  ]>,
  Reg<0x3c, "DPE", [
    Bits<"Category", 3, 0, Plain, Printer,
      "0, 1 in reciprocal roots with epsilon, 2 in channel products, 7 in one large matrix product; perhaps power">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// TileDMASrc
//===----------------------------------------------------------------------===//

// What the formats of the tile DMA have in common. fp16 is FmtMode 1, MemFmt 2,
// Truncate 3; bytes are 0 throughout.
class SrcFmt<int offset, string name, Source source>
    : Reg<offset, name, [
        Bits<"CmpVec", 31, 28, Plain, source, "always 0">,
        Bits<"Interleave", 27, 24, Count<"channels">, source, "channels stored side by side along W; 0 for source 2">,
        Bits<"OffsetCh", 18, 16, Plain, source, "always 0">,
        Bits<"MemFmt", 13, 12, Plain, source, "2 for fp16, 0 for bytes">,
        Flag<"Shift", 8, source, "always 0">,
        Bits<"Truncate", 5, 4, Plain, source, "3 for fp16, 0 for bytes">,
        Bits<"FmtMode", 1, 0, Plain, source, "1 for fp16, 0 for bytes and for source 2">]>;

class SrcConfig<int offset, string name, Source source, string enable>
    : Reg<offset, name, [
        Bits<"DependencyMode", 19, 18, Plain, source, "orders the DMA behind earlier tasks; 0 alone, 1 to 3 in chained tasks">,
        EnumBits<"CacheHintNoReuse", 17, 14, H13_CacheHint, source, "cache hint of the last read; Drop when off">,
        EnumBits<"CacheHintReuse", 13, 10, H13_CacheHint, source, "cache hint of repeated reads; Drop when off">,
        EnumBits<"CacheHint", 9, 6, H13_CacheHint, source, "cache hint">,
        CrH<source>,
        Flag<"En", 0, source, enable>]>;

class DMABase<int offset, string name, Source source, string meaning>
    : Reg<offset, name, [Bits<"Addr", 31, 6, Shift<6>, source, meaning>]>;
class DMAStride<int offset, string name, Source source, string meaning>
    : Reg<offset, name, [Bits<"Stride", 31, 6, Shift<6>, source, meaning>]>;

def Src2Order : Source<Deduced,
  "place: order of the H14 map; values: sum.hwx, and executed programs with two sources">;

def H13_TileDMASrc : RegBlock<"TileDMASrc", 0x13800, 28,
  "Brings tiles of up to two sources from DRAM into L2.", [
  SrcConfig<0x00, "Src1DMAConfig", Printer, "some source of this task comes by DMA">,
  SrcConfig<0x04, "Src2DMAConfig", Src2Order, "always 0; Common.Cfg.Src2En enables source 2">,
  DMABase<0x08, "Src1BaseAddr", PrinterExecuted, "offset from RBase0">,
  DMAStride<0x0c, "Src1RowStride", PrinterExecuted, "from row to row">,
  DMAStride<0x10, "Src1PlaneStride", PrinterExecuted, "from channel to channel">,
  DMAStride<0x14, "Src1DepthStride", PrinterExecuted, "from depth slice to depth slice">,
  DMAStride<0x18, "Src1GroupStride", PrinterExecuted, "from group to group, or from image to image">,
  DMABase<0x1c, "Src2BaseAddr", Src2Order, "offset from RBase1">,
  DMAStride<0x20, "Src2RowStride", Src2Order, "from row to row">,
  DMAStride<0x24, "Src2PlaneStride", Src2Order, "from channel to channel">,
  DMAStride<0x28, "Src2DepthStride", Src2Order, "from depth slice to depth slice">,
  DMAStride<0x2c, "Src2GroupStride", Src2Order, "from group to group, or from image to image">,
  Reg<0x30, "Word34", [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
  Reg<0x34, "Word38x", [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
  SrcFmt<0x38, "Src1Fmt", PrinterExecuted>,
  SrcFmt<0x3c, "Src2Fmt", Src2Order>,
  Reg<0x40, "Word40", [
    Flag<"Unknown", 8, OpenSet,
      "1, but 0 from compilers 4 and 5 in tasks of the planar engine with source 1 by DMA">,
  ]>,
  Reg<0x44, "Word44", [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
  Reg<0x48, "Word48", [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
  Reg<0x4c, "Word4c", [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
  RegArray<0x50, "PixelOffset", 4, [
    Bits<"Offset", 15, 0, Plain, Printer, "always 0">,
  ]>,
  RegArray<0x60, "Spare", 4, [Bits<"Unknown", 31, 0, Plain, Open, "">]>,
]>;

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

def H13_SourceType : RegEnum<"SourceType", [
  Enumerator<0, "Resident", "left in L2 by an earlier task">,
  Enumerator<1, "DMAKept",  "read by tile DMA and kept in L2 for later tasks">,
  Enumerator<2, "DMA",      "streamed by tile DMA, gone afterwards">,
  Enumerator<3, "Chained",  "streamed patch by patch from the task before">,
]>;

def H13_ResultType : RegEnum<"ResultType", [
  Enumerator<0, "Resident",  "stays in L2 for later tasks">,
  Enumerator<1, "DMAStaged", "stored by tile DMA from a staging buffer that each group uses again">,
  Enumerator<2, "DMA",       "stored by tile DMA">,
  Enumerator<3, "Chained",   "streamed patch by patch into the next task">,
]>;

def H13_DMAFmt : RegEnum<"DMAFmt", [
  Enumerator<0, "Bits8",  "8-bit elements">,
  Enumerator<1, "Bits16", "16-bit elements">,
  Enumerator<3, "Bits32", "32-bit elements (guess)">,
]>;

// The bits that SourceCfg and ResultCfg share. The alias flags are hazard hints
// against what earlier tasks left in L2; all four are set in a first task.
defvar L2PlanarAlias = [
  Flag<"AliasPlanarRslt", 22, Printer, "may overlap a result of an earlier task of the planar engine">,
  Flag<"AliasPlanarSrc", 20, Printer, "may overlap a source of an earlier task of the planar engine">,
  Bits<"DMAOffsetCh", 18, 16, Plain, Printer, "always 0">,
  Bits<"DMACmpVec", 15, 12, Plain, Printer, "always 0">,
  Bits<"DMAInterleave", 11, 8, Count<"channels">, Printer, "channels side by side, as in the format of the tile DMA">,
  EnumBits<"DMAFmt", 7, 6, H13_DMAFmt, Printer, "size of the elements">,
  Flag<"AliasConvRslt", 5, Printer, "may overlap a result of an earlier convolution">,
  Flag<"AliasConvSrc", 4, Printer, "may overlap a source of an earlier convolution">];

class L2Base<int offset, string name, Source source, string meaning>
    : Reg<offset, name, [Bits<"Addr", 20, 4, Shift<4>, source, meaning>]>;
class L2Stride<int offset, string name, Source source, string meaning>
    : Reg<offset, name, [Bits<"Stride", 20, 4, Shift<4>, source, meaning>]>;

def L2Order : Source<Deduced,
  "place: order of the H14 map; meaning: programs compute wrong results otherwise">;

def H13_L2 : RegBlock<"L2", 0x04800, 18,
  "Where sources and result live in the software-managed L2 memory: [row][channel][column].", [
  Reg<0x00, "L2Cfg", [
    Flag<"Src2InputReLU", 4, Samples, "ReLU on source 2; seen with both sources the same tensor">,
    Bits<"PaddingMode", 3, 2, Plain, Printer, "1 exactly where a task reduces by maximum">,
    Flag<"InputReLU", 0, Printer, "ReLU on source 1">,
  ]>,
  Reg<0x04, "SourceCfg", !listconcat([
    Flag<"Src2Dma", 24, Samples, "source 2 comes by tile DMA; equals Common.Cfg.Src2En">],
    L2PlanarAlias, [
    Bits<"Dependent", 3, 2, Plain, Printer, "orders the task behind the writer of its source; 1 between two matrix products">,
    EnumBits<"SourceType", 1, 0, H13_SourceType, PrinterExecuted, "where source 1 is">,
  ])>,
  L2Base<0x08, "SourceBase", PrinterExecuted, "address of source 1">,
  L2Stride<0x0c, "SourceChannelStride", PrinterExecuted, "from channel to channel of source 1">,
  L2Stride<0x10, "SourceRowStride", PrinterExecuted, "from row to row of source 1">,
  L2Stride<0x14, "SourceDepthStride", L2Order, "from depth slice to depth slice of source 1">,
  L2Stride<0x18, "SourceGroupStride", L2Order, "from group to group of source 1">,
  L2Base<0x1c, "Source2Base", L2Order, "address of source 2">,
  L2Stride<0x20, "Source2ChannelStride", L2Order, "from channel to channel of source 2">,
  L2Stride<0x24, "Source2RowStride", L2Order, "from row to row of source 2">,
  L2Stride<0x28, "Source2DepthStride", L2Order, "from depth slice to depth slice of source 2">,
  L2Stride<0x2c, "Source2GroupStride", L2Order, "from group to group of source 2">,
  Reg<0x30, "ResultCfg", !listconcat(L2PlanarAlias, [
    Flag<"L2BfrMode", 3, Printer, "the result streams out; clear where it is kept in L2 or staged in patches">,
    EnumBits<"ResultType", 1, 0, H13_ResultType, PrinterExecuted, "where the result goes">,
  ])>,
  L2Base<0x34, "ResultBase", PrinterExecuted, "address of the result or of its staging buffer">,
  L2Stride<0x38, "ResultChannelStride", PrinterExecuted, "from channel to channel of the result; 0 when it streams out">,
  L2Stride<0x3c, "ResultRowStride", PrinterExecuted, "from row to row of the result">,
  L2Stride<0x40, "ResultDepthStride", L2Order, "from depth slice to depth slice of the result">,
  L2Stride<0x44, "ResultGroupStride", L2Order, "from group to group of the result">,
]>;

//===----------------------------------------------------------------------===//
// PE
//===----------------------------------------------------------------------===//

def H13_PE_PoolMode : RegEnum<"PoolMode", [
  Enumerator<0, "Sum",     "sum where the task reduces, else nothing">,
  Enumerator<1, "Average", "average (guess, from the H16 map)">,
  Enumerator<2, "Max",     "maximum">,
  Enumerator<3, "Min",     "minimum (guess, from the H16 map)">,
]>;

def H13_PE_OpMode : RegEnum<"OpMode", [
  Enumerator<0, "Add",       "sum">,
  Enumerator<1, "Mul",       "product">,
  Enumerator<2, "Max",       "maximum">,
  Enumerator<3, "Min",       "minimum">,
  Enumerator<4, "SquareSum", "square of the sum">,
]>;

def H13_PE_Cond : RegEnum<"Cond", [
  Enumerator<0, "None",         "nothing">,
  Enumerator<1, "Abs",          "absolute value">,
  Enumerator<2, "Equal",        "compares with zero (guess, from the H16 map, like the rest)">,
  Enumerator<3, "Greater",      "">,
  Enumerator<4, "GreaterEqual", "">,
  Enumerator<5, "LessEqual",    "">,
  Enumerator<6, "Less",         "">,
  Enumerator<7, "NotEqual",     "">,
]>;

def H13_PE_NLMode : RegEnum<"NLMode", [
  Enumerator<0, "None",           "nothing">,
  Enumerator<1, "Reciprocal",     "1/x">,
  Enumerator<2, "ReciprocalRoot", "1/sqrt(x)">,
]>;

def H13_PE_SecSrc : RegEnum<"SecSrc", [
  Enumerator<0, "None",     "no source 2">,
  Enumerator<2, "Plain",    "source 2 as it is">,
  Enumerator<3, "Negated",  "source 2 with its sign changed">,
]>;

def H13_PE : RegBlock<"PE", 0x08800, 4,
  "The planar engine: FinalScale * (Scale * op(PreScale * source 1, source 2) + Bias), then Epsilon, "
  "NLMode, Cond and ReLU. No program tells the order of Scale, Bias and FinalScale apart.", [
  Reg<0x00, "Cfg", [
    EnumBits<"SecSrc", 19, 18, H13_PE_SecSrc, Executed, "use of source 2">,
    Flag<"FirstSrc", 16, Executed, "source 1 with its sign changed">,
    EnumBits<"NLMode", 13, 12, H13_PE_NLMode, Executed, "function of the result">,
    EnumBits<"Cond", 8, 6, H13_PE_Cond, Executed, "absolute value or comparison">,
    Flag<"ReluEn", 5, Executed, "ReLU on the result">,
    EnumBits<"OpMode", 4, 2, H13_PE_OpMode, Executed, "what is done with the two sources">,
    EnumBits<"PoolMode", 1, 0, H13_PE_PoolMode, Executed, "how a reduction reduces">,
  ]>,
  Reg<0x04, "BiasScale", [
    Bits<"Scale", 31, 16, F16, Executed, "factor of the result of the operation">,
    Bits<"Bias", 15, 0, F16, Executed, "added after Scale">,
  ]>,
  Reg<0x08, "PreScale", [
    Bits<"PreScale", 31, 16, F16, Executed, "factor of source 1 before the operation">,
    Bits<"Epsilon", 15, 0, F16, ExecutedNew, "added before the function, as the epsilon of a normalization">,
  ]>,
  Reg<0x0c, "FinalScale", [
    Bits<"FinalScale", 31, 0, F32, Executed, "last factor; 1/n for a mean">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// NE
//===----------------------------------------------------------------------===//

def H13_NE_KernelFmt : RegEnum<"KernelFmt", [
  Enumerator<0, "UInt8",   "unsigned bytes, and no coefficients at all">,
  Enumerator<1, "Int8",    "signed bytes">,
  Enumerator<2, "Float16", "IEEE halves">,
]>;

def H13_NE_OpMode : RegEnum<"OpMode", [
  Enumerator<0, "Conv",           "convolution; with KernelMode: source + AccBias">,
  Enumerator<1, "Elementwise",    "elementwise (guess, from public notes; never seen)">,
  Enumerator<2, "ElementMultiply", "product of UnicastCin neighbouring channels">,
  Enumerator<3, "ChannelMax",     "maximum over UnicastCin channels">,
  Enumerator<4, "Bypass",         "passes the source to the epilogue: copy, activation">,
  Enumerator<5, "TransposedConv", "transposed convolution (guess, from public notes; never seen)">,
]>;

def H13_NE_NonlinearMode : RegEnum<"NonlinearMode", [
  Enumerator<0, "None", "nothing">,
  Enumerator<1, "ReLU", "max(x, 0)">,
  Enumerator<2, "LUT",  "table in front of the coefficient stream">,
]>;

def H13_NE : RegBlock<"NE", 0x0c800, 5,
  "The neural engines: f(PostScale * (sum of products + bias row + AccBias)).", [
  Reg<0x00, "KernelCfg", [
    Flag<"RuntimeKernel", 16, Samples, "coefficients come from a tensor or from scratch, not from the constants">,
    Flag<"ChainIn", 14, Samples, "takes its source patch by patch from the task before">,
    Flag<"ChainOut", 12, Samples, "passes its result patch by patch to the next task">,
    Flag<"GroupKernelReuse", 10, Printer, "all groups use the same coefficients (by the name; always 0)">,
    Flag<"SparseFmt", 8, PrinterExecuted, "coefficients are in the zero-skipping form">,
    Bits<"PalettizedBits", 7, 4, Count<"bits">, Printer, "width of a palette index; 8 when there is no palette">,
    Flag<"PalettizedEn", 2, Printer, "coefficients are palette indices; never seen set">,
    EnumBits<"KernelFmt", 1, 0, H13_NE_KernelFmt, Printer, "type of the coefficients">,
  ]>,
  Reg<0x04, "MACCfg", [
    Bits<"ArgSel", 23, 20, Plain, Values, "1 in every task of the neural engines">,
    EnumBits<"NonlinearMode", 17, 16, H13_NE_NonlinearMode, PrinterExecuted, "function of the epilogue">,
    Flag<"PostScaleMode", 14, Printer, "0: the factor is the PostScale register">,
    Bits<"BinaryPoint", 12, 8, Plain, Printer, "28 with fp16 coefficients">,
    Flag<"MatrixBiasEn", 6, Printer, "always 0">,
    Flag<"PassEn", 5, Values, "name from the H16 map; never seen set">,
    Flag<"BiasMode", 4, PrinterExecuted, "a row of biases stands in front of the coefficients of each pass">,
    Flag<"KernelMode", 3, PrinterExecuted, "no coefficients: copies, channel products and maxima">,
    EnumBits<"OpMode", 2, 0, H13_NE_OpMode, PrinterExecuted, "what is done with the source">,
  ]>,
  Reg<0x08, "MatrixVectorBias", [
    Bits<"MatrixVectorBias", 15, 0, Plain, Printer, "always 0">,
  ]>,
  Reg<0x0c, "AccBias", [
    Bits<"AccBiasShift", 20, 16, Plain, Printer, "always 0">,
    Bits<"AccBias", 15, 0, F16, PrinterExecuted, "one bias for all channels, as the epsilon of a reciprocal root">,
  ]>,
  Reg<0x10, "PostScale", [
    Bits<"PostRightShift", 20, 16, Plain, Printer, "always 0">,
    Bits<"PostScale", 15, 0, F16, PrinterExecuted, "factor behind the accumulator; 0x3c00 is 1">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// TileDMADst
//===----------------------------------------------------------------------===//

def H13_TileDMADst : RegBlock<"TileDMADst", 0x17800, 7,
  "Stores the result from L2 to DRAM.", [
  Reg<0x00, "DMAConfig", [
    Flag<"BypassEOW", 27, Printer, "always 0">,
    Flag<"L2BfrMode", 26, Printer, "equals L2.ResultCfg.L2BfrMode where the DMA is on">,
    Bits<"Unknown22", 24, 22, Plain, OpenSet, "3 and 4 in one task each that stores to scratch">,
    Bits<"Unknown18", 19, 18, Plain, OpenSet, "set in three tasks that store to scratch; perhaps a dependency mode">,
    EnumBits<"CacheHint", 9, 6, H13_CacheHint, Printer, "Depri for outputs, Intermediate for scratch">,
    CrH<Printer>,
    Flag<"En", 0, PrinterExecuted, "the result is stored">,
  ]>,
  DMABase<0x04, "BaseAddr", PrinterExecuted, "offset from WBase: a slice of a concatenation, a range of channels">,
  DMAStride<0x08, "RowStride", PrinterExecuted, "from row to row">,
  DMAStride<0x0c, "PlaneStride", PrinterExecuted, "from channel to channel">,
  DMAStride<0x10, "DepthStride", PrinterExecuted, "from depth slice to depth slice">,
  DMAStride<0x14, "GroupStride", PrinterExecuted, "from group to group, or from image to image">,
  Reg<0x18, "Fmt", [
    Bits<"CmpVec", 31, 28, Plain, Printer, "always 0">,
    Bits<"Interleave", 27, 24, Count<"channels">, PrinterExecuted, "channels stored side by side along W">,
    Flag<"CmpVecFill", 22, Printer, "always 0">,
    Flag<"ZeroPadFirst", 21, Printer, "set; clear in tasks of the planar engine from compiler 4.2.1">,
    Flag<"ZeroPadLast", 20, Printer, "set with ZeroPadFirst">,
    Bits<"OffsetCh", 18, 16, Plain, Printer, "always 0">,
    Bits<"MemFmt", 13, 12, Plain, Printer, "2 for fp16, 0 for bytes">,
    Flag<"Shift", 8, Printer, "always 0">,
    Bits<"Truncate", 5, 4, Plain, Printer, "3 for fp16, 0 for bytes">,
    Bits<"FmtMode", 1, 0, Plain, Printer, "1 for fp16, 0 for bytes">,
  ]>,
]>;

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

def H13 : RegMap<"H13",
  "A14 and the M1 family. A full task is 0x274 bytes: ten header words and one record for each block.", [
  H13_Header, H13_KernelDMASrc, H13_Common, H13_TileDMASrc, H13_L2, H13_PE,
  H13_NE, H13_TileDMADst,
]>;

#endif // ANE_HW_REGISTERS_H13_TD
