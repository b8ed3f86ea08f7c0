//===- L2Tiles.cpp - How tensors lie in L2 --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2Tiles.h"

#include "ane/HW/Layout.h"

#include "llvm/ADT/BitVector.h"

#include <deque>
#include <set>
#include <tuple>
#include <vector>

using namespace mlir;
using namespace mlir::ane;

L2Tile mlir::ane::getL2Tile(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, MemRefType type,
                            L2User user, bool strips, Operation *compute) {
  if (user == L2User::ConvSource && compute && policy.convResident && !strips)
    return policy.convResident(compute);
  // What has a depth lies in L2 as that many more channels.
  int64_t rank = type.getRank(), width = type.getDimSize(rank - 1);
  int64_t channels = type.getDimSize(1) * (rank == 5 ? type.getDimSize(2) : 1);
  if (strips)
    width = policy.stripColumns(user, type, compute);
  L2Tile tile;
  tile.channelStride = ::ane::hw::alignTo(
      width * type.getElementType().getIntOrFloatBitWidth() / 8, info.l2Align);
  tile.dense = tile.channelStride * channels;
  tile.row =
      tile.dense + policy.rowPadding({user, channels, tile.dense, compute,
                                      type.getDimSize(rank - 2), width});
  return tile;
}

L2User mlir::ane::getResultUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvResult;
  return isOnNeuralEngines(compute) ? L2User::BypassResult
                                    : L2User::PlanarResult;
}

L2User mlir::ane::getSourceUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvSource;
  return isOnNeuralEngines(compute) ? L2User::Bypass : L2User::Planar;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t mlir::ane::getRowsHeld(Operation *compute, MemRefType source,
                               int64_t tile) {
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return *llvm::max_element(conv.getTileRows(tile));
  return std::min(tile, source.getShape().end()[-2]);
}

int64_t mlir::ane::getStreamedResultBytes(Operation *compute) {
  // Channels lie side by side only behind the DMA.
  auto interleave = dyn_cast<PeInterleaveOp>(compute);
  Value streamed =
      interleave ? Value(interleave.getInput()) : Value(compute->getResult(0));
  auto type = cast<MemRefType>(streamed.getType());
  return ::ane::hw::streamedResultBytes(
      type.getDimSize(1), type.getShape().back(),
      type.getElementTypeBitWidth() / 8, isOnNeuralEngines(compute));
}

int64_t mlir::ane::getRowStep(const MemoryPolicy &policy, Operation *compute) {
  auto type = cast<MemRefType>(compute->getResult(0).getType());
  int64_t width = type.getDimSize(3);
  // Work units of the NEs cover an image in 128 elements.
  if (isa<NeConvOp, NeBypassOp>(compute))
    return 128 / std::min<int64_t>(
                     128, llvm::PowerOf2Ceil(std::max<int64_t>(8, width)));
  return int64_t(1) << policy.patch(width, type.getDimSize(2), 2).height;
}

// Result rows that a task can be cut to: whole work units of the NEs or patches
// of the PE, and at most 16 tiles; a reduction cannot be cut.
static int64_t getLeastTile(const MemoryPolicy &policy, Operation *compute) {
  constexpr int64_t mostTiles = 16;
  if (auto reduce = dyn_cast<PeReduceOp>(compute))
    return reduce.getType().getDimSize(2) == 1
               ? reduce.getInput().getType().getShape().end()[-2]
               : 1;
  int64_t height =
      cast<MemRefType>(compute->getResult(0).getType()).getDimSize(2);
  int64_t step = getRowStep(policy, compute);
  int64_t rows = ::ane::hw::alignTo(llvm::divideCeil(height, mostTiles), step);
  return std::min(height, rows);
}

int64_t mlir::ane::getLeastSourceBytes(const ::ane::hw::GenerationInfo &info,
                                       const MemoryPolicy &policy,
                                       DmaLoadOp load) {
  Operation *compute = cast<TaskOp>(load->getParentOp()).getCompute();
  L2User user = getSourceUser(compute);
  constexpr int64_t gap = 0x80; // a second source of the PE is moved by less
  return getL2Tile(info, policy, load.getType(), user,
                   user != L2User::ConvSource, compute)
                 .row *
             getRowsHeld(compute, load.getType(),
                         getLeastTile(policy, compute)) +
         (user == L2User::Planar ? gap : 0);
}

