//===- TileColumns.cpp - Wide images in parts of columns ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner cuts by rows. Of an image with many columns L2 holds so few rows
// that strips would be mostly rows that are computed again, and all goes
// through DRAM. Parts of the columns are then networks of their own, which it
// cuts by rows: a row of a part is shorter by their number, so that the groups
// are those that an L2 larger by that number had.
//
// A part of a run of ops is that run on a smaller image: all its values have
// the same columns, those that the part is for and as many around them as the
// first op needs. Ops pad at the border of the part as they do at that of the
// image. What the padding makes wrong is never as wide as the columns around,
// and is cut off where values leave the run. So parts begin at columns at which
// rows in memory can begin, and nothing is shifted.
//
// How many parts are best, the planner says: it plans the function with each
// number, on a clone, and what pays stays.
//
//===----------------------------------------------------------------------===//

#include "ColumnRun.h"
#include "Legalize.h"
#include "TilePlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANETILECOLUMNS
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

constexpr int64_t partCounts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32};
/// Rows for which a strip is worth its halo (guess: a few layers of 3 x 3).
constexpr int64_t rowsOfStrip = 32;
/// A plan has to be that much faster: parts are more tasks, and the estimate of
/// a plan is not exact.
constexpr double worthwhile = 0.9;
/// Trials that are not better, after which there are no more.
constexpr int enough = 3;

/// A function in parts, and what the planner says of it.
struct Candidate {
  OwningOpRef<func::FuncOp> func;
  double seconds = 0;
};

class ColumnTiler {
public:
  ColumnTiler(func::FuncOp func, const MemoryTarget &memory,
              const LoweringTarget &lowering)
      : func(func), memory(memory), lowering(lowering),
        info(*memory.generation) {}
  /// Whether the function has become another one: of the number of parts that
  /// is best, or of `parts`.
  bool run();
  bool run(int64_t parts);

private:
  bool isWide(const TileGraph &graph, const TileNode &node) const;
  void addRuns(const TileGraph &graph, int64_t first, int64_t end,
               bool onlyWide, SmallVectorImpl<ColumnRun> &runs) const;
  bool cut(func::FuncOp clone, int64_t parts) const;
  bool isLegal(func::FuncOp clone) const;
  std::optional<Candidate> attempt(int64_t parts);

