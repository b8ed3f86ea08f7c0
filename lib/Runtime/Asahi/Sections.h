//===- Sections.h - A program as the firmware of M2 loads it ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interface 2 of the driver hands a program to a firmware as six sections. What
// they hold is published by those who run them on M2 Pro and M2 Max (omarchy-ane,
// libane/ane_m2.c, MIT; seen there to load and to compute bit for bit), with the
// checks of the firmware that each word passes. docs/Formats/Anec.md has the
// tables.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_ASAHI_SECTIONS_H
#define ANE_LIB_RUNTIME_ASAHI_SECTIONS_H

#include "ane/HW/Program.h"

#include "absl/status/statusor.h"

namespace ane::rt::asahi {

enum SectionId : uint32_t {
  BufferSection = 1,    ///< the buffers that a run binds
  KernelSection = 2,    ///< constants
  TaskSection = 3,      ///< the task stream
  OperationSection = 4, ///< which buffer a base of the tasks is
  ProcedureSection = 5,
  BlockSection = 7, ///< how many tasks there are
};

/// The buffer of scratch memory: no channel and no section has this number.
constexpr uint32_t kScratchBuffer = 0x40;

/// A buffer that a run binds.
struct ProgramBuffer {
  uint32_t id = 0;
  bool isOutput = false;
  uint64_t size = 0;
  std::optional<size_t> tensor; ///< none: scratch memory
};

struct Sections {
  /// Inputs, outputs, scratch memory.
  std::vector<ProgramBuffer> buffers;
  std::vector<std::pair<SectionId, std::vector<uint8_t>>> sections;
};

/// Of a program of H14 that the verifier accepts.
absl::StatusOr<Sections> makeSections(const hw::Program &program);

} // namespace ane::rt::asahi

#endif // ANE_LIB_RUNTIME_ASAHI_SECTIONS_H
