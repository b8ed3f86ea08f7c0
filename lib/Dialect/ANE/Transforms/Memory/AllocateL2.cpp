//===- AllocateL2.cpp - Addresses in L2, tile heights ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L2 holds [row][channel][x]: all channels of a row side by side. Values that
// later tasks read come first; after those that are alive, each task has its
// own room for tiles of its sources, then for its result:
//
//     | values of other tasks | source 1 | source 2 | result ...
//
// A streamed result has no size: it takes what is left. Views of values in L2
// follow from the place of the value.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/HW/Layout.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEALLOCATEL2
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::alignTo;

namespace {

/// What a result takes of L2 on its way to DRAM, in bytes; 0: it stays. How
/// much is not known, so there is room for all rows of the tile where there can
/// be.
struct ResultRoom {
  int64_t row = 0;   ///< as it would lie there
  int64_t least = 0; ///< of all
};

/// A source of which tiles pass through L2, and how they lie there.
struct StreamedSource {
  Value value;
  L2Tile tile;
  bool isExchanged = false; ///< its columns become channels
};

class L2Allocator {
public:
  L2Allocator(const ::ane::hw::GenerationInfo &info, const MemoryPolicy &policy)
      : info(info), policy(policy) {}

  LogicalResult run(func::FuncOp func);
  int64_t tiledTasks = 0;

private:
  L2Tile tileOf(MemRefType type, L2User user, bool strips,
                Operation *compute = nullptr) const {
    return getL2Tile(info, policy, type, user, strips, compute);
  }
  void setType(Value value, const L2Tile &tile, int64_t base) const;
  LogicalResult placeValues(func::FuncOp func);
  LogicalResult placeViews(func::FuncOp func);
  void placeInside(TaskOp task) const;
  LogicalResult allocate(TaskOp task, const L2Gap &gap);
  LogicalResult allocateNe(TaskOp task, const L2Gap &gap);
  LogicalResult allocatePe(TaskOp task, const L2Gap &gap);
  int64_t placeSources(ArrayRef<StreamedSource> sources, Operation *compute,
                       int64_t begin, int64_t rows, bool commit) const;
  LogicalResult tooLarge(TaskOp task, const L2Gap &gap, int64_t bytes,
                         const ResultRoom &result);
  /// The most result rows, whole steps or else units if possible, for which the
  /// sources (`sourceBytes`) stay within their share of L2 and of the gap; 0
  /// when not even one does.
  int64_t chooseTile(const L2Gap &gap, int64_t height, int64_t step,
                     int64_t unit, function_ref<int64_t(int64_t)> sourceBytes,
                     const ResultRoom &result) const;
  void finish(TaskOp task, int64_t tileHeight, int64_t height);

  const ::ane::hw::GenerationInfo &info;
  const MemoryPolicy &policy;
  SmallVector<TaskOp> tasks;
  SmallVector<L2Resident> residents;
  int64_t tilesEnd = 0; ///< of the task that was placed last
};

} // namespace

void L2Allocator::setType(Value value, const L2Tile &tile, int64_t base) const {
  auto type = cast<MemRefType>(value.getType());
  ByteLayout layout = getResidentLayout(type, tile);
  layout.strides[0] = tile.dense; // of images one after the other, nominal
  layout.offset = base;
  value.setType(getMemRefType(type.getShape(), type.getElementType(), layout,
                              MemorySpace::L2));
}

// The load whose tiles stream through L2 to `value`, if there is one.
static bool isStreamed(Value value) {
  auto load = value.getDefiningOp<DmaLoadOp>();
  return load && !isKept(load);
}

// What ane-cut-tasks has left: it needs a value of others in L2, or an op of
// one row and one channel needs more.
LogicalResult L2Allocator::tooLarge(TaskOp task, const L2Gap &gap,
                                    int64_t bytes, const ResultRoom &result) {
  InFlightDiagnostic diagnostic = task.getCompute()->emitOpError("needs ");
  diagnostic << bytes << " bytes of L2 for the smallest tile of its sources";
  int64_t left = std::min(gap.size(), int64_t(info.l2SourceBytes));
  if (bytes <= left) {
    diagnostic << " and " << result.least << " for a row of its result";
    left = gap.size();
  }
  diagnostic << ", but " << left << " are left for them; ";
  if (gap.size() < int64_t(info.l2Bytes))
    return diagnostic << "leave less in L2 beside it (ane.hold)";
  return diagnostic << "run ane-cut-tasks, and ane-decompose for sums of parts "
                       "of its input channels";
}

