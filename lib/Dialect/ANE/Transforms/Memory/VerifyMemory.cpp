//===- VerifyMemory.cpp - Nothing lies over what is still needed ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the work of ane-allocate-l2 and ane-allocate-dram: when a tensor is
// needed comes from the tasks, where it lies from the types. First that no two
// have the same bytes at the same time; then, task by task, that each reads
// what was written for it. What the simulator refuses of memory is refused
// here, with the place in the source: which bytes a tensor takes, and what is
// left of a result, both ask the same code.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Utils/Footprint.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/HW/Generation.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/LiveResults.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEVERIFYMEMORY
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Bytes that belong to somebody from one task to another.
struct Holding {
  Operation *owner; ///< for messages
  Value root;       ///< the tensor; null for tiles
  int64_t begin, end;
  int64_t first, last;
};

/// What tasks have written of a tensor so far.
class Contents {
public:
  Contents(::ane::hw::Footprint all, bool isL2)
      : all(std::move(all)), isL2(isL2) {}

  /// What of these bytes nobody wrote, or the mix that they are.
  std::optional<uint64_t> firstMissing(::ane::hw::Footprint bytes) const;
  absl::Status read(const ::ane::hw::Footprint &bytes, int64_t task,
                    StringRef name);
  void write(const ::ane::hw::Footprint &bytes, int64_t task);

private:
  ::ane::hw::Footprint all;
  bool isL2;
  bool isComplete = false;    ///< all of it is written
  ::ane::hw::ByteSet written; ///< what else is, counted from the first byte
  /// Who wrote what, as long as nobody wrote over it.
  SmallVector<std::pair<::ane::hw::Footprint, int64_t>, 1> parts;
  ::ane::sim::LiveResults live; ///< from then on; what a task reads before
  bool isMixed = false;
};

class MemoryVerifier {
public:
  MemoryVerifier(func::FuncOp func, const ::ane::hw::GenerationInfo &info)
      : func(func), info(info) {}

  LogicalResult run();

private:
  LogicalResult checkLayouts();
  LogicalResult checkSurfaces();
  LogicalResult holdRoots(ArrayRef<Value> roots,
                          SmallVectorImpl<Holding> &holdings);
  LogicalResult holdTiles(SmallVectorImpl<Holding> &holdings);
  void holdPieces(L2BufferOp place, SmallVectorImpl<Holding> &holdings);
  using Live = std::map<int64_t, const Holding *>; // by begin; never overlap
  const Holding *findClash(Live &live, const Holding &holding);
  LogicalResult check(SmallVectorImpl<Holding> &holdings, int64_t size,
                      StringRef memory);
  bool isOutput(BlockArgument argument) {
    return !!func.getArgAttr(argument.getArgNumber(),
                             ANEDialect::getOutputAttrName());
  }
  Contents *contentsOf(Value root);
  LogicalResult read(Operation *op, Value source, StringRef name, int64_t task);
  LogicalResult write(Operation *op, Value target, int64_t task);
  LogicalResult checkTask(TaskOp task, int64_t at);
  LogicalResult checkContents();

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  SmallVector<TaskOp> tasks;
  DenseMap<Operation *, int64_t> time;
  /// By the last task that needs it, or by where it is no more.
  DenseMap<int64_t, SmallVector<Value, 2>> ends;
  DenseMap<Value, std::unique_ptr<Contents>> contents;
};

} // namespace

