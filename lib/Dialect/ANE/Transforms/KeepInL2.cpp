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
// is
//   left, and a tensor that cannot stay all its life stays where it is needed
//   often;
// - a result in the place of a source that nobody needs any more.
//
// Which of them is a problem of packing (ResidencyPlan.h). It counts bytes;
// addresses may leave gaps, and then what saves least goes back to DRAM.
//
//===----------------------------------------------------------------------===//

#include "PromoteToL2.h"
#include "ResidencyPlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/HW/Layout.h"

#include <map>
#include <numeric>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEKEEPINL2
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Loads of the same elements, by task.
struct SameLoads {
  Value root;
  SmallVector<std::pair<int64_t, SmallVector<DmaLoadOp, 1>>> tasks;
};

/// An item of the plan and what it stands for.
struct Candidate {
  std::optional<BufferAccesses> whole; ///< a tensor for all its life, or
  int32_t loads = -1;                  ///< loads `at` and `at` + 1 of these
  size_t at = 0;
};

/// Where a chosen item lies: in the place of the first of those that share it.
struct Place {
  uint32_t item;
  RowOffset offset; ///< in that place
};

class L2Planner {
public:
  L2Planner(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
            const MemoryPolicy &policy);
  void run();
  int64_t numKept = 0, numLoaded = 0;

private:
  void exchangeRows();
  void collectAccesses();
  void addFixed();
  void addBuffer(BufferOp buffer);
  std::optional<BufferAccesses> examine(BufferOp buffer) const;
  bool hasViewsInL2(Value source, const ByteLayout &layout) const;
  void addLoads();
  bool canFill(DmaLoadOp load) const;
  bool isWrittenBetween(Value root, int64_t first, int64_t last) const;
  bool canLieIn(uint32_t source, uint32_t result, RowOffset offset) const;
  bool isFreePart(uint32_t source, const Box &part) const;
  void findInPlace(int64_t at);
  SmallVector<Place> glueChosen(const llvm::BitVector &chosen) const;
  int64_t getBytesInPlace(uint32_t item, int64_t row) const;
  using Worth = llvm::function_ref<double(uint32_t item)>;
  int64_t makeRoom(llvm::BitVector &chosen, Worth worth) const;
  void makeRoom(llvm::BitVector &chosen) const;
  void dropContinued(llvm::BitVector &chosen) const;
  void apply(const llvm::BitVector &chosen);

  int64_t timeOf(Operation *op) const { return time.lookup(op->getParentOp()); }
  int64_t tensorOf(Value root) {
    return tensors.try_emplace(root, tensors.size()).first->second;
  }
  uint32_t addItem(const ResidencyItem &item, Candidate candidate) {
    problem.items.push_back(item);
    candidates.push_back(std::move(candidate));
    return problem.items.size() - 1;
  }

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  const MemoryPolicy &policy;
  SmallVector<TaskOp> tasks;
  DenseMap<Operation *, int64_t> time;
  DenseMap<Value, int64_t> tensors;
  /// By load or store.
  DenseMap<Operation *, std::pair<int64_t, size_t>> accessOf;
  /// By root, ascending.
  DenseMap<Value, SmallVector<int64_t>> writes;
  SmallVector<SameLoads> sameLoads;
  DenseMap<Value, uint32_t> wholeItems; ///< by buffer
  /// Of a result that lies in a source.
  DenseMap<std::pair<uint32_t, uint32_t>, RowOffset> offsetInPlace;
  /// By source: the parts that results may take, which have nothing in common.
  DenseMap<uint32_t, SmallVector<Box>> partsInPlace;
  SmallVector<Candidate> candidates;
  ResidencyProblem problem;
  /// Items that are there only because another one is: (item, other).
  SmallVector<std::pair<uint32_t, uint32_t>> continued;
};

} // namespace

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
  int64_t row =
      shape.back() * type.getElementType().getIntOrFloatBitWidth() / 8;
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

