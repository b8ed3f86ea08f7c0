//===- TaskMaker.h - Tasks of H13, field by field ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_HW_TASKMAKER_H
#define ANE_UNITTESTS_HW_TASKMAKER_H

#include "ane/HW/Task.h"

#include "gtest/gtest.h"

namespace ane::hw {

/// A task of H13 that is filled in field by field. `Self` is what derives from
/// it.
template <typename Self> struct TaskMaker {
  Task task = makeFullTask(Generation::H13);

  template <typename E> Self &set(const EnumFieldRef<E> &field, E value) {
    return set(static_cast<const FieldRef &>(field),
               static_cast<uint32_t>(value));
  }
  Self &set(const FieldRef &field, uint32_t value) {
    absl::Status status = task.set(field, value);
    EXPECT_TRUE(status.ok()) << status.message();
    return static_cast<Self &>(*this);
  }
};

} // namespace ane::hw

#endif // ANE_UNITTESTS_HW_TASKMAKER_H
