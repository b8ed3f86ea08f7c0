//===- ProgramThread.h - The load command of a program ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thread command that describes a program has one layout for linked task
// streams and one for packed ones; docs/Formats/HWX.md tells both. Private to
// lib/HW.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_PROGRAMTHREAD_H
#define ANE_LIB_HW_PROGRAMTHREAD_H

#include "ane/HW/Container.h"

#include <utility>

namespace ane::hw::format {

/// Where things stand in the command, in bytes from its start.
struct ProgramLayout {
  uint32_t flavor;   ///< of the thread
  uint32_t minBytes; ///< of the command
  /// The table of base addresses: its entries, and the bytes of each.
  uint32_t baseCount, baseBytes;
  uint32_t taskCount, nameOffset, kind;
};
const ProgramLayout &programLayout(StreamKind stream);

/// What a program thread says.
struct ProgramThread {
  Generation generation = Generation::H13;
  ContainerForm form = ContainerForm::V4; ///< of linked streams
  std::string name;
  std::vector<std::pair<uint32_t, uint64_t>> bases; ///< index and address
  uint64_t textAddress = 0;
  absl::Span<const Task> tasks;
  uint32_t kind = 0;
};
LoadCommand encodeProgramThread(const ProgramThread &thread);

} // namespace ane::hw::format

#endif // ANE_LIB_HW_PROGRAMTHREAD_H
