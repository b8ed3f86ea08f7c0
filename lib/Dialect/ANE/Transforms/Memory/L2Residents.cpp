//===- L2Residents.cpp - Addresses of what stays in L2 --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem of packing: what lives at the same time lies apart, and leaves room
// for the tiles of the tasks of that time. Both ane-keep-in-l2, which asks
// whether there is such a packing, and ane-allocate-l2 come here, with the same
// lives.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "ane/HW/Layout.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace mlir;
using namespace mlir::ane;

// Those that have no pieces are there as a whole all the time.
static SmallVector<L2Piece, 1> piecesOf(const L2Resident &resident) {
  if (resident.pieces.empty())
    return {{resident.first, resident.last, 0, resident.bytes}};
  return SmallVector<L2Piece, 1>(resident.pieces.begin(),
                                 resident.pieces.end());
}

SmallVector<L2Piece> mlir::ane::joinPieces(ArrayRef<L2Piece> parts) {
  // Who comes, and who has gone, by task.
  std::map<int64_t, SmallVector<std::pair<const L2Piece *, bool>, 2>> events;
  for (const L2Piece &part : parts) {
    events[part.first].push_back({&part, true});
    events[part.last + 1].push_back({&part, false});
  }
  std::multiset<std::pair<int64_t, int64_t>> live; // begin and end
  SmallVector<L2Piece> joined, before;
  for (auto event = events.begin(); event != events.end(); ++event) {
    for (auto [part, comes] : event->second)
      if (comes)
        live.emplace(part->begin, part->end);
      else
        live.erase(live.find({part->begin, part->end}));
    SmallVector<L2Piece> now;
    int64_t first = event->first,
            last = live.empty() ? first : std::next(event)->first - 1;
    for (auto [begin, end] : live)
      if (now.empty() || begin > now.back().end)
        now.push_back({first, last, begin, end});
      else
        now.back().end = std::max(now.back().end, end);
    // What was there before goes on.
    for (L2Piece &piece : now)
      for (const L2Piece &old : before)
        if (old.begin == piece.begin && old.end == piece.end)
          piece.first = old.first;
    llvm::append_range(joined, llvm::make_filter_range(before, [&](auto &old) {
                         return llvm::none_of(now, [&](const L2Piece &piece) {
                           return piece.begin == old.begin &&
                                  piece.end == old.end;
                         });
                       }));
    before = std::move(now);
  }
  return joined;
}

L2Piece mlir::ane::getPart(MemRefType place, const ByteLayout &layout,
                           int64_t bytes, int64_t channel, int64_t row,
                           ArrayRef<int64_t> shape) {
  L2Piece part{0, 0, 0, bytes};
  if (place.getRank() != 4 || place.getDimSize(0) != 1)
    return part;
  bool isOfRow = shape[2] == 1 && shape[1] < place.getDimSize(1);
  int64_t channelBytes = layout.strides[1], rowBytes = layout.strides[2];
  part.begin = row * rowBytes + (isOfRow ? channel * channelBytes : 0);
  part.end = std::min(bytes, part.begin + (isOfRow ? shape[1] * channelBytes
                                                   : shape[2] * rowBytes));
  return part;
}

namespace {

/// Bytes [begin, end) of L2 that are taken, all of them by what touches; `last`
/// is what ends there.
struct TakenBytes {
  int64_t begin, end;
  const L2Resident *last;
};

/// Such ranges, by address, that do not touch.
class TakenRanges {
public:
  void add(TakenBytes more);
  ArrayRef<TakenBytes> ranges() const { return sorted; }

private:
  SmallVector<TakenBytes, 2> sorted;
};

/// What is placed, in a tree of ranges of tasks: whoever asks for a range looks
/// at few of these, and not at each resident.
class PlacedResidents {
public:
  explicit PlacedResidents(int64_t numTasks)
      : leaves(llvm::PowerOf2Ceil(std::max<int64_t>(numTasks, 1))),
        nodes(2 * leaves) {}

  void insert(const L2Resident &resident);
  /// What is taken in tasks `first` to `last`; ranges may overlap.
  void collect(int64_t first, int64_t last,
               SmallVectorImpl<TakenBytes> &taken) const;

private:
  struct Node {
    TakenRanges all;    ///< in all of its tasks
    TakenRanges within; ///< in one of them, by what is not in all
  };
  size_t leaves;
  std::vector<Node> nodes; ///< a heap: children of i are 2 i and 2 i + 1
};

/// What keeps a resident from offsets between `low` and `high`.
struct Conflict {
  int64_t low, high;
  const L2Resident *other;
};

} // namespace

void TakenRanges::add(TakenBytes more) {
  auto *first = llvm::partition_point(
      sorted, [&](const TakenBytes &range) { return range.end < more.begin; });
  auto *end = first;
  for (; end != sorted.end() && end->begin <= more.end; ++end) {
    if (end->end >= more.end)
      more.last = end->last;
    more.begin = std::min(more.begin, end->begin);
    more.end = std::max(more.end, end->end);
  }
  if (first == end) {
    sorted.insert(first, more);
    return;
  }
  *first = more;
  sorted.erase(first + 1, end);
}