int64_t mlir::ane::getLeastResultBytes(const ::ane::hw::GenerationInfo &info,
                                       const MemoryPolicy &policy,
                                       DmaStoreOp store) {
  Operation *compute = cast<TaskOp>(store->getParentOp()).getCompute();
  MemRefType type = store.getSource().getType();
  L2User user = getResultUser(compute);
  return getL2Tile(info, policy, type, user, user != L2User::ConvResult,
                   compute)
             .row *
         std::min(type.getDimSize(2), getLeastTile(policy, compute));
}

StreamNeed mlir::ane::getStreamNeed(const ::ane::hw::GenerationInfo &info,
                                    const MemoryPolicy &policy, TaskOp task) {
  StreamNeed need;
  for (auto load : task.getBody().front().getOps<DmaLoadOp>())
    if (!isKept(load))
      need.sources += getLeastSourceBytes(info, policy, load);
  if (DmaStoreOp store = task.getStore())
    need.result = getLeastResultBytes(info, policy, store);
  return need;
}

//===----------------------------------------------------------------------===//
// Values that stay
//===----------------------------------------------------------------------===//

namespace {

/// What is placed, by blocks of tasks, so that only what may live at the same
/// time is looked at.
class PlacedResidents {
public:
  /// Those that share a task with `resident`, by offset.
  ArrayRef<const L2Resident *> conflicts(const L2Resident &resident) {
    found.clear();
    for (int64_t block = resident.first / blockSize;
         block <= resident.last / blockSize; ++block)
      for (const L2Resident *other : blocks[block])
        if (other->first <= resident.last && resident.first <= other->last &&
            std::max(other->first, resident.first) / blockSize == block)
          found.push_back(other); // in the first block that they share
    llvm::sort(found, [](const L2Resident *a, const L2Resident *b) {
      return std::tuple(a->offset, a->bytes) < std::tuple(b->offset, b->bytes);
    });
    return found;
  }
  void insert(const L2Resident &resident) {
    for (int64_t block = resident.first / blockSize;
         block <= resident.last / blockSize; ++block)
      blocks[block].push_back(&resident);
  }

private:
  static constexpr int64_t blockSize = 32;
  DenseMap<int64_t, SmallVector<const L2Resident *>> blocks;
  SmallVector<const L2Resident *> found;
};

} // namespace

// Where `resident` can lie as far up as the others allow; below 0: nowhere.
static int64_t findHighest(const ::ane::hw::GenerationInfo &info,
                           const L2Resident &resident,
                           ArrayRef<const L2Resident *> others) {
  auto downTo = [&](int64_t end) {
    return llvm::alignDown(std::max<int64_t>(0, end), info.l2Align) -
           int64_t(::ane::hw::alignTo(resident.bytes, info.l2Align));
  };
  SmallVector<const L2Resident *> fromTop(others);
  llvm::sort(fromTop, [](const L2Resident *a, const L2Resident *b) {
    return a->offset + a->bytes > b->offset + b->bytes;
  });
  int64_t offset = downTo(info.l2Bytes);
  for (const L2Resident *other : fromTop)
    if (other->offset + other->bytes > offset)
      offset = std::min<int64_t>(offset, downTo(other->offset));
  return offset;
}

// Each as low as its life allows, in this order. What outlives what it would
// lie on and `usesTop` goes to the top: no gap is left below it then.
static void
placeInOrder(ArrayRef<L2Resident *> order,
             const ::ane::hw::GenerationInfo *info = nullptr,
             function_ref<bool(const L2Resident &)> usesTop = nullptr) {
  PlacedResidents placed;
  for (L2Resident *resident : order) {
    resident->offset = 0;
    ArrayRef<const L2Resident *> others = placed.conflicts(*resident);
    bool outlives = false;
    for (const L2Resident *other : others) {
      if (other->offset >= resident->offset + resident->bytes)
        continue;
      int64_t end = other->offset + other->bytes;
      if (end > resident->offset)
        outlives =
            other->first < resident->first && other->last < resident->last;
      resident->offset = std::max(resident->offset, end);
    }
    if (outlives && usesTop && usesTop(*resident))
      if (int64_t offset = findHighest(*info, *resident, others); offset >= 0)
        resident->offset = offset;
    placed.insert(*resident);
  }
}

