//===- VerifyMemory.cpp - Nothing lies over what is still needed ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the work of ane-allocate-l2 and ane-allocate-dram, and shares nothing
// with them: when a tensor is needed comes from the tasks, where it lies from
// the types. Only what the two passes promise is checked; what a reader finds
// in a place that nobody wrote is for the simulator.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/HW/Generation.h"
#include "ane/HW/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEVERIFYMEMORY
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Bytes that belong to somebody from one task to another.
struct Holding {
  Operation *owner; ///< for messages
  int64_t begin, end;
  int64_t first, last;
};

class MemoryVerifier {
public:
  MemoryVerifier(func::FuncOp func, const ::ane::hw::GenerationInfo &info)
      : func(func), info(info) {}

  LogicalResult run();

private:
  LogicalResult holdRoots(ArrayRef<Value> roots,
                          SmallVectorImpl<Holding> &holdings);
  LogicalResult holdTiles(SmallVectorImpl<Holding> &holdings);
  LogicalResult check(SmallVectorImpl<Holding> &holdings, int64_t size,
                      StringRef memory);

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  SmallVector<TaskOp> tasks;
  DenseMap<Operation *, int64_t> time;
};

} // namespace

// From the first element to behind the last one.
static std::optional<std::pair<int64_t, int64_t>> rangeOf(MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout)
    return std::nullopt;
  int64_t end = layout->offset + layout->strides.back();
  for (auto [dim, stride] : llvm::enumerate(layout->strides)) {
    end += (type.getDimSize(dim) - 1) * stride;
  }
  return std::pair(layout->offset, end);
}

// A tensor is needed from the first task that touches it to the last.
LogicalResult MemoryVerifier::holdRoots(ArrayRef<Value> roots,
                                        SmallVectorImpl<Holding> &holdings) {
  for (Value root : roots) {
    auto range = rangeOf(cast<MemRefType>(root.getType()));
    Operation *owner = root.getDefiningOp();
    if (!range)
      return owner->emitOpError("has no layout; allocate memory first");
    Holding holding{owner, range->first, range->second, int64_t(tasks.size()),
                    -1};
    if (auto buffer = dyn_cast<BufferOp>(owner)) {
      if (!buffer.getOffset())
        return buffer.emitOpError("has no offset; run ane-allocate-dram");
      holding.begin += *buffer.getOffset();
      holding.end += *buffer.getOffset();
    }
    if (isa<TaskOp>(owner))
      holding.first = holding.last = time.lookup(owner);
    forEachUse(root, [&](OpOperand &use) {
      auto found = time.find(use.getOwner()->getParentOp());
      if (found == time.end())
        return;
      holding.first = std::min(holding.first, found->second);
      holding.last = std::max(holding.last, found->second);
    });
    if (holding.last >= 0)
      holdings.push_back(holding);
  }
  return success();
}

static int64_t streamedBytes(MemRefType type, bool isNeural) {
  return ::ane::hw::streamedResultBytes(
      type.getDimSize(1), type.getDimSize(type.getRank() - 1),
      type.getElementTypeBitWidth() / 8, isNeural);
}

// Tiles of a task that pass through L2.
LogicalResult MemoryVerifier::holdTiles(SmallVectorImpl<Holding> &holdings) {
  for (size_t at = 0; at < tasks.size(); ++at) {
    TaskOp task = tasks[at];
    std::optional<int64_t> height = task.getTileHeight();
    if (!height)
      return task.emitOpError("has no tile height; run ane-allocate-l2");
    Operation *compute = task.getCompute();
    // Images pass one after the other.
    auto add = [&](Operation *op, Value value, int64_t rows,
                   std::optional<int64_t> bytes) -> LogicalResult {
      auto type = cast<MemRefType>(value.getType());
      std::optional<ByteLayout> layout = getByteLayout(type);
      if (!layout)
        return op->emitOpError("has no layout in L2; run ane-allocate-l2");
      if (!bytes)
        bytes = std::min(rows, type.getDimSize(2)) * layout->strides[2];
      holdings.push_back({op, layout->offset, layout->offset + *bytes,
                          int64_t(at), int64_t(at)});
      return success();
    };
    for (auto load : task.getBody().front().getOps<DmaLoadOp>()) {
      if (load.getResidency() == Residency::Kept)
        continue; // has a place
      int64_t rows = *height;
      if (auto conv = dyn_cast<NeConvOp>(compute)) {
        SmallVector<int64_t> held = conv.getTileRows(rows);
        rows = *llvm::max_element(held);
      }
      if (failed(add(load, load, rows, std::nullopt)))
        return failure();
    }
    DmaStoreOp store = task.getStore();
    if (!store)
      continue;
    // Channels lie side by side only behind the DMA.
    Value result = store.getSource();
    if (isa<PeInterleaveOp>(compute))
      result = compute->getOperand(0);
    std::optional<int64_t> bytes; // of all rows of the tile
    if (store.getResidency() == Residency::Streamed)
      bytes = streamedBytes(cast<MemRefType>(result.getType()),
                            isa<NeConvOp, NeBypassOp>(compute));
    if (failed(add(store, store.getSource(), *height, bytes)))
      return failure();
  }
  return success();
}

