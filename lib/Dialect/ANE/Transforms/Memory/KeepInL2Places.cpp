//===- KeepInL2Places.cpp - Which tensors lie in the same place of L2 -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result may lie where a source lies that nobody reads any more. Places that
// are chosen so get addresses, and what finds no room goes back to DRAM.
//
//===----------------------------------------------------------------------===//

#include "KeepInL2.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Results in the place of sources
//===----------------------------------------------------------------------===//

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

// Whether the result can lie in the source, `offset` after its first row and
// channel: nothing is read after the task that writes over it.
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
    // Channels of several rows lie apart, images of more rows further.
    bool isPart = room[1] != shape[1];
    bool isAlike = other.isPlanar == whole.isPlanar && room[0] == shape[0] &&
                   room[3] == shape[3] && offset.channel >= 0 &&
                   offset.channel + shape[1] <= room[1] &&
                   (!isPart || room[2] == 1) &&
                   (shape[0] == 1 || room[2] == shape[2]) &&
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
      // The strides are those of whoever came first, perhaps padded for the PE.
      const Candidate &owner = candidates[place[pair.source].item];
      const Candidate &result = candidates[pair.result];
      if (owner.whole && result.whole &&
          !hasViewsInL2(BufferOp(result.whole->buffer), owner.layout))
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

// By place: the rows that it needs, since one that lies there may have more
// than the first one, or end further down.
SmallVector<int64_t> L2Planner::countRows(const llvm::BitVector &chosen,
                                          ArrayRef<Place> place) const {
  SmallVector<int64_t> rows(problem.items.size(), 0);
  for (uint32_t i : chosen.set_bits()) {
    if (!candidates[i].whole)
      continue;
    BufferOp buffer = candidates[i].whole->buffer;
    int64_t end = place[i].offset.row + buffer.getType().getDimSize(2);
    rows[place[i].item] = std::max(rows[place[i].item], end);
  }
  return rows;
}

// By place. What lies in it may need less of it than others before or after,
// unless rows of a channel lie one after the other.
std::map<uint32_t, L2Resident>
L2Planner::findLives(const llvm::BitVector &chosen, ArrayRef<Place> place,
                     ArrayRef<int64_t> rows) const {
  std::map<uint32_t, L2Resident> lives;
  for (uint32_t i : chosen.set_bits()) {
    const ResidencyItem &item = problem.items[i];
    uint32_t owner = place[i].item;
    auto [it, isNew] = lives.try_emplace(owner);
    L2Resident &life = it->second;
    life.first = isNew ? item.first : std::min(life.first, item.first);
    life.last = std::max(life.last, item.last);
    life.bytes = problem.items[owner].bytes;
    const std::optional<BufferAccesses> &first = candidates[owner].whole;
    if (!first)
      continue;
    // As large as the place is made: of the first one, with more rows.
    MemRefType type = BufferOp(first->buffer).getType();
    int64_t ownRows = type.getDimSize(2);
    life.bytes += life.bytes / ownRows * (rows[owner] - ownRows);
    if (first->isPlanar || policy.placeResidents)
      continue;
    BufferOp buffer = candidates[i].whole->buffer;
    L2Piece part = getPart(type, candidates[owner].layout, life.bytes,
                           place[i].offset.channel, place[i].offset.row,
                           buffer.getType().getShape());
    part.first = item.first;
    part.last = item.last;
    life.pieces.push_back(part);
  }
  for (auto &[owner, life] : lives) {
    SmallVector<L2Piece> pieces = joinPieces(life.pieces);
    life.pieces.assign(pieces.begin(), pieces.end());
    if (pieces.size() == 1 && pieces[0].end - pieces[0].begin == life.bytes)
      life.pieces.clear();
  }
  return lives;
}

// Tasks for whose tiles the addresses of what stays leave no room.
SmallVector<int64_t>
L2Planner::findCrowded(const llvm::BitVector &chosen) const {
  SmallVector<Place> place = glueChosen(chosen);
  SmallVector<L2Resident> residents;
  for (auto &[number, life] :
       findLives(chosen, place, countRows(chosen, place)))
    residents.push_back(life);
  SmallVector<StreamNeed> needs;
  for (size_t at = 0; at < tasks.size(); ++at)
    needs.push_back(getStreamNeed(problem, at, chosen));
  return placeResidents(info, residents, needs);
}

// Takes items out until the addresses of the others leave room for all tiles,
// of those in the way the one that is worth least.
void L2Planner::makeRoom(llvm::BitVector &chosen,
                         function_ref<double(uint32_t)> worth) const {
  while (true) {
    dropContinued(chosen);
    SmallVector<int64_t> crowded = findCrowded(chosen);
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
}

// What saves least for a byte and task goes, or what saves least in all: what
// is there for long may save most.
void L2Planner::makeRoom(llvm::BitVector &chosen) const {
  SmallVector<int64_t> savings = getSavings(problem);
  dropContinued(chosen);
  llvm::BitVector all = chosen, other = chosen;
  makeRoom(chosen, [&](uint32_t i) {
    const ResidencyItem &item = problem.items[i];
    return savings[i] / (double(item.bytes) * (item.last - item.first + 1));
  });
  if (chosen == all)
    return;
  makeRoom(other, [&](uint32_t i) { return double(savings[i]); });
  if (getSavedBytes(problem, other) > getSavedBytes(problem, chosen))
    chosen = std::move(other);
  takeBack(chosen, all, savings);
}

// What went first may have gone in vain: what went later has made room for it.
// Those that save most are tried, as many as take about the time of a try of
// places.
void L2Planner::takeBack(llvm::BitVector &chosen, const llvm::BitVector &all,
                         ArrayRef<int64_t> savings) const {
  SmallVector<std::pair<int64_t, uint32_t>> gone;
  for (uint32_t i : all.set_bits())
    if (!chosen.test(i))
      gone.push_back({-savings[i], i});
  llvm::sort(gone);
  gone.truncate(std::min<size_t>(gone.size(), 40000 / (all.count() + 1)));
  for (auto [saved, i] : gone) {
    llvm::BitVector more = chosen;
    more.set(i);
    dropContinued(more);
    if (more.test(i) && findCrowded(more).empty())
      chosen = std::move(more);
  }
}
