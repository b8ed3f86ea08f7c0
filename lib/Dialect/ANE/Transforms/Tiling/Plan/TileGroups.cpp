//===- TileGroups.cpp - Groups of ops that are cut together ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileGroups.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

void TileStep::addOutput(const TileGraph &graph, const TileNode &node,
                         int64_t readBytes) {
  const TileValue &value = graph.values[node.result];
  auto *known = llvm::find_if(
      outputs, [&](const Output &output) { return output.root == value.root; });
  if (known == outputs.end())
    known = outputs.insert(known, {value.root, 0, false});
  known->bytes += value.dramBytes + readBytes;
  known->isStored |= node.isStored || graph.values[value.root].isTooWide;
}

bool mlir::ane::keepsRowsOf(const TileNode &node, KeptRows kept) {
  return !node.isView &&
         (kept == KeptRows::All || (kept == KeptRows::Narrow && node.isNarrow));
}

// How long a strip is. Where the cut goes through rows at some place, strips
// are aligned at all places.
static int64_t stripUnits(int64_t extent, int strips, int64_t align) {
  return ::ane::hw::alignTo(llvm::divideCeil(extent, strips), align);
}

GroupGrower::GroupGrower(const TileGraph &graph, int64_t budget)
    : graph(graph), budget(budget), needs(graph.values.size()),
      earlyLive(graph.nodes.size()), live(graph.nodes.size()),
      passing(graph.nodes.size()), joined(graph.nodes.size()),
      claimed(graph.nodes.size()), written(graph.nodes.size()),
      keptPlaces(graph.values.size(), 0) {}

// Parts that are shifted against each other are more together than each is.
void GroupGrower::Need::add(int64_t from, int64_t count) {
  int64_t behind = count - from;
  if (units) {
    behind = std::max(behind, units - before);
    from = std::max(from, before);
  }
  before = from;
  units = before + behind;
}

// What is needed of the result of `number` needs some of the operand.
bool GroupGrower::use(int number, const TileNode::Operand &operand,
                      const CutMap &map, const Need &from) {
  const TileValue &entry = graph.values[operand.value];
  Need &need = needs[operand.value];
  if (need.stamp != stamp)
    need = {stamp, 0, map.dim, false, true};
  if (map.kind == CutMap::Whole) {
    need.isWhole = true;
    step.sources.push_back(
        {operand.value,
         entry.dramBytes * graph.nodes[number].passes * cut.strips, 0, number});
    return true;
  }
  bool isAligned = cut.align == columnAlign;
  if ((need.units && need.dim != map.dim) || (isAligned && !map.isPlain()) ||
      (!isAligned && map.dim == 3))
    return false;
  need.dim = map.dim;
  int64_t extent = entry.extents[map.dim], units = from.units;
  // Where strips do not start at whole blocks, the first may be the last row of
  // one.
  int64_t blocks = units % map.unit ? (units + map.unit - 2) / map.unit + 1
                                    : units / map.unit;
  int64_t wanted = std::min(extent, (blocks - 1) * map.stride + map.span);
  need.isPlain &= map.isPlain();
  int64_t before =
      map.before - llvm::divideFloorSigned(-from.before, map.unit) * map.stride;
  // A few rows of all are for one of the strips, wherever they are.
  const auto &extents = graph.values[graph.nodes[number].result].extents;
  bool isForOne =
      isa<SliceOp>(graph.nodes[number].op) && extents[from.dim] < cut.strips;
  need.add(isForOne ? need.before : before, wanted);
  int64_t overlap =
      std::max<int64_t>(0, wanted - llvm::divideCeil(extent, cut.strips));
  int64_t read =
      std::min(extent + (cut.strips - 1) * overlap, cut.strips * wanted);
  findShared(number, operand.value, entry.dramBytes / extent * read,
             entry.l2Bytes / extent * wanted);
  addTile(number, operand.value, entry.l2Bytes / extent, wanted, map,
          entry.dramBytes / extent * read);
  return true;
}

