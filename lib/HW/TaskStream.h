//===- TaskStream.h - Words of task streams ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the readers of both kinds of streams and the writer share; Task.h tells
// the layout. Private to lib/HW.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_TASKSTREAM_H
#define ANE_LIB_HW_TASKSTREAM_H

#include "ane/HW/Task.h"

namespace ane::hw::stream {

/// Bytes of the frame in front of packed tasks, and what they are aligned to.
constexpr uint64_t kFrameBytes = 16;
/// The size of a packed task, in its first word.
constexpr uint32_t kSizeShift = 16, kSizeMask = 0x7ff;

/// Registers that a dense record can write: its count has six bits.
constexpr uint32_t maxDenseWords = 64;

inline uint32_t packedWords(uint32_t header0) {
  return header0 >> kSizeShift & kSizeMask;
}

inline uint32_t loadWord(absl::Span<const uint8_t> bytes, uint64_t offset) {
  return bytes[offset] | bytes[offset + 1] << 8 | bytes[offset + 2] << 16 |
         uint32_t(bytes[offset + 3]) << 24;
}

/// Public notes on the formats test the two low bits of the last header word;
/// in every recorded program that is the same as "the kernels come from base
/// 3", which is scratch.
inline bool hasExtension(uint32_t control) { return (control & 3) == 3; }

/// A record without its words, from the word in front of them, and how many
/// words it has.
Record decodeHead(StreamKind kind, uint32_t head, uint32_t &count);
/// The word in front of a record that checkRecord() accepts.
uint32_t encodeHead(StreamKind kind, const Record &record);

/// Reads the header words of the task at `task.offset`, for which `room` bytes
/// are there. Messages have no task number.
absl::Status readHeader(const GenerationInfo &generation,
                        absl::Span<const uint8_t> text, uint64_t room,
                        Task &task);

/// Reads the records after a header. None crosses `end`; the first one that
/// would start at `contentsEnd` or after is not there.
absl::Status readRecords(StreamKind kind, absl::Span<const uint8_t> text,
                         uint64_t end, uint64_t contentsEnd, Task &task);

/// Fails when a byte of `text` in [begin, end), which no task covers, is not
/// zero: writing the tasks back gives zero.
absl::Status checkZero(absl::Span<const uint8_t> text, uint64_t begin,
                       uint64_t end);

/// Reads all tasks of a packed stream; on failure `tasks` has those in front of
/// the fault.
absl::Status readPacked(const GenerationInfo &generation,
                        absl::Span<const uint8_t> text, uint64_t entry,
                        uint32_t maxTasks, std::vector<Task> &tasks);

} // namespace ane::hw::stream

#endif // ANE_LIB_HW_TASKSTREAM_H
