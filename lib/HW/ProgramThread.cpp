//===- ProgramThread.cpp - The load command of a program ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramThread.h"

#include "ContainerFormat.h"

#include <algorithm>
#include <cstring>

namespace ane::hw::format {

// Offsets of linked streams. All but the base table and the entry have moved
// since.
static constexpr uint32_t kMask = 0x824, kTasksPlus2 = 0x858;
// Offsets of packed streams, seen in the words of 17 recorded programs. What
// those without a name mean is not known; they are the same in all of them.
static constexpr uint32_t kPackedFour = 0x820, kPackedTextWords = 0x824,
                          kPackedOnes = 0x838, kPackedMask = 0x844,
                          kPackedThree = 0x868;

/// Seen, but for the base table of packed streams: the record has five words of
/// eight bytes from where H13 has base 4. The third is the address of scratch
/// memory, the fifth that of the first tensor, the others are zero, as if
/// entries had 16 bytes (deduced).
static constexpr ProgramLayout kLinked = {
    kFlavorProgram, kProgramName,       256,         8,
    0x81c,          kProgramNameOffset, kProgramKind};
static constexpr ProgramLayout kPacked = {
    4, kProgramNamePacked, 128, 16, 0x830, 0x848, 0x860};

const ProgramLayout &programLayout(StreamKind stream) {
  return stream == StreamKind::Linked ? kLinked : kPacked;
}

static uint32_t nameAt(const ProgramThread &thread) {
  if (info(thread.generation).stream == StreamKind::Linked)
    return thread.form == ContainerForm::V9 ? kProgramNameV9 : kProgramName;
  // Seen: one more record of 16 bytes in front of the name.
  return thread.generation >= Generation::H16 ? kProgramNamePacked + 16
                                              : kProgramNamePacked;
}

static void encodeLinked(const ProgramThread &thread, uint8_t *at) {
  const Task &first = thread.tasks.front();
  store64(at + kProgramEntry, thread.textAddress + first.offset);
  store32(at + kProgramFirstWords, first.byteSize() / 4 - 1);
  store32(at + kMask, 0xffff);
  if (thread.form == ContainerForm::V9) {
    // The same in all programs on record; meaning unknown.
    store32(at + kTasksPlus2, 4);
    store32(at + 0x860, 1);
    store32(at + 0x868, 9);
    store32(at + 0x86c, 8);
  } else {
    store32(at + kTasksPlus2, 2 + thread.tasks.size());
  }
}

static void encodePacked(const ProgramThread &thread, uint8_t *at) {
  // The frame in front of the first task, not the task.
  store64(at + kProgramEntry, thread.textAddress);
  store32(at + kPackedFour, 4);
  const Task &last = thread.tasks.back();
  store32(at + kPackedTextWords, (last.offset + last.byteSize()) / 4);
  store64(at + kPackedOnes, ~uint64_t(0));
  store32(at + kPackedMask, 0xffff);
  // Records of type, bytes and value, their number in front of them: from H16
  // on type 7 with 10000.0, then type 9, the longest estimate of a task (seen).
  const bool hasRecord7 = thread.generation >= Generation::H16;
  store32(at + kPackedThree, hasRecord7 ? 4 : 3);
  uint32_t cycles = 0;
  for (const Task &task : thread.tasks)
    cycles = std::max(cycles, task.header[1]);
  store32(at + 0x870, hasRecord7 ? 2 : 1);
  uint32_t place = 0x878;
  auto record = [&](uint32_t type, uint32_t value) {
    constexpr uint32_t bytes = 8;
    store32(at + place, type);
    store32(at + place + 4, bytes);
    store32(at + place + 8, value);
    place += 16;
  };
  constexpr uint32_t tenThousand = 0x461c4000;
  if (hasRecord7)
    record(7, tenThousand);
  record(9, cycles);
}

LoadCommand encodeProgramThread(const ProgramThread &thread) {
  const StreamKind stream = info(thread.generation).stream;
  const ProgramLayout &layout = programLayout(stream);
  const uint32_t name = nameAt(thread);
  LoadCommand command;
  command.command = Thread;
  command.bytes.resize(alignTo(name + thread.name.size() + 1, 8));
  uint8_t *at = command.bytes.data();
  store32(at, Thread);
  store32(at + 4, command.bytes.size());
  store32(at + kThreadFlavor, layout.flavor);
  // Words of the state without name (seen in all forms).
  store32(at + kThreadCount, (name - kThreadState) / 4);
  for (auto [index, address] : thread.bases)
    store64(at + kThreadState + size_t(layout.baseBytes) * index, address);
  store32(at + layout.taskCount, thread.tasks.size());
  store32(at + layout.nameOffset, name);
  store32(at + layout.kind, thread.kind);
  if (stream == StreamKind::Linked)
    encodeLinked(thread, at);
  else
    encodePacked(thread, at);
  storeText(at + name, thread.name);
  return command;
}

} // namespace ane::hw::format
