//===- Task.h - Task descriptors and their stream ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task descriptor is a header followed by register-write records. A record
// writes consecutive registers; its first word is (count - 1) << 26 | address.
// Order, length and presence of records are data: a register that no record
// writes keeps what it had, which is not the same as writing zero. Reading and
// writing a stream back gives the same bytes for every stream.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_TASK_H
#define ANE_HW_TASK_H

#include "ane/HW/Registers.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace ane::hw {

/// Words written to consecutive registers.
struct Record {
  uint32_t address = 0; ///< byte address of the first register
  std::vector<uint32_t> words;
};

struct Task {
  uint32_t offset = 0;          ///< bytes from the start of the text section
  std::vector<uint32_t> header; ///< 10 words, 11 with the extension
  std::vector<Record> records;

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

/// A task with every block of the generation present and all words zero: the
/// 0x274-byte form of compiler 4.2.1.
Task makeFullTask(Generation generation);

/// Reads the chain of tasks that starts at byte `entry` of `text` and follows
/// NextPointer. Fails on a truncated header or record, a pointer out of range,
/// a cycle, tasks that overlap, and bytes that belong to no task and are not
/// zero; the message has task, word and offset. `maxTasks` of 0 means: as many
/// as the bytes can hold, else a longer chain is an error.
///
/// `firstTaskWords` is the size of the first task as the program descriptor has
/// it (plus one); the sizes of the others are in Header.NextSize. Where a size
/// is 0, hence unknown, the task ends in front of the zeros that fill the space
/// to the next task or to the end of the text.
absl::StatusOr<std::vector<Task>> readTasks(Generation generation,
                                            absl::Span<const uint8_t> text,
                                            uint64_t entry = 0,
                                            uint32_t maxTasks = 0,
                                            uint32_t firstTaskWords = 0);

/// Writes each task at its offset into a text section of `size` bytes; the rest
/// is zero. Fails when tasks overlap or leave the section.
absl::StatusOr<std::vector<uint8_t>> writeTasks(absl::Span<const Task> tasks,
                                                uint64_t size);

} // namespace ane::hw

#endif // ANE_HW_TASK_H