static ResultRoom roomOf(TaskOp task, const L2Tile &tile) {
  if (!task.getStore())
    return {};
  return {tile.row, getStreamedResultBytes(task.getCompute())};
}

int64_t L2Allocator::chooseTile(const L2Gap &gap, int64_t height, int64_t step,
                                int64_t unit,
                                function_ref<int64_t(int64_t)> sourceBytes,
                                const ResultRoom &result) const {
  for (bool whole : {true, false}) {
    // Not over what lies after the gap.
    if (!whole && (!result.row || gap.end < int64_t(info.l2Bytes)))
      break;
    auto fits = [&](int64_t tile) {
      int64_t bytes = sourceBytes(tile);
      return bytes <= int64_t(info.l2SourceBytes) &&
             bytes + std::max(whole ? result.row * tile : 0, result.least) <=
                 gap.size();
    };
    if (fits(height))
      return height;
    for (int64_t tile = alignTo(height, step) - step; tile >= step;
         tile -= step)
      if (fits(tile))
        return tile;
    for (int64_t rows : {unit, int64_t(1)})
      for (int64_t tile = alignTo(std::min(height, step), rows) - rows;
           tile > 0; tile -= rows)
        if (fits(tile))
          return tile;
  }
  return 0;
}

void L2Allocator::finish(TaskOp task, int64_t tileHeight, int64_t height) {
  task.setTileHeight(tileHeight);
  tiledTasks += tileHeight < height;
}

//===----------------------------------------------------------------------===//
// NE
//===----------------------------------------------------------------------===//

LogicalResult L2Allocator::allocateNe(TaskOp task, const L2Gap &gap) {
  Operation *compute = task.getCompute();
  auto conv = dyn_cast<NeConvOp>(compute);
  Value input = compute->getOperand(0), result = compute->getResult(0);
  auto resultType = cast<MemRefType>(result.getType());
  int64_t height = resultType.getDimSize(2), tileHeight = height;
  int64_t resultBase = gap.begin;
  L2Tile resultTile =
      tileOf(resultType, getResultUser(compute),
             !conv && task.getStore() && !isResultExchanged(compute), compute);
  L2Tile source = tileOf(cast<MemRefType>(input.getType()),
                         getSourceUser(compute), true, compute);
  bool streamed = isStreamed(input);
  auto bytes = [&](int64_t tile) {
    return streamed ? source.row * getRowsHeld(compute, input, tile) : 0;
  };
  // The image of a product of matrices streams in strips as it is.
  bool isRow = conv && height == 1 && conv.isPointwise() &&
               (getComputedShape(conv)[3] > 128 ||
                conv.getKernel().getDefiningOp<KernelLoadOp>().getSource());
  if (conv && streamed && policy.tileConv && !isRow) {
    ConvTiling tiling = policy.tileConv(compute, gap.begin);
    tileHeight = tiling.tileHeight;
    source = tiling.source;
  } else {
    tileHeight = chooseTile(gap, height, getRowStep(policy, compute), 1, bytes,
                            roomOf(task, resultTile));
    if (auto bypass = dyn_cast<NeBypassOp>(compute);
        bypass && bypass.getExchange() && policy.exchangesInUnits &&
        task.getStore())
      tileHeight = std::min(tileHeight, getRowsOfUnit(bypass.getInput()));
  }
  if (policy.stackedRows)
    if (int64_t rows = policy.stackedRows(compute))
      tileHeight = std::min(tileHeight, rows);
  if (!tileHeight)
    return tooLarge(task, gap, bytes(1), roomOf(task, resultTile));
  if (streamed)
    setType(input, source, gap.begin);
  resultBase += bytes(tileHeight);
  tilesEnd = resultBase;
  finish(task, tileHeight, height);
  if (!task.getStore())
    return success(); // its place was found before
  bool staged = (conv ? policy.stagesConvResults && tileHeight == height
                      : policy.stagesResult(compute)) &&
                resultBase + resultTile.row * height <= gap.end;
  task.getStore().setResidency(staged ? Residency::Staged
                                      : Residency::Streamed);
  setType(result, resultTile, resultBase);
  return success();
}

