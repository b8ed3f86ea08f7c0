//===- KeepInL2.cpp - Tensors that do not go through DRAM -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three things can stay in L2:
//
// - an intermediate tensor, from the first task that writes it to the last that
//   reads it: neither stores nor loads are left;
// - what a task has loaded, until the next task that loads the same: one load
//   is left, and a tensor that cannot stay all its life stays where it is
//   needed often;
// - a result in the place of a source that nobody needs any more.
//
// Which of them is a problem of packing (ResidencyPlan.h). It counts bytes;
// addresses may leave gaps, and then what saves least goes back to DRAM.
//
//===----------------------------------------------------------------------===//

#include "KeepInL2.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/HW/Layout.h"

#include <numeric>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEKEEPINL2
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

L2Planner::L2Planner(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
                     const MemoryPolicy &policy)
    : func(func), info(info), policy(policy) {
  problem.info = &info;
  for (auto task : func.getOps<TaskOp>()) {
    time[task] = tasks.size();
    tasks.push_back(task);
  }
  problem.tasks.resize(tasks.size());
  problem.inPlace.resize(tasks.size());
}

static int64_t dramBytes(MemRefType type,
                         const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t row = shape.back() * elementBytes(type);
  return ShapedType::getNumElements(shape.drop_back()) *
         int64_t(::ane::hw::alignTo(row, info.dmaAlign));
}

void L2Planner::collectAccesses() {
  for (size_t at = 0; at < tasks.size(); ++at) {
    TaskOp task = tasks[at];
    auto add = [&](Operation *op, MemRefType type, int64_t tile) {
      DramAccess access;
      access.isResult = isa<DmaStoreOp>(op);
      access.dramBytes = dramBytes(type, info);
      access.tileBytes = tile;
      accessOf[op] = {int64_t(at), problem.tasks[at].size()};
      problem.tasks[at].push_back(std::move(access));
    };
    for (auto load : task.getBody().front().getOps<DmaLoadOp>())
      if (!isKept(load))
        add(load, load.getType(), getLeastSourceBytes(info, policy, load));
    if (DmaStoreOp store = task.getStore()) {
      add(store, store.getSource().getType(),
          getLeastResultBytes(info, policy, store));
      writes[getViewRoot(store.getTarget())].push_back(at);
    }
  }
}

// What stays for other reasons: operands that tasks repeat.
void L2Planner::addFixed() {
  for (const ResidentValue &value : collectResidents(
           info, policy, tasks, llvm::to_vector(func.getOps<L2BufferOp>()))) {
    ResidencyItem item;
    item.first = value.life.first;
    item.last = value.life.last;
    item.bytes = value.life.bytes;
    item.isFixed = true;
    addItem(item, Candidate());
  }
}

//===----------------------------------------------------------------------===//
// Whole lives
//===----------------------------------------------------------------------===//

// Forms in which recorded programs have a tensor in L2: at most one patch wide
// for the PE, which else has it in columns if it has several rows; no loop of
// the NEs over images or groups, whose channels lie apart; halves.
static bool canKeep(MemRefType type, Operation *compute, bool isResult,
                    const MemoryPolicy &policy) {
  if (!type.getElementType().isF16())
    return false;
  if (isa<NeConvOp, NeBypassOp>(compute)) {
    auto conv = dyn_cast<NeConvOp>(compute);
    return type.getDimSize(0) == 1 &&
           (!conv || conv.getGroups() == 1 || conv.isDepthwise());
  }
  // What is interleaved is for the memory that coefficients come from.
  if (isa<PeInterleaveOp>(compute) && isResult)
    return false;
  return type.getDimSize(2) == 1 ||
         type.getDimSize(3) <=
             int64_t(1) << policy.patch(type.getDimSize(3), 2, 1).width;
}

std::optional<BufferAccesses> L2Planner::examine(BufferOp buffer) const {
  BufferAccesses accesses;
  accesses.buffer = buffer;
  bool isPossible = true;
  forEachUse(buffer, [&](OpOperand &use) {
    auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp());
    auto load = dyn_cast<DmaLoadOp>(use.getOwner());
    auto store = dyn_cast<DmaStoreOp>(use.getOwner());
    // Channels lie side by side only after the DMA.
    isPossible &= task && (load || store) && !(load && isKept(load)) &&
                  !(store && store.getInterleave() > 1) &&
                  canKeep(cast<MemRefType>(use.get().getType()),
                          task.getCompute(), bool(store), policy);
    if (load)
      accesses.loads.push_back(load);
    if (store)
      accesses.stores.push_back(store);
  });
  if (!isPossible || accesses.stores.empty() || accesses.loads.empty())
    return std::nullopt;
  return accesses;
}

