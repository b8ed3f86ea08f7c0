//===- KeepInL2.cpp - Intermediate tensors that never see DRAM ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor that tasks write and later tasks read can stay in L2, which saves
// every store and every load. One that is written and read as a whole becomes a
// result of its task; else it gets a place of its own, of which tasks write and
// read views. Candidates are tried by DRAM
// bytes saved for a byte of L2 and task of life, and one is taken when every
// task that it lives through still has room for its own tiles without cutting
// them.
//
//===----------------------------------------------------------------------===//

#include "L2Tiles.h"

#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/HW/Layout.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEKEEPINL2
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct Candidate {
  BufferOp buffer;
  SmallVector<DmaStoreOp> stores;
  SmallVector<DmaLoadOp> loads;
  L2Resident life;
  double gain = 0;
};

class L2Planner {
public:
  L2Planner(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
            const MemoryPolicy &policy);
  void run();
  int64_t numKept = 0;

private:
  std::optional<Candidate> examine(BufferOp buffer) const;
  bool hasViewsInL2(Value source, const ByteLayout &layout) const;
  int64_t tileBytes(MemRefType type, L2User user, bool strips) const;
  int64_t loadBytes(DmaLoadOp load) const;
  bool fits(ArrayRef<L2Resident> residents, const Candidate &added) const;
  void keep(Candidate &candidate);
  void keepResult(DmaStoreOp store, ArrayRef<DmaLoadOp> loads);
  void keepPlace(Candidate &candidate);

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  const MemoryPolicy &policy;
  SmallVector<TaskOp> tasks;
  DenseMap<Operation *, int64_t> time;
  /// Bytes of the sources and of the result that a task moves by DMA.
  SmallVector<int64_t> sourceBytes, resultBytes;
};

} // namespace

int64_t L2Planner::tileBytes(MemRefType type, L2User user, bool strips) const {
  int64_t image =
      getL2Tile(info, policy, type, user, strips).row * type.getDimSize(2);
  return strips ? image : image * type.getDimSize(0);
}

// Of the tiles of a load, with what a second source may be moved by.
int64_t L2Planner::loadBytes(DmaLoadOp load) const {
  constexpr int64_t slack = 0x80;
  Operation *compute = cast<TaskOp>(load->getParentOp()).getCompute();
  return slack + tileBytes(load.getType(), getSourceUser(compute),
                           getSourceUser(compute) == L2User::Planar);
}

L2Planner::L2Planner(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
                     const MemoryPolicy &policy)
    : func(func), info(info), policy(policy) {
  for (auto task : func.getOps<TaskOp>()) {
    time[task] = tasks.size();
    tasks.push_back(task);
    Operation *compute = task.getCompute();
    bool planar = getResultUser(compute) == L2User::PlanarResult;
    int64_t sources = 0;
    for (auto load : task.getBody().front().getOps<DmaLoadOp>())
      if (!isKept(load))
        sources += loadBytes(load);
    sourceBytes.push_back(sources);
    resultBytes.push_back(
        task.getStore()
            ? tileBytes(cast<MemRefType>(compute->getResult(0).getType()),
                        getResultUser(compute), planar)
            : 0);
  }
}

// Forms in which recorded programs have a tensor in L2: at most one patch wide
// for the PE, which else has it in columns; no loop of the NEs over images or
// groups, whose channels lie apart; halves.
static bool canKeep(MemRefType type, Operation *compute, bool isResult,
                    const MemoryPolicy &policy) {
  if (isa<NeConvOp, NeBypassOp>(compute)) {
    auto conv = dyn_cast<NeConvOp>(compute);
    return type.getDimSize(0) == 1 &&
           (!conv || conv.getGroups() == 1 || conv.isDepthwise());
  }
  // What is interleaved is for the memory that coefficients come from.
  if (isa<PeInterleaveOp>(compute) && isResult)
    return false;
  return type.getDimSize(3) <=
         int64_t(1) << policy.patch(type.getDimSize(3), 2, 1).width;
}

