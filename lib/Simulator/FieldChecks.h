//===- FieldChecks.h - Stops at what is not understood ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_FIELDCHECKS_H
#define ANE_LIB_SIMULATOR_FIELDCHECKS_H

#include "ane/HW/FieldRules.h"

namespace ane::sim {

/// Fails at the first bit without a name and the first value that no rule
/// allows. The message has the register, the value and what is understood.
absl::Status checkFields(const hw::Task &task, hw::EngineKind engine);

/// "Common.ConvCfg.Ox is 0x2, which is not understood; expected 1".
absl::Status notUnderstood(absl::string_view path, uint32_t value,
                           absl::string_view expected);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_FIELDCHECKS_H