  func::FuncOp func;
  const MemoryTarget &memory;
  const LoweringTarget &lowering;
  const ::ane::hw::GenerationInfo &info;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is cut
//===----------------------------------------------------------------------===//

// L2 does not hold a strip of what is read and written.
bool ColumnTiler::isWide(const TileGraph &graph, const TileNode &node) const {
  if (!isa<ConvOp>(node.op) || graph.values[node.result].extents[2] == 1)
    return false;
  auto ofRow = [&](int value) {
    const TileValue &entry = graph.values[value];
    return entry.l2Bytes / std::max<int64_t>(1, entry.extents[2]);
  };
  int64_t bytes = ofRow(node.result);
  for (const TileNode::Operand &operand : node.operands)
    bytes += ofRow(operand.value);
  return rowsOfStrip * bytes > int64_t(info.l2Bytes);
}

// Runs among nodes [first, end), those of which one op at least is wide.
void ColumnTiler::addRuns(const TileGraph &graph, int64_t first, int64_t end,
                          bool onlyWide,
                          SmallVectorImpl<ColumnRun> &runs) const {
  while (first < end) {
    ColumnRun run(graph, first);
    bool isTaken = !onlyWide;
    while (run.getEnd() < end && run.grow())
      isTaken |= isWide(graph, graph.nodes[run.getEnd() - 1]);
    first = std::max(first + 1, run.getEnd());
    if (isTaken)
      runs.push_back(std::move(run));
  }
}

static bool split(MutableArrayRef<ColumnRun> runs, int64_t parts) {
  bool isSplit = false;
  for (ColumnRun &run : runs)
    if (run.countParts(parts) > 1) {
      run.split(parts);
      isSplit = true;
    }
  return isSplit;
}

// What the planner would cut together if a row were as short as that of a part.
bool ColumnTiler::cut(func::FuncOp clone, int64_t parts) const {
  ::ane::hw::GenerationInfo large = info;
  large.l2Bytes *= parts;
  large.l2SourceBytes *= parts;
  TileGraph graph(clone, {&large, memory.policy}, *lowering.policy);
  std::vector<TileGroup> groups = planTiles(graph).groups;
  SmallVector<ColumnRun> runs;
  for (auto [number, group] : llvm::enumerate(groups)) {
    // With what follows, parts need not be joined before it.
    int64_t end = number + 1 < groups.size() ? groups[number + 1].first
                                             : int64_t(graph.nodes.size());
    addRuns(graph, group.first, end, /*onlyWide=*/true, runs);
  }
  return split(runs, parts);
}

// What a trial says of ops that the engine cannot do is no error of the
// network.
bool ColumnTiler::isLegal(func::FuncOp clone) const {
  ScopedDiagnosticHandler silent(clone.getContext(),
                                 [](Diagnostic &) { return success(); });
  LegalizeOptions options = {info, /*allowUnproven=*/false, *lowering.policy};
  WalkResult result = clone.walk([&](Operation *op) {
    return !isa<ANEDialect>(op->getDialect()) ||
                   succeeded(checkLegal(op, options))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

std::optional<Candidate> ColumnTiler::attempt(int64_t parts) {
  Candidate candidate{OwningOpRef<func::FuncOp>(func.clone())};
  if (!cut(*candidate.func, parts) || !isLegal(*candidate.func))
    return std::nullopt;
  orderOps(candidate.func->front());
  candidate.seconds =
      planTiles(TileGraph(*candidate.func, memory, *lowering.policy))
          .overlapped;
  return candidate;
}

bool ColumnTiler::run(int64_t parts) {
  TileGraph graph(func, memory, *lowering.policy);
  SmallVector<ColumnRun> runs;
  addRuns(graph, 0, graph.nodes.size(), /*onlyWide=*/false, runs);
  return split(runs, parts);
}

bool ColumnTiler::run() {
  double now = 0;
  {
    TileGraph graph(func, memory, *lowering.policy);
    if (llvm::none_of(graph.nodes, [&](const TileNode &node) {
          return isWide(graph, node);
        }))
      return false;
    now = planTiles(graph).overlapped;
  }
  std::optional<Candidate> best;
  int worse = 0; // in a row
  for (int64_t parts : partCounts) {
    std::optional<Candidate> candidate = attempt(parts);
    if (!candidate)
      continue;
    if (!best || candidate->seconds < best->seconds) {
      best = std::move(candidate);
      worse = 0;
    } else if (++worse == enough) {
      break;
    }
  }
  if (!best || best->seconds >= worthwhile * now)
    return false;
  func.getBody().takeBody(best->func->getBody());
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct TileColumns : public mlir::ane::impl::ANETileColumnsBase<TileColumns> {
  using ANETileColumnsBase::ANETileColumnsBase;

  void runOnOperation() override {
    FailureOr<MemoryTarget> memory =
        getMemoryTarget(getOperation(), target, flavour);
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), target, flavour);
    if (failed(memory) || failed(lowering))
      return signalPassFailure();
    if (parts < 0) {
      getOperation().emitError("cannot be cut into ")
          << parts.getValue()
          << " parts; give a number of parts, or 0 for the best";
      return signalPassFailure();
    }
    if (!lowering->policy->plansTiles)
      return;
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>()) {
      if (!isPlannedByUs(func))
        continue;
      ColumnTiler tiler(func, *memory, *lowering);
      numFunctions += parts ? tiler.run(parts) : tiler.run();
    }
  }

private:
  // Neither by hand, nor a sequence of tasks.
  static bool isPlannedByUs(func::FuncOp func) {
    return !func.isExternal() && func.getBody().hasOneBlock() &&
           !func->hasAttr(ANEDialect::getPlannedAttrName()) &&
           !func->hasAttr(ANEDialect::getSequenceAttrName()) &&
           countTiles(func) == 0 && countHolds(func) == 0;
  }
};

} // namespace
