//===- Rematerialize.cpp - Values that are computed again -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is wanted again long after it was last, as by the shortcuts of a
// U-Net, is written to DRAM and read from there. Where it is few ops away from
// what lies in DRAM anyway, those take less time than the copies, and strips of
// the late user begin with strips of them.
//
// Candidates are chosen by estimate, in time linear in the ops; then the
// planner of tiles says which of them lower the cost of the whole function.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/PlanCost.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEREMATERIALIZE
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

/// Ops that are computed again for one value.
constexpr size_t maxChain = 8;
/// Candidates that the planner is asked about: each is a whole search, which
/// takes a second for functions of some thousand ops.
constexpr size_t maxCandidates = 2, maxNodes = 1024;

namespace {

struct Candidate {
  Value value;
  SmallVector<Operation *, 4> chain; ///< what computes it, in order
  SmallVector<Operation *, 2> users; ///< the late ones, in order
  double gain = 0;                   ///< seconds, estimated
};

class CandidateFinder {
public:
  explicit CandidateFinder(const TileGraph &graph);
  SmallVector<Candidate> run() const;

private:
  size_t findGap(int value) const;
  bool addChain(int value, int user, Candidate &candidate) const;

  const TileGraph &graph;
  /// Bytes of L2 of all results before a node.
  std::vector<int64_t> written = {0};
};

/// The function with one candidate computed again; undone unless it is kept.
class Trial {
public:
  explicit Trial(const Candidate &candidate);
  void undo();

private:
  const Candidate &candidate;
  SmallVector<Operation *, 4> clones;
};

} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

CandidateFinder::CandidateFinder(const TileGraph &graph) : graph(graph) {
  for (const TileNode &node : graph.nodes)
    written.push_back(written.back() +
                      (node.isView ? 0 : graph.values[node.result].l2Bytes));
}

// The first user after the widest gap, or 0 where no gap has more written in
// it than L2 holds: what has no early user is no better computed twice.
size_t CandidateFinder::findGap(int value) const {
  ArrayRef<int> users = graph.users[value];
  int64_t widest = graph.info.l2Bytes;
  size_t first = 0;
  for (size_t i = 1; i < users.size(); ++i) {
    int64_t bytes = written[users[i]] - written[users[i - 1]];
    if (bytes > widest) {
      widest = bytes;
      first = i;
    }
  }
  return first;
}

// All that computes `value` from arguments and from what is there for other
// reasons when `user` runs, as long as it is quicker than the memory.
bool CandidateFinder::addChain(int value, int user,
                               Candidate &candidate) const {
  double rate = graph.chip.tileBytesPerSecond;
  llvm::SmallSetVector<int, 8> nodes;
  llvm::SmallDenseSet<int> inputs;
  nodes.insert(graph.values[value].def);
  for (size_t i = 0; i < nodes.size(); ++i) { // grows
    const TileNode &node = graph.nodes[nodes[i]];
    candidate.gain -= node.seconds + node.weightBytes / rate;
    for (const TileNode::Operand &operand : node.operands) {
      const TileValue &from = graph.values[operand.value];
      if (from.isArgument || from.lastUse >= user) {
        if (inputs.insert(operand.value).second)
          candidate.gain -= from.dramBytes / rate;
      } else {
        nodes.insert(from.def);
      }
    }
    if (candidate.gain <= 0 || nodes.size() > maxChain)
      return false;
  }
  SmallVector<int, 8> order = nodes.takeVector();
  llvm::sort(order);
  for (int node : order)
    candidate.chain.push_back(graph.nodes[node].op);
  return true;
}

SmallVector<Candidate> CandidateFinder::run() const {
  SmallVector<Candidate> candidates;
  // The searches of the planner are the longest part of compiling.
  constexpr double worthASearch = 0.1;
  double least =
      worthASearch * graph.compulsoryBytes / graph.chip.tileBytesPerSecond;
  for (auto [i, value] : llvm::enumerate(graph.values)) {
    size_t gap = value.def >= 0 && !value.isResult ? findGap(i) : 0;
    if (!gap)
      continue;
    ArrayRef<int> late = ArrayRef(graph.users[i]).drop_front(gap);
    Candidate candidate;
    candidate.gain = value.dramBytes * double(1 + late.size()) /
                     graph.chip.tileBytesPerSecond;
    if (!addChain(i, late[0], candidate) || candidate.gain < least)
      continue;
    candidate.value = graph.nodes[value.def].op->getResult(0);
    for (int user : late)
      candidate.users.push_back(graph.nodes[user].op);
    candidates.push_back(std::move(candidate));
  }
  // None is at the place of another, so that the order is clear.
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    if (a.gain != b.gain)
      return a.gain > b.gain;
    return a.chain.back()->isBeforeInBlock(b.chain.back());
  });
  if (candidates.size() > maxCandidates)
    candidates.resize(maxCandidates);
  return candidates;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

Trial::Trial(const Candidate &candidate) : candidate(candidate) {
  OpBuilder builder(candidate.users[0]);
  IRMapping map;
  for (Operation *op : candidate.chain)
    clones.push_back(builder.clone(*op, map));
  for (Operation *user : candidate.users)
    user->replaceUsesOfWith(candidate.value, map.lookup(candidate.value));
}

void Trial::undo() {
  Value again = clones.back()->getResult(0);
  again.replaceAllUsesWith(candidate.value);
  for (Operation *clone : llvm::reverse(clones))
    clone->erase();
}

namespace {

struct Rematerialize
    : public mlir::ane::impl::ANERematerializeBase<Rematerialize> {
  using ANERematerializeBase::ANERematerializeBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    FailureOr<LoweringTarget> lowering = getLoweringTarget(func, flavour);
    if (failed(memory) || failed(lowering))
      return signalPassFailure();
    if (!lowering->policy->tiling.rematerializes || func.isExternal() ||
        func->hasAttr(ANEDialect::getPlannedAttrName()) ||
        !func.getBody().hasOneBlock() || !isOfShapes(func))
      return;
    TileGraph graph(func, *memory, *lowering->policy);
    if (graph.nodes.size() > maxNodes)
      return;
    SmallVector<Candidate> candidates = CandidateFinder(graph).run();
    if (candidates.empty())
      return;
    double least = PlanCost::costOf(graph);
    for (const Candidate &candidate : candidates) {
      Trial trial(candidate);
      double cost =
          PlanCost::costOf(TileGraph(func, *memory, *lowering->policy));
      // Candidates gain by estimate, so that no margin of all ops is needed.
      if (cost >= least) {
        trial.undo();
        continue;
      }
      least = cost;
      ++numValues;
      numOps += candidate.chain.size();
    }
  }
};

} // namespace
