//===- FromH13Form.h - Tasks of later generations from those of H13 -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The encoder fills registers of H13, whatever the target is. What later
// generations have in other places, in other forms or not at all is said here
// once, and by the counterparts of their register maps.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_FROMH13FORM_H
#define ANE_HW_FROMH13FORM_H

#include "ane/HW/Task.h"

namespace ane::hw {

/// How a packed stream writes what a task says.
struct StreamStyle {
  /// Registers that have their reset value are left out, and what is written
  /// goes into as few words as one walk through the registers finds. Else every
  /// register of the blocks that the task uses is written.
  bool leavesOutResets = false;
  /// Where a task would end at a multiple of 64 bytes of the stream, records
  /// without an effect fill it.
  bool fillsTasks = false;
  /// Bytes of the tasks before this one.
  uint64_t before = 0;
  /// Entry of the kernel segment in the base-address table, of generations that
  /// have one (Program::kernelBase). Offsets of coefficients and tables are
  /// those in it, those of other constants in the section of constants.
  uint32_t kernelBase = 0;
};

/// A task of `generation` that does what `task` of H13 does. Fails
/// where a register cannot hold a value, and what no record shows.
/// Left to the caller is what a task does not say of itself: its size
/// (packTasks) and Header.LiveOuts.
absl::StatusOr<Task> fromH13Form(Generation generation, const Task &task,
                                 const StreamStyle &style);

/// Sets Header.LiveOuts of a task of a generation with packed streams.
void setLiveOuts(Generation generation, Task &task, uint32_t parts);

} // namespace ane::hw

#endif // ANE_HW_FROMH13FORM_H
