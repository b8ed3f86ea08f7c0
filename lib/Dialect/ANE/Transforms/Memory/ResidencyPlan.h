//===- ResidencyPlan.h - What stays in L2 -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem without the IR. Tasks run one after the other, each with accesses
// to DRAM. An item is a tensor, or a part of its life, that could stay in L2
// from one task to another; then the accesses that it covers move nothing. What
// is not covered streams through tiles above all that lives in L2. Wanted are
// the items that save the most bytes and fit at every task.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_RESIDENCYPLAN_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_RESIDENCYPLAN_H

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::ane {

/// What a task moves if nothing covers it.
struct DramAccess {
  bool isResult = false;
  int64_t dramBytes = 0;
  int64_t tileBytes = 0;                ///< of L2 while it streams
  llvm::SmallVector<uint32_t, 2> items; ///< that cover it
  /// Items that it fills: it moves, but to their place and not through tiles.
  llvm::SmallVector<uint32_t, 1> fills;
};

/// A candidate for L2 in tasks [first, last].
struct ResidencyItem {
  int64_t first = 0, last = 0, bytes = 0;
  /// It is there whatever is chosen.
  bool isFixed = false;
  /// It is not, by hand.
  bool isExcluded = false;
  /// The tensor, if it is one of which there are several items: all of its
  /// life, which excludes the others, or parts of it.
  int64_t tensor = -1;
  bool isPart = false;
};

/// At a task, the result may lie where a source dies, or a part goes on: both
/// take the room of one.
struct InPlace {
  uint32_t source, result; ///< items
  /// Of the source, other results may lie in what is left.
  bool isPart = false;
};

struct ResidencyProblem {
  const ::ane::hw::GenerationInfo *info = nullptr;
  llvm::SmallVector<ResidencyItem> items;
  llvm::SmallVector<llvm::SmallVector<DramAccess, 3>> tasks;
  llvm::SmallVector<llvm::SmallVector<InPlace, 1>> inPlace; ///< by task
};

struct ResidencyPlan {
  llvm::BitVector chosen; ///< items
  int64_t savedBytes = 0;
  /// No better plan exists.
  bool isOptimal = false;
  /// There is room for all of it, by bytes.
  bool fits = true;
};

/// Goes through the tasks with the sets of items that may be alive, the best
/// plan for each set: exact as long as there are at most `width` sets at a
/// time. With more it keeps the most promising ones, of which a later task may
/// leave none; then one of them gives back what saves least for its bytes, and
/// it looks again with more of them. It is never worse than
/// taking items by bytes saved for a byte of L2 and task of life.
ResidencyPlan planResidency(const ResidencyProblem &problem, size_t width);

/// Bytes that streaming needs at `task` above what is resident, when `chosen`
/// stay.
StreamNeed getStreamNeed(const ResidencyProblem &problem, size_t task,
                         const llvm::BitVector &chosen);

/// DRAM bytes that an item saves alone.
llvm::SmallVector<int64_t> getSavings(const ResidencyProblem &problem);

/// DRAM bytes of the accesses that `chosen` covers.
int64_t getSavedBytes(const ResidencyProblem &problem,
                      const llvm::BitVector &chosen);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_RESIDENCYPLAN_H
