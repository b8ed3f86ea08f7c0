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

namespace ane::hw {

static constexpr GenerationInfo makeH13() {
  GenerationInfo info{};
  info.id = Generation::H13;
  info.name = "h13";
  info.description = "A14 and the M1 family";
  // Seen in the Mach-O header of every .hwx file of this target.
  info.cpuSubtype = 4;
  info.isTarget = true;
  // Seen in every task descriptor.
  info.stream = StreamKind::Linked;
  info.headerWords = 10;
  // Seen: five bits in the header.
  info.baseCount = 32;

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
  info.isTarget = true;
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

/// What is known for reading; the limits stand for those of H14 (guess).
static constexpr GenerationInfo makeReadable(Generation id, const char *name,
                                             const char *description,
                                             uint32_t cpuSubtype,
                                             uint32_t headerWords) {
  GenerationInfo info = makeH14();
  info.id = id;
  info.name = name;
  info.description = description;
  // Published, as for H14.
  info.cpuSubtype = cpuSubtype;
  info.isTarget = false;
  // Seen in recorded task streams of compiler 9.509.
  info.headerWords = headerWords;
  return info;
}

static constexpr GenerationInfo kGenerations[] = {
    makeH13(),
    makeH14(),
    makeReadable(Generation::H15, "h15", "A16 and the M3 family", 6, 8),
    makeReadable(Generation::H16, "h16", "A17 Pro and the M4 family", 7, 9),
    makeReadable(Generation::H17, "h17", "A18 and the M5 family", 9, 9),
    makeReadable(Generation::H18, "h18", "A19", 10, 9),
};

absl::Span<const GenerationInfo> generations() { return kGenerations; }

const GenerationInfo &info(Generation generation) {
  return kGenerations[static_cast<size_t>(generation)];
}

/// "h13, h14": all, or those that can be compiled for.
static std::string namesOf(bool onlyTargets, bool withChips = false) {
  std::string names;
  for (const GenerationInfo &generation : kGenerations) {
    if (onlyTargets && !generation.isTarget)
      continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", generation.name);
    if (withChips)
      absl::StrAppend(&names, " (", generation.description, ")");
  }
  return names;
}

static const GenerationInfo *findGeneration(absl::string_view name) {
  for (const GenerationInfo &generation : kGenerations)
    if (name == generation.name)
      return &generation;
  return nullptr;
}

/// People who want to compile know their chip; its name is none of ours.
static absl::Status unknownGeneration(absl::string_view name,
                                      bool onlyTargets) {
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown generation '", name,
      "', expected one of: ", namesOf(onlyTargets, /*withChips=*/onlyTargets)));
}

absl::StatusOr<Generation> parseGeneration(absl::string_view name) {
  if (const GenerationInfo *known = findGeneration(name))
    return known->id;
  return unknownGeneration(name, /*onlyTargets=*/false);
}

absl::StatusOr<Generation> parseTarget(absl::string_view name) {
  const GenerationInfo *known = findGeneration(name);
  if (!known)
    return unknownGeneration(name, /*onlyTargets=*/true);
  if (absl::Status status = checkTarget(known->id); !status.ok())
    return status;
  return known->id;
}

absl::Status checkTarget(Generation generation, absl::string_view verb) {
  if (info(generation).isTarget)
    return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      info(generation).name, " programs can be read and written, not ", verb,
      "; targets: ", namesOf(/*onlyTargets=*/true)));
}

} // namespace ane::hw