// All that tasks look at has a place. Buffers that none uses need not.
LogicalResult MemoryVerifier::checkLayouts() {
  WalkResult result = func.walk([&](Operation *op) {
    if (!isView(op) && !isa_and_nonnull<TaskOp>(op->getParentOp()))
      return WalkResult::advance();
    for (Value value : op->getResults()) {
      auto type = dyn_cast<MemRefType>(value.getType());
      if (!type || isInSpace(type, MemorySpace::Kernel) || getByteLayout(type))
        continue;
      op->emitOpError("has no layout; run ane-assign-layout and "
                      "ane-allocate-l2 before ane-verify-memory");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// What the function is called with, and constants, lie as a program says that
// its surfaces do.
LogicalResult MemoryVerifier::checkSurfaces() {
  auto check = [&](Operation *op, Value value) -> LogicalResult {
    auto type = cast<MemRefType>(value.getType());
    if (hasSurfaceLayout(info, type))
      return success();
    return op->emitOpError("has a surface of ")
           << type << ", but rows follow each other at the next multiple of "
           << info.dmaAlign
           << " bytes, planes and images without a gap; run ane-assign-layout "
              "[memory_c3]";
  };
  for (BlockArgument argument : func.getArguments())
    if (isInSpace(argument.getType(), MemorySpace::Dram) &&
        failed(check(func, argument)))
      return failure();
  for (auto constant : func.getOps<ConstantBufferOp>())
    if (failed(check(constant, constant)))
      return failure();
  return success();
}

// A tensor is needed from the first task that touches it to the last.
LogicalResult MemoryVerifier::holdRoots(ArrayRef<Value> roots,
                                        SmallVectorImpl<Holding> &holdings) {
  for (Value root : roots) {
    Operation *owner = root.getDefiningOp();
    Holding holding{owner, root, 0, 0, int64_t(tasks.size()), -1};
    if (isa<TaskOp>(owner))
      holding.first = holding.last = time.lookup(owner);
    forEachUse(root, [&](OpOperand &use) {
      auto found = time.find(use.getOwner()->getParentOp());
      if (found == time.end())
        return;
      holding.first = std::min(holding.first, found->second);
      holding.last = std::max(holding.last, found->second);
    });
    if (holding.last < 0)
      continue;
    std::optional<ByteRange> range =
        getByteRange(cast<MemRefType>(root.getType()));
    if (!range)
      return owner->emitOpError("has no layout; allocate memory first");
    holding.begin = range->begin;
    holding.end = range->end;
    if (auto buffer = dyn_cast<BufferOp>(owner)) {
      if (!buffer.getOffset())
        return buffer.emitOpError("has no offset; run ane-allocate-dram");
      // An offset from outside may be any; a sum of two fits without a sign.
      constexpr uint64_t most = std::numeric_limits<int64_t>::max();
      auto moved = [&](int64_t byte) {
        return std::min(uint64_t(byte) + uint64_t(*buffer.getOffset()), most);
      };
      holding.begin = moved(holding.begin);
      holding.end = moved(holding.end);
    }
    ends[holding.last].push_back(root);
    auto place = dyn_cast<L2BufferOp>(owner);
    if (!place || !place.getShared()) {
      holdings.push_back(holding);
      continue;
    }
    for (Operation *view : place->getUsers())
      ends[holding.last].push_back(view->getResult(0));
    holdPieces(place, holdings);
  }
  return success();
}

// Of what several tensors share, the bytes that some of them need at a time.
void MemoryVerifier::holdPieces(L2BufferOp place,
                                SmallVectorImpl<Holding> &holdings) {
  std::optional<ByteLayout> layout = getByteLayout(place.getType());
  for (const L2Piece &piece : getPieces(
           place, *layout, getResidentBytes(place.getType(), *layout), time))
    holdings.push_back({place, Value(), layout->offset + piece.begin,
                        layout->offset + piece.end, piece.first, piece.last});
}

// Rows of a tile in L2, for all channels, wherever it begins. A wide row may
// lie there in strips, one at a time, and so may the groups of a convolution
// (seen).
static ::ane::hw::Footprint tileOf(MemRefType type, const ByteLayout &layout,
                                   int64_t rows, Operation *compute) {
  int64_t rank = type.getRank();
  ::ane::hw::Footprint tile;
  tile.run = type.getShape().back() * layout.strides.back();
  tile.axes.push_back({uint64_t(rows), uint64_t(layout.strides[rank - 2])});
  for (int64_t dim = 1; dim < rank - 2; ++dim) {
    uint64_t count = type.getDimSize(dim), stride = layout.strides[dim];
    if (auto conv = dyn_cast<NeConvOp>(compute); conv && dim == 1)
      count = llvm::divideCeil(count, conv.getGroups());
    tile.axes.push_back({count, stride});
    tile.run = std::min(tile.run, stride);
  }
  return tile;
}

// Tiles of a task that pass through L2; images pass one after the other.
LogicalResult MemoryVerifier::holdTiles(SmallVectorImpl<Holding> &holdings) {
  for (size_t at = 0; at < tasks.size(); ++at) {
    TaskOp task = tasks[at];
    std::optional<int64_t> height = task.getTileHeight();
    if (!height)
      return task.emitOpError("has no tile height; run ane-allocate-l2");
    Operation *compute = task.getCompute();
    auto add = [&](Operation *op, MemRefType type, int64_t rows,
                   std::optional<int64_t> bytes) -> LogicalResult {
      std::optional<ByteLayout> layout = getByteLayout(type);
      if (!layout)
        return op->emitOpError("has no layout in L2; run ane-allocate-l2");
      if (!bytes) {
        if (::ane::hw::findSharedByte({tileOf(type, *layout, rows, compute)}))
          return op->emitOpError("has tiles of ")
                 << type << ", whose rows lie over each other [memory_c4]";
        bytes =
            llvm::SaturatingMultiply<uint64_t>(rows, layout->strides.end()[-2]);
      }
      // What is written by hand may be beyond any number: it is beyond L2, too.
      uint64_t end = llvm::SaturatingAdd<uint64_t>(layout->offset, *bytes);
      holdings.push_back({op, Value(), layout->offset,
                          int64_t(std::min<uint64_t>(end, INT64_MAX)),
                          int64_t(at), int64_t(at)});
      return success();
    };
    for (auto load : task.getBody().front().getOps<DmaLoadOp>())
      if (!isKept(load) && // else it has a place
          failed(add(load, load.getType(), getRowsHeld(compute, load, *height),
                     std::nullopt)))
        return failure();
    DmaStoreOp store = task.getStore();
    if (!store)
      continue;
    MemRefType type = store.getSource().getType();
    std::optional<int64_t> bytes; // of all rows of the tile
    if (store.getResidency() == Residency::Streamed)
      bytes = getStreamedResultBytes(compute);
    if (failed(add(store, type, std::min(*height, type.getShape().end()[-2]),
                   bytes)))
      return failure();
  }
  return success();
}

// Whether `task` writes each element of `to` where it has read that of `from`.
static bool worksInPlace(TaskOp task, Value from, Value to) {
  Operation *compute = task.getCompute();
  if (!isa<NeBypassOp, PeElementwiseOp, PeUnaryOp, PeNormalizeOp>(compute))
    return false;
  Value result = compute->getResult(0), place = task.getKeptPlace(result);
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  if (place ? getViewRoot(place) != to
            : llvm::find(yield.getResults(), result) ==
                      yield.getResults().end() ||
                  to.getDefiningOp() != task)
    return false;
  auto footprintOf = [](Value value) {
    return *getFootprint(cast<MemRefType>(value.getType()));
  };
  bool reads = false;
  for (const EngineSource &source : getEngineSources(compute)) {
    if (getViewRoot(source.value) != from)
      continue;
    if (source.exchanged != isResultExchanged(compute) ||
        !(footprintOf(source.value) == footprintOf(result)))
      return false;
    reads = true;
  }
  return reads;
}

// What `holding`, which comes at a task, has in common with what is there.
const Holding *MemoryVerifier::findClash(Live &live, const Holding &holding) {
  while (true) {
    auto next = live.lower_bound(holding.begin);
    if (next == live.end() || next->second->begin >= holding.end) {
      if (next == live.begin() || std::prev(next)->second->end <= holding.begin)
        return nullptr;
      --next;
    }
    const Holding *other = next->second;
    if (!holding.root || !other->root || other->last != holding.first ||
        other->begin != holding.begin || other->end != holding.end ||
        !worksInPlace(tasks[holding.first], other->root, holding.root))
      return other;
    live.erase(next); // goes with this task
  }
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
  Live live;
  for (size_t at = 0; at < tasks.size(); ++at) {
    for (const Holding *holding : come[at]) {
      if (const Holding *other = findClash(live, *holding)) {
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
      if (auto found = live.find(holding->begin);
          found != live.end() && found->second == holding)
        live.erase(found);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

std::optional<uint64_t>
Contents::firstMissing(::ane::hw::Footprint bytes) const {
  if (isComplete)
    return std::nullopt;
  bytes.base -= all.base;
  if (written.empty())
    return bytes.base;
  return bytes.firstMissing(written);
}

absl::Status Contents::read(const ::ane::hw::Footprint &bytes, int64_t task,
                            StringRef name) {
  if (!isL2)
    return absl::OkStatus();
  return live.read(bytes, task, absl::string_view(name.data(), name.size()));
}

// Most tensors are written once, as a whole, or part by part.
void Contents::write(const ::ane::hw::Footprint &bytes, int64_t task) {
  if (bytes == all) {
    *this = Contents(all, isL2);
    isComplete = true;
    parts.push_back({all, task});
    return;
  }
  ::ane::hw::Footprint inside = bytes;
  inside.base -= all.base;
  if (written.empty())
    written = ::ane::hw::ByteSet(all.end() - all.base);
  if (isComplete)
    ::ane::hw::Footprint{0, all.run, all.axes}.insertInto(written);
  isComplete = false;
  if (isL2 && !isMixed && inside.meets(written)) {
    isMixed = true;
    for (const auto &[part, writer] : parts)
      live.write(part, writer);
  }
  if (isMixed)
    live.write(bytes, task);
  else
    parts.push_back({bytes, task});
  inside.insertInto(written);
}

// Of what several tensors share, the view that is one of them.
static Value getTensor(Value value) {
  while (isView(value.getDefiningOp())) {
    Value source = value.getDefiningOp()->getOperand(0);
    auto place = source.getDefiningOp<L2BufferOp>();
    if (place && place.getShared())
      return value;
    value = source;
  }
  return value;
}

// Null for what the caller has written.
Contents *MemoryVerifier::contentsOf(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (argument ? !isOutput(argument) : !!root.getDefiningOp<ConstantBufferOp>())
    return nullptr;
  std::unique_ptr<Contents> &found = contents[root];
  if (!found)
    found = std::make_unique<Contents>(
        *getFootprint(cast<MemRefType>(root.getType())),
        isInSpace(root.getType(), MemorySpace::L2));
  return found.get();
}

LogicalResult MemoryVerifier::read(Operation *op, Value source, StringRef name,
                                   int64_t task) {
  Value root = getViewRoot(source);
  Contents *from = contentsOf(root);
  if (!from)
    return success();
  ::ane::hw::Footprint bytes =
      *getFootprint(cast<MemRefType>(source.getType()));
  Contents *own = contentsOf(getTensor(source));
  if (std::optional<uint64_t> missing = own->firstMissing(bytes)) {
    InFlightDiagnostic diagnostic = op->emitOpError();
    diagnostic << name << " reads byte " << *missing << " of " << root.getType()
               << ", which no task before task " << task
               << " writes [memory_c5]";
    diagnostic.attachNote(root.getLoc()) << "it is here";
    return diagnostic;
  }
  absl::Status status = from->read(bytes, task, name);
  if (status.ok())
    return success();
  return op->emitOpError() << std::string(status.message()) << " [memory_c6]";
}

LogicalResult MemoryVerifier::write(Operation *op, Value target, int64_t task) {
  Contents *to = contentsOf(getViewRoot(target));
  auto type = cast<MemRefType>(target.getType());
  if (!to)
    return op->emitOpError("writes to ")
           << type
           << ", which is a constant or an argument without ane.output "
              "[memory_c7]";
  ::ane::hw::Footprint bytes = *getFootprint(type);
  if (std::optional<uint64_t> shared = ::ane::hw::findSharedByte({bytes}))
    return op->emitOpError("writes byte ")
           << *shared << " of " << type << " twice [memory_c4]";
  to->write(bytes, task);
  if (Contents *own = contentsOf(getTensor(target)); own != to)
    own->write(bytes, task);
  return success();
}

// In the order of the simulator: sources one by one, coefficients, the result.
LogicalResult MemoryVerifier::checkTask(TaskOp task, int64_t at) {
  static constexpr StringLiteral names[] = {"source 1", "source 2"};
  Operation *compute = task.getCompute();
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  // Where the task leaves a value, in L2.
  auto leave = [&](Operation *op, Value value) -> LogicalResult {
    if (Value place = task.getKeptPlace(value))
      return write(op, place, at);
    auto found = llvm::find(yield.getResults(), value);
    if (found == yield.getResults().end())
      return success();
    return write(op, task->getResult(found.getIndex()), at);
  };
  for (auto [name, source] : llvm::zip(names, getEngineSources(compute))) {
    auto load = source.value.getDefiningOp<DmaLoadOp>();
    if (load ? failed(read(load, load.getSource(), name, at)) ||
                   (isKept(load) && failed(leave(load, load)))
             : failed(read(compute, source.value, name, at)))
      return failure();
  }
  if (KernelLoadOp kernel = task.getKernelLoad(); kernel && kernel.getSource())
    if (failed(read(kernel, kernel.getSource(), "the kernel", at)))
      return failure();
  if (DmaStoreOp store = task.getStore())
    return write(store, store.getTarget(), at);
  return leave(compute, compute->getResult(0));
}

LogicalResult MemoryVerifier::checkContents() {
  for (auto [at, task] : llvm::enumerate(tasks)) {
    if (failed(checkTask(task, at)))
      return failure();
    for (Value root : ends.lookup(at))
      contents.erase(root);
  }
  // What is left are results.
  for (BlockArgument argument : func.getArguments())
    if (isOutput(argument) &&
        failed(read(func, argument, "the caller", tasks.size())))
      return failure();
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
  auto scratch =
      func->getAttrOfType<IntegerAttr>(ANEDialect::getScratchAttrName());
  int64_t scratchBytes = scratch ? scratch.getInt() : 0;
  SmallVector<Holding> l2, dram;
  if (failed(checkLayouts()) || failed(checkSurfaces()) ||
      failed(holdRoots(inL2, l2)) || failed(holdTiles(l2)) ||
      failed(check(l2, info.l2Bytes, "L2")) ||
      failed(holdRoots(inDram, dram)) ||
      failed(check(dram, scratchBytes, "scratch memory")))
    return failure();
  return checkContents();
}

namespace {

struct VerifyMemory
    : public mlir::ane::impl::ANEVerifyMemoryBase<VerifyMemory> {
  using ANEVerifyMemoryBase::ANEVerifyMemoryBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (failed(checkTaskOrder(func)))
      return signalPassFailure();
    if (!func.isExternal() &&
        failed(MemoryVerifier(func, getTarget(func)).run()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
