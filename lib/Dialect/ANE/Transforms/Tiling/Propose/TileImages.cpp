//===- TileImages.cpp - Batches by image, wide images by columns ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner cuts by rows, of all images at once. Here functions are cut first
// into parts that it then plans like any other ops (PartRun.h):
//
// A batch into its images, before ops are taken apart. The NEs have no loop over
// images, so that each has tasks of its own, which load their weights, in any
// case. One after the other the images need no more of L2 than one does. Layers
// with many weights have all images at once (JoinImages.cpp), those of tokens
// some (GroupImages.cpp).
//
// Images with many columns, of which L2 holds so few rows that strips would be
// mostly rows that are computed again, into parts of columns. A row of a part
// is shorter by their number, so that the planner finds the groups that it
// finds for a larger L2.
//
// How many parts of columns are best the planner says: it plans each run of ops
// alone in some numbers of parts, and what pays stays.
//
//===----------------------------------------------------------------------===//

#include "GroupImages.h"
#include "JoinImages.h"
#include "ManyImages.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Apply/PartRun.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/PlanCost.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"

#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANETILEIMAGES
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

constexpr int64_t columnParts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32};
/// Rows for which a strip is worth its halo (guess: a few layers of 3 x 3).
constexpr int64_t rowsOfStrip = 32;
/// Numbers of parts that are not better, after which there are no more.
constexpr int enough = 3;

/// Ops that are faster in so many parts.
struct GainfulCut : ColumnCut {
  double gain = 0; ///< of cost
};

class ImageTiler {
public:
  ImageTiler(func::FuncOp func, const MemoryTarget &memory,
             const LoweringTarget &lowering)
      : func(func), memory(memory), lowering(lowering),
        info(*memory.generation), cost(memory, *lowering.policy) {}

  /// Cuts all runs with an op that has tasks of each image, or all that can be
  /// cut. Whether the function has become another one.
  bool cutImages(int64_t images, bool all);
  /// Cuts all that can be cut by columns.
  bool cutAllColumns(int64_t parts) { return cutAllColumns(func, parts); }
  /// The same where it pays.
  bool cutColumns();
  /// As a plan says, or where it does not, as pays.
  LogicalResult cutBy(const ColumnsByHand &plan, bool &isCut);

private:
  bool isWide(const TileGraph &graph, const TileNode &node) const;
  void addRuns(const TileGraph &graph, int64_t first, int64_t end,
               std::vector<PartRun> &runs) const;
  std::vector<PartRun> findWideRuns(const TileGraph &graph) const;
  bool cutAllColumns(func::FuncOp clone, int64_t parts) const;
  void addCut(const TileGraph &graph, int64_t first, int64_t end,
              int64_t parts);
  void addCuts(int64_t parts);
  SmallVector<GainfulCut> chooseCuts(int64_t nodes) const;
  void apply(func::FuncOp clone, ArrayRef<ColumnCut> chosen) const;
  SmallVector<ColumnCut> keepGainful(const TileGraph &graph,
                                     ArrayRef<GainfulCut> candidates) const;
  LogicalResult checkCuts(ArrayRef<ColumnCut> wanted);
  FailureOr<SmallVector<ColumnCut>> findCuts(const ColumnsByHand &plan);
  bool isLegal(func::FuncOp clone) const;
  /// For the plan that is written to a file.
  void noteColumns(ArrayRef<ColumnCut> done);

