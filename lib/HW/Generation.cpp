//===- Generation.cpp - What a generation of the engine is like -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Generation.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace ane::hw {

static GenerationInfo makeH13() {
  GenerationInfo h13 = {};
  h13.id = Generation::H13;
  h13.name = "h13";
  h13.description = "A14, M1 family";
  h13.cpuSubtype = 4; // Seen in every H13 file.

  h13.neCount = 16;
  // Seen: log2 of the lanes is capped at 5 for images up to 8x8, else at 4.
  h13.maxLanesSmall = 32;
  h13.maxLanes = 16;
  // Deduced from the number of tasks of large matrix products.
  h13.kernelBufferBytes = 64 * 1024;

  // Deduced: an L2 address field has 17 bits of 16 bytes, and no real program
  // goes beyond.
  h13.l2Bytes = 2 * 1024 * 1024;
  // Seen: the largest source that is not tiled has 0xc7380 bytes; sources of
  // 1.5 MiB and more are.
  h13.l2SourceBytes = 1024 * 1024;
  h13.l2Align = 0x10;
  h13.dmaAlign = 0x40;
  h13.streamAlign = 0x40;
  h13.surfaceAlign = 0x4000;

  // Compile probes of others on M1; not re-checked.
  h13.maxWidth = 16384;
  h13.maxHeight = 16384;
  h13.maxChannels = 65536;
  h13.maxKernelWidth = 13;
  h13.maxKernelHeight = 29;
  h13.maxStride = 2; // Seen: 1 and 2.
  h13.maxPad = 31;   // Px and Py have five bits.

  // Measured by others on M1: 12 TFLOP/s on large products, 85 GB/s at most.
  h13.dramBytesPerSecond = 85e9;
  h13.macsPerSecond = 6e12;
  return h13;
}

const GenerationInfo &info(Generation generation) {
  static const GenerationInfo h13 = makeH13();
  switch (generation) {
  case Generation::H13:
    return h13;
  }
  return h13;
}

absl::StatusOr<Generation> parseGeneration(absl::string_view name) {
  if (name == "h13")
    return Generation::H13;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown generation '", name, "', expected one of: h13"));
}

} // namespace ane::hw