// What streams `bytes` of a value from outside, of which a strip needs `wanted`
// times `unit` bytes of L2.
void GroupGrower::addTile(int number, int value, int64_t unit, int64_t wanted,
                          const CutMap &map, int64_t bytes) {
  const TileNode &node = graph.nodes[number];
  TileStep::Source source{value, bytes * node.passes, 0};
  int64_t rows = std::max(streamedRows, node.tileRows);
  int64_t tile = std::min(wanted, rows * map.stride + map.span);
  source.user = source.start = source.end = number;
  if (isa<ConcatOp>(node.op)) {
    // What is joined with others is copied to its place beside them.
    source.isCopied = true;
    tile = wanted;
    source.end = findLastUse(node.result);
  } else if (node.addedIn >= 0 && node.addedIn <= cut.last) {
    // So are rows for one product of all that is added.
    source.isCopied = true;
    tile = wanted;
    source.end = node.addedIn;
  } else if (node.isView && node.joinedIn < 0) {
    // Whoever looks through the view streams it.
    source.start = source.end = std::max(number, findLastUse(node.result));
  } else if (node.passes > 1 && cut.keptRows == KeptRows::None &&
             8 * unit * wanted <= 7 * budget) {
    // What several tasks read stays there for all of them, if it can.
    source.bytes = bytes;
    tile = wanted;
  }
  source.tile = unit * tile;
  for (int at = source.start; at <= source.end; ++at)
    passing[at] += source.tile;
  step.sources.push_back(source);
}

// Uses inside of what is computed inside are no sources.
void GroupGrower::forgetSources(int value) {
  llvm::erase_if(step.sources, [&](const TileStep::Source &source) {
    if (source.value != value)
      return false;
    for (int at = source.start; at <= source.end; ++at)
      passing[at] -= source.tile;
    return true;
  });
  llvm::erase_if(shared,
                 [&](const SharedTile &tile) { return tile.value == value; });
}

// Whether the next op that reads the same `bytes` of a value can have them from
// `number`, as KeepInL2.cpp keeps what was loaded.
void GroupGrower::findShared(int number, int value, int64_t bytes,
                             int64_t tile) {
  const TileNode &node = graph.nodes[number];
  if (!isa<ConvOp, ActivationOp>(node.op) || node.operands.size() != 1 ||
      needs[value].isWhole)
    return;
  auto readsSame = [&](const TileNode &other) {
    return needs[value].isPlain ||
           (other.operands.size() == 1 &&
            other.op->getName() == node.op->getName() &&
            other.operands[0].cuts[cut.dim - firstCutDim] ==
                node.operands[0].cuts[cut.dim - firstCutDim]);
  };
  for (const TileStep::Source &source : llvm::reverse(step.sources))
    if (source.value == value) {
      if (source.bytes == bytes && readsSame(graph.nodes[source.user])) {
        bool goesOn = llvm::any_of(shared, [&](const SharedTile &later) {
          return later.value == value && later.first == source.user;
        });
        shared.push_back({value, number, source.user, tile, goesOn});
      }
      return;
    }
}

// The same step with such tiles, if there is room for them. What loads one does
// so without tiles of its own.
bool GroupGrower::shareTiles(int first, TileStep &whole) const {
  if (shared.empty())
    return false;
  whole.sharesTiles = true;
  SmallVector<int64_t, 32> bytes;
  for (int at = first; at <= cut.last; ++at)
    bytes.push_back(std::max(earlyLive[at], live[at]) + passing[at]);
  auto add = [&](int from, int to, int64_t more) {
    for (int at = from; at <= to; ++at)
      bytes[at - first] += more;
  };
  for (const SharedTile &tile : shared) {
    add(tile.first, tile.goesOn ? tile.last - 1 : tile.last, tile.bytes);
    for (TileStep::Source &source : whole.sources) {
      if (source.value != tile.value)
        continue;
      if (source.user == tile.last)
        source.bytes = 0;
      // What a copy goes to is there nonetheless.
      if (!source.isCopied && (source.user == tile.first ||
                               (source.user == tile.last && !tile.goesOn)))
        add(source.start, source.end, -source.tile);
    }
  }
  whole.peak = *llvm::max_element(bytes);
  return whole.peak <= budget;
}

// The last node inside that reads a value, also through views.
int GroupGrower::findLastUse(int value) const {
  int end = graph.values[value].def;
  // Each value once, since there may be many ways through views.
  SmallVector<int, 8> seen = {value};
  for (size_t i = 0; i < seen.size(); ++i)
    for (int user : graph.users[seen[i]]) {
      if (user > cut.last)
        continue;
      end = std::max(end, user);
      const TileNode &node = graph.nodes[user];
      if (node.isView && !llvm::is_contained(seen, node.result))
        seen.push_back(node.result);
    }
  return end;
}

