//===- Constraints.h - What the engine cannot do ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table (Constraints.def) of limits and rules: an id, the operation, what
// is limited, for which generations, how well it is known, and what a user can
// do about it. The legalizer, its diagnostics and docs/SupportedOps.md read the
// same rows; the numbers themselves are in GenerationInfo.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_CONSTRAINTS_H
#define ANE_HW_CONSTRAINTS_H

#include "ane/HW/Generation.h"

#include "absl/types/span.h"

#include <string>

namespace ane::hw {

/// How well a row is known. Seen: in real programs. Deduced: follows from what
/// was seen. Guess: consistent with all that was seen, not shown.
enum class Evidence : uint8_t { Seen, Deduced, Guess };

/// The order of Constraints.def.
enum class ConstraintId : uint8_t {
#define ANE_LIMIT(NAME, ...) NAME,
#define ANE_RULE(NAME, ...) NAME,
#include "ane/HW/Constraints.def"
};

struct Constraint {
  ConstraintId id;
  absl::string_view name;    ///< as in messages and tests, "conv_l3"
  absl::string_view op;      ///< the operation that it restricts, "ane.conv"
  absl::string_view subject; ///< limit: what is limited; rule: the sentence
                             ///< after "h13 "
  uint64_t (*limit)(const GenerationInfo &); ///< null for a rule
  uint32_t generations;                      ///< bit set of Generation
  Evidence evidence;
  absl::string_view source; ///< where the knowledge comes from
  absl::string_view wayOut; ///< an imperative sentence

  bool holdsFor(Generation generation) const {
    return generations >> static_cast<unsigned>(generation) & 1;
  }
};

/// All rows, grouped by operation.
absl::Span<const Constraint> constraints();

/// True if `actual` is over the limit of a row that holds for the generation.
bool exceeds(ConstraintId id, const GenerationInfo &generation,
             uint64_t actual);

/// "kernel width 17 exceeds the limit of 13 of h13 (conv_l3); split ...".
std::string describeExcess(ConstraintId id, const GenerationInfo &generation,
                           uint64_t actual);

/// "strides are 3x3, but h13 has strides 1x1 and 2x2 only (conv_r1); ...".
/// `actual` is a clause that says what was found.
std::string describeViolation(ConstraintId id, const GenerationInfo &generation,
                              absl::string_view actual);

/// docs/SupportedOps.md: every row, and how ops that the engine lacks are taken
/// apart.
std::string supportedOpsPage();

} // namespace ane::hw

#endif // ANE_HW_CONSTRAINTS_H