// The largest first, each as low as its life allows.
static void placeLargestFirst(MutableArrayRef<L2Resident> residents) {
  SmallVector<L2Resident *> order;
  for (L2Resident &resident : residents)
    order.push_back(&resident);
  llvm::sort(order, [](const L2Resident *a, const L2Resident *b) {
    return std::tuple(-a->bytes, a->first, a->last) <
           std::tuple(-b->bytes, b->first, b->last);
  });
  placeInOrder(order);
}

bool mlir::ane::hasRoom(const ::ane::hw::GenerationInfo &info, int64_t bytes,
                        const StreamNeed &need) {
  return need.sources <= int64_t(info.l2SourceBytes) &&
         need.sources + need.result <= bytes;
}

static SmallVector<int64_t> crowdedTasks(const ::ane::hw::GenerationInfo &info,
                                         ArrayRef<L2Resident> residents,
                                         ArrayRef<StreamNeed> needs) {
  SmallVector<int64_t> crowded;
  llvm::BitVector isAbove(needs.size());
  for (const L2Resident &resident : residents)
    if (resident.offset + resident.bytes > int64_t(info.l2Bytes))
      for (int64_t at = resident.first; at <= resident.last; ++at)
        isAbove.set(at);
  SmallVector<L2Gap> gaps = getLargestGaps(info, residents, needs.size());
  for (auto [at, gap, need] : llvm::enumerate(gaps, needs))
    if (isAbove.test(at) || (gap.size() < int64_t(info.l2Bytes) &&
                             !hasRoom(info, gap.size(), need)))
      crowded.push_back(at);
  return crowded;
}

// Whether it lives at the task, or at one of as many around it.
static bool isNear(const L2Resident &resident, int64_t task, int64_t around) {
  return resident.first <= task + around && task - around <= resident.last;
}

namespace {

/// Tries orders in which residents get their addresses.
class ResidentOrders {
public:
  ResidentOrders(const ::ane::hw::GenerationInfo &info,
                 MutableArrayRef<L2Resident> residents,
                 ArrayRef<StreamNeed> needs)
      : info(info), residents(residents), needs(needs), trial(residents) {
    placeLargestFirst(residents);
    crowded = crowdedTasks(info, residents, needs);
    for (L2Resident &resident : trial)
      order.push_back(&resident);
    sortBy(
        [](const L2Resident &r) { return Key(-r.bytes, r.first, r.last, 0); });
    best = order;
  }
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;
  void sortBy(Key (*key)(const L2Resident &)) {
    llvm::sort(order, [&](const L2Resident *a, const L2Resident *b) {
      return key(*a) < key(*b);
    });
  }
  /// Whether the order is at least as good as the best one so far, or better.
  /// Only what leaves room for all may use the top, where results of tasks that
  /// have too little of it go on streaming.
  bool accept(function_ref<bool(const L2Resident &)> usesTop,
              bool isBetter = false) {
    placeInOrder(order, &info, usesTop);
    SmallVector<int64_t> now = crowdedTasks(info, trial, needs);
    if (usesTop ? !now.empty() : now.size() + isBetter > crowded.size()) {
      order = best;
      return false;
    }
    best = order;
    crowded = std::move(now);
    llvm::copy(trial, residents.begin());
    return true;
  }
  /// What lives at the task, or as many tasks around it, comes first, as it is
  /// or by size, and then what streams there.
  void prefer(int64_t task, int64_t around, bool bySize, bool withStream) {
    std::vector<std::tuple<int64_t, size_t, L2Resident *>> first;
    SmallVector<L2Resident *> rest;
    for (L2Resident *resident : order)
      if (isNear(*resident, task, around))
        first.push_back(
            {bySize ? -resident->bytes : 0, first.size(), resident});
      else
        rest.push_back(resident);
    llvm::sort(first);
    order.clear();
    for (auto [bytes, number, resident] : first)
      order.push_back(resident);
    if (withStream)
      order.push_back(&streams.emplace_back(
          L2Resident{task, task, needs[task].sources + needs[task].result}));
    llvm::append_range(order, rest);
  }

  SmallVector<int64_t> crowded;

private:
  const ::ane::hw::GenerationInfo &info;
  MutableArrayRef<L2Resident> residents;
  ArrayRef<StreamNeed> needs;
  SmallVector<L2Resident> trial;
  std::deque<L2Resident> streams;
  SmallVector<L2Resident *> order, best;
};

} // namespace