std::optional<BufferAccesses> L2Planner::examine(BufferOp buffer) const {
  BufferAccesses accesses;
  accesses.buffer = buffer;
  bool isPossible = true;
  forEachUse(buffer, [&](OpOperand &use) {
    auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp());
    auto load = dyn_cast<DmaLoadOp>(use.getOwner());
    auto store = dyn_cast<DmaStoreOp>(use.getOwner());
    isPossible &= task && (load || store) && !(load && isKept(load)) &&
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

void L2Planner::addBuffer(BufferOp buffer) {
  std::optional<BufferAccesses> accesses = examine(buffer);
  if (!accesses)
    return;
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
      return; // read before it is written
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
      return;
  }
  item.bytes = getResidentBytes(type, layout);
  if (item.bytes > int64_t(info.l2Bytes))
    return;
  Candidate candidate;
  candidate.whole = accesses;
  uint32_t index = addItem(item, std::move(candidate));
  wholeItems[buffer] = index;
  auto cover = [&](Operation *op) {
    auto [at, i] = accessOf.lookup(op);
    problem.tasks[at][i].items.push_back(index);
  };
  llvm::for_each(accesses->stores, cover);
  llvm::for_each(accesses->loads, cover);
}

// The rows and channels of its root that a view has; none where it is no box.
static std::optional<Box> getBoxInRoot(Value view) {
  Box box = Box::all(cast<MemRefType>(view.getType()).getShape());
  for (; isView(view.getDefiningOp());
       view = view.getDefiningOp()->getOperand(0)) {
    auto subview = view.getDefiningOp<SubviewOp>();
    if (!subview || subview.getStrides())
      return std::nullopt;
    for (auto [offset, more] : llvm::zip(box.offsets, subview.getOffsets()))
      offset += more;
  }
  return box;
}

static bool overlap(const Box &one, const Box &other) {
  for (size_t dim = 0; dim < one.sizes.size(); ++dim)
    if (one.offsets[dim] + one.sizes[dim] <= other.offsets[dim] ||
        other.offsets[dim] + other.sizes[dim] <= one.offsets[dim])
      return false;
  return true;
}

// Whether `task` may write its result over an operand of the same box.
static bool worksInPlace(TaskOp task) {
  Operation *compute = task.getCompute();
  auto bypass = dyn_cast<NeBypassOp>(compute);
  return isa<PeElementwiseOp, PeUnaryOp, NeBypassOp>(compute) &&
         !(bypass && bypass.getExchange());
}

static bool isCopy(TaskOp task) {
  auto bypass = dyn_cast<NeBypassOp>(task.getCompute());
  return bypass && !bypass.getExchange();
}

// Whether the result can lie in the source, `offset` behind its first row and
// channel: nothing is read behind the task that writes over it.
bool L2Planner::canLieIn(uint32_t source, uint32_t result,
                         RowOffset offset) const {
  const BufferAccesses &from = *candidates[source].whole;
  const BufferAccesses &to = *candidates[result].whole;
  for (DmaStoreOp store : from.stores)
    if (timeOf(store) >= problem.items[result].first)
      return false;
  for (DmaStoreOp store : to.stores) {
    int64_t at = timeOf(store);
    if (at > problem.items[source].last)
      continue;
    std::optional<Box> written = getBoxInRoot(store.getTarget());
    if (!written)
      return false;
    written->offsets[1] += offset.channel;
    written->offsets[2] += offset.row;
    for (DmaLoadOp load : from.loads) {
      if (timeOf(load) < at)
        continue;
      std::optional<Box> read = getBoxInRoot(load.getSource());
      if (!read)
        return false;
      bool isSame = timeOf(load) == at && *read == *written &&
                    worksInPlace(tasks[at]) &&
                    load.getType() == store.getSource().getType();
      if (!isSame && overlap(*read, *written))
        return false;
    }
  }
  return true;
}

bool L2Planner::isFreePart(uint32_t source, const Box &part) const {
  auto found = partsInPlace.find(source);
  return found == partsInPlace.end() ||
         llvm::none_of(found->second,
                       [&](const Box &other) { return overlap(part, other); });
}

// A task that works element by element writes its result over a source that
// nobody reads any more (seen in softmax), also where each of several tasks
// writes a part of it over the same part, or a result of its own over some
// channels.
void L2Planner::findInPlace(int64_t at) {
  DmaStoreOp store = tasks[at].getStore();
  if (!store || !worksInPlace(tasks[at]))
    return;
  auto wholeOf = [&](Value memref) -> std::optional<uint32_t> {
    auto found = wholeItems.find(getViewRoot(memref));
    if (found == wholeItems.end())
      return std::nullopt;
    return found->second;
  };
  std::optional<uint32_t> result = wholeOf(store.getTarget());
  std::optional<Box> to = getBoxInRoot(store.getTarget());
  if (!result || !to || problem.items[*result].first != at)
    return;
  const BufferAccesses &whole = *candidates[*result].whole;
  ArrayRef<int64_t> shape = BufferOp(whole.buffer).getType().getShape();
  for (Value operand : tasks[at].getCompute()->getOperands()) {
    auto load = operand.getDefiningOp<DmaLoadOp>();
    std::optional<uint32_t> source =
        load ? wholeOf(load.getSource()) : std::nullopt;
    std::optional<Box> from =
        source ? getBoxInRoot(load.getSource()) : std::nullopt;
    if (!from || from->sizes != to->sizes)
      continue;
    const BufferAccesses &other = *candidates[*source].whole;
    ArrayRef<int64_t> room = BufferOp(other.buffer).getType().getShape();
    RowOffset offset = {from->offsets[1] - to->offsets[1],
                        from->offsets[2] - to->offsets[2]};
    // Channels of several rows lie apart.
    bool isPart = room[1] != shape[1];
    bool isAlike = other.isPlanar == whole.isPlanar && room[0] == shape[0] &&
                   room[3] == shape[3] && offset.channel >= 0 &&
                   offset.channel + shape[1] <= room[1] &&
                   (!isPart || room[2] == 1) &&
                   (!other.isPlanar || room == shape);
    bool isThere = isAlike && offset.row >= 0 &&
                   offset.row + shape[2] <= room[2] &&
                   canLieIn(*source, *result, offset);
    // Rows that go from one strip to the next go to the front of the same
    // place.
    if (isAlike && !isPart && !isThere && offset.row > 0 && isCopy(tasks[at])) {
      offset.row = 0;
      isThere = canLieIn(*source, *result, offset);
    }
    Box part = {{0, offset.channel, offset.row, 0}, llvm::to_vector<4>(shape)};
    if (!isThere || (isPart && !isFreePart(*source, part)))
      continue;
    // Of several, the first one is taken (glueChosen).
    bool isFirst = llvm::none_of(problem.inPlace[at], [&](const InPlace &pair) {
      return pair.result == *result;
    });
    int64_t last = isFirst ? problem.items[*source].last : at;
    offsetInPlace[{*source, *result}] = offset;
    if (isPart)
      partsInPlace[*source].push_back(part);
    for (int64_t task = at; task <= last; ++task)
      problem.inPlace[task].push_back({*source, *result, isPart});
  }
}

//===----------------------------------------------------------------------===//
// From one load to the next
//===----------------------------------------------------------------------===//

// The sources that recorded programs keep: the first one, of the NEs or of a PE
// task with one source.
bool L2Planner::canFill(DmaLoadOp load) const {
  Operation *compute = cast<TaskOp>(load->getParentOp()).getCompute();
  auto reduce = dyn_cast<PeReduceOp>(compute);
  return (isa<NeConvOp, NeBypassOp, PeUnaryOp>(compute) ||
          (reduce && !reduce.getOffset())) &&
         compute->getOperand(0) == load && load.getType().getDimSize(0) == 1;
}

bool L2Planner::isWrittenBetween(Value root, int64_t first,
                                 int64_t last) const {
  auto found = writes.find(root);
  if (found == writes.end())
    return false;
  auto *next = llvm::lower_bound(found->second, first);
  return next != found->second.end() && *next < last;
}

void L2Planner::addLoads() {
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
  for (auto [i, same] : llvm::enumerate(sameLoads)) {
    std::optional<uint32_t> before; // the item up to the load
    for (size_t at = 0; at + 1 < same.tasks.size(); ++at) {
      auto &[first, loads] = same.tasks[at];
      auto &[last, readers] = same.tasks[at + 1];
      DmaLoadOp load = loads.front();
      MemRefType type = load.getType();
      ResidencyItem item;
      item.first = first;
      item.last = last;
      L2User user = getSourceUser(tasks[first].getCompute());
      item.bytes =
          getL2Tile(info, policy, type, user, false).row * type.getDimSize(2);
      item.tensor = tensorOf(same.root);
      item.isPart = true;
      // What another task has brought need not be brought by this one, of which
      // it is the only source that could be: the other one is a number for each
      // column or row, which a task of its own has left in L2.
      bool fills = canFill(load);
      Operation *compute = tasks[first].getCompute();
      bool continues =
          before && llvm::any_of(compute->getOperands(), [&](Value v) {
            return v.getDefiningOp() && isa<TaskOp>(v.getDefiningOp());
          });
      if (loads.size() > 1 || (!fills && !continues) ||
          item.bytes > int64_t(info.l2SourceBytes) ||
          isWrittenBetween(same.root, first, last)) {
        before = std::nullopt;
        continue;
      }
      Candidate candidate;
      candidate.loads = i;
      candidate.at = at;
      uint32_t part = addItem(item, std::move(candidate));
      auto [task, access] = accessOf.lookup(load);
      if (fills)
        problem.tasks[task][access].fills.push_back(part);
      else
        continued.push_back({part, *before});
      for (DmaLoadOp reader : readers) {
        auto [task, access] = accessOf.lookup(reader);
        problem.tasks[task][access].items.push_back(part);
      }
      if (before)
        problem.inPlace[first].push_back({*before, part});
      before = part;
    }
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

SmallVector<Place> L2Planner::glueChosen(const llvm::BitVector &chosen) const {
  SmallVector<Place> place;
  for (uint32_t i = 0; i < problem.items.size(); ++i)
    place.push_back({i});
  llvm::BitVector isLeft(problem.items.size()), isEntered(problem.items.size()),
      hasParts(problem.items.size());
  for (const auto &pairs : problem.inPlace) // in the order of time
    for (const InPlace &pair : pairs) {
      if (!chosen.test(pair.source) || !chosen.test(pair.result) ||
          isLeft.test(pair.source) || isEntered.test(pair.result) ||
          (!pair.isPart && hasParts.test(pair.source)))
        continue;
      (pair.isPart ? hasParts : isLeft).set(pair.source);
      isEntered.set(pair.result);
      RowOffset more = offsetInPlace.lookup({pair.source, pair.result});
      place[pair.result] = place[pair.source];
      place[pair.result].offset.channel += more.channel;
      place[pair.result].offset.row += more.row;
    }
  return place;
}

// In the order of time, so that a chain breaks at its first gap.
void L2Planner::dropContinued(llvm::BitVector &chosen) const {
  for (auto [item, other] : continued)
    if (!chosen.test(other))
      chosen.reset(item);
}

// From the first byte of the place to the last one of an item in it.
int64_t L2Planner::getBytesInPlace(uint32_t item, int64_t row) const {
  int64_t bytes = problem.items[item].bytes;
  if (row == 0)
    return bytes;
  BufferOp buffer = candidates[item].whole->buffer;
  return bytes + row * (bytes / buffer.getType().getDimSize(2));
}

// Takes items out until the addresses of the others leave room for all tiles,
// of those in the way the one that is worth least. What the others save.
int64_t L2Planner::makeRoom(llvm::BitVector &chosen, Worth worth) const {
  while (true) {
    dropContinued(chosen);
    SmallVector<Place> place = glueChosen(chosen);
    std::map<uint32_t, L2Resident> lives;
    for (uint32_t i : chosen.set_bits()) {
      const ResidencyItem &item = problem.items[i];
      auto [it, isNew] = lives.try_emplace(place[i].item);
      L2Resident &life = it->second;
      life.first = isNew ? item.first : std::min(life.first, item.first);
      life.last = std::max(life.last, item.last);
      life.bytes =
          std::max(life.bytes, getBytesInPlace(i, place[i].offset.row));
    }
    SmallVector<L2Resident> residents;
    for (auto &[number, life] : lives)
      residents.push_back(life);
    SmallVector<StreamNeed> needs;
    for (size_t at = 0; at < tasks.size(); ++at)
      needs.push_back(getStreamNeed(problem, at, chosen));
    SmallVector<int64_t> crowded = placeResidents(info, residents, needs);
    bool isChanged = false;
    int64_t behind = -1; // what is taken out may make room up to here
    for (int64_t at : crowded) {
      if (at <= behind)
        continue;
      std::optional<uint32_t> least;
      for (uint32_t i : chosen.set_bits()) {
        const ResidencyItem &item = problem.items[i];
        if (!item.isFixed && item.first <= at && at <= item.last &&
            (!least || worth(i) < worth(*least)))
          least = i;
      }
      if (!least)
        continue;
      chosen.reset(*least);
      behind = problem.items[*least].last;
      isChanged = true;
    }
    if (!isChanged)
      break;
  }
  SmallVector<int64_t> savings = getSavings(problem);
  int64_t bytes = 0;
  for (uint32_t i : chosen.set_bits())
    bytes += savings[i];
  return bytes;
}

// What is there for long is in the way of many tasks, and each of them may have
// others that save less.
void L2Planner::makeRoom(llvm::BitVector &chosen) const {
  SmallVector<int64_t> savings = getSavings(problem);
  llvm::BitVector before = chosen, other = chosen;
  int64_t bytes = makeRoom(chosen, [&](uint32_t i) {
    const ResidencyItem &item = problem.items[i];
    return savings[i] / (double(item.bytes) * (item.last - item.first + 1));
  });
  if (chosen != before &&
      makeRoom(other, [&](uint32_t i) { return savings[i]; }) > bytes)
    chosen = other;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void L2Planner::apply(const llvm::BitVector &chosen) {
  SmallVector<Place> place = glueChosen(chosen);
  SmallVector<unsigned> shared(problem.items.size(), 0);
  SmallVector<int64_t> rows(problem.items.size(), 0); // of a place
  for (uint32_t i : chosen.set_bits()) {
    ++shared[place[i].item];
    if (!candidates[i].whole)
      continue;
    BufferOp buffer = candidates[i].whole->buffer;
    rows[place[i].item] =
        std::max(rows[place[i].item],
                 place[i].offset.row + buffer.getType().getDimSize(2));
  }
  DenseMap<uint32_t, L2BufferOp> places;
  std::map<uint32_t, SmallVector<DmaLoadOp>> loaded;
  // Who has a place before those that lie in it.
  auto order = llvm::to_vector(chosen.set_bits());
  llvm::stable_sort(order, [&](uint32_t a, uint32_t b) {
    return (place[a].item == a) > (place[b].item == b);
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
      L2BufferOp made = promoteToPlace(*candidate.whole, there, place[i].offset,
                                       rows[place[i].item]);
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

void L2Planner::run() {
  // A flavour that places values itself has formed its tasks for that.
  if (!policy.placeResidents)
    exchangeRows();
  collectAccesses();
  addFixed();
  for (auto buffer : func.getOps<BufferOp>())
    addBuffer(buffer);
  for (size_t at = 0; at < tasks.size(); ++at)
    findInPlace(at);
  addLoads();
  // Sets that are followed at a time, so that all of them take less than the
  // time of other passes.
  constexpr size_t most = 1024, least = 32, budget = 1 << 17;
  size_t width = std::clamp<size_t>(budget / (tasks.size() + 1), least, most);
  ResidencyPlan plan = planResidency(problem, width);
  makeRoom(plan.chosen);
  apply(plan.chosen);
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
    keptLoads += planner.numLoaded;
  }
};

} // namespace
