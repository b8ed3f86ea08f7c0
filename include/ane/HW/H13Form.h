//===- H13Form.h - Tasks of any generation in registers of H13 --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines of the generations compute the same, but registers have moved,
// bases stand in records instead of the header, and tasks leave out what has
// its reset value. What judges programs (simulator, verifier, cost model)
// understands the registers of H13 alone; tasks of other generations are
// brought into this form first. The map of a generation names the counterpart
// of each field (RegisterMap::pairs); what is no matter of one field stands in
// H13Form.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_H13FORM_H
#define ANE_HW_H13FORM_H

#include "ane/HW/Program.h"

#include <string>

namespace ane::hw {

/// Where a program has its constants, which H13 has in one place: coefficients
/// first (Program::constants).
struct ConstantPlaces {
  std::optional<uint32_t>
      kernelBase;       ///< of the kernel segment, if there is one
  uint64_t tensors = 0; ///< where constant tensors begin
};
ConstantPlaces constantPlaces(const Program &program);

/// The tasks of a program in the registers of H13. Each of them writes all
/// registers; what only belongs to a stream of H13 (NextPointer, NextSize) is
/// 0. Fails where a bit or a value has no counterpart; the message has the number of the task, the
/// register, its address and the value.
absl::StatusOr<std::vector<Task>> inH13Form(Generation generation,
                                            absl::Span<const Task> tasks,
                                            const ConstantPlaces &places = {});

/// What judges or makes tasks in this form speaks of fields of H13. The same
/// message with the fields of `generation` and the addresses of their
/// registers: "Common.OCGSize.OCGSize (0x1c) is 0x6, ..." for what is
/// Common.ConvCfg.OCGSize on H13. One that has no counterpart says that it is
/// of H13; messages about H13 itself stay as they are.
std::string inFieldsOf(Generation generation, absl::string_view message);

} // namespace ane::hw

#endif // ANE_HW_H13FORM_H