static SmallVector<int64_t> placeTogether(const ::ane::hw::GenerationInfo &info,
                                          MutableArrayRef<L2Resident> residents,
                                          ArrayRef<StreamNeed> needs) {
  ResidentOrders orders(info, residents, needs);
  // By time of life, by the room that life takes, as they come.
  using Key = ResidentOrders::Key;
  Key (*keys[])(const L2Resident &) = {
      [](const L2Resident &r) {
        return Key(r.first - r.last, -r.bytes, r.first, r.last);
      },
      [](const L2Resident &r) {
        return Key((r.first - r.last - 1) * r.bytes, -r.bytes, r.first, r.last);
      },
      [](const L2Resident &r) { return Key(r.first, -r.last, -r.bytes, 0); }};
  for (bool usesTop : {false, true})
    for (auto key : keys) {
      if (orders.crowded.empty())
        return orders.crowded;
      orders.sortBy(key);
      if (usesTop)
        orders.accept([](const L2Resident &) { return true; });
      else
        orders.accept(nullptr);
    }
  // Then those first that found no room, and where that is not enough with what
  // streams and with more of those around them; a try takes time by their
  // number.
  int64_t tries = std::min<int64_t>(64, 20000 / (residents.size() + 1));
  int64_t around = 0;
  for (int64_t i = 0; i < tries && !orders.crowded.empty(); ++i) {
    size_t before = orders.crowded.size();
    int64_t task = orders.crowded[i / 2 % before];
    bool bySize = i / 2 % 2, withStream = i / 4 % 2;
    orders.prefer(task, around, bySize, withStream);
    auto isNearTask = [&](const L2Resident &resident) {
      return isNear(resident, task, around);
    };
    if (i % 2)
      orders.accept(isNearTask);
    else
      orders.accept(nullptr, /*isBetter=*/bySize || withStream);
    if (orders.crowded.size() < before)
      around = 0;
    else if (i % 8 == 7)
      around = around < 64 ? 2 * around + 1 : 0;
  }
  return orders.crowded;
}

// Where nothing lives from one task to the next, what comes before and what
// comes behind are placed each on its own.
SmallVector<int64_t>
mlir::ane::placeResidents(const ::ane::hw::GenerationInfo &info,
                          MutableArrayRef<L2Resident> residents,
                          ArrayRef<StreamNeed> needs) {
  SmallVector<L2Resident *> byStart(llvm::make_pointer_range(residents));
  // They are elements of one array.
  llvm::sort(byStart, [](const L2Resident *a, const L2Resident *b) {
    return std::tuple(a->first, a) < std::tuple(b->first, b);
  });
  SmallVector<int64_t> crowded;
  for (size_t begin = 0, end; begin < byStart.size(); begin = end) {
    int64_t first = byStart[begin]->first, last = first;
    for (end = begin; end < byStart.size() && byStart[end]->first <= last;
         ++end)
      last = std::max(last, byStart[end]->last);
    SmallVector<L2Resident> part;
    for (L2Resident *resident : ArrayRef(byStart).slice(begin, end - begin)) {
      part.push_back(*resident);
      part.back().first -= first;
      part.back().last -= first;
    }
    for (int64_t task :
         placeTogether(info, part, needs.slice(first, last - first + 1)))
      crowded.push_back(first + task);
    for (auto [i, placed] : llvm::enumerate(part))
      byStart[begin + i]->offset = placed.offset;
  }
  return crowded;
}

SmallVector<L2Gap>
mlir::ane::getLargestGaps(const ::ane::hw::GenerationInfo &info,
                          ArrayRef<L2Resident> residents, size_t count) {
  SmallVector<SmallVector<const L2Resident *, 2>> starts(count), stops(count);
  for (const L2Resident &resident : residents) {
    starts[resident.first].push_back(&resident);
    stops[resident.last].push_back(&resident);
  }
  std::multiset<std::pair<int64_t, int64_t>> live; // begin and end
  auto rangeOf = [](const L2Resident *resident) {
    return std::pair(resident->offset, resident->offset + resident->bytes);
  };
  SmallVector<L2Gap> gaps;
  for (size_t at = 0; at < count; ++at) {
    for (const L2Resident *resident : starts[at])
      live.insert(rangeOf(resident));
    L2Gap largest;
    int64_t behind = 0;
    auto close = [&](int64_t next) {
      if (next - behind > largest.size())
        largest = {behind, next};
    };
    for (auto [begin, end] : live) {
      close(begin);
      behind = std::max(behind, end);
    }
    close(info.l2Bytes);
    if (!largest.size())
      largest = {behind, behind};
    gaps.push_back(largest);
    for (const L2Resident *resident : stops[at])
      live.erase(live.find(rangeOf(resident)));
  }
  return gaps;
}

