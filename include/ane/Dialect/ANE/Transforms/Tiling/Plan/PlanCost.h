//===- PlanCost.h - What a cut costs ----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one judge of cuts. A generator proposes candidates, each a function that
// makes the cut in a clone of the ops around it; here the clone is planned, and
// what the search finds is compared: the best groups of tiles, and the values
// that stay in L2 then. The cost of a plan is
//
//   seconds of its tasks one after the other, by the cost model (CostModel.h)
//   + seconds of its transfers alone
//
// The second term is the price of traffic: of plans that take as long, the one
// with fewer bytes leaves the memory to others.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PLANCOST_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PLANCOST_H

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::ane {

/// Ops as a function of their own, without what computes their operands.
/// Constants are cloned with them; what others use is a result. The ops are of
/// one block, and in order.
OwningOpRef<func::FuncOp> extractOps(ArrayRef<Operation *> ops);

class PlanCost {
public:
  /// Makes a cut in a function; fails where it cannot be made.
  using Cut = llvm::function_ref<LogicalResult(func::FuncOp)>;

  PlanCost(const MemoryTarget &memory, const LoweringPolicy &lowering)
      : memory(memory), lowering(lowering) {}

  /// Of the best plan.
  static double costOf(const TileGraph &graph);
  /// The same of a function. The ops get the order in which they are planned.
  double predict(func::FuncOp func) const;
  /// The same of a clone with a cut.
  std::optional<double> predict(func::FuncOp func, Cut cut) const;

  /// Whether a cut is so much better that it is made. A cut is more tasks to
  /// compile, and a gain of less than a hundredth is less than the guessed rates
  /// of the chip are wrong by (benchmarks/run.py --only sensitivity).
  static bool pays(double cut, double whole) { return cut < 0.99 * whole; }

  /// Makes candidate `number` of ops; 0 are the ops as they are.
  using Candidate = llvm::function_ref<LogicalResult(ArrayRef<Operation *> ops,
                                                     unsigned number)>;

  /// The best of `count` candidates, without a margin: ops that L2 does not hold
  /// are cut in one way or another. Each is made in a clone of `ops`, which are
  /// a function there (extractOps). Equal ops, as those of equal layers, are
  /// judged once.
  unsigned choose(ArrayRef<Operation *> ops, unsigned count,
                  Candidate candidate);

private:
  const MemoryTarget memory;
  const LoweringPolicy &lowering;
  std::map<std::string, unsigned> chosen; ///< by the text of the ops
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PLANCOST_H
