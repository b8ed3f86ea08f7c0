//===- Assumptions.cpp - What is open about the engines -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/Assumptions.h"

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include <algorithm>

namespace ane::sim {

Assumptions assumptionsOf(hw::SumArithmetic sums) {
  Assumptions result;
  if (sums == hw::SumArithmetic::FixedPoint) {
#define FIXED(member, Type, Value) result.member = assumed::Type::Value;
#include "ane/Simulator/Assumptions.def"
  }
  return result;
}

const std::vector<AssumedValue> &assumedValues() {
  static const auto *values = [] {
    auto *all = new std::vector<AssumedValue>;
    AssumedValue next = {};
#define FACT(Type, member, text)                                               \
  next.fact = #member;                                                         \
  next.question = text;
#define VALUE(Type, Value, spelling, text)                                     \
  next.value = spelling;                                                       \
  next.meaning = text;                                                         \
  all->push_back(next);
#include "ane/Simulator/Assumptions.def"
    return all;
  }();
  return *values;
}

/// The number of a value among those of its fact.
static absl::StatusOr<size_t> indexOf(absl::string_view fact,
                                      absl::string_view value) {
  std::vector<absl::string_view> known, facts;
  for (const AssumedValue &each : assumedValues()) {
    if (facts.empty() || facts.back() != each.fact)
      facts.push_back(each.fact);
    if (each.fact == fact)
      known.push_back(each.value);
  }
  if (known.empty())
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is no fact that can be assumed; there are %s",
                        fact, absl::StrJoin(facts, ", ")));
  const auto found = std::find(known.begin(), known.end(), value);
  if (found == known.end())
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is no value of '%s', which may be %s", value,
                        fact, absl::StrJoin(known, ", ")));
  return static_cast<size_t>(found - known.begin());
}

absl::StatusOr<Assumptions> parseAssumptions(absl::string_view text,
                                             Assumptions base) {
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    auto index = indexOf(pair.first, pair.second);
    if (!index.ok())
      return index.status();
#define END(Type, member)                                                      \
  if (pair.first == #member)                                                   \
    base.member = static_cast<assumed::Type>(*index);
#include "ane/Simulator/Assumptions.def"
  }
  return base;
}

} // namespace ane::sim
