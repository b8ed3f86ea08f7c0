//===- TilePlan.h - Which ops are cut together, and how ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEPLAN_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEPLAN_H

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/Passes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <string>

namespace mlir::ane {

/// That the search puts into one group.
inline constexpr int maxGroupOps = 128;

/// Of which results in a group rows that two strips need are copied, not
/// computed again: of none, of those that are narrower than what they come from
/// (TileNode::isNarrow), or of all.
enum class KeptRows : uint8_t { None, Narrow, All };

/// Ops `first` to `last`, in the order of the function and without constants,
/// are computed strip by strip: the result of `last` along dimension `dim` in
/// strips of `size`, the others as follows from it.
struct TileGroup {
  int64_t first = 0, last = 0, dim = 2, size = 0;
  /// How many: 1 for an op that is not cut.
  int64_t strips = 1;
  KeptRows keptRows = KeptRows::None;
  /// Strips start at multiples of it.
  int64_t align = 1;
  /// By hand, strips are cut along a second dimension; -1: they are not.
  int64_t innerDim = -1, innerSize = 0;
};

/// Whether it is an op whose rows are kept, if any are.
bool keepsRowsOf(const TileNode &node, KeptRows kept);

/// Where the result of an op lies between tasks, or what they load of an
/// argument, by hand.
struct HeldResult {
  int64_t number = 0; ///< of the op or of the argument
  MemorySpace space = MemorySpace::L2;
  bool isArgument = false;
};

/// A convolution that becomes a sum over parts of its input channels, by hand.
struct SplitReduction {
  int64_t op = 0, channels = 0;
};

/// Ops `first` to `last`, as ane-tile-images counts them, in so many parts of
/// columns.
struct ColumnCut {
  int64_t first = 0, last = 0, parts = 1;
};

struct TilePlan {
  std::vector<TileGroup> groups; ///< in order, only those that are cut
  std::vector<HeldResult> held;  ///< by hand; ane-keep-in-l2 decides on others
  std::vector<SplitReduction> reductions; ///< by hand
  /// DRAM traffic as planned, and what no plan can avoid.
  int64_t plannedBytes = 0, compulsoryBytes = 0;
  /// Less than this has no program.
  int64_t boundBytes = 0;
  double seconds = 0; ///< what the search makes small
  /// Seconds of the tasks one after the other, by the cost model.
  double overlapped = 0;
  int64_t copiedOps = 0; ///< that got the plan of a layer before
  /// Whether no plan of these forms is better: nothing was left out.
  bool isExact = true;
  /// No search has found it, so that its traffic is not known.
  bool isByHand = false;

  /// What ane-tile-images has cut the function into before.
  std::vector<ColumnCut> columnCuts;

  /// How far it is from the bound.
  double getGap() const {
    return double(plannedBytes) / std::max<int64_t>(1, boundBytes) - 1;
  }
};

/// The best plan that the search finds; never fails, since no cut at all is a
/// plan.
TilePlan planTiles(const TileGraph &graph);

/// The groups of a plan that may have one of the nodes in `wanted`, a set by
/// number: what is farther from all of them than a group reaches is not planned,
/// so that the plan has no bytes and no seconds.
TilePlan planTilesAround(const TileGraph &graph, const llvm::BitVector &wanted);

/// Bytes of DRAM traffic without which no plan does, and no program for the ops
/// of the function: at least what is compulsory (TileBound.cpp).
int64_t boundTraffic(const TileGraph &graph);

/// Replaces ops, which have the same group in `ane.tile` and are in order, by
/// their parts. How many these are.
FailureOr<int64_t> tileGroup(ArrayRef<Operation *> ops);

/// Brings what frees memory forward and puts off what only takes some.
void orderOps(Block &block);

/// Only what is better channel by channel whatever the strips are: products of
/// matrices that do not fit L2, one matrix after the other; convolutions that
/// are added to something large.
TilePlan planChannels(const TileGraph &graph);

/// {"function", "ops", "names", "planned_bytes", "compulsory_bytes",
/// "bound_bytes", "gap", "exact", "copied_ops", "column_parts", "groups":
/// [{"first", "last", "dim", "size", "keep"}], "reductions": [{"op",
/// "input_channels"}]}; what a search says of its plan is not there for one by
/// hand.
std::string writePlan(StringRef function, const TileGraph &graph,
                      const TilePlan &plan);
/// What ane-keep-in-l2 did, by op of a plan: how many tensors its result was,
/// and how many of these stayed in L2.
struct HeldCount {
  int64_t tensors = 0, held = 0;
};
/// The same of arguments, by number: of what several tasks load.
struct HeldCounts {
  std::map<int64_t, HeldCount> ops, arguments;
};

/// Where ane-plan-tiles leaves the plan of a function, and ane-keep-in-l2
/// completes it: text of who runs the passes, else the file that their option
/// names, if it names one.
class PlanRecord {
public:
  PlanRecord(StringRef file, std::string *text) : file(file), text(text) {}

  explicit operator bool() const { return text || !file.empty(); }
  /// For messages.
  std::string describe() const {
    return text ? "what is kept" : ("'" + file + "'").str();
  }
  /// What is in the way is an error of `func`.
  LogicalResult write(func::FuncOp func, std::string plan) const;
  /// Adds "residency": [{"op" or "argument", "in"}] to a plan of `func`; what
  /// is none, or gone to standard output, stays as it is.
  LogicalResult complete(func::FuncOp func, const HeldCounts &counts) const;

private:
  StringRef file;
  std::string *text;
};

/// ane-plan-tiles with a record in `text`, if that is not null.
std::unique_ptr<Pass> createPlanTiles(const ANEPlanTilesOptions &options,
                                      std::string *text);

/// What a file with a plan holds, which is not there or cannot be read: an
/// error of `func`.
FailureOr<std::unique_ptr<llvm::MemoryBuffer>> openPlan(func::FuncOp func,
                                                        StringRef file);

/// What a file says of the parts of columns into which ane-tile-images cuts: of
/// all ops that can be cut, or which ops, in how many; none where it does not
/// say.
struct ColumnsByHand {
  std::optional<int64_t> parts;
  std::optional<std::vector<ColumnCut>> cuts;
};
FailureOr<ColumnsByHand> readColumns(func::FuncOp func, StringRef file,
                                     StringRef text);

/// The groups for `func` of what a file holds (one plan or an array of them);
/// none when it has plans for other functions of the module only, or says only
/// what ane-tile-images does.
FailureOr<std::optional<TilePlan>> readPlan(func::FuncOp func, StringRef file,
                                            StringRef text,
                                            const TileGraph &graph);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEPLAN_H
