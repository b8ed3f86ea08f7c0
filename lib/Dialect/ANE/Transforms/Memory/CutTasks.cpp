//===- CutTasks.cpp - Parts of tasks that L2 does not hold ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task works through its result in tiles of rows. What it streams of one row
// is the least that L2 has to hold (getExcess); where that is too much, parts
// of the channels or columns are tasks of their own, on views of the same
// tensors:
//
//   source 1 x 512 x 1 x 3000 of a depthwise convolution: 3 MB a row
//     -> [0, 0, 0, 0]   1 x 256 x 1 x 3000, kernels 0 to 255    -> [0, 0, 0, 0]
//     -> [0, 256, 0, 0] 1 x 256 x 1 x 3000, kernels 256 to 511  -> [0, 256, 0, 0]
//
// Columns are cut where an op has no windows along them, at multiples of what
// rows in DRAM can begin at.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANECUTTASKS
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

/// `type` with another extent along `dim`, and no layout yet.
static MemRefType withExtent(MemRefType type, unsigned dim, int64_t extent) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return MemRefType::get(shape, type.getElementType(), AffineMap(),
                         type.getMemorySpace());
}

namespace {

/// A part of a result along one dimension.
struct Part {
  unsigned dim;
  int64_t first, count;
};

class TaskCutter {
public:
  TaskCutter(const ::ane::hw::GenerationInfo &info, const MemoryPolicy &policy)
      : info(info), policy(policy) {}

  /// Cuts the task if it has to be, and its parts along a further dimension.
  void cut(TaskOp task);
  int64_t cutTasks = 0, numParts = 0;

private:
  std::optional<L2Excess> excessOf(TaskOp task) const;
  /// Parts of the result begin at multiples of this, and have as many; none if
  /// the task cannot be cut along the dimension, or needs no less then.
  std::optional<int64_t> unitOf(TaskOp task, unsigned dim) const;
  TaskOp createPart(OpBuilder &builder, TaskOp task, Part part) const;
  std::optional<int64_t> sizeOfParts(TaskOp task, unsigned dim,
                                     int64_t unit) const;

  const ::ane::hw::GenerationInfo &info;
  const MemoryPolicy &policy;
};

} // namespace

// Beside what other tasks leave in L2 for it, of which a part may be a view.
std::optional<L2Excess> TaskCutter::excessOf(TaskOp task) const {
  int64_t residents = 0;
  for (Value operand : task.getCompute()->getOperands()) {
    if (operand.getParentBlock() != task->getBlock())
      continue;
    while (auto view = operand.getDefiningOp<SubviewOp>())
      operand = view.getSource();
    auto type = cast<MemRefType>(operand.getType());
    L2Tile tile = getL2Tile(info, policy, type, L2User::Planar, false);
    residents += tile.row * type.getShape().end()[-2] * type.getDimSize(0);
  }
  return getExcess(info, policy, task, residents);
}

static bool isExchanged(Operation *compute) {
  auto has = [&](StringRef name) { return compute->hasAttr(name); };
  return has("exchange") || has("exchange_lhs") || has("exchange_rhs") ||
         has("exchange_result") || has("exchange_offset");
}

std::optional<int64_t> TaskCutter::unitOf(TaskOp task, unsigned dim) const {
  DmaStoreOp store = task.getStore();
  Operation *compute = task.getCompute();
  // What is kept for other tasks has its place as a whole.
  if (!store || task.getNumResults() || store.getInterleave() != 1 ||
      isExchanged(compute))
    return std::nullopt;
  auto type = cast<MemRefType>(compute->getResult(0).getType());
  if (type.getRank() != 4)
    return std::nullopt;
  int64_t columns = info.dmaAlign * 8 / type.getElementTypeBitWidth();
  if (auto conv = dyn_cast<NeConvOp>(compute)) {
    int64_t groups = conv.getGroups();
    KernelLoadOp kernel = task.getKernelLoad();
    if (dim == 1)
      return groups > 1 && kernel.getWeight()
                 ? std::optional(type.getDimSize(1) / groups)
                 : std::nullopt;
    bool isOfPixels =
        conv.isPointwise() &&
        llvm::all_of(conv.getStrides(), [](int64_t s) { return s == 1; }) &&
        llvm::all_of(conv.getPad(), [](int64_t pad) { return pad == 0; });
    return isOfPixels ? std::optional(columns) : std::nullopt;
  }
  if (isa<PeReduceOp>(compute))
    return dim == 1 ? std::optional<int64_t>(1) : std::nullopt;
  if (isa<NeBypassOp, PeElementwiseOp, PeUnaryOp>(compute))
    return dim == 1 ? 1 : columns;
  return std::nullopt;
}