void PlacedResidents::insert(const L2Resident &resident) {
  for (const L2Piece &piece : piecesOf(resident)) {
    TakenBytes taken = {resident.offset + piece.begin,
                        resident.offset + piece.end, &resident};
    auto cover = [&](size_t node) {
      nodes[node].all.add(taken);
      for (node /= 2; node > 0; node /= 2)
        nodes[node].within.add(taken);
    };
    for (size_t low = leaves + piece.first, high = leaves + piece.last + 1;
         low < high; low /= 2, high /= 2) {
      if (low % 2)
        cover(low++);
      if (high % 2)
        cover(--high);
    }
  }
}

void PlacedResidents::collect(int64_t first, int64_t last,
                              SmallVectorImpl<TakenBytes> &taken) const {
  auto visit = [&](size_t node) {
    llvm::append_range(taken, nodes[node].all.ranges());
    llvm::append_range(taken, nodes[node].within.ranges());
  };
  SmallPtrSet<const Node *, 32> above;
  for (size_t low = leaves + first, high = leaves + last + 1; low < high;
       low /= 2, high /= 2) {
    for (size_t node : {low % 2 ? low++ : 0, high % 2 ? --high : 0}) {
      if (node == 0)
        continue;
      visit(node);
      for (node /= 2; node > 0 && above.insert(&nodes[node]).second; node /= 2)
        llvm::append_range(taken, nodes[node].all.ranges());
    }
  }
}

// Where `resident` can lie as far up as the others allow; below 0: nowhere.
static int64_t findHighest(const ::ane::hw::GenerationInfo &info,
                           const L2Resident &resident,
                           ArrayRef<Conflict> conflicts) {
  auto alignedDown = [&](int64_t offset) {
    return llvm::divideFloorSigned(offset, int64_t(info.l2Align)) *
           int64_t(info.l2Align);
  };
  SmallVector<Conflict> fromTop(conflicts);
  llvm::sort(fromTop, [](const Conflict &a, const Conflict &b) {
    return a.high > b.high;
  });
  int64_t offset = alignedDown(int64_t(info.l2Bytes) - resident.bytes);
  for (const Conflict &conflict : fromTop)
    if (conflict.high > offset)
      offset = std::min(offset, alignedDown(conflict.low));
  return offset;
}

// Ordered by address; relative to the start of `resident`, of which each piece
// has others beside it.
static SmallVector<Conflict> conflictsOf(const L2Resident &resident,
                                         const PlacedResidents &placed) {
  SmallVector<Conflict> conflicts;
  SmallVector<TakenBytes> taken;
  for (const L2Piece &own : piecesOf(resident)) {
    taken.clear();
    placed.collect(own.first, own.last, taken);
    for (const TakenBytes &range : taken)
      conflicts.push_back(
          {range.begin - own.end, range.end - own.begin, range.last});
  }
  llvm::sort(conflicts, [](const Conflict &a, const Conflict &b) {
    return std::tuple(a.low, a.high) < std::tuple(b.low, b.high);
  });
  return conflicts;
}

// Each as low as its life allows, in this order. What outlives what it would
// lie on and `usesTop` goes to the top: no gap is left below it then.
static void
placeInOrder(ArrayRef<L2Resident *> order,
             const ::ane::hw::GenerationInfo *info = nullptr,
             function_ref<bool(const L2Resident &)> usesTop = nullptr) {
  int64_t numTasks = 0;
  for (const L2Resident *resident : order)
    numTasks = std::max(numTasks, resident->last + 1);
  PlacedResidents placed(numTasks);
  for (L2Resident *resident : order) {
    resident->offset = 0;
    SmallVector<Conflict> conflicts = conflictsOf(*resident, placed);
    bool outlives = false;
    for (auto [low, high, other] : conflicts) {
      if (low >= resident->offset || high <= resident->offset)
        continue;
      outlives = other->first < resident->first && other->last < resident->last;
      resident->offset = high;
    }
    if (outlives && usesTop && usesTop(*resident))
      if (int64_t offset = findHighest(*info, *resident, conflicts);
          offset >= 0)
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
      for (const L2Piece &piece : piecesOf(resident))
        if (resident.offset + piece.end > int64_t(info.l2Bytes))
          isAbove.set(piece.first, piece.last + 1);
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
// comes after are placed each on its own.
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
    int64_t first = byStart[begin]->first, last = byStart[begin]->last;
    for (end = begin + 1; end < byStart.size() && byStart[end]->first <= last;
         ++end)
      last = std::max(last, byStart[end]->last);
    SmallVector<L2Resident> part;
    for (L2Resident *resident : ArrayRef(byStart).slice(begin, end - begin)) {
      part.push_back(*resident);
      part.back().first -= first;
      part.back().last -= first;
      for (L2Piece &piece : part.back().pieces) {
        piece.first -= first;
        piece.last -= first;
      }
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
  PlacedResidents placed(count);
  for (const L2Resident &resident : residents)
    placed.insert(resident);
  SmallVector<L2Gap> gaps;
  SmallVector<TakenBytes> taken;
  for (size_t at = 0; at < count; ++at) {
    taken.clear();
    placed.collect(at, at, taken);
    llvm::sort(taken, [](const TakenBytes &a, const TakenBytes &b) {
      return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end);
    });
    L2Gap largest;
    int64_t behind = 0;
    auto close = [&](int64_t next) {
      if (next - behind > largest.size())
        largest = {behind, next};
    };
    for (const TakenBytes &range : taken) {
      close(range.begin);
      behind = std::max(behind, range.end);
    }
    close(info.l2Bytes);
    if (!largest.size())
      largest = {behind, behind};
    gaps.push_back(largest);
  }
  return gaps;
}