// How often nodes inside read a value, on all ways through views.
int64_t GroupGrower::countReads(int value) const {
  constexpr int64_t most = 1 << 20; // times its bytes is still a number
  int64_t reads = 0;
  std::map<int, int64_t> ways; // to views, the first of which comes next
  auto follow = [&](int read, int64_t count) {
    for (int user : graph.users[read]) {
      const TileNode &node = graph.nodes[user];
      if (user > cut.last)
        continue;
      int64_t &sum = node.isView ? ways[user] : reads;
      sum +=
          node.isView
              ? count
              : count * llvm::count_if(node.operands, [&](const auto &operand) {
                  return operand.value == read;
                });
      sum = std::min(sum, most);
    }
  };
  for (follow(value, 1); !ways.empty();) {
    auto [view, count] = *ways.begin();
    ways.erase(ways.begin());
    follow(graph.nodes[view].result, count);
  }
  return reads;
}

// Another look at a source that every strip needs all of.
bool GroupGrower::joinWholeView(int number, bool leaves) {
  const TileNode &node = graph.nodes[number];
  if (!node.isView || leaves || needs[node.result].units)
    return false;
  for (const TileNode::Operand &operand : node.operands)
    if (Need &other = needs[operand.value]; other.stamp == stamp)
      other.isWhole = true;
    else
      other = {stamp, 0, 0, true, true};
  return true;
}

bool GroupGrower::join(int number) {
  if (cut.keptRows != KeptRows::None)
    return joinKept(number);
  const TileNode &node = graph.nodes[number];
  const TileValue &value = graph.values[node.result];
  earlyLive[number] = live[number] = 0;
  passing[number] = written[number] = 0;
  Need &need = needs[node.result];
  bool isUsed = need.stamp == stamp;
  bool leaves = value.lastUse > cut.last;
  if (isUsed && need.isWhole)
    return joinWholeView(number, leaves);
  if (!isUsed)
    need = {stamp, 0, uint8_t(cut.dim), false, true};
  if (need.dim < firstCutDim)
    return false; // after a reshape it may be the first one
  int64_t extent = value.extents[need.dim];
  int64_t own = stripUnits(extent, cut.strips, cut.align == 2 ? 1 : cut.align);
  if (leaves && (extent < cut.strips || node.isView ||
                 llvm::divideCeil(extent, own) != uint64_t(cut.strips)))
    return false;
  // What leaves is a part of what is needed inside, and is copied.
  bool isCopied = leaves && isUsed && (!need.isPlain || need.units > own);
  if (leaves)
    need.add(0, own);
  int64_t units = need.units = std::min(extent, need.units);
  forgetSources(node.result);
  for (const TileNode::Operand &operand : node.operands) {
    const CutMap &map = operand.cuts[need.dim - firstCutDim];
    if (map.kind == CutMap::Impossible || !use(number, operand, map, need))
      return false;
  }
  hold(number, units, units, leaves, isCopied);
  step.weights += node.weightBytes * cut.strips;
  step.seconds += node.seconds * double(units) * cut.strips / extent;
  step.tasks += (node.tasks + isCopied) * cut.strips;
  return step.peak <= budget;
}

//===----------------------------------------------------------------------===//
// Rows that are kept
//===----------------------------------------------------------------------===//