  func::FuncOp func;
  const MemoryTarget &memory;
  const LoweringTarget &lowering;
  const ::ane::hw::GenerationInfo &info;
  const PlanCost cost;
  std::vector<GainfulCut> cuts; ///< of which some may be chosen
  /// Runs, by their first node and their end, and their cost as they are.
  std::map<std::pair<int64_t, int64_t>, double> uncut;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is cut
//===----------------------------------------------------------------------===//

// L2 does not hold a strip of what is read and written.
bool ImageTiler::isWide(const TileGraph &graph, const TileNode &node) const {
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

// Runs of columns among nodes [first, end), those of which one op at least is
// wide.
void ImageTiler::addRuns(const TileGraph &graph, int64_t first, int64_t end,
                         std::vector<PartRun> &runs) const {
  while (first < end) {
    PartRun run(graph, PartRun::Columns, first);
    bool hasWide = false;
    while (run.getEnd() < end && run.grow())
      hasWide |= isWide(graph, graph.nodes[run.getEnd() - 1]);
    first = std::max(first + 1, run.getEnd());
    if (hasWide)
      runs.push_back(std::move(run));
  }
}

static bool split(MutableArrayRef<PartRun> runs, int64_t parts) {
  bool isSplit = false;
  for (PartRun &run : runs) {
    if (run.countParts(parts) < 2)
      continue;
    run.split(parts);
    isSplit = true;
  }
  return isSplit;
}

// In what the planner cuts together.
std::vector<PartRun> ImageTiler::findWideRuns(const TileGraph &graph) const {
  llvm::BitVector wide(graph.nodes.size());
  for (auto [number, node] : llvm::enumerate(graph.nodes))
    if (isWide(graph, node))
      wide.set(number);
  std::vector<TileGroup> groups = planTilesAround(graph, wide).groups;
  std::vector<PartRun> runs;
  for (auto [number, group] : llvm::enumerate(groups)) {
    // With what follows, parts need not be joined before it.
    int64_t end = number + 1 < groups.size() ? groups[number + 1].first
                                             : int64_t(graph.nodes.size());
    addRuns(graph, group.first, end, runs);
  }
  return runs;
}

// What a trial says of ops that the engine cannot do is no error of the
// network.
bool ImageTiler::isLegal(func::FuncOp clone) const {
  ScopedDiagnosticHandler silent(clone.getContext(),
                                 [](Diagnostic &) { return success(); });
  LegalizeOptions options = {info, *lowering.policy};
  WalkResult result = clone.walk([&](Operation *op) {
    return !isa<ANEDialect>(op->getDialect()) ||
                   succeeded(checkLegal(op, options))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

// Runs that can be cut and have an op that `isWanted`.
static std::vector<PartRun>
findRuns(const TileGraph &graph, PartRun::Dim dim,
         llvm::function_ref<bool(Operation *)> isWanted) {
  std::vector<PartRun> runs;
  for (int64_t first = 0, end = graph.nodes.size(); first < end;) {
    PartRun run(graph, dim, first);
    bool isTaken = false;
    while (run.grow())
      isTaken = isTaken || isWanted(graph.nodes[run.getEnd() - 1].op);
    first = std::max(first + 1, run.getEnd());
    if (isTaken)
      runs.push_back(std::move(run));
  }
  return runs;
}

static bool isAnyOp(Operation *) { return true; }

// The planar engine has a loop over images, and needs no parts for itself.
static bool hasTasksOfImages(Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getPerm().size() > 4;
  return isa<ConvOp, ConvTransposeOp, MatmulOp, ResizeOp>(op);
}

bool ImageTiler::cutImages(int64_t images, bool all) {
  if (images == 1)
    return false;
  TileGraph graph(func, memory, *lowering.policy);
  std::vector<PartRun> runs =
      findRuns(graph, PartRun::Images,
               [&](Operation *op) { return all || hasTasksOfImages(op); });
  return split(runs, images);
}

bool ImageTiler::cutAllColumns(func::FuncOp clone, int64_t parts) const {
  TileGraph graph(clone, memory, *lowering.policy);
  std::vector<PartRun> runs = findRuns(graph, PartRun::Columns, isAnyOp);
  return split(runs, parts);
}

// Of the arguments that have several; 1 where these differ, and where there
// are more than a program has tasks, so that no cut could be compiled.
static int64_t countImages(func::FuncOp func,
                           const ::ane::hw::GenerationInfo &generation) {
  int64_t images = 1;
  for (Type type : func.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() < 3 || tensor.getDimSize(0) <= 1)
      continue;
    if (images > 1 && tensor.getDimSize(0) != images)
      return 1;
    images = tensor.getDimSize(0);
  }
  return images <= int64_t(generation.maxTasks) ? images : 1;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

// Nodes [first, end) as a function of its own.
static OwningOpRef<func::FuncOp> extract(const TileGraph &graph, int64_t first,
                                         int64_t end) {
  SmallVector<Operation *> ops;
  for (int64_t at = first; at < end; ++at)
    ops.push_back(graph.nodes[at].op);
  return extractOps(ops);
}

// Where a run gets narrower after a single value. Parts of what comes before
// begin at more columns than those of all of it.
static SmallVector<int64_t> findWaists(const TileGraph &graph, int64_t first,
                                       int64_t end) {
  SmallVector<int64_t> waists;
  int64_t width = 0;
  int numLive = 0;                            // of those used before `end`
  SmallVector<int64_t> dying(end - first, 0); // by the last user in the run
  for (int64_t at = first; at + 1 < end; ++at) {
    int result = graph.nodes[at].result;
    int64_t last = at;
    for (int user : graph.users[result])
      if (user < end)
        last = std::max<int64_t>(last, user);
    ++numLive;
    ++dying[last - first];
    numLive -= dying[at - first];
    if (numLive != 1 || last == at)
      continue;
    int64_t now = graph.values[result].extents[3];
    if (width > now)
      waists.push_back(at + 1);
    width = now;
  }
  return waists;
}

// Nodes [first, end), if they are better in parts.
void ImageTiler::addCut(const TileGraph &graph, int64_t first, int64_t end,
                        int64_t parts) {
  OwningOpRef<func::FuncOp> alone = extract(graph, first, end);
  auto [known, isNew] = uncut.try_emplace({first, end});
  if (isNew)
    known->second =
        *cost.predict(*alone, [](func::FuncOp) { return success(); });
  std::optional<double> parted = cost.predict(*alone, [&](func::FuncOp clone) {
    return success(cutAllColumns(clone, parts) && isLegal(clone));
  });
  if (parted && PlanCost::pays(*parted, known->second))
    cuts.push_back({{first, end - 1, parts}, known->second - *parted});
}

// The runs of what the planner would cut together if a row were as short as
// that of a part, and what is between their waists.
void ImageTiler::addCuts(int64_t parts) {
  ::ane::hw::GenerationInfo large = info;
  large.l2Bytes *= parts;
  large.l2SourceBytes *= parts;
  TileGraph graph(func, {&large, memory.policy}, *lowering.policy, parts);
  for (const PartRun &run : findWideRuns(graph)) {
    int64_t first = run.getFirst(), end = run.getEnd();
    if (run.countParts(parts) > 1)
      addCut(graph, first, end, parts);
    SmallVector<int64_t> waists = findWaists(graph, first, end);
    if (waists.empty())
      continue;
    waists.push_back(end);
    for (int64_t waist : waists) {
      addCut(graph, first, waist, parts);
      first = waist;
    }
  }
}

// Those that gain the most, of which none have a node in common.
SmallVector<GainfulCut> ImageTiler::chooseCuts(int64_t nodes) const {
  std::vector<SmallVector<const GainfulCut *, 1>> ending(nodes);
  for (const GainfulCut &cut : cuts)
    ending[cut.last].push_back(&cut);
  std::vector<double> gains(nodes + 1, 0); // of nodes before
  std::vector<const GainfulCut *> taken(nodes, nullptr);
  for (int64_t at = 0; at < nodes; ++at) {
    gains[at + 1] = gains[at];
    for (const GainfulCut *cut : ending[at])
      if (double gain = gains[cut->first] + cut->gain; gain > gains[at + 1]) {
        gains[at + 1] = gain;
        taken[at] = cut;
      }
  }
  SmallVector<GainfulCut> chosen;
  for (int64_t at = nodes - 1; at >= 0; --at)
    if (taken[at]) {
      chosen.push_back(*taken[at]);
      at = taken[at]->first;
    }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

// The last one first: ops are found as they were.
void ImageTiler::apply(func::FuncOp clone, ArrayRef<ColumnCut> chosen) const {
  TileGraph graph(clone, memory, *lowering.policy);
  for (const ColumnCut &cut : llvm::reverse(chosen)) {
    PartRun run(graph, PartRun::Columns, cut.first);
    while (run.getEnd() <= cut.last && run.grow())
      ;
    if (run.countParts(cut.parts) > 1)
      run.split(cut.parts);
  }
}

// Cuts were judged by themselves. Of those near each other, all or none, with the
// ops around them that the planner could have in a group with theirs.
SmallVector<ColumnCut>
ImageTiler::keepGainful(const TileGraph &graph,
                        ArrayRef<GainfulCut> candidates) const {
  const int64_t count = graph.nodes.size();
  SmallVector<ColumnCut> kept;
  while (!candidates.empty()) {
    int64_t first = std::max<int64_t>(0, candidates[0].first + 1 - maxGroupOps);
    int64_t end = first;
    SmallVector<ColumnCut> near;
    while (near.size() < candidates.size()) {
      const GainfulCut &next = candidates[near.size()];
      if (!near.empty() && next.first + 1 - maxGroupOps > end)
        break;
      end = std::min(count, next.last + maxGroupOps);
      near.push_back({next.first - first, next.last - first, next.parts});
    }
    OwningOpRef<func::FuncOp> whole = extract(graph, first, end);
    OwningOpRef<func::FuncOp> parts(whole->clone());
    apply(*parts, near);
    if (PlanCost::pays(cost.predict(*parts), cost.predict(*whole)))
      kept.append(candidates.begin(), candidates.begin() + near.size());
    candidates = candidates.drop_front(near.size());
  }
  return kept;
}

void ImageTiler::noteColumns(ArrayRef<ColumnCut> done) {
  SmallVector<int64_t> numbers;
  for (const ColumnCut &cut : done)
    numbers.append({cut.first, cut.last, cut.parts});
  func->setAttr(ANEDialect::getColumnPartsAttrName(),
                DenseI64ArrayAttr::get(func.getContext(), numbers));
}

bool ImageTiler::cutColumns() {
  TileGraph graph(func, memory, *lowering.policy);
  if (llvm::none_of(graph.nodes,
                    [&](const TileNode &node) { return isWide(graph, node); }))
    return false;
  int worse = 0; // in a row
  double gain = 0;
  SmallVector<GainfulCut> best;
  for (int64_t parts : columnParts) {
    addCuts(parts);
    SmallVector<GainfulCut> chosen = chooseCuts(graph.nodes.size());
    double now = 0;
    for (const GainfulCut &cut : chosen)
      now += cut.gain;
    if (now > gain) {
      gain = now;
      best = std::move(chosen);
      worse = 0;
    } else if (++worse == enough) {
      break;
    }
  }
  if (best.empty())
    return false;
  SmallVector<ColumnCut> chosen = keepGainful(graph, best);
  if (chosen.empty())
    return false;
  apply(func, chosen);
  noteColumns(chosen);
  return true;
}

// Whether they can be cut as somebody wants it.
LogicalResult ImageTiler::checkCuts(ArrayRef<ColumnCut> wanted) {
  TileGraph graph(func, memory, *lowering.policy);
  const int64_t count = graph.nodes.size();
  for (auto [number, cut] : llvm::enumerate(wanted)) {
    InFlightDiagnostic error = func.emitError("the plan of tiles has ops ");
    error << cut.first << " to " << cut.last << " in " << cut.parts
          << " parts in entry " << number << " of 'column_parts', but ";
    if (cut.last >= count)
      return error << "must have ops up to " << count - 1;
    PartRun run(graph, PartRun::Columns, cut.first);
    while (run.getEnd() <= cut.last && run.grow())
      ;
    if (run.getEnd() <= cut.last)
      return error
             << "op " << run.getEnd()
             << " has no columns that can be cut, or not together with the "
                "ops before it; end the entry before this op";
    error.abandon();
  }
  return success();
}

// All runs, or those of a list.
FailureOr<SmallVector<ColumnCut>>
ImageTiler::findCuts(const ColumnsByHand &plan) {
  if (plan.cuts) {
    if (failed(checkCuts(*plan.cuts)))
      return failure();
    return SmallVector<ColumnCut>(plan.cuts->begin(), plan.cuts->end());
  }
  SmallVector<ColumnCut> found;
  if (*plan.parts == 1)
    return found;
  TileGraph graph(func, memory, *lowering.policy);
  for (const PartRun &run : findRuns(graph, PartRun::Columns, isAnyOp))
    if (run.countParts(*plan.parts) > 1)
      found.push_back({run.getFirst(), run.getEnd() - 1, *plan.parts});
  if (found.empty())
    return func.emitError("the plan of tiles has 'column_parts': ")
           << *plan.parts
           << ", but no ops have columns that can be cut (parts begin at "
              "multiples of "
           << columnAlign << "); give 1 to leave them whole";
  return found;
}

LogicalResult ImageTiler::cutBy(const ColumnsByHand &plan, bool &isCut) {
  if (!plan.parts && !plan.cuts) {
    isCut = cutColumns();
    return success();
  }
  FailureOr<SmallVector<ColumnCut>> found = findCuts(plan);
  if (failed(found))
    return failure();
  apply(func, *found);
  noteColumns(*found);
  isCut = !found->empty();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct TileImages : public mlir::ane::impl::ANETileImagesBase<TileImages> {
  using ANETileImagesBase::ANETileImagesBase;

  void runOnOperation() override {
    FailureOr<MemoryTarget> memory = getMemoryTarget(getOperation(), flavour);
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(memory) || failed(lowering))
      return signalPassFailure();
    if (parts < 0) {
      getOperation().emitError("cannot be cut into ")
          << parts.getValue()
          << " parts; give a positive number, or 0 for the fastest";
      return signalPassFailure();
    }
    if (early && parts) {
      getOperation().emitError(
          "'early' cuts batches and no columns; remove it, "
          "or 'parts'");
      return signalPassFailure();
    }
    if (!lowering->policy->tiling.cutsImages)
      return;
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (isPlannedByUs(func) && failed(cut(func, *memory, *lowering)))
        return signalPassFailure();
  }

private:
  LogicalResult cut(func::FuncOp func, const MemoryTarget &memory,
                    const LoweringTarget &lowering) {
    ImageTiler tiler(func, memory, lowering);
    bool isCut = false;
    if (early) {
      joinManyImages(func, *lowering.generation);
      const int64_t images = countImages(func, *lowering.generation);
      const int64_t group = groupImages(func, images, *lowering.generation);
      bool isJoined = joinImages(func, images, *lowering.generation);
      if (group < images)
        isJoined |= joinImages(func, group, *lowering.generation);
      // What is next to joined images has them one by one.
      isCut = tiler.cutImages(images, isJoined) || group < images;
    } else if (parts) {
      isCut = tiler.cutAllColumns(parts);
    } else {
      FailureOr<ColumnsByHand> byHand = readFile(func);
      if (failed(byHand) || failed(tiler.cutBy(*byHand, isCut)))
        return failure();
    }
    numFunctions += isCut;
    return success();
  }

  FailureOr<ColumnsByHand> readFile(func::FuncOp func) {
    // Standard input is there once, for ane-plan-tiles.
    if (plan.empty() || plan == "-")
      return ColumnsByHand();
    FailureOr<std::unique_ptr<llvm::MemoryBuffer>> file = openPlan(func, plan);
    if (failed(file))
      return failure();
    return readColumns(func, plan, (*file)->getBuffer());
  }

  // Neither by hand, nor a sequence of tasks.
  static bool isPlannedByUs(func::FuncOp func) {
    return !func.isExternal() && func.getBody().hasOneBlock() &&
           isOfShapes(func) &&
           !func->hasAttr(ANEDialect::getPlannedAttrName()) &&
           !func->hasAttr(ANEDialect::getSequenceAttrName()) &&
           countTiles(func) == 0 && countHolds(func) == 0;
  }
};

} // namespace
