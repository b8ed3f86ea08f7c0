//===- Assumptions.h - What is open about the engines -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts that only a machine can settle, each with the values that it may have
// (Assumptions.def). In Mode::Engine the simulator computes as they say, so that
// the results of a machine tell which value is right (docs/DeviceKit.md).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_ASSUMPTIONS_H
#define ANE_SIMULATOR_ASSUMPTIONS_H

#include "ane/HW/Generation.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

#include <cstdint>
#include <vector>

namespace ane::sim {

namespace assumed {
#define FACT(Type, member, question) enum class Type : uint8_t {
#define VALUE(Type, Value, spelling, meaning) Value,
#define END(Type, member)                                                      \
  }                                                                            \
  ;
#include "ane/Simulator/Assumptions.def"
} // namespace assumed

/// One value of each fact; the first of each by default.
struct Assumptions {
#define END(Type, member) assumed::Type member = assumed::Type(0);
#include "ane/Simulator/Assumptions.def"
};

/// What is known, or believed, of engines that add up so.
Assumptions assumptionsOf(hw::SumArithmetic sums);

/// `base` with what a text says: "slots=four,limit=none". The error lists the
/// facts, or the values of a fact.
absl::StatusOr<Assumptions> parseAssumptions(absl::string_view text,
                                             Assumptions base);

/// A value of a fact in words.
struct AssumedValue {
  const char *fact, *question, *value, *meaning;
};
/// All values of all facts, in the order of the declarations.
const std::vector<AssumedValue> &assumedValues();

} // namespace ane::sim

#endif // ANE_SIMULATOR_ASSUMPTIONS_H
