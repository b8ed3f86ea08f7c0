//===- Generation.cpp - What a generation of the engine is like -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each number says where it comes from: *seen* in real programs or published by
// Apple's compiler, *deduced* from them, or a *guess*.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Generation.h"

#include "absl/strings/str_cat.h"

#include <initializer_list>

namespace ane::hw {

const char *workName(Work work) {
  switch (work) {
  case Work::Elementwise:
    return "elementwise operations";
  case Work::Function:
    return "copies and functions by table";
  case Work::ChannelProduct:
    return "products of channels";
  case Work::ChannelReduce:
    return "reductions of channels on the neural engines";
  case Work::Product:
    return "products with constants";
  case Work::Convolution:
    return "convolutions of several pixels";
  case Work::Depthwise:
    return "depthwise convolutions";
  case Work::Groups:
    return "grouped convolutions";
  case Work::Stride:
    return "strided convolutions";
  case Work::Bias:
    return "convolutions with a bias";
  case Work::ProductOfTensors:
    return "products of two tensors";
  case Work::Reduction:
    return "reductions";
  case Work::Interleave:
    return "interleaved channels";
  case Work::Intermediate:
    return "values that go through DRAM";
  case Work::Bytes:
    return "elements of 8 bits";
  }
  return "";
}

static constexpr uint32_t maskOf(std::initializer_list<Work> works) {
  uint32_t mask = 0;
  for (Work work : works)
    mask |= 1u << static_cast<uint32_t>(work);
  return mask;
}

static constexpr GenerationInfo makeH13() {
  GenerationInfo info{};
  info.id = Generation::H13;
  info.name = "h13";
  info.description = "A14 and the M1 family";
  // Seen in the Mach-O header of every .hwx file of this target.
  info.cpuSubtype = 4;
  info.recordedWork = (1u << workCount) - 1;
  // Seen in every task descriptor.
  info.stream = StreamKind::Linked;
  info.headerWords = 10;
  // Seen: five bits in the header.
  info.baseCount = 32;
  // Seen: 0 is the text, 1 the constants, 3 scratch memory.
  info.firstTensorBase = 4;
  info.hasKernelSegment = false;

  // Seen: 16 coefficient streams, and Common.Cfg.ActiveNE goes up to 4.
  info.neCount = 16;
  // Seen: Common.ConvCfg.OCGSize goes up to 5 for images of at most 8x8 pixels
  // and up to 4 above (62 of 62 recorded tasks).
  info.maxLanesSmall = 32;
  info.maxLanes = 16;
  // Deduced: recorded compilers split the output channels where the stream of
  // one engine in one task would be longer (91 of 91 convolutions).
  info.kernelBufferBytes = 64 << 10;
  // Seen: hashes of the records with stride 2.
  info.zeroSkipMaskBits = 8;
  // Published: probes of an M1.
  info.sums = SumArithmetic::HalfSums;

  // Seen: L2 addresses have 17 bits in units of 16 bytes.
  info.l2Bytes = 2 << 20;
  // Deduced: in all 15 recorded tiled tasks the rows that are held fill at most
  // this much, some of them exactly; the rest is left for the result.
  info.l2SourceBytes = 0x1e0000;
  // Seen: the low bits that strides and addresses do not store.
  info.l2Align = 0x10;
  // Deduced: distances of rows in recorded programs avoid multiples of 0x400.
  info.l2Banks = 64;
  info.dmaAlign = 0x40;
  // Seen: low bits of KernelDMASrc.CoeffBaseAddr and CoeffBfrSize.
  info.streamAlign = 0x40;
  // Seen: every surface of a container starts at a multiple.
  info.surfaceAlign = 0x4000;

  // Published limits of Apple's compiler for this target. The registers would
  // hold 15 bits of width and height and 17 of channels.
  info.maxWidth = 16384;
  info.maxHeight = 16384;
  info.maxChannels = 65536;
  // Deduced: Header.TID has 16 bits.
  info.maxTasks = 65536;
  // Deduced: Common.GroupConvCfg.NumGroups has 13 bits.
  info.maxGroups = 8191;
  // Published limits for fp16 kernels; the registers would hold 5 bits each.
  info.maxKernelWidth = 13;
  info.maxKernelHeight = 29;
  // Seen: 1 and 2. Common.ConvCfg.Sx would hold 3, which no real program has.
  info.maxStride = 2;

  // Seen: Header.DPC and SPC, with an address in DRAM of what stays in L2.
  info.savesL2 = true;
  // Seen: a table takes the place of the coefficients of each engine.
  info.hasTableStream = false;
  info.stridesPasses = false;
  // Seen: small sources have at most 8 rows and 8 columns (71 of 71 products).
  info.smallSourceInRow = false;
  // Seen: one register for both sources.
  info.configuresSources = false;
  return info;
}

static constexpr GenerationInfo makeH14() {
  // Seen where nothing else is said: what recorded programs of both
  // generations have in common, so streams, alignments, L2 addresses and the
  // cycle estimates of 13 programs that were recorded for both.
  GenerationInfo info = makeH13();
  info.id = Generation::H14;
  info.name = "h14";
  info.description = "A15 and the M2 family";
  // Published by those who read Apple's compiler; no file of this target is
  // public.
  info.cpuSubtype = 5;
  // Seen in all 39 recorded tasks.
  info.stream = StreamKind::Packed;
  info.headerWords = 8;
  // Published: slots that the firmware binds. A record has six bits for them.
  info.baseCount = 61;
  // Seen: the digest of the one recorded section with stride 2.
  info.zeroSkipMaskBits = 16;
  // Deduced: published of M4 and M6; results of an M2 Max fit, and those of an
  // M2 Pro are infinite from 32752 on.
  info.sums = SumArithmetic::FixedPoint;
  // Deduced: KernelDMASrc.MasterConfig.NextTID has 16 bits for TID + 1.
  info.maxTasks = 65535;
  // Published limits of Apple's compiler for this target.
  info.maxKernelWidth = 16;
  // Published: 32. The form of H13 that tasks are encoded and simulated in has
  // five bits.
  info.maxKernelHeight = 31;
  // Seen: no task has a place to save what it leaves in L2, where 29 tasks of
  // H13 have one; and 64 pixels are a small source also in one row (3 of 3).
  info.savesL2 = false;
  info.smallSourceInRow = true;
  // Seen: constants of programs with a table have it once.
  info.hasTableStream = true;
  // Seen: KernelDMASrc.OCGStride of a product of 512 rows in one task.
  info.stridesPasses = true;
  return info;
}

/// What programs of compiler 9.509 show of all later generations: much of it is
/// what they have in common with their twins of H14. Limits that no record
/// shows are those of H14 (guess).
static constexpr GenerationInfo makeLater(Generation id, const char *name,
                                          const char *description,
                                          uint32_t cpuSubtype) {
  GenerationInfo info = makeH14();
  info.id = id;
  info.name = name;
  info.description = description;
  // Published, as for H14.
  info.cpuSubtype = cpuSubtype;
  info.recordedWork = maskOf(
      {Work::Elementwise, Work::Function, Work::ChannelProduct, Work::Product});
  // Seen: configurations of the tile DMA have entry 4, tensors those from 6 on.
  info.firstTensorBase = 6;
  // Seen: L2.Source2Cfg.
  info.configuresSources = true;
  return info;
}

static constexpr GenerationInfo makeH16() {
  GenerationInfo info =
      makeLater(Generation::H16, "h16", "A17 Pro and the M4 family", 7);
  // Seen in all recorded tasks.
  info.headerWords = 9;
  // Seen: a base of their own, and a section that is not that of constants.
  info.hasKernelSegment = true;
  // Seen in words that ran on an M4.
  info.recordedWork |= maskOf({Work::Convolution, Work::Depthwise,
                               Work::Reduction, Work::ChannelReduce});
  return info;
}

static constexpr GenerationInfo makeH17() {
  // Seen: headers and segments are those of H16.
  GenerationInfo info =
      makeLater(Generation::H17, "h17", "A18 and the M5 family", 9);
  info.headerWords = 9;
  info.hasKernelSegment = true;
  return info;
}

static constexpr GenerationInfo makeH18() {
  // Seen: headers and segments are those of H16.
  GenerationInfo info = makeLater(Generation::H18, "h18", "A19", 10);
  // Seen: the planar engine has the product of a power.
  info.recordedWork &= ~maskOf({Work::ChannelProduct});
  info.headerWords = 9;
  info.hasKernelSegment = true;
  return info;
}

static constexpr GenerationInfo kGenerations[] = {
    makeH13(),
    makeH14(),
    makeLater(Generation::H15, "h15", "A16 and the M3 family", 6),
    makeH16(),
    makeH17(),
    makeH18(),
};

absl::Span<const GenerationInfo> generations() { return kGenerations; }

const GenerationInfo &info(Generation generation) {
  return kGenerations[static_cast<size_t>(generation)];
}

static std::string namesOf(bool withChips) {
  std::string names;
  for (const GenerationInfo &generation : kGenerations) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", generation.name);
    if (withChips)
      absl::StrAppend(&names, " (", generation.description, ")");
  }
  return names;
}

static absl::StatusOr<Generation> parse(absl::string_view name,
                                        bool withChips) {
  for (const GenerationInfo &generation : kGenerations)
    if (name == generation.name)
      return generation.id;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown generation '", name,
                   "', expected one of: ", namesOf(withChips)));
}

absl::StatusOr<Generation> parseGeneration(absl::string_view name) {
  return parse(name, /*withChips=*/false);
}

// They know their chip; its name is none of ours.
absl::StatusOr<Generation> parseTarget(absl::string_view name) {
  return parse(name, /*withChips=*/true);
}

} // namespace ane::hw
