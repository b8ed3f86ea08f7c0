//===- PlanTiles.cpp - Which ops are computed strip by strip --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass around the search: plans onto ops.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/Passes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPLANTILES
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// How one result is cut.
struct Cut {
  int64_t dim, size;
};
} // namespace

// By node of the group: dimension and size of each result follow from what its
// users inside want.
static FailureOr<SmallVector<Cut>>
findCuts(const TileGraph &graph, const TileGroup &group, Cut ofLast) {
  const TileValue &whole = graph.values[graph.nodes[group.last].result];
  int64_t strips = llvm::divideCeil(whole.extents[ofLast.dim], ofLast.size);
  // As the search has it, also for plans by hand.
  int64_t align = ofLast.size % columnAlign == 0 ? columnAlign : 1;
  SmallVector<Cut> found(group.last - group.first + 1);
  DenseMap<int, Cut> cuts; // by value
  cuts[graph.nodes[group.last].result] = ofLast;
  for (int64_t at = group.last; at >= group.first; --at) {
    const TileNode &node = graph.nodes[at];
    int64_t extent = graph.values[node.result].extents[ofLast.dim];
    Cut other{ofLast.dim, extent == whole.extents[ofLast.dim]
                              ? ofLast.size
                              : int64_t(llvm::alignTo(
                                    llvm::divideCeil(extent, strips), align))};
    auto [dim, size] = cuts.try_emplace(node.result, other).first->second;
    if (dim < firstCutDim || dim >= firstCutDim + int64_t(numCutDims))
      return node.op->emitOpError("has no dimension ")
             << dim << " that can be cut";
    found[at - group.first] = {dim, size};
    for (const TileNode::Operand &operand : node.operands)
      if (const CutMap &map = operand.cuts[dim - firstCutDim];
          map.kind == CutMap::Along)
        cuts.try_emplace(
            operand.value,
            Cut{map.dim, std::max<int64_t>(1, size / map.unit * map.stride)});
  }
  return found;
}

static LogicalResult annotate(const TileGraph &graph, const TileGroup &group,
                              int64_t number) {
  FailureOr<SmallVector<Cut>> outer =
      findCuts(graph, group, {group.dim, group.size});
  if (failed(outer))
    return failure();
  FailureOr<SmallVector<Cut>> inner(SmallVector<Cut>(outer->size(), {-1, 0}));
  if (group.innerDim >= 0)
    inner = findCuts(graph, group, {group.innerDim, group.innerSize});
  if (failed(inner))
    return failure();
  for (auto [i, cut, part] : llvm::enumerate(*outer, *inner)) {
    const TileNode &node = graph.nodes[group.first + i];
    MLIRContext *context = node.op->getContext();
    if (cut.dim == part.dim)
      return node.op->emitOpError("would be cut twice along dimension ")
             << cut.dim << " in group " << number
             << " of the plan; end the group before this op, or begin it "
                "after this op";
    node.op->setAttr(
        ANEDialect::getTileAttrName(),
        TileAttr::get(context, number, cut.dim, cut.size, part.dim, part.size));
    if (keepsRowsOf(node, group.keptRows))
      node.op->setAttr(ANEDialect::getKeepRowsAttrName(),
                       UnitAttr::get(context));
  }
  return success();
}

namespace {

struct PlanTiles : public mlir::ane::impl::ANEPlanTilesBase<PlanTiles> {
  using ANEPlanTilesBase::ANEPlanTilesBase;

  std::string *text = nullptr; ///< of the record

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    FailureOr<LoweringTarget> lowering = getLoweringTarget(func, flavour);
    if (failed(memory) || failed(lowering) || failed(checkHolds()))
      return signalPassFailure();
    if (plan.empty() && !lowering->policy->tiling.searches)
      return;
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    if (!isOfShapes(func)) {
      func.emitError("cannot be planned: it computes more than tensors; run "
                     "convert-*-to-ane and ane-legalize first");
      return signalPassFailure();
    }
    if (isPlanned()) {
      if (failed(keepPlan()))
        signalPassFailure();
      return;
    }
    // Its ops become tasks together, by no strips.
    if (func->hasAttr(ANEDialect::getSequenceAttrName()))
      return;
    if (channels)
      orderOps(func.front());
    TileGraph graph(func, *memory, *lowering->policy);
    FailureOr<TilePlan> chosen = choose(graph);
    if (failed(chosen))
      return signalPassFailure();
    chosen->compulsoryBytes = graph.compulsoryBytes;
    chosen->boundBytes = boundTraffic(graph);
    if (!channels)
      takeParts(*chosen);
    for (auto [i, group] : llvm::enumerate(chosen->groups))
      if (failed(annotate(graph, group, i)))
        return signalPassFailure();
    annotateResults(graph, *chosen);
    if (record() && failed(keep(graph, *chosen)))
      return signalPassFailure();
    numGroups += chosen->groups.size();
    plannedBytes += chosen->plannedBytes;
    compulsoryBytes += graph.compulsoryBytes;
    if (remarks)
      describe(*chosen);
  }

  PlanRecord record() const { return {dump, text}; }

  /// Several functions, which are planned at the same time, would write over
  /// each other's plan.
  LogicalResult keep(const TileGraph &graph, const TilePlan &chosen) {
    func::FuncOp func = getOperation();
    auto functions = func->getParentOp()->getRegion(0).getOps<func::FuncOp>();
    int64_t count = llvm::count_if(
        functions, [](func::FuncOp other) { return !other.isExternal(); });
    if (count > 1)
      return func.emitError("is one of ")
             << count << " functions, but " << record().describe()
             << " holds the plan of one; plan each in a module of its own";
    return record().write(func, writePlan(func.getName(), graph, chosen));
  }

