//===- PackedStream.cpp - Tasks that stand one after the other -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the task streams of H14 and later. A frame whose size is zero is no
// task and must be all zero: it stands in front of the first task (seen), and
// fills the space after the last one.
//
// Input may be hostile: every task has its size in front and at least a header,
// so that the work and the memory of reading are linear in the size of the
// text.
//
//===----------------------------------------------------------------------===//

#include "TaskStream.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw::stream {

/// Reads the task at `task.offset`, which has `words` words.
static absl::Status readPackedTask(const GenerationInfo &generation,
                                   absl::Span<const uint8_t> text,
                                   uint32_t words, Task &task) {
  const uint64_t room = text.size() - task.offset, bytes = 4 * uint64_t(words);
  if (bytes > room)
    return absl::InvalidArgumentError(absl::StrFormat(
        "it has %u words from offset 0x%x, but only %u bytes remain", words,
        task.offset, room));
  if (absl::Status status = readHeader(generation, text, bytes, task);
      !status.ok())
    return status;
  const uint64_t end = task.offset + bytes;
  return readRecords(StreamKind::Packed, text, end, end, task);
}

absl::Status readPacked(const GenerationInfo &generation,
                        absl::Span<const uint8_t> text, uint64_t entry,
                        uint32_t maxTasks, std::vector<Task> &tasks) {
  auto error = [&](absl::string_view message) {
    return absl::InvalidArgumentError(
        absl::StrFormat("task %u: %s", tasks.size(), message));
  };
  if (entry % kFrameBytes != 0)
    return error(absl::StrFormat("offset 0x%x is not a multiple of %u", entry,
                                 kFrameBytes));
  if (entry >= text.size())
    return error(absl::StrFormat("offset 0x%x is outside of the text, which "
                                 "has 0x%x bytes",
                                 entry, text.size()));
  if (absl::Status status = checkZero(text, 0, entry); !status.ok())
    return status;
  for (uint64_t at = entry; at < text.size();) {
    const uint64_t frame = std::min(at + kFrameBytes, uint64_t(text.size()));
    const uint32_t head = frame - at < 4 ? 0 : loadWord(text, at);
    uint64_t end = at + 4 * uint64_t(packedWords(head));
    if (end != at) {
      if (maxTasks != 0 && tasks.size() == maxTasks)
        return error(absl::StrFormat("the stream goes on at offset 0x%x, but "
                                     "the program has %u tasks",
                                     at, maxTasks));
      Task task;
      task.offset = at;
      if (absl::Status status =
              readPackedTask(generation, text, packedWords(head), task);
          !status.ok())
        return error(status.message());
      tasks.push_back(std::move(task));
    }
    // A task ends within a frame; a frame without a task is all zero.
    at = end == at
             ? frame
             : std::min((end + kFrameBytes - 1) / kFrameBytes * kFrameBytes,
                        uint64_t(text.size()));
    if (absl::Status status = checkZero(text, end, at); !status.ok())
      return status;
  }
  if (tasks.empty())
    return error("the text has no task");
  return absl::OkStatus();
}

} // namespace ane::hw::stream