// What rows [k * rows - lag, (k + 1) * rows + lead) of the result need.
bool GroupGrower::useKept(int number, const TileNode::Operand &operand,
                          const CutMap &map, int64_t lag) {
  const TileNode &node = graph.nodes[number];
  const TileValue &entry = graph.values[operand.value];
  const Need from = needs[node.result];
  Need &need = needs[operand.value];
  bool isNew = need.stamp != stamp;
  if (isNew)
    need = {stamp, 0, map.dim, false, true};
  if (map.kind == CutMap::Whole) {
    need.isWhole = true;
    step.sources.push_back(
        {operand.value, entry.dramBytes * node.passes * cut.strips, 0, number});
    return true;
  }
  int64_t rows = from.rows * map.stride;
  bool joinsRows =
      isa<ConcatOp>(node.op) && cast<ConcatOp>(node.op).getAxis() == map.dim;
  if (map.kind == CutMap::Impossible || map.unit > 1 || map.dim != 2 ||
      joinsRows || need.isWhole || (!isNew && need.rows != rows))
    return false;
  int64_t before = map.before + lag * map.stride;
  int64_t behind = (from.lead - 1) * map.stride + map.span - map.before;
  need.lag = isNew ? before : std::max(need.lag, before);
  need.lead = isNew ? behind : std::max(need.lead, behind);
  need.rows = rows;
  need.units = 1; // some
  int64_t extent = entry.extents[2];
  int64_t wanted = std::min(extent, rows + before + behind);
  int64_t read =
      std::min(extent + (cut.strips - 1) * std::max<int64_t>(0, wanted - rows),
               cut.strips * wanted);
  addTile(number, operand.value, entry.l2Bytes / extent, wanted, map,
          entry.dramBytes / extent * read);
  return true;
}

bool GroupGrower::joinKept(int number) {
  const TileNode &node = graph.nodes[number];
  const TileValue &value = graph.values[node.result];
  earlyLive[number] = 0;
  live[number] = kept;
  passing[number] = written[number] = 0;
  Need &need = needs[node.result];
  bool isUsed = need.stamp == stamp;
  bool leaves = value.lastUse > cut.last;
  if (isUsed && need.isWhole)
    return joinWholeView(number, leaves);
  int64_t extent = value.extents[2];
  if (!isUsed) {
    need = {stamp, 1, 2, false, true};
    need.rows = stripUnits(extent, cut.strips, cut.align);
  }
  if (!leaves && !node.isView && graph.values[value.root].isTooWide)
    return false; // no strip of it stays
  bool isCopied = leaves && isUsed && (need.lead > 0 || need.lag > 0);
  bool canKeep = keepsRowsOf(node, cut.keptRows);
  if (leaves) {
    if (node.isView || (isCopied && canKeep) || // not seen to pay
        llvm::divideCeil(extent, need.rows) != uint64_t(cut.strips))
      return false;
    need.lead = std::max<int64_t>(need.lead, 0);
    need.lag = std::max<int64_t>(need.lag, 0);
  }
  int64_t early = std::min(extent, need.rows + need.lead);
  int64_t units = std::min(extent, need.rows + need.lead + need.lag);
  bool isKept = canKeep && need.lead + need.lag > 0;
  forgetSources(node.result);
  for (const TileNode::Operand &operand : node.operands)
    if (!useKept(number, operand, operand.cuts[2 - firstCutDim],
                 isKept ? -need.lead : need.lag))
      return false;
  if (isKept)
    holdKept(number, early, units);
  else
    hold(number, early, units, leaves, isCopied);
  step.weights += node.weightBytes * cut.strips;
  step.seconds +=
      node.seconds * (isKept ? 1 : double(units) * cut.strips / extent);
  step.tasks += (node.tasks + isKept + isCopied) * cut.strips;
  return step.peak <= budget;
}

// The part of a strip lives until that of the next is begun with rows of it;
// that one lies in its place if the rows do not overlap where they go to.
void GroupGrower::holdKept(int number, int64_t early, int64_t units) {
  const TileValue &value = graph.values[graph.nodes[number].result];
  const Need &need = needs[graph.nodes[number].result];
  int64_t unit = value.l2Bytes / value.extents[2], bytes = unit * units;
  written[number] = bytes;
  if (need.lead + need.lag > need.rows)
    live[number] += bytes;
  holdJoined(number, unit * early, bytes, /*isCopied=*/true);
  int64_t row = findKeptRow(number), own = std::min(row, unit);
  kept += row * units;
  holdFor(number, cut.last, own * early, own * units);
  // The rest is there as well, but where the others come only. At `number` it
  // would leave too little for what streams to it, of which tiles are smaller
  // where there is less room.
  if (row > own)
    holdFor(graph.values[value.root].def, cut.last, (row - own) * early,
            (row - own) * units);
  notePeak(number, cut.last);
}