//===----------------------------------------------------------------------===//
// PE
//===----------------------------------------------------------------------===//

// The second source of which the PE reads the same columns at once starts four
// banks away from the first (seen in sum.hwx and all recorded tasks).
static int64_t secondSource(const ::ane::hw::GenerationInfo &info,
                            int64_t first, int64_t end) {
  constexpr int64_t least = 4;
  const int64_t banks = info.l2Banks;
  int64_t apart = (end - first) / info.l2Align % banks;
  if (banks - apart < least)
    apart -= banks;
  return apart < least ? end + (least - apart) * info.l2Align : end;
}

// Tiles of `rows` rows one after the other, from `begin` on. Returns where they
// end.
int64_t L2Allocator::placeSources(ArrayRef<StreamedSource> sources,
                                  Operation *compute, int64_t begin,
                                  int64_t rows, bool commit) const {
  // With a relu on the second source it lies right after the first (seen
  // once).
  auto pair = dyn_cast<PeElementwiseOp>(compute);
  bool hasRelu = pair && pair.getReluRhs();
  int64_t end = begin;
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (i && !hasRelu && !source.isExchanged)
      end = secondSource(info, begin, end);
    if (commit)
      setType(source.value, source.tile, end);
    end += source.tile.row * getRowsHeld(compute, source.value, rows);
  }
  return end;
}

LogicalResult L2Allocator::allocatePe(TaskOp task, const L2Gap &gap) {
  Operation *compute = task.getCompute();
  Value result = compute->getResult(0);
  auto resultType = cast<MemRefType>(result.getType());
  auto reduce = dyn_cast<PeReduceOp>(compute);
  int64_t height = resultType.getDimSize(2);
  if (reduce)
    height = reduce.getInput().getType().getShape().end()[-2];
  // Rows that are reduced alone are groups of one row each.
  bool rowGroups = reduce && getComputedShape(reduce)[2] != 1;
  int64_t tileHeight = rowGroups ? 1 : height;
  SmallVector<StreamedSource> sources;
  for (Value operand : compute->getOperands()) {
    if (!isStreamed(operand))
      continue;
    L2User user = getSourceUser(compute, operand);
    sources.push_back({operand,
                       tileOf(cast<MemRefType>(operand.getType()), user,
                              /*strips=*/true, compute),
                       user == L2User::PlanarExchanged});
  }
  auto bytes = [&](int64_t rows) {
    return placeSources(sources, compute, gap.begin, rows, /*commit=*/false) -
           gap.begin;
  };
  constexpr int64_t patchRows = 32;
  L2Tile resultTile = tileOf(resultType, L2User::PlanarResult, true, compute);
  // A reduction needs all rows at once.
  if (reduce)
    tileHeight =
        bytes(tileHeight) <= std::min(gap.size(), int64_t(info.l2SourceBytes))
            ? tileHeight
            : 0;
  else
    tileHeight = chooseTile(gap, height, patchRows, getRowStep(policy, compute),
                            bytes, roomOf(task, resultTile));
  if (!tileHeight)
    return tooLarge(task, gap, bytes(reduce && !rowGroups ? height : 1),
                    roomOf(task, resultTile));
  int64_t resultBase =
      placeSources(sources, compute, gap.begin, tileHeight, /*commit=*/true);
  tilesEnd = resultBase;
  bool keepsSource = llvm::any_of(compute->getOperands(), [](Value operand) {
    auto load = operand.getDefiningOp<DmaLoadOp>();
    return load && isKept(load);
  });
  if (reduce && keepsSource && policy.reducedRows)
    tileHeight = std::min(tileHeight, policy.reducedRows);
  finish(task, tileHeight, rowGroups ? 1 : height);
  if (!task.getStore())
    return success();
  bool staged = policy.stagesResult(compute);
  task.getStore().setResidency(staged ? Residency::Staged
                                      : Residency::Streamed);
  if (reduce && resultType.getDimSize(0) > 1 && staged &&
      !info.configuresSources) {
    // Groups are rows of what is stored; later not (seen).
    resultTile.row = resultTile.dense * resultType.getDimSize(0);
  }
  setType(result, resultTile, resultBase);
  return success();
}