// Why it cannot stay, if it cannot.
std::string L2Planner::addBuffer(BufferOp buffer) {
  std::optional<BufferAccesses> accesses = examine(buffer);
  if (!accesses)
    return "a task has it in a form that programs have in DRAM only (several "
           "images or groups, bytes, or rows too wide for the PE)";
  DmaStoreOp writer =
      *llvm::min_element(accesses->stores, [&](DmaStoreOp a, DmaStoreOp b) {
        return timeOf(a) < timeOf(b);
      });
  ResidencyItem item;
  item.first = item.last = timeOf(writer);
  item.tensor = tensorOf(buffer);
  for (DmaStoreOp store : accesses->stores)
    item.last = std::max(item.last, timeOf(store));
  for (DmaLoadOp load : accesses->loads) {
    if (timeOf(load) <= item.first)
      return "it is read before it is written";
    item.last = std::max(item.last, timeOf(load));
  }
  MemRefType type = buffer.getType();
  L2Tile tile = getL2Tile(
      info, policy, type,
      getResultUser(cast<TaskOp>(writer->getParentOp()).getCompute()), false);
  ByteLayout layout = getResidentLayout(type, tile);
  if (!hasViewsInL2(buffer, layout)) {
    layout = getPlanarLayout(info, type);
    accesses->isPlanar = true;
    if (!hasViewsInL2(buffer, layout))
      return "a view of it has no strides in L2";
  }
  item.bytes = getResidentBytes(type, layout);
  if (item.bytes > int64_t(info.l2Bytes))
    return "it takes " + std::to_string(item.bytes) +
           " bytes there, and L2 has " + std::to_string(info.l2Bytes);
  Candidate candidate;
  candidate.whole = accesses;
  candidate.layout = layout;
  uint32_t index = addItem(item, std::move(candidate));
  wholeItems[buffer] = index;
  auto cover = [&](Operation *op) {
    auto [at, i] = accessOf.lookup(op);
    problem.tasks[at][i].items.push_back(index);
  };
  llvm::for_each(accesses->stores, cover);
  llvm::for_each(accesses->loads, cover);
  return {};
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

static std::optional<MemorySpace> getHold(Attribute hold) {
  auto space = dyn_cast_or_null<MemorySpaceAttr>(hold);
  return space ? std::optional(space.getValue()) : std::nullopt;
}

static InFlightDiagnostic emitNotHeld(Value value) {
  auto type = cast<MemRefType>(value.getType());
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  InFlightDiagnostic diagnostic = emitError(value.getLoc());
  if (auto argument = dyn_cast<BlockArgument>(value))
    diagnostic << "the loaded source, argument " << argument.getArgNumber()
               << ", " << tensor << ",";
  else
    diagnostic << "the result " << tensor;
  diagnostic << " is to be held in L2, but ";
  return diagnostic;
}

LogicalResult L2Planner::addBuffers() {
  for (auto buffer : func.getOps<BufferOp>()) {
    std::string reason = addBuffer(buffer);
    std::optional<MemorySpace> hold =
        getHold(buffer->getAttr(ANEDialect::getHoldAttrName()));
    if (!hold)
      continue;
    requests.push_back({buffer, *hold, {}});
    if (auto item = wholeItems.find(buffer); item != wholeItems.end())
      requests.back().items.push_back(item->second);
    if (!reason.empty() && hold == MemorySpace::L2)
      return emitNotHeld(buffer)
             << reason << "; remove its '" << ANEDialect::getHoldAttrName()
             << "', or its entry in 'residency' of the plan";
  }
  return success();
}

// By argument: the items that are loads of it.
DenseMap<Value, SmallVector<uint32_t>> L2Planner::getLoadsOfArguments() const {
  DenseMap<Value, SmallVector<uint32_t>> items;
  for (auto [i, candidate] : llvm::enumerate(candidates))
    if (candidate.loads >= 0 &&
        isa<BlockArgument>(sameLoads[candidate.loads].root))
      items[sameLoads[candidate.loads].root].push_back(i);
  return items;
}

LogicalResult L2Planner::addRequestsOfArguments() {
  DenseMap<Value, SmallVector<uint32_t>> items = getLoadsOfArguments();
  for (BlockArgument argument : func.getArguments()) {
    std::optional<MemorySpace> hold = getHold(func.getArgAttr(
        argument.getArgNumber(), ANEDialect::getHoldAttrName()));
    if (!hold)
      continue;
    requests.push_back({argument, *hold, items.lookup(argument)});
    if (hold == MemorySpace::L2 && requests.back().items.empty())
      return emitNotHeld(argument)
             << "no two tasks load the same elements in a form that can stay; "
                "remove its '"
             << ANEDialect::getHoldAttrName()
             << "', or its entry in 'residency' of the plan";
  }
  return success();
}

bool L2Planner::meets(const HoldRequest &request,
                      const llvm::BitVector &chosen) const {
  return llvm::all_of(request.items, [&](uint32_t item) {
    return chosen.test(item) == (request.space == MemorySpace::L2);
  });
}

void L2Planner::obey() {
  for (const HoldRequest &request : requests)
    for (uint32_t item : request.items)
      (request.space == MemorySpace::L2 ? problem.items[item].isFixed
                                        : problem.items[item].isExcluded) =
          true;
}

LogicalResult L2Planner::checkRoom(const llvm::BitVector &chosen) const {
  SmallVector<int64_t> crowded = findCrowded(chosen);
  for (int64_t at : crowded)
    for (const HoldRequest &request : requests) {
      auto isThere = [&](uint32_t item) {
        return problem.items[item].first <= at &&
               at <= problem.items[item].last;
      };
      if (request.space != MemorySpace::L2 ||
          llvm::none_of(request.items, isThere))
        continue;
      int64_t bytes = 0;
      for (uint32_t i : chosen.set_bits())
        if (isThere(i))
          bytes += problem.items[i].bytes;
      StreamNeed need = getStreamNeed(problem, at, chosen);
      return emitNotHeld(request.value)
             << "task " << at << " has " << bytes
             << " bytes held there and moves tiles of "
             << need.sources + need.result << ", and L2 has " << info.l2Bytes
             << " bytes; hold less, or cut what streams there with '"
             << ANEDialect::getTileAttrName() << "'";
    }
  return success();
}

void L2Planner::countHeld(const llvm::BitVector &chosen) {
  for (auto buffer : func.getOps<BufferOp>()) {
    auto number =
        buffer->getAttrOfType<IntegerAttr>(ANEDialect::getPlanNumberAttrName());
    if (!number)
      continue;
    HeldCount &count = counts.ops[number.getInt()];
    ++count.tensors;
    auto item = wholeItems.find(buffer);
    count.held += item != wholeItems.end() && chosen.test(item->second);
  }
  for (auto &[argument, items] : getLoadsOfArguments()) {
    HeldCount &count =
        counts.arguments[cast<BlockArgument>(argument).getArgNumber()];
    count.tensors = items.size();
    for (uint32_t item : items)
      count.held += chosen.test(item);
  }
}

//===----------------------------------------------------------------------===//
// From one load to the next
//===----------------------------------------------------------------------===//

// The sources that recorded programs keep: the only one of a task on the NEs or
// the PE, if that is one image.
bool L2Planner::canFill(DmaLoadOp load) const {
  Operation *compute = cast<TaskOp>(load->getParentOp()).getCompute();
  auto reduce = dyn_cast<PeReduceOp>(compute);
  return (isa<NeConvOp, NeBypassOp, PeUnaryOp>(compute) ||
          (reduce && !reduce.getOffset())) &&
         load.getType().getDimSize(0) == 1;
}

bool L2Planner::isWrittenBetween(Value root, int64_t first,
                                 int64_t last) const {
  auto found = writes.find(root);
  if (found == writes.end())
    return false;
  auto *next = llvm::lower_bound(found->second, first);
  return next != found->second.end() && *next < last;
}

void L2Planner::collectSameLoads() {
  // With a layout a type says which elements of the root it sees; before there
  // is one, the value does.
  using Key = std::pair<void *, const void *>;
  DenseMap<Key, size_t> index;
  for (int64_t at = 0, count = tasks.size(); at < count; ++at)
    for (auto load : tasks[at].getBody().front().getOps<DmaLoadOp>()) {
      if (isKept(load) ||
          !canKeep(load.getType(), tasks[at].getCompute(), false, policy))
        continue;
      MemRefType type = load.getSource().getType();
      Value root = getViewRoot(load.getSource());
      Key key = getByteLayout(type)
                    ? Key(root.getAsOpaquePointer(), type.getAsOpaquePointer())
                    : Key(load.getSource().getAsOpaquePointer(), nullptr);
      auto [it, isNew] = index.try_emplace(key, sameLoads.size());
      if (isNew)
        sameLoads.push_back({root, {}});
      auto &same = sameLoads[it->second].tasks;
      if (same.empty() || same.back().first != at)
        same.push_back({at, {}});
      same.back().second.push_back(load);
    }
}

// The item from loads `at` of `same` to the next ones; `before`: the item that
// ends at them. None where nothing can stay.
std::optional<uint32_t> L2Planner::addLoad(int32_t number, size_t at,
                                           std::optional<uint32_t> before) {
  const SameLoads &same = sameLoads[number];
  const auto &[first, loads] = same.tasks[at];
  const auto &[last, readers] = same.tasks[at + 1];
  DmaLoadOp load = loads.front();
  MemRefType type = load.getType();
  Operation *compute = tasks[first].getCompute();
  ResidencyItem item;
  item.first = first;
  item.last = last;
  item.bytes =
      getL2Tile(info, policy, type, getSourceUser(compute), false).row *
      type.getDimSize(2);
  item.tensor = tensorOf(same.root);
  item.isPart = true;
  // What another task has brought need not be brought by this one, of which it
  // is the only source that could be: the other one is a number for each column
  // or row, which a task of its own has left in L2.
  bool fills = canFill(load);
  bool continues = before && llvm::any_of(compute->getOperands(), [](Value v) {
                     return isa_and_nonnull<TaskOp>(v.getDefiningOp());
                   });
  if (loads.size() > 1 || (!fills && !continues) ||
      item.bytes > int64_t(info.l2SourceBytes) ||
      isWrittenBetween(same.root, first, last))
    return std::nullopt;
  Candidate candidate;
  candidate.loads = number;
  candidate.at = at;
  uint32_t part = addItem(item, std::move(candidate));
  auto accessAt = [&](DmaLoadOp op) -> DramAccess & {
    auto [task, access] = accessOf.lookup(op);
    return problem.tasks[task][access];
  };
  if (fills)
    accessAt(load).fills.push_back(part);
  else
    continued.push_back({part, *before});
  for (DmaLoadOp reader : readers)
    accessAt(reader).items.push_back(part);
  if (before)
    problem.inPlace[first].push_back({*before, part});
  return part;
}

void L2Planner::addLoads() {
  collectSameLoads();
  for (size_t i = 0; i < sameLoads.size(); ++i) {
    std::optional<uint32_t> before;
    for (size_t at = 0; at + 1 < sameLoads[i].tasks.size(); ++at)
      before = addLoad(i, at, before);
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void L2Planner::apply(const llvm::BitVector &chosen) {
  SmallVector<Place> place = glueChosen(chosen);
  SmallVector<unsigned> shared(problem.items.size(), 0);
  SmallVector<int64_t> rows = countRows(chosen, place);
  for (uint32_t i : chosen.set_bits())
    ++shared[place[i].item];
  std::map<uint32_t, L2Resident> lives = findLives(chosen, place, rows);
  DenseMap<uint32_t, L2BufferOp> places;
  std::map<uint32_t, SmallVector<DmaLoadOp>> loaded;
  // Who has a place before those that lie in it.
  auto order = llvm::to_vector(chosen.set_bits());
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return std::tuple(place[a].item != a, a) <
           std::tuple(place[b].item != b, b);
  });
  for (uint32_t i : order) {
    Candidate &candidate = candidates[i];
    if (candidate.loads >= 0) {
      const SameLoads &same = sameLoads[candidate.loads];
      SmallVector<DmaLoadOp> &loads = loaded[place[i].item];
      if (loads.empty())
        loads.push_back(same.tasks[candidate.at].second.front());
      llvm::append_range(loads, same.tasks[candidate.at + 1].second);
      continue;
    }
    if (!candidate.whole)
      continue;
    ++numKept;
    if (shared[place[i].item] > 1) {
      L2BufferOp &there = places[place[i].item];
      uint32_t owner = place[i].item;
      L2BufferOp made =
          promoteToPlace(*candidate.whole, there, place[i].offset, rows[owner],
                         /*isShared=*/!lives[owner].pieces.empty());
      there = there ? there : made;
    } else if (candidate.whole->isWhole()) {
      promoteToResult(*candidate.whole);
    } else {
      promoteToPlace(*candidate.whole, {});
    }
  }
  for (auto &[number, loads] : loaded) {
    numLoaded += loads.size() - 1;
    keepLoaded(loads);
  }
}

// Recorded programs have the rows of tensors of one channel as channels. Then
// the PE needs no columns for wide ones, and they can stay in L2. They cannot
// be cut in rows any more, so all of the task has to fit.
void L2Planner::exchangeRows() {
  for (TaskOp task : tasks) {
    Operation *compute = task.getCompute();
    auto reduce = dyn_cast<PeReduceOp>(compute);
    if (!isa<PeElementwiseOp, PeUnaryOp>(compute) &&
        !(reduce && reduce.getType().getDimSize(2) ==
                        reduce.getInput().getType().getDimSize(2)))
      continue;
    int64_t bytes = 0;
    bool isWide = false;
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(compute->getOperands()),
                             SmallVector<Value>(compute->getResults()))) {
      auto type = cast<MemRefType>(value.getType());
      isWide |= !canKeep(type, compute, false, policy);
      bytes += getResidentBytes(type, getPlanarLayout(info, type));
    }
    if (isWide && bytes <= int64_t(info.l2SourceBytes))
      takeRowsForChannels(task);
  }
}

