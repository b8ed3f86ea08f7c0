//===- FieldReader.h - The words of a task by field -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the fields of a task and remembers the first one that nothing has
// written: its value after power-on is not known, so a zero there would be an
// invention.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_FIELDREADER_H
#define ANE_LIB_SIMULATOR_FIELDREADER_H

#include "ane/Simulator/TaskConfig.h"

#include "ane/HW/Float16.h"

namespace ane::sim {

class FieldReader {
public:
  explicit FieldReader(const hw::Task &task) : task(task) {}

  uint32_t get(const hw::FieldRef &field) const {
    if (!missing && !field.inHeader && !task.writes(field.address))
      missing = field.path;
    return task.get(field);
  }
  template <typename E> E get(const hw::EnumFieldRef<E> &field) const {
    return static_cast<E>(get(static_cast<const hw::FieldRef &>(field)));
  }
  float half(const hw::FieldRef &field) const {
    return hw::fromHalfBits(static_cast<uint16_t>(get(field)));
  }

  /// The index of a base that must be enabled; `user` is for the message.
  absl::Status base(const hw::FieldRef &enable, const hw::FieldRef &base,
                    absl::string_view user, uint32_t &index) const;

  /// Path of the first field that was read and never written, else null.
  const char *firstMissing() const { return missing; }

private:
  const hw::Task &task;
  mutable const char *missing = nullptr;
};

/// The parts of decodeTask for each engine. They need the sizes and formats of
/// source and result.
absl::Status decodeNeural(const FieldReader &reader, uint32_t neCount,
                          TaskConfig &config);
absl::Status decodePlanar(const FieldReader &reader, TaskConfig &config);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_FIELDREADER_H