LogicalResult MemoryVerifier::check(SmallVectorImpl<Holding> &holdings,
                                    int64_t size, StringRef memory) {
  auto describe = [&](InFlightDiagnostic &diagnostic, const Holding &holding) {
    diagnostic << "bytes " << holding.begin << " to " << holding.end << " of "
               << memory << " in tasks " << holding.first << " to "
               << holding.last;
  };
  // Who comes and who goes at each task.
  SmallVector<SmallVector<const Holding *, 3>> come(tasks.size()),
      go(tasks.size());
  for (const Holding &holding : holdings) {
    if (holding.begin < 0 || holding.end > size) {
      InFlightDiagnostic diagnostic = holding.owner->emitOpError("takes ");
      describe(diagnostic, holding);
      return diagnostic << ", but there are " << size << " [memory_c1]";
    }
    come[holding.first].push_back(&holding);
    go[holding.last].push_back(&holding);
  }
  std::map<int64_t, const Holding *> live; // by begin; never overlap
  for (size_t at = 0; at < tasks.size(); ++at) {
    for (const Holding *holding : come[at]) {
      auto next = live.lower_bound(holding->begin);
      const Holding *other = nullptr;
      if (next != live.end() && next->second->begin < holding->end)
        other = next->second;
      else if (next != live.begin() &&
               std::prev(next)->second->end > holding->begin)
        other = std::prev(next)->second;
      if (other) {
        InFlightDiagnostic diagnostic = holding->owner->emitOpError("takes ");
        describe(diagnostic, *holding);
        diagnostic << ", which another holds [memory_c2]";
        diagnostic.attachNote(other->owner->getLoc())
            << "it has " << other->begin << " to " << other->end << " in tasks "
            << other->first << " to " << other->last;
        return diagnostic;
      }
      live[holding->begin] = holding;
    }
    for (const Holding *holding : go[at])
      live.erase(holding->begin);
  }
  return success();
}

LogicalResult MemoryVerifier::run() {
  SmallVector<Value> inL2, inDram;
  for (Operation &op : func.front()) {
    if (auto task = dyn_cast<TaskOp>(op)) {
      time[task] = tasks.size();
      tasks.push_back(task);
      llvm::append_range(inL2, task.getResults());
    } else if (isa<L2BufferOp>(op)) {
      inL2.push_back(op.getResult(0));
    } else if (isa<BufferOp>(op)) {
      inDram.push_back(op.getResult(0));
    }
  }
  SmallVector<Holding> l2, dram;
  if (failed(holdRoots(inL2, l2)) || failed(holdTiles(l2)) ||
      failed(check(l2, info.l2Bytes, "L2")) || failed(holdRoots(inDram, dram)))
    return failure();
  auto scratch =
      func->getAttrOfType<IntegerAttr>(ANEDialect::getScratchAttrName());
  return check(dram, scratch ? scratch.getInt() : 0, "scratch memory");
}

namespace {

struct VerifyMemory
    : public mlir::ane::impl::ANEVerifyMemoryBase<VerifyMemory> {
  using ANEVerifyMemoryBase::ANEVerifyMemoryBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    absl::StatusOr<::ane::hw::Generation> generation =
        ::ane::hw::parseGeneration(target);
    if (!generation.ok()) {
      func.emitError(std::string(generation.status().message()));
      return signalPassFailure();
    }
    if (!func.isExternal() &&
        failed(MemoryVerifier(func, ::ane::hw::info(*generation)).run()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
