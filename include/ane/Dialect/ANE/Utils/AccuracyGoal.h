//===- AccuracyGoal.h - How exact results have to be ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several functions can be computed in more than one way, exactly or fast. The
// user says once, for a network, which is wanted; the module holds it, and the
// ops hold which way was taken. docs/Numerics.md, "Time or accuracy".
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_ACCURACYGOAL_H
#define ANE_DIALECT_ANE_UTILS_ACCURACYGOAL_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

namespace mlir::ane {

enum class AccuracyGoal : uint8_t {
  Fast,     ///< the fewest tasks
  Balanced, ///< networks in f16's own precision
  Best,     ///< also what a single function gives
};

inline constexpr llvm::StringLiteral defaultAccuracyGoal = "balanced";

/// Nothing for another word.
inline std::optional<AccuracyGoal> parseAccuracyGoal(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<AccuracyGoal>>(name)
      .Case("fast", AccuracyGoal::Fast)
      .Case("balanced", AccuracyGoal::Balanced)
      .Case("best", AccuracyGoal::Best)
      .Default(std::nullopt);
}

/// That of the module around `op`.
AccuracyGoal getAccuracyGoal(Operation *op);

/// The attribute of a module with the name of its goal; without, it is
/// balanced. ane-set-accuracy-goal writes it.
inline constexpr llvm::StringLiteral kAccuracyGoalAttrName =
    "ane.accuracy_goal";
/// The attribute of an op with the name of the form that its function is
/// computed in. ane-choose-function-forms writes it, ane-separate-gates does
/// it.
inline constexpr llvm::StringLiteral kFormAttrName = "ane.form";
/// The attribute of a module with how many functions have which form.
inline constexpr llvm::StringLiteral kFunctionFormsAttrName =
    "ane.function_forms";

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_ACCURACYGOAL_H
