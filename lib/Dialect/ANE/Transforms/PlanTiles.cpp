//===- PlanTiles.cpp - Which ops are computed strip by strip --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass around the search: plans from and to JSON, and onto ops.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPLANTILES
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static double getGap(const TilePlan &plan) {
  return double(plan.plannedBytes) / std::max<int64_t>(1, plan.boundBytes) - 1;
}

static llvm::json::Value writeKept(KeptRows kept) {
  if (kept == KeptRows::Narrow)
    return "narrow";
  return kept == KeptRows::All;
}

static KeptRows readKept(const llvm::json::Object &group) {
  if (group.getString("keep") == StringRef("narrow"))
    return KeptRows::Narrow;
  return group.getBoolean("keep").value_or(false) ? KeptRows::All
                                                  : KeptRows::None;
}

std::string mlir::ane::writePlan(StringRef function, const TileGraph &graph,
                                 const TilePlan &plan) {
  llvm::json::Array groups;
  for (const TileGroup &group : plan.groups)
    groups.push_back(llvm::json::Object{{"first", group.first},
                                        {"last", group.last},
                                        {"dim", group.dim},
                                        {"size", group.size},
                                        {"keep", writeKept(group.keptRows)}});
  llvm::json::Object object{{"function", function.str()},
                            {"ops", int64_t(graph.nodes.size())},
                            {"planned_bytes", plan.plannedBytes},
                            {"compulsory_bytes", plan.compulsoryBytes},
                            {"bound_bytes", plan.boundBytes},
                            {"gap", getGap(plan)},
                            {"exact", plan.isExact},
                            {"copied_ops", plan.copiedOps},
                            {"groups", std::move(groups)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str();
}

static LogicalResult readGroups(Operation *op, const llvm::json::Object &object,
                                const TileGraph &graph, TilePlan &plan) {
  int64_t count = graph.nodes.size();
  if (std::optional<int64_t> ops = object.getInteger("ops"); ops != count)
    return op->emitError("the plan is for ")
           << ops.value_or(0) << " ops, but the function has " << count
           << " beside constants";
  const llvm::json::Array *groups = object.getArray("groups");
  if (!groups)
    return op->emitError("the plan has no array 'groups'");
  int64_t next = 0;
  for (const llvm::json::Value &value : *groups) {
    const llvm::json::Object *entry = value.getAsObject();
    auto get = [&](StringRef key, int64_t otherwise) {
      return entry ? entry->getInteger(key).value_or(otherwise) : otherwise;
    };
    TileGroup group{get("first", -1), get("last", -1), get("dim", -1),
                    get("size", 0)};
    group.keptRows = entry ? readKept(*entry) : KeptRows::None;
    if (group.first < next || group.last < group.first || group.last >= count ||
        group.size < 1 || group.dim < 0 || group.dim > 3)
      return op->emitError("group ")
             << plan.groups.size() << " of the plan has ops " << group.first
             << " to " << group.last << " in strips of " << group.size
             << " along dimension " << group.dim << ", but must have ops from "
             << next << " to " << count - 1
             << ", strips of at least 1 and a dimension from 0 to 3";
    next = group.last + 1;
    plan.groups.push_back(group);
  }
  return success();
}

FailureOr<std::optional<TilePlan>> mlir::ane::readPlan(Operation *op,
                                                       StringRef text,
                                                       StringRef function,
                                                       const TileGraph &graph) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return op->emitError("the plan is not JSON: ")
           << llvm::toString(parsed.takeError());
  SmallVector<const llvm::json::Object *> objects;
  if (const llvm::json::Array *array = parsed->getAsArray())
    for (const llvm::json::Value &value : *array)
      objects.push_back(value.getAsObject());
  else
    objects.push_back(parsed->getAsObject());
  for (const llvm::json::Object *object : objects) {
    if (!object)
      return op->emitError("the plan is not an object or an array of objects");
    if (object->getString("function") != function)
      continue;
    TilePlan plan;
    if (failed(readGroups(op, *object, graph, plan)))
      return failure();
    return std::optional(std::move(plan));
  }
  return std::optional<TilePlan>();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Dimension and size of each result follow from what its users inside want.
static LogicalResult annotate(const TileGraph &graph, const TileGroup &group,
                              int64_t number) {
  const TileValue &whole = graph.values[graph.nodes[group.last].result];
  int64_t strips = llvm::divideCeil(whole.extents[group.dim], group.size);
  // As the search has it, also for plans by hand.
  int64_t align = group.size % columnAlign == 0 ? columnAlign : 1;
  DenseMap<int, std::pair<int64_t, int64_t>> cuts; // by value
  cuts[graph.nodes[group.last].result] = {group.dim, group.size};
  for (int64_t at = group.last; at >= group.first; --at) {
    const TileNode &node = graph.nodes[at];
    const TileValue &value = graph.values[node.result];
    int64_t extent = value.extents[group.dim];
    auto other = std::pair<int64_t, int64_t>(
        group.dim,
        extent == whole.extents[group.dim]
            ? group.size
            : llvm::alignTo(llvm::divideCeil(extent, strips), align));
    auto [dim, size] = cuts.try_emplace(node.result, other).first->second;
    if (dim < firstCutDim || dim >= firstCutDim + int64_t(numCutDims))
      return node.op->emitOpError("has no dimension ")
             << dim << " that can be cut";
    node.op->setAttr(ANEDialect::getTileAttrName(),
                     TileAttr::get(node.op->getContext(), number, dim, size));
    if (keepsRowsOf(node, group.keptRows))
      node.op->setAttr(ANEDialect::getKeepRowsAttrName(),
                       UnitAttr::get(node.op->getContext()));
    for (const TileNode::Operand &operand : node.operands)
      if (const CutMap &map = operand.cuts[dim - firstCutDim];
          map.kind == CutMap::Along)
        cuts.try_emplace(
            operand.value,
            std::pair<int64_t, int64_t>(
                map.dim, std::max<int64_t>(1, size / map.unit * map.stride)));
  }
  return success();
}

namespace {

struct PlanTiles : public mlir::ane::impl::ANEPlanTilesBase<PlanTiles> {
  using ANEPlanTilesBase::ANEPlanTilesBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, target, flavour);
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(func, target, flavour);
    if (failed(memory) || failed(lowering))
      return signalPassFailure();
    if (plan.empty() && !lowering->policy->plansTiles)
      return;
    if (func.isExternal() || !func.getBody().hasOneBlock() || isPlanned())
      return;
    // Its ops become tasks together, by no strips.
    if (func->hasAttr(ANEDialect::getSequenceAttrName()))
      return;
    if (channels)
      orderOps(func.front());
    TileGraph graph(func, *memory, *lowering->policy);
    FailureOr<TilePlan> chosen = choose(graph);
    if (failed(chosen))
      return signalPassFailure();
    chosen->boundBytes = boundTraffic(graph);
    for (auto [i, group] : llvm::enumerate(chosen->groups))
      if (failed(annotate(graph, group, i)))
        return signalPassFailure();
    if (failed(write(graph, *chosen)))
      return signalPassFailure();
    numGroups += chosen->groups.size();
    plannedBytes += chosen->plannedBytes;
    compulsoryBytes += graph.compulsoryBytes;
    if (remarks)
      func.emitRemark("plan: ")
          << chosen->plannedBytes << " bytes of DRAM traffic, "
          << llvm::formatv("{0:f3}",
                           double(chosen->plannedBytes) /
                               std::max<int64_t>(1, graph.compulsoryBytes))
                 .str()
          << " times the least; " << chosen->groups.size() << " groups, "
          << (chosen->isExact ? "exact" : "some plans were left out")
          << "; no plan has less than " << chosen->boundBytes << " bytes, gap "
          << llvm::formatv("{0:f3}", getGap(*chosen)).str();
  }

  // By hand.
  bool isPlanned() {
    return getOperation()
        ->walk([](Operation *op) {
          return op->hasAttr(ANEDialect::getTileAttrName())
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  FailureOr<TilePlan> choose(const TileGraph &graph) {
    func::FuncOp func = getOperation();
    if (plan.empty())
      return channels ? planChannels(graph) : planTiles(graph);
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(plan, &message);
    if (!file)
      return func.emitError(message);
    FailureOr<std::optional<TilePlan>> read =
        readPlan(func, file->getBuffer(), func.getName(), graph);
    if (failed(read))
      return failure();
    return *read ? **read : planTiles(graph);
  }

  LogicalResult write(const TileGraph &graph, const TilePlan &chosen) {
    func::FuncOp func = getOperation();
    if (dump.empty())
      return success();
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        mlir::openOutputFile(dump, &message);
    if (!file)
      return func.emitError(message);
    file->os() << writePlan(func.getName(), graph, chosen);
    file->os().flush();
    if (std::error_code code = file->os().error()) {
      file->os().clear_error(); // else the stream ends the process
      return func.emitError("cannot write '")
             << dump << "': " << code.message();
    }
    file->keep();
    return success();
  }
};

} // namespace