ByteLayout mlir::ane::getResidentLayout(MemRefType type, const L2Tile &tile) {
  ByteLayout layout;
  int64_t image =
      type.getDimSize(0) == 1 ? tile.dense : tile.row * type.getDimSize(2);
  layout.strides = {image, tile.channelStride, tile.row,
                    type.getElementType().getIntOrFloatBitWidth() / 8};
  if (type.getRank() == 5)
    layout.strides.insert(layout.strides.begin() + 2,
                          tile.channelStride * type.getDimSize(1));
  return layout;
}

ByteLayout mlir::ane::getPlanarLayout(const ::ane::hw::GenerationInfo &info,
                                      MemRefType type) {
  int64_t size = type.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t row = ::ane::hw::alignTo(type.getDimSize(3) * size, info.l2Align);
  int64_t plane = row * type.getDimSize(2);
  ByteLayout layout;
  layout.strides = {plane * type.getDimSize(1), plane, row, size};
  return layout;
}

bool mlir::ane::hasViewsInL2(Value source, const ByteLayout &layout) {
  return llvm::all_of(source.getUsers(), [&](Operation *user) {
    if (!isView(user))
      return true;
    std::optional<ByteLayout> view =
        getViewLayout(user, layout, MemorySpace::L2);
    return view && hasViewsInL2(user->getResult(0), *view);
  });
}

int64_t mlir::ane::getResidentBytes(MemRefType type, const ByteLayout &layout) {
  int64_t bytes = 0; // the longest run of a dimension holds the others
  for (auto [extent, stride] : llvm::zip(type.getShape(), layout.strides))
    if (extent > 1 || &stride == &layout.strides.end()[-2])
      bytes = std::max(bytes, extent * stride);
  return bytes;
}

// Who writes the place of a value that a task leaves in L2.
static L2User getWriter(Value value) {
  if (auto load = value.getDefiningOp<DmaLoadOp>())
    return getSourceUser(cast<TaskOp>(load->getParentOp()).getCompute());
  return getResultUser(value.getDefiningOp());
}

SmallVector<ResidentValue>
mlir::ane::collectResidents(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, ArrayRef<TaskOp> tasks,
                            ArrayRef<L2BufferOp> buffers) {
  DenseMap<Operation *, int64_t> time;
  for (TaskOp task : tasks)
    time[task] = time.size();
  SmallVector<ResidentValue> residents;
  auto add = [&](Value root, int64_t first, L2User user, Operation *compute) {
    ResidentValue resident{root, user, compute, {}, {}};
    resident.life.first = resident.life.last = first;
    forEachUse(root, [&](OpOperand &use) {
      if (auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp()))
        resident.life.last = std::max(resident.life.last, time[task]);
    });
    auto type = cast<MemRefType>(root.getType());
    auto buffer = root.getDefiningOp<L2BufferOp>();
    resident.layout =
        buffer && buffer.getPlanar()
            ? getPlanarLayout(info, type)
            : getResidentLayout(
                  type, getL2Tile(info, policy, type, user, false, compute));
    resident.life.bytes = getResidentBytes(type, resident.layout);
    residents.push_back(resident);
  };
  for (TaskOp task : tasks) {
    auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
    for (OpResult result : task.getResults())
      add(result, time[task],
          getWriter(yield.getResults()[result.getResultNumber()]),
          task.getCompute());
  }
  for (L2BufferOp buffer : buffers) {
    int64_t first = tasks.size();
    L2User user = L2User::Planar;
    forEachUse(buffer, [&](OpOperand &use) {
      auto keep = dyn_cast<KeepOp>(use.getOwner());
      if (!keep || time[keep->getParentOp()] >= first)
        return;
      first = time[keep->getParentOp()];
      user = getWriter(keep.getSource());
    });
    if (first < int64_t(tasks.size()))
      add(buffer, first, user, nullptr);
  }
  return residents;
}

bool mlir::ane::isKept(DmaLoadOp load) {
  return load.getResidency() == Residency::Kept;
}