// Whether views of `source` are views where it has `layout` in L2, too.
bool L2Planner::hasViewsInL2(Value source, const ByteLayout &layout) const {
  return llvm::all_of(source.getUsers(), [&](Operation *user) {
    if (!isView(user))
      return true;
    std::optional<ByteLayout> view =
        getViewLayout(user, layout, MemorySpace::L2);
    return view && hasViewsInL2(user->getResult(0), *view);
  });
}

static double dramBytes(MemRefType type,
                        const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> shape = type.getShape();
  return double(shape[0]) * shape[1] * shape[2] *
         ::ane::hw::alignTo(2 * shape[3], info.dmaAlign);
}

std::optional<Candidate> L2Planner::examine(BufferOp buffer) const {
  Candidate candidate;
  candidate.buffer = buffer;
  if (!buffer.getType().getElementType().isF16())
    return std::nullopt; // no program has bytes there
  bool isPossible = true;
  double saved = 0;
  forEachUse(buffer, [&](OpOperand &use) {
    auto type = cast<MemRefType>(use.get().getType());
    auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp());
    auto load = dyn_cast<DmaLoadOp>(use.getOwner());
    auto store = dyn_cast<DmaStoreOp>(use.getOwner());
    if (!task || (!load && !store) || (load && isKept(load)) ||
        !canKeep(type, task.getCompute(), bool(store), policy)) {
      isPossible = false;
      return;
    }
    saved += dramBytes(type, info);
    if (load)
      candidate.loads.push_back(load);
    else
      candidate.stores.push_back(store);
  });
  if (!isPossible || candidate.stores.empty() || candidate.loads.empty())
    return std::nullopt;
  auto at = [&](Operation *op) { return time.lookup(op->getParentOp()); };
  DmaStoreOp first =
      *llvm::min_element(candidate.stores, [&](DmaStoreOp a, DmaStoreOp b) {
        return at(a) < at(b);
      });
  L2Resident &life = candidate.life;
  life.first = life.last = at(first);
  for (DmaStoreOp store : candidate.stores)
    life.last = std::max(life.last, at(store));
  for (DmaLoadOp load : candidate.loads) {
    if (at(load) <= life.first)
      return std::nullopt; // read before it is written
    life.last = std::max(life.last, at(load));
  }
  L2User user = getResultUser(cast<TaskOp>(first->getParentOp()).getCompute());
  L2Tile tile = getL2Tile(info, policy, buffer.getType(), user, false);
  if (!hasViewsInL2(buffer, getResidentLayout(buffer.getType(), tile, 0)))
    return std::nullopt;
  life.bytes = tileBytes(buffer.getType(), user, false);
  candidate.gain = saved / (double(life.bytes) * (life.last - life.first + 1));
  return candidate;
}

// Whether all tasks still have room when `added` joins the residents.
bool L2Planner::fits(ArrayRef<L2Resident> residents,
                     const Candidate &added) const {
  SmallVector<int64_t> saved(tasks.size(), 0);
  llvm::SmallDenseSet<int64_t> written;
  for (DmaStoreOp store : added.stores)
    written.insert(time.lookup(store->getParentOp()));
  for (DmaLoadOp load : added.loads)
    saved[time.lookup(load->getParentOp())] += loadBytes(load);
  for (int64_t at = 0, count = tasks.size(); at < count; ++at) {
    int64_t end = 0;
    for (const L2Resident &resident : residents)
      if (resident.first <= at && at <= resident.last)
        end = std::max(end, resident.offset + resident.bytes);
    if (!end)
      continue;
    int64_t sources = sourceBytes[at] - saved[at];
    int64_t result = written.contains(at) ? 0 : resultBytes[at];
    if ((sources && end + sources > int64_t(info.l2SourceBytes)) ||
        end + sources + result > int64_t(info.l2Bytes))
      return false;
  }
  return true;
}