//===----------------------------------------------------------------------===//
// Values that stay
//===----------------------------------------------------------------------===//

LogicalResult L2Allocator::placeValues(func::FuncOp func) {
  SmallVector<ResidentValue> values = collectResidents(
      info, policy, tasks, llvm::to_vector(func.getOps<L2BufferOp>()));
  for (const ResidentValue &value : values)
    residents.push_back(value.life);
  SmallVector<StreamNeed> needs;
  for (TaskOp task : tasks)
    needs.push_back(getStreamNeed(info, policy, task));
  placeResidents(info, residents, needs);
  for (auto [value, resident] : llvm::zip(values, residents)) {
    auto type = cast<MemRefType>(value.root.getType());
    if (resident.offset + resident.bytes > int64_t(info.l2Bytes))
      return value.root.getDefiningOp()->emitOpError("keeps ")
             << resident.bytes << " bytes in L2 at " << resident.offset
             << ", but only " << info.l2Bytes
             << " can be used; keep less with ane-keep-in-l2";
    ByteLayout layout = value.layout;
    layout.offset = resident.offset;
    value.root.setType(getMemRefType(type.getShape(), type.getElementType(),
                                     layout, MemorySpace::L2));
  }
  return placeViews(func);
}

LogicalResult L2Allocator::placeViews(func::FuncOp func) {
  for (Operation &op : func.front()) {
    if (!isView(&op) || !isInSpace(op.getResult(0).getType(), MemorySpace::L2))
      continue;
    auto source = cast<MemRefType>(op.getOperand(0).getType());
    auto type = cast<MemRefType>(op.getResult(0).getType());
    std::optional<ByteLayout> layout = getByteLayout(source);
    if (layout)
      layout = getViewLayout(&op, *layout);
    if (!layout)
      return op.emitOpError("looks at ")
             << source << " as " << type
             << ", which has no strides in L2; keep it in DRAM or copy it";
    op.getResult(0).setType(getMemRefType(
        type.getShape(), type.getElementType(), *layout, MemorySpace::L2));
  }
  return success();
}

// What a task leaves in L2 has its place inside the task, too.
void L2Allocator::placeInside(TaskOp task) const {
  Block &body = task.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [value, result] : llvm::zip(yield.getResults(), task.getResults()))
    value.setType(result.getType());
  for (auto keep : body.getOps<KeepOp>())
    keep.getSource().setType(keep.getTarget().getType());
}

LogicalResult L2Allocator::allocate(TaskOp task, const L2Gap &gap) {
  if (isOnNeuralEngines(task.getCompute()))
    return allocateNe(task, gap);
  return allocatePe(task, gap);
}

LogicalResult L2Allocator::run(func::FuncOp func) {
  tasks = llvm::to_vector(func.getOps<TaskOp>());
  SmallVector<L2Gap> gaps;
  if (policy.placeResidents) {
    FailureOr<SmallVector<int64_t>> ends = policy.placeResidents(func, info);
    if (failed(ends))
      return failure();
    for (int64_t end : *ends)
      gaps.push_back({end, int64_t(info.l2Bytes)});
  } else {
    if (failed(placeValues(func)))
      return failure();
    gaps = getLargestGaps(info, residents, tasks.size());
  }
  TaskOp before;
  for (auto [task, gap] : llvm::zip(tasks, gaps)) {
    placeInside(task);
    // The PE may still need its tiles.
    if (policy.placeResidents && before &&
        isOnNeuralEngines(task.getCompute()) &&
        !isOnNeuralEngines(before.getCompute()) && takesPatches(task, before))
      gap.begin = std::max(gap.begin, tilesEnd);
    if (failed(allocate(task, gap)))
      return failure();
    before = task;
  }
  return success();
}

namespace {

struct AllocateL2 : public mlir::ane::impl::ANEAllocateL2Base<AllocateL2> {
  using ANEAllocateL2Base::ANEAllocateL2Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    if (failed(memory) || failed(checkTaskOrder(func)))
      return signalPassFailure();
    if (func.isExternal())
      return;
    L2Allocator allocator(*memory->generation, *memory->policy);
    if (failed(allocator.run(func)))
      signalPassFailure();
    tiledTasks += allocator.tiledTasks;
  }
};

} // namespace
