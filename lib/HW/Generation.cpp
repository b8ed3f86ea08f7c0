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

  // Seen: 16 coefficient streams, and Common.Cfg.ActiveNE goes up to 4.
  info.neCount = 16;
  // Seen: Common.ConvCfg.OCGSize goes up to 5 for images of at most 8x8 pixels
  // and up to 4 above (62 of 62 recorded tasks).
  info.maxLanesSmall = 32;
  info.maxLanes = 16;
  // Deduced: recorded compilers split the output channels where the stream of
  // one engine in one task would be longer (91 of 91 convolutions).
  info.kernelBufferBytes = 64 * 1024;

  // Seen: L2 addresses have 17 bits in units of 16 bytes.
  info.l2Bytes = 2 * 1024 * 1024;
  // Deduced: in all 15 recorded tiled tasks the rows that are held fill at most
  // this much, some of them exactly; the rest is left for the result.
  info.l2SourceBytes = 0x1e0000;
  // Seen: the low bits that strides and addresses do not store.
  info.l2Align = 0x10;
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
  // Common.ConvCfg.Px and Py have five bits.
  info.maxPad = 31;

  // Deduced: the rates that the estimate in Header.ExeCycles is computed with
  // (73 of 73 tasks bound by memory, 2 bound by arithmetic).
  info.dramBytesPerSecond = 34.128e9;
  info.macsPerSecond = 5.85e12;
  return info;
}

static constexpr GenerationInfo H13Info = makeH13();

const GenerationInfo &info(Generation generation) {
  switch (generation) {
  case Generation::H13:
    break;
  }
  return H13Info;
}

absl::StatusOr<Generation> parseGeneration(absl::string_view name) {
  if (name == H13Info.name)
    return Generation::H13;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown generation '", name, "', expected one of: ", H13Info.name));
}

} // namespace ane::hw