// A result that one task writes and later ones read as a whole.
void L2Planner::keepResult(DmaStoreOp store, ArrayRef<DmaLoadOp> loads) {
  auto old = cast<TaskOp>(store->getParentOp());
  int64_t at = time[old];
  Value result = old.getCompute()->getResult(0);
  OpBuilder builder(old);
  SmallVector<Type> types(old.getResultTypes());
  types.push_back(result.getType());
  auto task = TaskOp::create(builder, old.getLoc(), types);
  task.getBody().takeBody(old.getBody());
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  yield.getResultsMutable().append(result);
  store->erase();
  old->replaceAllUsesWith(task.getResults().drop_back());
  tasks[at] = task;
  time[task] = at;
  time.erase(old);
  old.erase();
  for (DmaLoadOp load : loads) {
    load.getResult().replaceAllUsesWith(task.getResults().back());
    load.erase();
  }
}

static MemRefType inL2(MemRefType type) {
  return MemRefType::get(
      type.getShape(), type.getElementType(), AffineMap(),
      MemorySpaceAttr::get(type.getContext(), MemorySpace::L2));
}

// A place of its own; views of the buffer become views of the place.
void L2Planner::keepPlace(Candidate &candidate) {
  BufferOp buffer = candidate.buffer;
  OpBuilder builder(buffer);
  Value place =
      L2BufferOp::create(builder, buffer.getLoc(), inL2(buffer.getType()));
  buffer.getResult().replaceAllUsesWith(place);
  SmallVector<Value> views(1, place);
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers())
      if (isView(user)) {
        Value view = user->getResult(0);
        view.setType(inL2(cast<MemRefType>(view.getType())));
        views.push_back(view);
      }
  for (DmaStoreOp store : candidate.stores) {
    builder.setInsertionPoint(store);
    KeepOp::create(builder, store.getLoc(), store.getSource(),
                   store.getTarget());
    store.erase();
  }
  for (DmaLoadOp load : candidate.loads) {
    load.getResult().replaceAllUsesWith(load.getSource());
    load.erase();
  }
}

void L2Planner::keep(Candidate &candidate) {
  for (DmaStoreOp store : candidate.stores)
    resultBytes[time[store->getParentOp()]] = 0;
  for (DmaLoadOp load : candidate.loads)
    sourceBytes[time[load->getParentOp()]] -= loadBytes(load);
  BufferOp buffer = candidate.buffer;
  bool isWhole = llvm::none_of(buffer->getUsers(), isView);
  if (isWhole && candidate.stores.size() == 1)
    keepResult(candidate.stores.front(), candidate.loads);
  else
    keepPlace(candidate);
  buffer.erase();
  ++numKept;
}

void L2Planner::run() {
  SmallVector<Candidate> candidates;
  for (auto buffer : func.getOps<BufferOp>())
    if (std::optional<Candidate> candidate = examine(buffer))
      candidates.push_back(std::move(*candidate));
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return std::tuple(-a.gain, a.life.first) <
           std::tuple(-b.gain, b.life.first);
  });
  // What stays for other reasons: operands that tasks repeat.
  SmallVector<L2Resident> residents;
  for (const ResidentValue &value : collectResidents(
           info, policy, tasks, llvm::to_vector(func.getOps<L2BufferOp>())))
    residents.push_back(value.life);
  for (Candidate &candidate : candidates) {
    SmallVector<L2Resident> trial(residents);
    trial.push_back(candidate.life);
    placeResidents(trial);
    if (!fits(trial, candidate))
      continue;
    residents = std::move(trial);
    keep(candidate);
  }
}

namespace {

struct KeepInL2 : public mlir::ane::impl::ANEKeepInL2Base<KeepInL2> {
  using ANEKeepInL2Base::ANEKeepInL2Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, target, flavour);
    if (failed(memory))
      return signalPassFailure();
    if (func.isExternal())
      return;
    L2Planner planner(func, *memory->generation, *memory->policy);
    planner.run();
    kept += planner.numKept;
  }
};

} // namespace