// Bytes of a row that are kept because that of `number` is. What is joined with
// others is one piece of memory, and goes together, unless others need more of
// it: then it is copied there.
int64_t GroupGrower::findKeptRow(int number) {
  int result = graph.nodes[number].result;
  const TileValue &value = graph.values[result];
  const TileValue &place = graph.values[value.root];
  const Need &own = needs[result], &all = needs[value.root];
  if (value.root == result || place.def <= number || place.def > cut.last ||
      place.extents[2] != value.extents[2] || own.lead != all.lead ||
      own.lag != all.lag)
    return value.l2Bytes / value.extents[2];
  if (keptPlaces[value.root] == stamp)
    return 0;
  keptPlaces[value.root] = stamp;
  for (TileStep::Source &source : step.sources) {
    if (!source.isCopied || source.user != place.def)
      continue;
    for (int at = source.start; at <= source.end; ++at)
      passing[at] -= source.tile;
    source.tile = 0;
  }
  return place.l2Bytes / place.extents[2];
}

// Whether no strip needs rows of a value from outside that the strip before
// would have overwritten.
bool GroupGrower::canBeOverwritten(int value) const {
  const Need &need = needs[value];
  if (need.stamp != stamp)
    return true;
  if (need.isWhole)
    return false;
  return cut.keptRows == KeptRows::None ? need.isPlain : need.lag <= 0;
}