llvm::BitVector L2Planner::choose() const {
  // Sets that are followed at a time, so that all of them take less than the
  // time of other passes.
  constexpr size_t most = 1024, least = 32, budget = 1 << 17;
  size_t width = std::clamp<size_t>(budget / (tasks.size() + 1), least, most);
  ResidencyPlan plan = planResidency(problem, width);
  makeRoom(plan.chosen);
  return plan.chosen;
}

LogicalResult L2Planner::run() {
  // A flavour that places values itself has formed its tasks for that.
  if (!policy.placeResidents)
    exchangeRows();
  collectAccesses();
  addFixed();
  if (failed(addBuffers()))
    return failure();
  for (size_t at = 0; at < tasks.size(); ++at)
    findInPlace(at);
  addLoads();
  if (failed(addRequestsOfArguments()))
    return failure();
  llvm::BitVector chosen = choose();
  // What is chosen anyway changes nothing, so that a plan that is dumped and
  // given back makes the same program.
  if (!llvm::all_of(requests, [&](const HoldRequest &request) {
        return meets(request, chosen);
      })) {
    obey();
    chosen = choose();
    if (failed(checkRoom(chosen)))
      return failure();
  }
  countHeld(chosen);
  for (auto buffer : func.getOps<BufferOp>()) {
    buffer->removeAttr(ANEDialect::getHoldAttrName());
    buffer->removeAttr(ANEDialect::getPlanNumberAttrName());
  }
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.removeArgAttr(i, ANEDialect::getHoldAttrName());
  apply(chosen);
  return success();
}

namespace {

struct KeepInL2 : public mlir::ane::impl::ANEKeepInL2Base<KeepInL2> {
  using ANEKeepInL2Base::ANEKeepInL2Base;

  std::string *text = nullptr; ///< of the record

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    if (failed(memory) || failed(checkTaskOrder(func)))
      return signalPassFailure();
    if (func.isExternal())
      return;
    L2Planner planner(func, *memory->generation, *memory->policy);
    if (failed(planner.run()) ||
        failed(PlanRecord(dump, text).complete(func, planner.counts)))
      return signalPassFailure();
    kept += planner.numKept;
    keptLoads += planner.numLoaded;
  }
};

} // namespace

std::unique_ptr<Pass>
mlir::ane::createKeepInL2(const ANEKeepInL2Options &options,
                          std::string *text) {
  auto pass = std::make_unique<KeepInL2>(options);
  pass->text = text;
  return pass;
}
