//===- FieldRules.h - Which values of the fields are understood -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every field of the register map of H13 has a rule, in lib/HW/FieldRules.def:
// whether it is executed or is a hint that changes no result, and which values
// it may hold. The simulator stops at any other value, and the verifier refuses
// it. What depends on several fields at once is checked where they are decoded.
// Tasks of other generations come in the same registers (HW/H13Form.h).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_FIELDRULES_H
#define ANE_HW_FIELDRULES_H

#include "ane/HW/H13.h"

#include "ane/HW/Task.h"

#include <string>

namespace ane::hw {

/// The tasks for which a rule holds. A field without a rule for an engine is
/// one that the engine does not read; the words there are leftovers.
enum class EngineKind : uint8_t { Neural = 1, Planar = 2, Both = 3 };

enum class FieldUse : uint8_t {
  Executed, ///< decides what is computed
  Hint,     ///< caches, hazards, shapes of work units, logs: no result changes
};

/// A set of values: all, those from `least` on, or (small ones) a bit mask.
struct ValueSet {
  uint32_t least = 0;
  uint32_t mask = 0; ///< when not 0: only values whose bit is set

  constexpr bool isAll() const { return !least && !mask; }
  constexpr bool contains(uint32_t value) const {
    if (mask)
      return value < 32 && (mask >> value & 1);
    return value >= least;
  }
};

struct FieldRule {
  FieldRef field; ///< of an array: that of element 0
  uint8_t count;  ///< elements; registers follow each other
  EngineKind engine;
  FieldUse use;
  ValueSet values;
  Confidence confidence; ///< that these values do what is simulated
  const char *note;      ///< why no others; empty where all are understood

  bool holdsFor(EngineKind one) const {
    return (static_cast<uint8_t>(engine) & static_cast<uint8_t>(one)) != 0;
  }
};

/// In the order of the register map.
absl::Span<const FieldRule> fieldRules();

/// "0 (None), 1 (ReLU) or 2 (LUT)", with the names of the register map.
std::string describe(const FieldRule &rule);

/// The field of element `index` of a rule's array; its path has that element.
FieldRef ruleField(const FieldRule &rule, uint32_t index);
std::string rulePath(const FieldRule &rule, uint32_t index);

/// Blocks that only one engine reads; the other one's tasks carry leftovers.
bool readsBlock(EngineKind engine, absl::string_view block);

} // namespace ane::hw

#endif // ANE_HW_FIELDRULES_H
