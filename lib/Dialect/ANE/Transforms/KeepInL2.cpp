//===- KeepInL2.cpp - Intermediate tensors that never see DRAM ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor that one task writes as a whole and later tasks read as a whole can
// stay in L2, which saves a store and every load. Candidates are tried by DRAM
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
  DmaStoreOp store;
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
  std::optional<Candidate> examine(BufferOp buffer);
  int64_t tileBytes(MemRefType type, L2User user, bool strips) const;
  int64_t loadBytes(DmaLoadOp load) const;
  bool fits(ArrayRef<L2Resident> residents, const Candidate &added) const;
  void keep(const Candidate &candidate);

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
  return getL2Tile(info, policy, type, user, strips).row * type.getDimSize(2);
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
    bool planar = getResultUser(compute) == L2User::Planar;
    int64_t sources = 0;
    for (auto load : task.getBody().front().getOps<DmaLoadOp>())
      sources += loadBytes(load);
    sourceBytes.push_back(sources);
    resultBytes.push_back(
        task.getStore()
            ? tileBytes(cast<MemRefType>(compute->getResult(0).getType()),
                        getResultUser(compute), planar)
            : 0);
  }
}

// Tensors of the forms that recorded programs keep: one image, at most one
// patch wide; no groups, whose channels lie apart in L2.
static bool canKeep(MemRefType type, Operation *compute,
                    const MemoryPolicy &policy) {
  if (type.getDimSize(0) != 1 ||
      type.getDimSize(3) > int64_t(1)
                               << policy.patch(type.getDimSize(3), 2, 1).width)
    return false;
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return conv.getGroups() == 1 || conv.isDepthwise();
  if (auto reduce = dyn_cast<PeReduceOp>(compute))
    return reduce.getType().getDimSize(2) == 1;
  return true;
}

std::optional<Candidate> L2Planner::examine(BufferOp buffer) {
  Candidate candidate;
  candidate.buffer = buffer;
  if (!buffer.getType().getElementType().isF16())
    return std::nullopt; // no program has bytes there
  for (Operation *user : buffer->getUsers()) {
    auto load = dyn_cast<DmaLoadOp>(user);
    auto store = dyn_cast<DmaStoreOp>(user);
    auto task = dyn_cast<TaskOp>(user->getParentOp());
    if (!task || (!load && !store) || (store && candidate.store) ||
        !canKeep(buffer.getType(), task.getCompute(), policy))
      return std::nullopt;
    if (load)
      candidate.loads.push_back(load);
    else
      candidate.store = store;
  }
  if (!candidate.store || candidate.loads.empty())
    return std::nullopt;
  Operation *producer = candidate.store->getParentOp();
  candidate.life.first = candidate.life.last = time[producer];
  for (DmaLoadOp load : candidate.loads) {
    int64_t at = time[load->getParentOp()];
    if (at <= candidate.life.first)
      return std::nullopt; // read before it is written
    candidate.life.last = std::max(candidate.life.last, at);
  }
  Operation *compute = cast<TaskOp>(producer).getCompute();
  candidate.life.bytes =
      tileBytes(buffer.getType(), getResultUser(compute), false);
  ArrayRef<int64_t> shape = buffer.getType().getShape();
  double dram = double(shape[1]) * shape[2] *
                ::ane::hw::alignTo(2 * shape[3], info.dmaAlign);
  candidate.gain = dram * (1 + candidate.loads.size()) /
                   (double(candidate.life.bytes) *
                    (candidate.life.last - candidate.life.first));
  return candidate;
}

// Whether all tasks still have room when `added` joins the residents.
bool L2Planner::fits(ArrayRef<L2Resident> residents,
                     const Candidate &added) const {
  SmallVector<int64_t> saved(tasks.size(), 0);
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
    int64_t result = at == added.life.first ? 0 : resultBytes[at];
    if (end + sources > int64_t(info.l2SourceBytes) ||
        end + sources + result > int64_t(info.l2Bytes))
      return false;
  }
  return true;
}

void L2Planner::keep(const Candidate &candidate) {
  int64_t at = candidate.life.first;
  TaskOp old = tasks[at];
  Value result = old.getCompute()->getResult(0);
  OpBuilder builder(old);
  SmallVector<Type> types(old.getResultTypes());
  types.push_back(result.getType());
  auto task = TaskOp::create(builder, old.getLoc(), types);
  task.getBody().takeBody(old.getBody());
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  yield.getResultsMutable().append(result);
  Operation *storeOp = candidate.store;
  storeOp->erase();
  old->replaceAllUsesWith(task.getResults().drop_back());
  tasks[at] = task;
  time[task] = at;
  time.erase(old);
  old.erase();
  resultBytes[at] = 0;
  for (DmaLoadOp load : candidate.loads) {
    auto reader = cast<TaskOp>(load->getParentOp());
    sourceBytes[time[reader]] -= loadBytes(load);
    load.getResult().replaceAllUsesWith(task.getResults().back());
    load.erase();
  }
  BufferOp buffer = candidate.buffer;
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
  for (TaskOp task : tasks)
    for (Value value : task->getResults()) {
      L2Resident life;
      life.first = life.last = time[task];
      for (Operation *user : value.getUsers())
        if (auto reader = dyn_cast<TaskOp>(user->getParentOp()))
          life.last = std::max(life.last, time[reader]);
      life.bytes = tileBytes(cast<MemRefType>(value.getType()),
                             getResultUser(task.getCompute()), false);
      residents.push_back(life);
    }
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
