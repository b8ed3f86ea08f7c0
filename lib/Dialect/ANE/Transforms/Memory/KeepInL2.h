//===- KeepInL2.h - The planner of ane-keep-in-l2 ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the accesses of tasks into a problem of packing (ResidencyPlan.h) and
// its answer into buffers in L2.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_KEEPINL2_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_KEEPINL2_H

#include "PromoteToL2.h"
#include "ResidencyPlan.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlir::ane {

/// Loads of the same elements, by task.
struct SameLoads {
  Value root;
  SmallVector<std::pair<int64_t, SmallVector<DmaLoadOp, 1>>> tasks;
};

/// An item of the plan and what it stands for.
struct Candidate {
  std::optional<BufferAccesses> whole; ///< a tensor for all its life, or
  ByteLayout layout;                   ///< of that, in a place of its own
  int32_t loads = -1;                  ///< loads `at` and `at` + 1 of these
  size_t at = 0;
};

/// Where a chosen item lies: in the place of the first of those that share it.
struct Place {
  uint32_t item;
  RowOffset offset = {}; ///< in that place
};

/// What somebody wants of a buffer, or of what tasks load of an argument: where
/// the items that stand for it are to be.
struct HoldRequest {
  Value value;
  MemorySpace space;
  SmallVector<uint32_t> items;
};

class L2Planner {
public:
  L2Planner(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
            const MemoryPolicy &policy);
  LogicalResult run();
  /// What stayed, for the plan of the file.
  HeldCounts counts;
  int64_t numKept = 0, numLoaded = 0;

private:
  void exchangeRows();
  void collectAccesses();
  void addFixed();
  std::string addBuffer(BufferOp buffer);
  LogicalResult addBuffers();
  DenseMap<Value, SmallVector<uint32_t>> getLoadsOfArguments() const;
  LogicalResult addRequestsOfArguments();
  bool meets(const HoldRequest &request, const llvm::BitVector &chosen) const;
  llvm::BitVector choose() const;
  void obey();
  LogicalResult checkRoom(const llvm::BitVector &chosen) const;
  void countHeld(const llvm::BitVector &chosen);
  std::optional<BufferAccesses> examine(BufferOp buffer) const;
  void collectSameLoads();
  std::optional<uint32_t> addLoad(int32_t number, size_t at,
                                  std::optional<uint32_t> before);
  void addLoads();
  bool canFill(DmaLoadOp load) const;
  bool isWrittenBetween(Value root, int64_t first, int64_t last) const;
  bool canLieIn(uint32_t source, uint32_t result, RowOffset offset) const;
  bool isFreePart(uint32_t source, const Box &part) const;
  void findInPlace(int64_t at);
  SmallVector<Place> glueChosen(const llvm::BitVector &chosen) const;
  SmallVector<int64_t> countRows(const llvm::BitVector &chosen,
                                 ArrayRef<Place> place) const;
  std::map<uint32_t, L2Resident> findLives(const llvm::BitVector &chosen,
                                           ArrayRef<Place> place,
                                           ArrayRef<int64_t> rows) const;
  SmallVector<int64_t> findCrowded(const llvm::BitVector &chosen) const;
  void makeRoom(llvm::BitVector &chosen) const;
  void takeBack(llvm::BitVector &chosen, const llvm::BitVector &all,
                ArrayRef<int64_t> savings) const;
  void makeRoom(llvm::BitVector &chosen,
                function_ref<double(uint32_t)> worth) const;
  void dropContinued(llvm::BitVector &chosen) const;
  void apply(const llvm::BitVector &chosen);

  int64_t timeOf(Operation *op) const { return time.lookup(op->getParentOp()); }
  int64_t tensorOf(Value root) {
    return tensors.try_emplace(root, tensors.size()).first->second;
  }
  uint32_t addItem(const ResidencyItem &item, Candidate candidate) {
    problem.items.push_back(item);
    candidates.push_back(std::move(candidate));
    return problem.items.size() - 1;
  }

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  const MemoryPolicy &policy;
  SmallVector<TaskOp> tasks;
  DenseMap<Operation *, int64_t> time;
  DenseMap<Value, int64_t> tensors;
  /// By load or store.
  DenseMap<Operation *, std::pair<int64_t, size_t>> accessOf;
  /// By root, ascending.
  DenseMap<Value, SmallVector<int64_t>> writes;
  SmallVector<SameLoads> sameLoads;
  DenseMap<Value, uint32_t> wholeItems; ///< by buffer
  SmallVector<HoldRequest> requests;    ///< by `ane.hold`
  /// Of a result that lies in a source.
  DenseMap<std::pair<uint32_t, uint32_t>, RowOffset> offsetInPlace;
  /// By source: the parts that results may take, which have nothing in common.
  DenseMap<uint32_t, SmallVector<Box>> partsInPlace;
  SmallVector<Candidate> candidates;
  ResidencyProblem problem;
  /// Items that are there only because another one is: (item, other).
  SmallVector<std::pair<uint32_t, uint32_t>> continued;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_KEEPINL2_H
