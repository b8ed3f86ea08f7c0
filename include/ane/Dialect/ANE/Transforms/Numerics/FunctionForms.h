//===- FunctionForms.h - Several ways to compute a function -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of one element has a table, which takes one task and is off by
// thousandths, and some have forms of more tasks that are not:
//
//   table     f(x)                       a table of f
//   gate      x g(x)                     a table of g, a product
//   odd_gate  x / 2 + x h(x) / 2         h = 2 g - 1 is odd, and tables of odd
//                                        functions have twice as many samples
//
// From how a form computes an element (FunctionForms.cpp) follows how far off it
// is for arguments of any size, so that the form with the fewest tasks can be
// taken whose error a goal allows.
//
// Errors are in roundings of f16: the root of the mean square of the error of a
// form, by that of rounding the true function once. That is what networks go
// by: with an error of 22 roundings in each layer (silu by a table, arguments
// of size 1), EfficientNet-B0 is 12 times as far off as the same network with
// perfect functions in f16; with 3.9 it is 2.5 times, with 1.7 1.2 times.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_FUNCTIONFORMS_H
#define ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_FUNCTIONFORMS_H

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/AccuracyGoal.h"

namespace mlir::ane {

/// By how much the argument of a function that bends near zero is larger where
/// nothing else is gained by its size. The steps of tables are powers of two;
/// they are 3/4 as wide then, and the error is 9/16.
inline constexpr float tableStretch = 4.0f / 3;

/// `function` of x / factor; null where a larger argument gains nothing, or is
/// known to be larger already.
ActivationAttr stretched(ActivationAttr function, double factor);

enum class FormKind : uint8_t { Table, Gate, OddGate };

/// f(x) = x g(factor x), where x from `low` on is enough, or x g(inner(x)).
struct GateFunction {
  ActivationKind kind = ActivationKind::Sigmoid;
  double alpha = 0, beta = 0;
  double factor = 1;
  std::optional<double> low;
  std::optional<ActivationKind> inner;
};

/// f(x) = x / 2 + x h(factor x) / 2, or 1 / 2 + h(factor x) / 2.
struct OddGateFunction {
  ActivationKind kind = ActivationKind::ScaledTanh;
  double alpha = 0, beta = 0;
  double factor = 1;
  bool isMultiplied = true; ///< with x
};

/// One way to compute a function.
struct FunctionForm {
  FormKind kind;
  llvm::StringLiteral name;
};

/// With the fewest tasks first; the table alone where there is no other.
SmallVector<const FunctionForm *> getForms(ActivationAttr function);

/// The form that ane.form of `op` says, null where it says none. An error where
/// `function` has no such form.
FailureOr<const FunctionForm *> getGivenForm(Operation *op,
                                             ActivationAttr function);

/// What `function` is made of where it has such a form.
std::optional<GateFunction> getGate(ActivationAttr function);
std::optional<OddGateFunction> getOddGate(ActivationAttr function);

/// What is known of arguments, and what becomes of results.
struct FormUse {
  /// Nothing where nobody knows: then the worst size of arguments counts.
  std::optional<NumberRange> argument;
  /// Results are summands of what is many times as large, or factors of what is
  /// summed: the layers of transformers, the gates of channels.
  bool isSummand = false;
  /// A root, a logarithm or an inverse is taken of results, which brings out
  /// the small ones.
  bool bringsOutSmall = false;
};

/// The largest error of the form over the arguments, which are known, as a
/// share of the largest result, or of each where `use` brings out small ones.
double getShareOfError(const FunctionForm &form, ActivationAttr function,
                       const FormUse &use);

/// The form with the fewest tasks that `goal` allows, else the most exact one;
/// null where there is only one.
const FunctionForm *chooseForm(ActivationAttr function, const FormUse &use,
                               AccuracyGoal goal);

/// Whether a quotient has divisors without an inverse in f16, which are below
/// 2^-16: then it takes more tasks (ane-keep-in-range). With the goal fast nobody
/// divides by small numbers unless they are known to be there, from data or from
/// a guard that is as small.
bool mayDivideBySmall(const NumberRange &divisor, AccuracyGoal goal);

/// How `op` uses the function `function` of it, at its place in the network.
FormUse getFormUse(Operation *op, ActivationAttr function,
                   const RangeAnalysis *ranges);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_FUNCTIONFORMS_H
