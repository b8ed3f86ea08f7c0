//===- DecomposeLongRows.cpp - Long rows in strips of columns -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tokens of a long sequence are columns of one row, and a row of all
// channels is the least that L2 has to hold. Where it does not, convolutions
// would make sums of parts of their input channels, and what is between would
// go channel by channel. All that is computed column by column goes in strips
// of columns instead: weights are read for each of few strips, and strips are
// long enough that their products take longer. Where weights are small, the
// planner may find strips itself, unless hardly anything leaves them.
//
// Attention to few keys, as of the pixels of an image to the words of a text,
// is by columns, too: its keys and values are small, and so are strips of all
// heads, in which queries, scores and what they mix need not leave L2.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESPLITLAYERS
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Ops of as many columns, none of which another op needs before the last.
struct Run {
  SmallVector<Operation *> ops;
  int64_t bytes = 0;       ///< of the largest tensor
  int64_t weightBytes = 0; ///< of all convolutions
  bool attends = false;    ///< to a few keys
};

/// Finds runs in the order of a function.
class Runs {
public:
  void visit(Operation *op);
  /// All of them, by columns.
  SmallVector<std::pair<int64_t, Run>> take();

private:
  bool isMember(Operation *op, int64_t columns) const;
  void close(int64_t columns);
  void closeAll() {
    for (auto &[columns, run] : open)
      close(columns);
  }

  Block *block = nullptr;
  llvm::MapVector<int64_t, Run> open;       ///< by columns
  DenseMap<Operation *, int64_t> columnsOf; ///< of members of open runs
  SmallVector<std::pair<int64_t, Run>> closed;
};

} // namespace

static int64_t maxBytes(Operation *op, int64_t columns) {
  int64_t most = 0;
  auto look = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.getRank() == 4 && type.getDimSize(3) == columns)
      most = std::max<int64_t>(most, halfBytesOf(type));
  };
  llvm::for_each(op->getOperands(), look);
  llvm::for_each(op->getResults(), look);
  return most;
}

// Another view of the same columns.
static bool isViewOfColumns(Operation *op, int64_t columns) {
  if (!isa<ReshapeOp, TransposeOp, SliceOp, ConcatOp>(op))
    return false;
  auto hasColumns = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == 4 && type.getDimSize(0) == 1 &&
           type.getDimSize(3) == columns;
  };
  auto transpose = dyn_cast<TransposeOp>(op);
  return hasColumns(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), hasColumns) &&
         (!transpose || transpose.getPerm()[3] == 3);
}

bool Runs::isMember(Operation *op, int64_t columns) const {
  auto said = op->getAttrOfType<BoolAttr>(kByColumnAttrName);
  if (columns <= 1 || (said && !said.getValue()))
    return false;
  if (isa<ReshapeOp, TransposeOp, SliceOp, ConcatOp>(op))
    return isViewOfColumns(op, columns);
  if (isa<RuntimeConvOp>(op))
    return bool(said);
  if (!said && !isa<ReduceOp>(op))
    return isByColumn(op, columns);
  auto conv = dyn_cast<ConvOp>(op);
  auto reduce = dyn_cast<ReduceOp>(op);
  if (reduce)
    return reduce.getAxes() == ArrayRef<int64_t>{1} &&
           typeOf(reduce).getRank() == 4 &&
           reduce.getInput().getDefiningOp<RuntimeConvOp>();
  return typeOf(op->getResult(0)).getDimSize(0) == 1 &&
         (!conv || conv.isByPixel());
}

void Runs::close(int64_t columns) {
  Run &run = open[columns];
  for (Operation *op : run.ops)
    columnsOf.erase(op);
  // Views at the end are of what comes after.
  while (!run.ops.empty() && isViewOfColumns(run.ops.back(), columns))
    run.ops.pop_back();
  if (run.weightBytes > 0)
    closed.emplace_back(columns, std::move(run));
  run = Run();
}