// The result may lie over a whole source that ends here, where no strip needs
// rows of it that are overwritten.
void GroupGrower::findReused(int first) {
  const TileNode &node = graph.nodes[cut.last];
  step.reused = -1;
  step.needsOverwritten =
      llvm::any_of(step.outputs, [&](const TileStep::Output &output) {
        int over = graph.values[output.root].placedOver;
        return over >= 0 && graph.values[over].def < first &&
               !canBeOverwritten(over);
      });
  if (cut.keptRows == KeptRows::None || !node.worksInPlace)
    return;
  for (const TileNode::Operand &operand : node.operands) {
    const TileValue &value = graph.values[operand.value];
    if (value.def < first && value.root == operand.value &&
        value.end == cut.last && canBeOverwritten(operand.value) &&
        value.extents == graph.values[node.result].extents)
      step.reused = operand.value;
  }
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

void GroupGrower::holdFor(int number, int end, int64_t early, int64_t later) {
  for (int at = number; at <= end; ++at) {
    earlyLive[at] += early;
    live[at] += later;
  }
}

void GroupGrower::notePeak(int number, int end) {
  for (int at = number; at <= end; ++at)
    step.peak = std::max({step.peak, earlyLive[at], live[at]});
}

// What a concat joins is one piece of memory, all of which is there as soon as
// the first part is written to it, or is copied there, as what others need,
// too.
void GroupGrower::holdJoined(int number, int64_t early, int64_t later,
                             bool isCopied) {
  int concat = graph.nodes[number].joinedIn;
  if (concat < 0 || concat > cut.last)
    return;
  Joined &memory = joined[concat];
  if (memory.stamp != stamp)
    memory = {stamp, concat, 0, 0};
  int end = memory.start - 1;
  if (isCopied) {
    end = findLastUse(graph.nodes[concat].result);
    holdFor(memory.start, end, early, later);
  } else {
    holdFor(number, end, memory.early, memory.later);
    memory.start = number;
  }
  notePeak(memory.start, end);
  memory.early += early;
  memory.later += later;
  if (isCopied)
    return;
  for (TileStep::Source &source : step.sources) {
    bool isPart =
        source.user == concat || (graph.nodes[source.user].isView &&
                                  graph.nodes[source.user].joinedIn == concat);
    if (!isPart)
      continue;
    for (int at = number; at < source.start; ++at)
      passing[at] += source.tile;
    source.start = number;
  }
}

// Whether the op `last`, which is the last to read the `bytes` of a strip,
// writes its own over them.
bool GroupGrower::claimPlace(int number, int last, int64_t bytes,
                             int64_t units) {
  const TileNode &reader = graph.nodes[last];
  if (last == number || bytes == 0 || !reader.worksInPlace)
    return false;
  // Not over what it has yet to read of another part, or in a concat.
  int result = graph.nodes[number].result;
  bool isApart = reader.joinedIn >= 0 && reader.joinedIn <= cut.last;
  for (int user : graph.users[result])
    isApart |= isa<SliceOp>(graph.nodes[user].op);
  // Of what is joined, all lies in one place, and goes together.
  const TileValue &value = graph.values[result];
  const TileValue &place = graph.values[value.root];
  const unsigned dim = needs[result].dim;
  int64_t room = bytes;
  if (place.end == last && place.extents[dim] == value.extents[dim])
    room = place.l2Bytes / place.extents[dim] * units;
  auto &[when, memory] = claimed[last];
  if (isApart || room < written[last] ||
      (when == stamp && memory != value.root))
    return false;
  when = stamp;
  memory = value.root;
  return true;
}

// The strip lives until its last use inside, unless it is put into the whole
// result, or an op writes over it.
void GroupGrower::hold(int number, int64_t early, int64_t units, bool leaves,
                       bool isCopied) {
  const TileNode &node = graph.nodes[number];
  const TileValue &value = graph.values[node.result];
  const unsigned dim = needs[node.result].dim;
  int64_t unit = value.l2Bytes / value.extents[dim];
  int64_t bytes = unit * units;
  int end = findLastUse(node.result);
  written[number] = bytes;
  bool isInDram =
      node.isStored || (graph.values[value.root].isTooWide && dim != 3);
  if (node.isView) {
    bytes = 0; // those that it looks at count, but what writes over them
  } else if (leaves) {
    int64_t streamed =
        unit * std::min(units, std::max<int64_t>(4, node.tileRows));
    earlyLive[number] += streamed;
    live[number] += streamed;
    // Without a copy what is used inside comes from the same place.
    step.addOutput(
        graph, node,
        isCopied && !isInDram ? 0 : countReads(node.result) * value.dramBytes);
    bytes = isCopied && !isInDram ? bytes : 0;
  } else if (isInDram) {
    step.weights += (1 + countReads(node.result)) * value.dramBytes /
                    value.extents[dim] * units * cut.strips;
    bytes = 0;
  }
  if (claimPlace(number, end, bytes, units))
    --end;
  ArrayRef<int> parts = value.overwriters;
  if (!parts.empty() && parts.back() > cut.last)
    parts = {};
  if (bytes)
    holdJoined(number, unit * early, bytes,
               graph.users[node.result].size() > 1);
  // The strip is there, and less of it after each op that overwrites some.
  holdFor(number, end, bytes ? unit * early : 0, bytes);
  for (int part : parts)
    if (part <= end)
      holdFor(part, end, -written[part], -written[part]);
  notePeak(number, end);
}

void GroupGrower::findPeaks(int first, TileStep &whole) const {
  SmallVector<int64_t, 32> copied(cut.last - first + 1, 0);
  for (const TileStep::Source &source : step.sources)
    if (source.isCopied)
      for (int at = source.start; at <= source.end; ++at)
        copied[at - first] += source.tile;
  whole.peak = whole.residentPeak = 0;
  for (int at = first; at <= cut.last; ++at) {
    int64_t held = std::max(earlyLive[at], live[at]);
    whole.peak = std::max(whole.peak, held + passing[at]);
    whole.residentPeak =
        std::max(whole.residentPeak, held + copied[at - first]);
  }
}

void GroupGrower::grow(const TileCut &way, int maxGroup,
                       llvm::function_ref<bool(int)> isStart,
                       llvm::function_ref<void(const TileStep &)> visit) {
  ++stamp;
  cut = way;
  step = TileStep();
  shared.clear();
  kept = 0;
  int64_t extent = graph.values[graph.nodes[cut.last].result].extents[cut.dim];
  int64_t size = stripUnits(extent, cut.strips, cut.align);
  for (int number = cut.last; number >= 0; --number) {
    if (cut.last - number >= maxGroup) {
      wasLimited = true;
      return;
    }
    if (!join(number))
      return;
    if (!isStart(number) || graph.nodes[number].isView ||
        (cut.keptRows == KeptRows::Narrow && !kept))
      continue;
    findReused(number);
    TileStep whole = step;
    findPeaks(number, whole);
    if (whole.residentPeak > budget)
      continue;
    whole.group = TileGroup{number, cut.last, int64_t(cut.dim), size};
    whole.group.strips = cut.strips;
    whole.group.keptRows = cut.keptRows;
    whole.group.align = cut.align;
    visit(whole);
    if (shareTiles(number, whole))
      visit(whole);
  }
}
