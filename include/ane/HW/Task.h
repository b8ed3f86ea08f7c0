//===- Task.h - Task descriptors and their stream ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task descriptor is a header followed by register-write records. The first
// word of a record says which registers it writes:
//
//   linked streams (H13)      31..26 count - 1, 25..0 address
//   packed, dense (H14 on)    31 = 0, 29 has a base, 28..23 which one,
//                             20..15 count - 1, 14..0 address / 4
//   packed, scatter (H14 on)  31 = 1, 30..15 which of the 16 registers after
//                             the first are written, too, 14..0 address / 4
//
// Tasks of a linked stream lie anywhere and point at the next one. Those of a
// packed stream stand one behind the other at multiples of 16 bytes behind a
// frame of 16 zero bytes, and bits 26..16 of the first word of each are its
// size in words.
//
// Order, kind, length and presence of records are data: a register that no
// record writes is not the same as one that is written with zero. Reading and
// writing a stream back gives the same bytes for every stream.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_TASK_H
#define ANE_HW_TASK_H

#include "ane/HW/Registers.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ane::hw {

enum class RecordKind : uint8_t { Dense, Scatter };

/// Words written to registers, in the order of their addresses.
struct Record {
  uint32_t address = 0; ///< byte address of the first register
  std::vector<uint32_t> words;
  RecordKind kind = RecordKind::Dense;
  /// Of a scatter record: with bit i the register at address + 4 * (i + 1) is
  /// written, too.
  uint16_t follow = 0;
  /// Of a dense record: the loader adds to the words, the low and the high half
  /// of an offset, the address that is bound to this entry of the base table.
  std::optional<uint8_t> base = std::nullopt;
  /// Bits of the first word without a meaning. No recorded program has any.
  uint32_t unknown = 0;

  /// The address of the register that `words[index]` is written to.
  uint32_t addressOf(size_t index) const;
  /// The position in `words` of what is written to a register.
  std::optional<size_t> indexOf(uint32_t address) const;
};

/// A scatter record that writes `words` to the registers at `address` and
/// after it that `follow` names.
Record scatterRecord(uint32_t address, uint16_t follow,
                     std::vector<uint32_t> words);
/// A dense record of an offset to which the loader adds a base address.
Record baseRecord(uint32_t address, uint8_t base, uint64_t offset);

struct Task {
  uint32_t offset = 0; ///< bytes from the start of the text section
  /// As many words as GenerationInfo says, one more with the extension.
  std::vector<uint32_t> header;
  std::vector<Record> records;
  /// KernelDMASrc.OCGStride, which H13 does not have, of a task in the
  /// registers of H13 (HW/H13Form.h): bytes from the streams of a pass to those
  /// of the next. 0 where each stream has all passes.
  uint32_t passStride = 0;
  /// L2.Source2Cfg.Alias*, likewise: whether source 2 waits for the source and
  /// the result of the neural engines, and for those of the planar engine.
  std::array<bool, 4> source2Waits = {};

  /// Bytes of the descriptor, without what pads it to the next one.
  uint32_t byteSize() const;
  bool writes(uint32_t address) const;

  /// The word of a register or header field; zero where nothing writes it.
  uint32_t word(const FieldRef &field) const;
  /// The decoded value of a field; zero where nothing writes it.
  uint32_t get(const FieldRef &field) const;
  /// Fails when no record writes the register or the value does not fit.
  absl::Status set(const FieldRef &field, uint32_t value);

  template <typename E> E get(const EnumFieldRef<E> &field) const {
    return static_cast<E>(get(static_cast<const FieldRef &>(field)));
  }
  template <typename E>
  absl::Status set(const EnumFieldRef<E> &field, E value) {
    return set(static_cast<const FieldRef &>(field),
               static_cast<uint32_t>(value));
  }
};

/// A task with every block of the generation present and all words zero; for
/// H13 the 0x274-byte form of compiler 4.2.1.
Task makeFullTask(Generation generation);

/// Checks that a record can be written to a stream of `generation`; the message
/// has what does not fit.
absl::Status checkRecord(Generation generation, const Record &record);

/// Gives the tasks of a packed stream their sizes and offsets, one after the
/// other. Returns the bytes up to the end of the last.
absl::StatusOr<uint64_t> packTasks(Generation generation,
                                   std::vector<Task> &tasks);

/// Reads the tasks of `text`, of which the first starts at byte `entry`: the
/// chain that follows NextPointer, or all that are packed after it. Fails on a
/// truncated header or record, a pointer out of range, a cycle, tasks that
/// overlap, and bytes that belong to no task and are not zero; the message has
/// task, word and offset. `maxTasks` of 0 means: as many as the bytes can hold,
/// else a longer stream is an error.
///
/// Of linked streams alone:
/// `firstTaskWords` is the size of the first task as the program descriptor has
/// it (plus one); the sizes of the others are in Header.NextSize. Where a size
/// is 0, hence unknown, the task ends in front of the zeros that fill the space
/// to the next task or to the end of the text.
absl::StatusOr<std::vector<Task>> readTasks(Generation generation,
                                            absl::Span<const uint8_t> text,
                                            uint64_t entry = 0,
                                            uint32_t maxTasks = 0,
                                            uint32_t firstTaskWords = 0);

/// The tasks in front of the first fault of a stream.
struct TaskStream {
  std::vector<Task> tasks;
  bool complete = false; ///< the stream came to its end
  absl::Status status;   ///< the fault: what readTasks() fails with
};
TaskStream readTasksUntilFault(Generation generation,
                               absl::Span<const uint8_t> text,
                               uint64_t entry = 0, uint32_t maxTasks = 0,
                               uint32_t firstTaskWords = 0);

/// Writes each task at its offset into a text section of `size` bytes; the rest
/// is zero. Fails when tasks overlap or leave the section, and when something
/// has no place in the words of the generation.
absl::StatusOr<std::vector<uint8_t>>
writeTasks(Generation generation, absl::Span<const Task> tasks, uint64_t size);

} // namespace ane::hw

#endif // ANE_HW_TASK_H
