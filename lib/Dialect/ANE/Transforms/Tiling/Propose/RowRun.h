//===- RowRun.h - Ops along rows, strip by strip ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of sound is longer than the engine's rows can be, or with all channels
// larger than L2, and windows read across any place where it may be cut. A run
// of ops is computed for one part of the columns after the other; each part
// starts with as many more columns as all windows of the run need together:
//
//   | left | columns of the part | right |
//
// and each op works on the whole of that. What windows make of the outermost
// columns means nothing, and there is more of it after each; the columns of the
// part are right. So nothing moves between the parts, and what is between two
// ops of a run is small enough to stay in L2. The first part has nothing in
// front and the last nothing after, where windows see the padding that they
// have.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_ROWRUN_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_ROWRUN_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::ane {

/// An op of a run.
struct RowStep {
  Operation *op = nullptr;
  SmallVector<unsigned, 2> rows;           ///< operands that are rows
  int64_t stride = 1, extent = 1, low = 0; ///< of a window along the row
  bool isTransposed = false;

  bool isWindow() const { return extent > 1 || stride > 1; }
};

/// What a run knows of a row.
struct RunValue {
  int64_t num = 1, den = 1; ///< columns for those of the first row of the run
  int64_t length = 0, channels = 0;
  int64_t left = 0, right = 0; ///< columns that others need beside a part
  bool isOutside = false;      ///< comes from outside of the run
  size_t first = 0, last = 0;  ///< ops that make and use it, the first is 1
};

/// How to cut, in columns of the first row of the run.
struct RunPlan {
  int64_t columns = 0, left = 0, right = 0;
  int64_t parts = 0; ///< the last one has all that is left
  size_t steps = 0;  ///< ops of the run
  /// Some op can only be done in parts.
  bool isForced = false;
};

/// Bytes of DRAM that a run does not move, and those that it moves again:
/// weights for each part, columns for two, and products for the time that they
/// take.
struct RunGain {
  double kept = 0, again = 0;
};

/// Finds the ops that a run should have.
class RowRun {
public:
  /// Of L2, `share` is for rows that wait for an op.
  RowRun(const ::ane::hw::GenerationInfo &info, double share)
      : info(info), share(share) {}

  /// The next op of the function; false if it cannot be of the run.
  bool add(const RowStep &step);
  /// How to cut, for some numbers of ops that are worth it by estimate, the best
  /// first.
  SmallVector<RunPlan> propose();
  /// Leaves the first ops only.
  void take(size_t count);

  ArrayRef<RowStep> getSteps() const { return steps; }
  const RunValue &operator[](Value value) const {
    return values.find(value)->second;
  }
  bool contains(Value value) const { return values.contains(value); }
  /// Rows from outside, and those that others use.
  SmallVector<Value> getSources() const;
  SmallVector<Value> getResults() const;

private:
  bool isThere(const RunValue &entry, size_t count) const {
    return entry.first <= count;
  }
  bool isResult(const RunValue &entry, size_t count) const {
    return !entry.isOutside && entry.last > count;
  }
  void findUses();
  void findNeeds(size_t count);
  double maxAlive(size_t count) const;
  FailureOr<RunPlan> planFor(size_t count);
  bool setColumns(RunPlan &plan, size_t count) const;
  bool setParts(RunPlan &plan, size_t count) const;
  bool mustCut(const RowStep &step) const;
  RunGain gainOf(const RunPlan &plan, size_t count) const;

  const ::ane::hw::GenerationInfo &info;
  const double share;
  SmallVector<RowStep> steps;
  llvm::MapVector<Value, RunValue> values;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_ROWRUN_H