void Runs::visit(Operation *op) {
  if (std::exchange(block, op->getBlock()) != op->getBlock())
    closeAll();
  int64_t columns = 0;
  if (op->getNumResults() == 1 && !isa<ConstantOp>(op) &&
      isImage(op->getResult(0)))
    columns = typeOf(op->getResult(0)).getDimSize(3);
  bool isMember = this->isMember(op, columns);
  for (Value operand : op->getOperands())
    if (auto found = columnsOf.find(operand.getDefiningOp());
        found != columnsOf.end() && !(isMember && found->second == columns))
      close(found->second);
  if (!isMember)
    return;
  Run &run = open[columns];
  run.ops.push_back(op);
  run.bytes = std::max(run.bytes, maxBytes(op, columns));
  if (auto conv = dyn_cast<ConvOp>(op))
    run.weightBytes += halfBytesOf(conv.getWeight());
  if (auto product = dyn_cast<RuntimeConvOp>(op)) {
    run.attends = true;
    run.weightBytes += typeOf(product.getCoefficients()).getNumElements() *
                       int64_t(sizeof(uint16_t));
  }
  columnsOf[op] = columns;
}

SmallVector<std::pair<int64_t, Run>> Runs::take() {
  closeAll();
  return std::move(closed);
}

static LogicalResult cut(const Run &run, int64_t columns,
                         const ::ane::hw::GenerationInfo &info) {
  int64_t granule = info.dmaAlign / sizeof(uint16_t);
  // A strip leaves room for a part of what becomes of it.
  int64_t room = info.l2SourceBytes / 4 * 3;
  if (run.attends)
    room = info.l2SourceBytes / 3;
  int64_t size = llvm::alignTo(
      llvm::divideCeil(columns, llvm::divideCeil(run.bytes, room)), granule);
  for (Operation *op : run.ops)
    op->setAttr(ANEDialect::getTileAttrName(),
                TileAttr::get(op->getContext(), /*group=*/0, /*dim=*/3, size));
  return failure(failed(tileGroup(run.ops)));
}

// Whether others need little of what a run computes, and not for convolutions:
// those of heads that come later make what attention needs when it needs it.
static bool keepsMost(const Run &run) {
  DenseSet<Operation *> members(run.ops.begin(), run.ops.end());
  int64_t bytes = 0;
  for (Operation *op : run.ops) {
    auto leaves = [&](Operation *user) { return !members.contains(user); };
    if (llvm::none_of(op->getUsers(), leaves))
      continue;
    bytes += halfBytesOf(op->getResult(0));
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return leaves(user) && isa<ConvOp>(user);
        }))
      return false;
  }
  return 2 * bytes <= 3 * run.bytes;
}

// Where weights are small, the planner may find strips of its own.
static bool isWorthStrips(const Run &run) {
  return run.attends || 4 * run.weightBytes >= run.bytes || keepsMost(run);
}

LogicalResult mlir::ane::splitLongRows(Operation *scope,
                                       const DecomposeOptions &options) {
  if (!options.policy.tiling.cutsTokens)
    return success();
  Runs runs;
  scope->walk([&](Operation *op) { runs.visit(op); });
  for (const auto &[columns, run] : runs.take())
    if (run.bytes > int64_t(options.generation.l2SourceBytes) &&
        isWorthStrips(run) && failed(cut(run, columns, options.generation)))
      return failure();
  return success();
}

LogicalResult mlir::ane::completeCandidate(func::FuncOp clone,
                                           const DecomposeOptions &options) {
  if (failed(splitLongRows(clone, options)))
    return failure();
  return failure(
      failed(rewriteOps(clone, options, {populateSplitPatterns}, "trial")));
}

// A plan by hand is for the ops as they are.
static bool isPlanned(Operation *scope) {
  return scope
      ->walk([](Operation *op) {
        return op->hasAttr(ANEDialect::getTileAttrName())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct SplitLayers
    : DecomposePass<SplitLayers,
                    mlir::ane::impl::ANESplitLayersBase<SplitLayers>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    FailureOr<MemoryTarget> memory = getMemoryTarget(getOperation(), flavour);
    if (failed(memory))
      return failure();
    PlanCost cost(*memory, options.policy);
    LogicalResult result = success();
    if (!isPlanned(getOperation()))
      result = failure(failed(splitLongLayers(getOperation(), options, cost)) ||
                       failed(splitLongRows(getOperation(), options)));
    getOperation()->walk(
        [](Operation *op) { op->removeDiscardableAttr(kByColumnAttrName); });
    return result;
  }
};
} // namespace