// A view of what a part reads or writes of `value`, whose dimension stands for
// `extent` of the result: all of it where it is broadcast.
static Value viewOf(OpBuilder &builder, Location loc, Value value, Part part,
                    int64_t extent) {
  auto type = cast<MemRefType>(value.getType());
  int64_t own = type.getDimSize(part.dim);
  if (own == 1 && extent != 1)
    return value;
  // Input channels of as many groups.
  int64_t first = part.first * own / extent, count = part.count * own / extent;
  SmallVector<int64_t> offsets(type.getRank(), 0);
  offsets[part.dim] = first;
  return SubviewOp::create(builder, loc, withExtent(type, part.dim, count),
                           value, offsets);
}

TaskOp TaskCutter::createPart(OpBuilder &builder, TaskOp task,
                              Part part) const {
  Location loc = task.getLoc();
  Operation *compute = task.getCompute();
  auto whole = cast<MemRefType>(compute->getResult(0).getType());
  int64_t extent = whole.getDimSize(part.dim);
  IRMapping mapping;
  auto see = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, viewOf(builder, loc, value, part, extent));
  };
  for (Operation &op : task.getBody().front())
    if (auto load = dyn_cast<DmaLoadOp>(op))
      see(load.getSource());
    else if (auto store = dyn_cast<DmaStoreOp>(op))
      see(store.getTarget());
  for (Value operand : compute->getOperands())
    if (operand.getParentBlock() == task->getBlock())
      see(operand); // left in L2 by another task
  auto clone = cast<TaskOp>(builder.clone(*task, mapping));
  for (auto load : clone.getBody().front().getOps<DmaLoadOp>()) {
    auto source = cast<MemRefType>(load.getSource().getType());
    load.getResult().setType(
        withExtent(load.getType(), part.dim, source.getDimSize(part.dim)));
  }
  Operation *copy = clone.getCompute();
  copy->getResult(0).setType(withExtent(whole, part.dim, part.count));
  auto conv = dyn_cast<NeConvOp>(copy);
  if (conv && part.dim == 1) {
    conv.setGroups(conv.getGroups() * part.count / extent);
    KernelLoadOp kernel = clone.getKernelLoad();
    kernel.setFirstChannel(kernel.getFirstChannel() + part.first);
    kernel.getResult().setType(
        withExtent(cast<MemRefType>(kernel.getType()), 0, part.count));
  }
  return clone;
}

// As few as fit, or the smallest where those do not either; none if one is no
// less than all. The first one is the largest.
std::optional<int64_t> TaskCutter::sizeOfParts(TaskOp task, unsigned dim,
                                               int64_t unit) const {
  auto type = cast<MemRefType>(task.getCompute()->getResult(0).getType());
  int64_t extent = type.getDimSize(dim), units = llvm::divideCeil(extent, unit);
  auto excessOfPart = [&](int64_t count) {
    OpBuilder builder(task);
    TaskOp part = createPart(builder, task, {dim, 0, count});
    std::optional<L2Excess> excess = excessOf(part);
    // Views of it, too.
    Operation *first = part->getPrevNode();
    part->erase();
    while (isa_and_nonnull<SubviewOp>(first) && first->use_empty()) {
      Operation *before = first->getPrevNode();
      first->erase();
      first = before;
    }
    return excess;
  };
  std::optional<int64_t> least;
  for (int64_t parts = 2; parts <= 2 * units; parts = parts + (parts + 3) / 4) {
    int64_t size =
        unit * llvm::divideCeil(units, std::min<int64_t>(parts, units));
    if (size >= extent)
      continue;
    if (!excessOfPart(size))
      return size;
    least = size;
  }
  if (!least)
    return std::nullopt;
  return excessOfPart(*least)->sources < excessOf(task)->sources ? least
                                                                 : std::nullopt;
}

void TaskCutter::cut(TaskOp task) {
  if (!excessOf(task))
    return;
  for (unsigned dim : {1u, 3u}) {
    std::optional<int64_t> unit = unitOf(task, dim);
    std::optional<int64_t> size =
        unit ? sizeOfParts(task, dim, *unit) : std::nullopt;
    if (!size)
      continue;
    OpBuilder builder(task);
    SmallVector<TaskOp> parts;
    auto type = cast<MemRefType>(task.getCompute()->getResult(0).getType());
    int64_t extent = type.getDimSize(dim);
    for (int64_t first = 0; first < extent; first += *size)
      parts.push_back(createPart(
          builder, task, {dim, first, std::min(*size, extent - first)}));
    task->erase();
    ++cutTasks;
    numParts += parts.size();
    // Not in the same dimension again: its parts are the smallest then.
    for (TaskOp part : parts)
      cut(part);
    return;
  }
}

namespace {

struct CutTasks : public mlir::ane::impl::ANECutTasksBase<CutTasks> {
  using ANECutTasksBase::ANECutTasksBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    if (failed(memory))
      return signalPassFailure();
    if (func.isExternal())
      return;
    TaskCutter cutter(*memory->generation, *memory->policy);
    for (TaskOp task : llvm::to_vector(func.getOps<TaskOp>()))
      cutter.cut(task);
    cutTasks += cutter.cutTasks;
    numParts += cutter.numParts;
  }
};

} // namespace
