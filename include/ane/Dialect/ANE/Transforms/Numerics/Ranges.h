//===- Ranges.h - What numbers the values of a network can be ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An analysis of ane tensor ops, on MLIR's dataflow framework. Values are real
// numbers here: what the network means, before anything is rounded to f16. A
// range bounds all elements of a tensor; it is never too narrow, and after
// many layers much too wide. Where it comes from counts as well: from what is
// known (constants, what ops mean, what the user or data say), or only from the
// element type of an argument, of which nobody knows what is in it.
//
//   RangeAnalysis ranges(function);
//   NumberRange x = ranges.get(value);
//   if (x.fitsHalf()) ...
//
// docs/Numerics.md explains the whole.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_RANGES_H
#define ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_RANGES_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/HW/Float16.h"

#include "mlir/Analysis/DataFlowFramework.h"

#include <limits>

namespace mlir::ane {

using ::ane::hw::largestHalf;
using ::ane::hw::smallestHalf;
using ::ane::hw::smallestNormalHalf;

/// Where a range comes from; of several, the least reliable one.
enum class RangeSource : uint8_t {
  Known,   ///< constants, what ops mean, the user
  Data,    ///< the largest and smallest elements that data showed
  Assumed, ///< the element type of an argument
};

/// What is known of the elements of a tensor.
struct NumberRange {
  /// No element is below or above.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  /// No element other than 0 is smaller in magnitude; 0 if nothing is known.
  double least = std::numeric_limits<double>::infinity();
  bool isWhole = true;   ///< all elements are whole numbers
  bool mayBeNaN = false; ///< such as 0 / 0
  RangeSource source = RangeSource::Known;

  static NumberRange of(double low, double high, double least = 0,
                        bool isWhole = false);
  static NumberRange point(double value);
  static NumberRange everything();

  /// Nothing has been found out yet: no element is possible.
  bool isEmpty() const { return low > high; }
  bool isAssumed() const { return source == RangeSource::Assumed; }
  bool isPoint() const { return low == high; }
  /// The largest magnitude of an element.
  double most() const;
  bool contains(double value) const { return low <= value && value <= high; }
  /// No element becomes infinite in f16.
  bool fitsHalf() const { return most() <= largestHalf && !mayBeNaN; }

  NumberRange including(double value) const;
  /// The part that both allow; what `bound` says of NaN and source holds.
  NumberRange boundedBy(const NumberRange &bound) const;
  NumberRange scaled(double factor) const;

  static NumberRange join(const NumberRange &a, const NumberRange &b);
  bool operator==(const NumberRange &other) const;
  void print(raw_ostream &os) const;
};

/// What `op` makes of numbers, without its epilogue.
NumberRange applyRange(ElementwiseKind kind, const NumberRange &lhs,
                       const NumberRange &rhs);
/// What a function makes of a number.
NumberRange applyRange(ActivationAttr function, const NumberRange &input);
/// A sum of `count` numbers.
NumberRange sumRange(const NumberRange &term, double count);

/// Which weights are read: that takes nearly all the time of the analysis.
enum class WeightsRead : uint8_t {
  All,
  OfKnown, ///< that multiply something of which more than the type is known
};

struct WeightsOfRanges; // RangeAnalysis.cpp

/// The ranges of all values in and below `root`. What changes afterwards has
/// none; constants are read once each.
class RangeAnalysis {
public:
  explicit RangeAnalysis(Operation *root,
                         WeightsRead weights = WeightsRead::All);
  ~RangeAnalysis();

  /// Everything for values that are new or that no path reaches.
  NumberRange get(Value value) const;

  /// What the activation of `op` is of, if that is in f16.
  std::optional<NumberRange> getBeforeActivation(Operation *op) const;

  /// Of the products that `op` (a convolution, a product of matrices) adds up
  /// for one element, the largest magnitude that a running sum can have: that
  /// of the sum of their magnitudes, with the bias, before scale and
  /// activation. Nothing for other ops.
  std::optional<double> runningSum(Operation *op) const;

private:
  /// Before the solver, which refers to it.
  std::unique_ptr<WeightsOfRanges> weights;
  std::unique_ptr<DataFlowSolver> solver;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_RANGES_H