  /// What ane-tile-images says of itself on the function.
  void takeParts(TilePlan &chosen) {
    func::FuncOp func = getOperation();
    auto cuts = dyn_cast_or_null<DenseI64ArrayAttr>(
        func->removeAttr(ANEDialect::getColumnPartsAttrName()));
    if (!cuts)
      return;
    for (ArrayRef<int64_t> rest = cuts; !rest.empty();
         rest = rest.drop_front(3))
      chosen.columnCuts.push_back({rest[0], rest[1], rest[2]});
  }

  /// For ane-keep-in-l2: what the plan says of results, and which of them are
  /// the ones of the file.
  void annotateResults(const TileGraph &graph, const TilePlan &chosen) {
    StringRef hold = ANEDialect::getHoldAttrName();
    for (const HeldResult &held : chosen.held) {
      auto space = MemorySpaceAttr::get(&getContext(), held.space);
      if (held.isArgument)
        getOperation().setArgAttr(held.number, hold, space);
      else
        graph.nodes[held.number].op->setAttr(hold, space);
    }
    for (auto [op, channels] : chosen.reductions)
      graph.nodes[op].op->setAttr(
          ANEDialect::getInputChannelsAttrName(),
          Builder(&getContext()).getI64IntegerAttr(channels));
    if (!record())
      return;
    for (auto [number, node] : llvm::enumerate(graph.nodes))
      node.op->setAttr(ANEDialect::getPlanNumberAttrName(),
                       Builder(&getContext()).getI64IntegerAttr(number));
  }

  /// Attributes that somebody has set by hand and a pass has lost since.
  LogicalResult reportLost(StringRef attribute, int64_t before, int64_t left) {
    return getOperation().emitError("had ")
           << before << " ops with " << attribute
           << ", but passes before ane-plan-tiles kept only " << left
           << "; set it on ops that exist after ane-legalize, as "
              "--stop-after=legalize shows them";
  }

  LogicalResult checkHolds() {
    func::FuncOp func = getOperation();
    auto before = dyn_cast_or_null<IntegerAttr>(
        func->removeAttr(ANEDialect::getHeldAttrName()));
    int64_t count = before ? countHolds(func) : 0;
    if (before && count < before.getInt())
      return reportLost(ANEDialect::getHoldAttrName(), before.getInt(), count);
    return success();
  }

  void describe(const TilePlan &chosen) {
    InFlightDiagnostic remark = getOperation().emitRemark("plan: ");
    if (chosen.isByHand) {
      remark << "by hand, " << chosen.groups.size()
             << " groups; no plan has less than " << chosen.boundBytes
             << " bytes of DRAM traffic";
      return;
    }
    auto fixed = [](double value) {
      return llvm::formatv("{0:f3}", value).str();
    };
    remark << chosen.plannedBytes << " bytes of DRAM traffic, "
           << fixed(double(chosen.plannedBytes) /
                    std::max<int64_t>(1, chosen.compulsoryBytes))
           << " times the least; " << chosen.groups.size() << " groups, "
           << (chosen.isExact ? "exact" : "some plans were left out")
           << "; no plan has less than " << chosen.boundBytes << " bytes, gap "
           << fixed(chosen.getGap());
  }

  /// After ane-tile nothing shows that strips were chosen by hand: the
  /// function says so, until the last look for strips.
  LogicalResult keepPlan() {
    func::FuncOp func = getOperation();
    if (!plan.empty())
      return func.emitError("has ops with ")
             << ANEDialect::getTileAttrName()
             << ", which are a plan already; remove them, or compile "
                "without the plan of '"
             << plan << "'";
    int64_t count = countTiles(func);
    auto before =
        func->getAttrOfType<IntegerAttr>(ANEDialect::getPlannedAttrName());
    // After ane-tile there are none.
    if (before && count < before.getInt() && (channels || count))
      return reportLost(ANEDialect::getTileAttrName(), before.getInt(), count);
    if (channels)
      setPlanned(func);
    else
      func->removeAttr(ANEDialect::getPlannedAttrName());
    return success();
  }

  // By hand.
  bool isPlanned() {
    func::FuncOp func = getOperation();
    return func->hasAttr(ANEDialect::getPlannedAttrName()) || countTiles(func);
  }

  FailureOr<TilePlan> choose(const TileGraph &graph) {
    func::FuncOp func = getOperation();
    auto search = [&] {
      return channels ? planChannels(graph) : planTiles(graph);
    };
    if (plan.empty())
      return search();
    if (plan == "none") {
      TilePlan none;
      none.isByHand = true;
      return none;
    }
    FailureOr<std::unique_ptr<llvm::MemoryBuffer>> file = openPlan(func, plan);
    if (failed(file))
      return failure();
    FailureOr<std::optional<TilePlan>> read =
        readPlan(func, plan, (*file)->getBuffer(), graph);
    if (failed(read))
      return failure();
    return *read ? **read : search();
  }
};

} // namespace

std::unique_ptr<Pass>
mlir::ane::createPlanTiles(const ANEPlanTilesOptions &options,
                           std::string *text) {
  auto pass = std::make_unique<PlanTiles>(options);
  pass->text = text;
  return pass;
}
