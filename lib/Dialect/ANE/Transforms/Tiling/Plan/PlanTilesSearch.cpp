//===- PlanTilesSearch.cpp - Which ops to cut together --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dynamic programme over the order of the function. Between two ops there are
// states: sets of values that are whole in L2, each with the least cost of what
// came before. A step is one op that is not cut, or a group of them that is
// computed strip by strip: strips of values inside it live in L2 only, rows
// that two strips need are computed twice, weights are streamed once for each
// strip. Every value that leaves a step goes to DRAM or stays in L2 as a whole,
// where strips are put together.
//
// Layers that are like the one before, in front of which there are the same
// states, get what that one got, without another search. So that this is exact,
// cost is counted in whole numbers.
//
// A group without an op whose operands and result are large is no better than
// its ops one by one.
//
//===----------------------------------------------------------------------===//

#include "TileGroups.h"
#include "TileRepeats.h"
#include "ane/Simulator/CostModel.h"

#include <climits>
#include <deque>
#include <limits>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Fewer than all numbers of strips: neighbours of large ones differ little.
/// Those between two of them are tried for the groups of the best plan.
constexpr int stripCounts[] = {
    2,   3,   4,   5,   6,   7,   8,   10,  12,   14,   16,   20,   24,
    28,  32,  40,  48,  56,  64,  80,  96,  112,  128,  160,  192,  224,
    256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048};
constexpr size_t maxStates = 32; ///< between two ops
constexpr double costUnit = 1e-15;
constexpr int64_t anyCost = std::numeric_limits<int64_t>::max();
/// Bytes of L2 that stay free: for gaps between tensors, and for paddings of
/// tiles.
constexpr int64_t slack = 0x2000, streamSlack = 0x8000;

struct State {
  SmallVector<int, 4> resident; ///< roots, sorted
  llvm::hash_code hash = 0;     ///< of them
  int64_t bytes = 0;            ///< of them, in L2
  int64_t cost = 0;             ///< femtoseconds
  int64_t dram = 0;             ///< bytes
  double arithmetic = 0;        ///< seconds
  int64_t number = 0;           ///< in the order in which they were found
  // Where it comes from.
  int previous = -1;
  TileGroup step;
};

/// Nodes [first, end).
struct NodeRange {
  int first, end;
};

/// States of a border, by their numbers there.
using StateSet = uint32_t;
static_assert(maxStates <= CHAR_BIT * sizeof(StateSet));

class Search {
public:
  explicit Search(const TileGraph &graph, const TilePlan *found = nullptr);
  /// Each range as if it were all.
  TilePlan run(ArrayRef<NodeRange> ranges);

private:
  SmallVector<int, 4> shifted(ArrayRef<int> roots, int number,
                              int distance) const;
  bool isSameBorder(int number, int distance) const;
  void followRepeats(int number);
  void copyBorder(int number);
  void addSingle(int node);
  void addGroups(int last);
  void refineGroup(const TileGroup &group);
  /// With the most bytes that the same ops need in fewer strips.
  static constexpr int64_t unknown = int64_t(1) << 60;
  void applyStep(const TileStep &step, int64_t fewerNeed = unknown);
  /// A step that begins in a state.
  struct Entry {
    StateSet state; ///< only it
    int64_t dram;   ///< bytes of weights and of what is not in L2
    int64_t room;   ///< bytes of L2 for what stays
    /// What outputs are a part of, and the source that it could leave there,
    /// are there already: bits as those of a choice.
    uint64_t heldOutputs;
  };
  uint64_t findStaying(const TileStep &step);
  StateSet holdersOf(const TileStep &step, int root) const;
  void addSources(const TileStep &step);
  void addOutputs(const TileStep &step);
  Entry enter(StateSet state, const TileStep &step) const;
  int64_t costOf(int64_t dram) const { return perByte * dram + ownCost; }
  void apply(const State &from, int previous, const TileStep &step,
             const Entry &entry, uint64_t choice);
  State *claim(int number, ArrayRef<int> resident, int64_t cost);
  void prune(int number);
  void visit(int number, size_t &nextFound);
  void begin(int number);
  void collect(int end, TilePlan &plan) const;

  const TileGraph &graph;
  const TilePlan *found; ///< only its groups are looked at, if it is given
  int64_t budget;
  int64_t residentOnly; ///< part of it that no source streams through
  /// What most steps need to know of a state, to leave it alone.
  struct Start {
    int64_t bytes, cost;
    int index;
    bool isEmpty;
  };
  /// Between two ops.
  struct Border {
    SmallVector<int, 16> states; ///< in `pool`
    std::vector<Start> starts;   ///< of these, when there are all
    /// What any of them has in L2, sorted.
    std::vector<std::pair<int, StateSet>> holders;
    /// What costs as much is not among those that are kept.
    int64_t limit = anyCost;
    /// Of the state without anything in L2, which is always kept.
    int64_t empty = anyCost;
  };
  State &add(Border &border);
  std::vector<Border> borders;
  /// Of the step at hand: all sources, and those in the same memory that any
  /// state has in L2.
  struct Sources {
    int root = -1;
    StateSet holders = 0;
    int64_t bytes = 0, tiles = 0;
    int streams = 0;
  };
  SmallVector<Sources, 16> sources;
  Sources allSources;
  /// And the states that have its outputs, and last the source that it could
  /// leave; and what lies where an output may.
  SmallVector<StateSet, 8> outputHolders, reusedHolders;
  double perByte;     ///< cost of a byte of DRAM
  double ownCost = 0; ///< of the step at hand, without DRAM
  std::deque<State> pool;
  SmallVector<int> unused; ///< in `pool`
  int64_t numStates = 0;
  SmallVector<int, 16> reached; ///< what a step leaves in L2
  /// By root: what is one of Border::holders, while these are collected.
  std::vector<StateSet> holding;
  std::vector<int> lastLarge; ///< the last large node up to a node, or -1
  GroupGrower grower;
  TileRepeats repeats;
  /// How far after what they repeat the nodes are, or 0; and how many of them
  /// have been searched nonetheless.
  int period = 0, numRepeated = 0;
  int64_t copiedOps = 0;
  bool isExact = true;
};

} // namespace

Search::Search(const TileGraph &graph, const TilePlan *found)
    : graph(graph), found(found), budget(graph.info.l2Bytes - slack),
      residentOnly(graph.info.l2Bytes - slack - graph.info.l2SourceBytes +
                   streamSlack),
      borders(graph.nodes.size() + 1),
      perByte(1 / (graph.chip.weightBytesPerSecond * costUnit)),
      holding(graph.values.size()), grower(graph, budget),
      repeats(graph, maxGroupOps) {
  int large = -1;
  for (auto [i, node] : llvm::enumerate(graph.nodes)) {
    int64_t bytes = graph.values[node.result].l2Bytes;
    for (const TileNode::Operand &operand : node.operands)
      bytes += graph.values[operand.value].l2Bytes;
    if (!node.isView && bytes > budget / 2)
      large = i;
    lastLarge.push_back(large);
  }
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

State &Search::add(Border &border) {
  if (unused.empty()) {
    unused.push_back(pool.size());
    pool.emplace_back();
  }
  border.states.push_back(unused.pop_back_val());
  State &state = pool[border.states.back()];
  state = State();
  state.number = numStates++;
  return state;
}

// A state of that border to fill in, unless there is one as good.
State *Search::claim(int number, ArrayRef<int> resident, int64_t cost) {
  Border &border = borders[number];
  if (resident.empty())
    border.empty = std::min(border.empty, cost);
  const llvm::hash_code hash = llvm::hash_combine_range(resident);
  for (int other : border.states) {
    State &state = pool[other];
    if (state.hash != hash || ArrayRef<int>(state.resident) != resident)
      continue;
    if (cost >= state.cost)
      return nullptr;
    state.cost = cost;
    return &state;
  }
  // Now and then, which gives the same as once at the end.
  if (border.states.size() >= 2 * maxStates)
    prune(number);
  State &state = add(border);
  state.resident.assign(resident.begin(), resident.end());
  state.hash = hash;
  state.cost = cost;
  return &state;
}

// The state without anything in L2 stays: from it every op can go on.
void Search::prune(int number) {
  Border &border = borders[number];
  SmallVector<int, 16> &states = border.states;
  if (states.size() <= maxStates)
    return;
  auto key = [&](int index) {
    const State &state = pool[index];
    return std::tuple(!state.resident.empty(), state.cost, state.number);
  };
  llvm::sort(states, [&](int a, int b) { return key(a) < key(b); });
  // No step has begun in them.
  unused.append(states.begin() + maxStates, states.end());
  states.resize(maxStates);
  border.limit = pool[states.back()].cost;
  isExact = false;
}

// Of the states in which the step may begin.
StateSet Search::holdersOf(const TileStep &step, int root) const {
  const auto &holders = borders[step.group.first].holders;
  auto found = llvm::lower_bound(holders, root, [](const auto &one, int root) {
    return one.first < root;
  });
  return found != holders.end() && found->first == root ? found->second : 0;
}

// What the sources of a step are together, and by the memory they are in.
void Search::addSources(const TileStep &step) {
  allSources = {};
  sources.clear();
  for (const TileStep::Source &source : step.sources) {
    int root = graph.values[source.value].root;
    auto addTo = [&](Sources &sum) {
      sum.bytes += source.bytes;
      sum.tiles += step.group.strips == 1 ? source.tile : 0;
      sum.streams += source.tile > 0;
    };
    addTo(allSources);
    auto *known = llvm::find_if(
        sources, [&](const Sources &one) { return one.root == root; });
    if (known == sources.end()) {
      StateSet holders = holdersOf(step, root);
      if (holders == 0)
        continue;
      sources.push_back({root, holders});
      known = &sources.back();
    }
    addTo(*known);
  }
}

void Search::addOutputs(const TileStep &step) {
  outputHolders.clear();
  reusedHolders.clear();
  StateSet reused = step.reused >= 0 ? holdersOf(step, step.reused) : 0;
  for (const TileStep::Output &output : step.outputs) {
    const TileValue &memory = graph.values[output.root];
    outputHolders.push_back(holdersOf(step, output.root));
    StateSet places = 0;
    if (reused && graph.values[step.reused].l2Bytes >= memory.l2Bytes)
      places = reused;
    if (!step.needsOverwritten)
      places |= holdersOf(step, memory.placedOver);
    reusedHolders.push_back(places);
  }
  outputHolders.push_back(step.filled >= 0 ? holdersOf(step, step.filled) : 0);
}

Search::Entry Search::enter(StateSet state, const TileStep &step) const {
  Sources read = allSources;
  for (const Sources &source : sources) {
    if (!(source.holders & state))
      continue;
    read.bytes -= source.bytes;
    read.tiles -= source.tiles;
    read.streams -= source.streams;
  }
  int64_t peak = step.peak + read.tiles;
  if (read.streams == 0 && step.group.strips > 1)
    peak = step.residentPeak;
  int64_t room = budget - peak;
  // Strips are all in the peak, with the least tiles of what streams to them.
  if (read.streams > 0 && step.group.strips == 1)
    room -= residentOnly;
  uint64_t heldOutputs = 0;
  for (auto [i, holders] : llvm::enumerate(outputHolders))
    if (holders & state)
      heldOutputs |= uint64_t(1) << i;
  return {state, step.weights + read.bytes, room, heldOutputs};
}

// Tasks compute while others load, so that bytes decide; a little of the
// arithmetic, and of the start of each task, tells between plans with about the
// same bytes: less is computed again, in fewer strips (guesses both).
static double costWithoutDram(const TileStep &step) {
  constexpr double taskSeconds = 5e-8, arithmetic = 0.05;
  return (arithmetic * step.seconds + taskSeconds * step.tasks) / costUnit;
}

// Choice: one bit for each output, whether it is in L2; then one for the source
// that the step could leave there.
void Search::apply(const State &from, int previous, const TileStep &step,
                   const Entry &entry, uint64_t choice) {
  int64_t dram = entry.dram, held = from.bytes;
  const uint64_t added = choice & ~entry.heldOutputs;
  const bool isFilled = added >> step.outputs.size() & 1;
  if (isFilled)
    held += graph.values[step.filled].l2Bytes;
  for (auto [i, output] : llvm::enumerate(step.outputs))
    if (!(choice >> i & 1))
      dram += output.bytes;
    else if ((added >> i & 1) && !(reusedHolders[i] & entry.state))
      held += graph.values[output.root].l2Bytes;
  // One op without anything in L2 is always possible: it cuts its own tiles.
  if (held > entry.room &&
      !(from.resident.empty() && choice == 0 && step.group.strips == 1))
    return;
  const int64_t cost = from.cost + costOf(dram);
  const int end = step.group.last + 1;
  auto isLive = [&](int root) { return graph.values[root].end >= end; };
  const bool isTooMuch = cost >= borders[end].limit;
  if (isTooMuch && llvm::any_of(from.resident, isLive))
    return;
  // Small tensors may be there by the thousand.
  reached.clear();
  llvm::copy_if(from.resident, std::back_inserter(reached), isLive);
  auto reach = [&](int root) {
    if (isLive(root))
      reached.insert(llvm::upper_bound(reached, root), root);
  };
  if (isFilled)
    reach(step.filled);
  for (auto [i, output] : llvm::enumerate(step.outputs))
    if (added >> i & 1)
      reach(output.root);
  if (isTooMuch && !reached.empty())
    return;
  State *next = claim(end, reached, cost);
  if (!next)
    return;
  next->dram = from.dram + dram;
  next->arithmetic = from.arithmetic + step.seconds;
  next->bytes = 0;
  for (int root : reached)
    if (!llvm::binary_search(reached, graph.values[root].placedOver))
      next->bytes += graph.values[root].l2Bytes;
  next->previous = previous;
  next->step = step.group;
}

// Which outputs may stay in L2, as all of a new memory; as many as are tried.
uint64_t Search::findStaying(const TileStep &step) {
  constexpr unsigned maxChoices = 3;
  uint64_t staying = 0;
  unsigned count = 0;
  for (auto [i, output] : llvm::enumerate(step.outputs)) {
    const TileValue &memory = graph.values[output.root];
    if (memory.isResult || memory.firstDef < step.group.first ||
        output.isStored)
      continue;
    if (++count > maxChoices) {
      isExact = false;
      break;
    }
    staying |= uint64_t(1) << i;
  }
  if (step.filled >= 0 && count <= maxChoices)
    staying |= uint64_t(1) << step.outputs.size();
  return staying;
}

void Search::applyStep(const TileStep &step, int64_t fewerNeed) {
  if (step.outputs.size() >= CHAR_BIT * sizeof(uint64_t)) {
    isExact = false;
    return;
  }
  ownCost = costWithoutDram(step);
  const uint64_t staying = findStaying(step);
  const Border &end = borders[step.group.last + 1];
  const int64_t most = std::max(end.limit, end.empty);
  const int64_t room = budget - std::min(step.peak, step.residentPeak);
  addSources(step);
  addOutputs(step);
  // Where fewer strips have room for all that may stay, they are no worse.
  int64_t enough = budget - fewerNeed;
  for (const TileStep::Output &output : step.outputs)
    enough -= graph.values[output.root].l2Bytes;
  if (step.filled >= 0)
    enough -= graph.values[step.filled].l2Bytes;
  int64_t leastDram = step.weights + allSources.bytes;
  for (const Sources &source : sources)
    leastDram -= source.bytes;
  const int64_t least = costOf(leastDram);
  for (auto [number, start] :
       llvm::enumerate(borders[step.group.first].starts)) {
    if (start.bytes <= enough || start.cost + least >= most)
      continue;
    bool isAlone = start.isEmpty && step.group.strips == 1;
    if (start.bytes > room && !isAlone)
      continue;
    const int index = start.index;
    const State &from = pool[index];
    Entry entry = enter(StateSet(1) << number, step);
    if ((from.bytes > entry.room && !isAlone) ||
        from.cost + costOf(entry.dram) >= most)
      continue;
    // Of what is there already a part stays with the rest.
    uint64_t open = staying & ~entry.heldOutputs;
    for (uint64_t more = open;; more = (more - 1) & open) {
      apply(from, index, step, entry, entry.heldOutputs | more);
      if (more == 0)
        break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Search::addSingle(int number) {
  const TileNode &node = graph.nodes[number];
  TileStep step;
  step.group = {number, number, 2, 0, 1};
  step.weights = node.weightBytes;
  step.seconds = node.seconds;
  step.tasks = node.tasks;
  if (node.isView)
    return applyStep(step);
  for (const TileNode::Operand &operand : node.operands) {
    const TileValue &value = graph.values[operand.value];
    const CutMap &rows = operand.cuts[2 - firstCutDim];
    int64_t tile = value.l2Bytes;
    if (!node.needsWholeSource && rows.kind == CutMap::Along && rows.dim == 2)
      tile = std::min(
          tile, tile / value.extents[2] *
                    ((std::max(streamedRows, node.tileRows) - 1) * rows.stride +
                     rows.span));
    if (isa<RuntimeConvOp>(node.op) && step.sources.size() == 1)
      tile = 0; // coefficients go past L2
    int64_t passes = node.passes;
    if (passes > 1 && 8 * value.l2Bytes <= 7 * budget) {
      tile = value.l2Bytes; // the first of several tasks leaves it there
      passes = 1;
    }
    step.sources.push_back(
        {operand.value, value.dramBytes * passes, tile, number});
    const TileValue &root = graph.values[value.root];
    if (node.worksInPlace && root.end == number)
      step.reused = value.root;
    // Kept as KeepInL2.cpp can.
    if (value.root == operand.value && value.lastUse > number &&
        !root.isResult && isa<ConvOp, ActivationOp>(node.op) &&
        value.extents[0] == 1 && node.operands.size() == 1)
      step.filled = operand.value;
  }
  step.addOutput(graph, node);
  applyStep(step);
}

// As many strips of the same size as cover `extent`, if there are to be about
// `strips`: 540 rows are no 40 strips, but 39 of 14 rows.
static int64_t possibleStrips(int64_t extent, int64_t strips, int64_t align) {
  int64_t size = llvm::alignTo(llvm::divideCeil(extent, strips), align);
  return llvm::divideCeil(extent, size);
}

void Search::addGroups(int last) {
  const TileNode &node = graph.nodes[last];
  if (lastLarge[last] < 0 || last - lastLarge[last] >= maxGroupOps ||
      node.isView)
    return;
  const TileValue &value = graph.values[node.result];
  constexpr std::pair<unsigned, int64_t> ways[] = {
      {2, 1}, {2, 2}, {2, columnAlign}, {3, columnAlign}, {1, 1}};
  for (auto [dim, align] : ways) {
    // By kept rows, by whether tiles are shared, and by first op.
    std::vector<int64_t> needs[3][2];
    for (auto &kinds : needs)
      for (std::vector<int64_t> &need : kinds)
        need.assign(maxGroupOps, unknown);
    int64_t before = 1;
    for (int wanted : stripCounts) {
      if (value.extents[dim] < wanted * align)
        break;
      int64_t strips = possibleStrips(value.extents[dim], wanted, align);
      if (strips == before)
        continue;
      before = strips;
      for (KeptRows kept : {KeptRows::None, KeptRows::Narrow, KeptRows::All})
        if (kept == KeptRows::None || (dim == 2 && align < columnAlign))
          grower.grow(
              {last, dim, int(strips), align, kept}, maxGroupOps,
              [&](int number) { return number <= lastLarge[last]; },
              [&](const TileStep &step) {
                int64_t &need = needs[unsigned(kept)][step.sharesTiles]
                                     [last - step.group.first];
                applyStep(step, need);
                need = std::min(need, std::max(step.peak, step.residentPeak));
              });
    }
  }
}

// The same ops in fewer strips, down to the next number that was tried.
void Search::refineGroup(const TileGroup &group) {
  auto tried = llvm::lower_bound(stripCounts, group.strips);
  int64_t least = tried == std::begin(stripCounts) ? 1 : *std::prev(tried);
  // All, or some that are equally far apart.
  constexpr int64_t most = 16;
  int64_t step = llvm::divideCeil(group.strips - least, most), before = 0;
  int64_t extent =
      graph.values[graph.nodes[group.last].result].extents[group.dim];
  for (int64_t wanted = group.strips; wanted > least; wanted -= step) {
    int64_t strips = possibleStrips(extent, wanted, group.align);
    if (strips == before)
      continue;
    before = strips;
    grower.grow(
        {int(group.last), unsigned(group.dim), int(strips), group.align,
         group.keptRows},
        int(group.last - group.first + 1),
        [&](int number) { return number == group.first; },
        [&](const TileStep &step) { applyStep(step); });
  }
}

//===----------------------------------------------------------------------===//
// Repeated layers
//===----------------------------------------------------------------------===//

// Whether there are the states of one layer before, at the same distances.
bool Search::isSameBorder(int number, int distance) const {
  ArrayRef<int> now = borders[number].states,
                before = borders[number - distance].states;
  if (now.size() != before.size())
    return false;
  for (auto [one, two] : llvm::zip_equal(now, before)) {
    const State &state = pool[one], &other = pool[two];
    if (state.bytes != other.bytes ||
        state.cost - other.cost != pool[now[0]].cost - pool[before[0]].cost ||
        state.resident != shifted(other.resident, number, distance))
      return false;
  }
  return true;
}

SmallVector<int, 4> Search::shifted(ArrayRef<int> roots, int number,
                                    int distance) const {
  SmallVector<int, 4> result = llvm::map_to_vector<4>(
      roots, [&](int root) { return repeats.shift(root, number, distance); });
  llvm::sort(result);
  return result;
}

// Nodes are copied when all that a step looks at has been the same.
void Search::followRepeats(int number) {
  if (period > 0 && repeats.isRepeated(number - 1, period) &&
      isSameBorder(number, period)) {
    ++numRepeated;
    return;
  }
  period = numRepeated = 0;
  for (int distance : repeats.findPeriods(number))
    if (isSameBorder(number, distance)) {
      period = distance;
      return;
    }
}

// The states after the node `number`, one layer on.
void Search::copyBorder(int number) {
  const Border &before = borders[number + 1 - period];
  Border &now = borders[number + 1];
  for (int index : before.states) {
    const State &from = pool[index];
    int origin = from.step.first;
    const int *place = llvm::find(borders[origin].states, from.previous);
    State state = from;
    state.previous =
        borders[origin + period].states[place - borders[origin].states.begin()];
    state.resident = shifted(from.resident, number + 1, period);
    state.step.first += period;
    state.step.last += period;
    state.cost += pool[state.previous].cost - pool[from.previous].cost;
    state.dram += pool[state.previous].dram - pool[from.previous].dram;
    state.arithmetic +=
        pool[state.previous].arithmetic - pool[from.previous].arithmetic;
    state.hash = llvm::hash_combine_range(state.resident);
    state.number = numStates++;
    add(now) = std::move(state);
  }
  int64_t later = pool[now.states[0]].cost - pool[before.states[0]].cost;
  now.limit = before.limit == anyCost ? anyCost : before.limit + later;
  now.empty = before.empty == anyCost ? anyCost : before.empty + later;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

// Adds the tasks of a step to those before it: `dram` bytes, of which tiles are
// about the same for each task, and `arithmetic` seconds with what strips compute
// twice.
static double addTasks(const TileGraph &graph, const TileGroup &step,
                       int64_t dram, double arithmetic,
                       ::ane::sim::Sequence &sequence) {
  int64_t weights = 0, tasks = 0;
  double own = 0;
  ArrayRef<TileNode> nodes =
      ArrayRef(graph.nodes).slice(step.first, step.last - step.first + 1);
  for (const TileNode &node : nodes) {
    weights += node.isView ? 0 : node.weightBytes;
    tasks += node.isView ? 0 : node.tasks;
    own += node.seconds;
  }
  double again = own > 0 ? arithmetic / own : 1, seconds = 0;
  int64_t tiles = std::max<int64_t>(0, dram - weights * step.strips);
  for (int64_t strip = 0; strip < step.strips; ++strip)
    for (const TileNode &node : nodes) {
      if (node.isView)
        continue;
      double share = again / double(step.strips * node.tasks);
      ::ane::sim::TaskWork work = node.work;
      work.macs *= share;
      work.elements *= share;
      work.results *= share;
      work.weightBytes = node.weightBytes / node.tasks;
      work.tileBytes = tiles / (tasks * step.strips);
      for (int64_t task = 0; task < node.tasks; ++task)
        seconds += sequence.add(work).total;
    }
  return seconds;
}

// The best way to the node `end`, from where its range begins.
void Search::collect(int end, TilePlan &plan) const {
  ArrayRef<int> ends = borders[end].states;
  int best = *llvm::min_element(
      ends, [&](int a, int b) { return pool[a].cost < pool[b].cost; });
  plan.plannedBytes += pool[best].dram;
  plan.seconds += pool[best].cost * costUnit;
  SmallVector<int> way;
  for (int at = best; pool[at].previous >= 0; at = pool[at].previous)
    way.push_back(at);
  ::ane::sim::Sequence sequence(graph.chip);
  for (int at : llvm::reverse(way)) {
    const State &now = pool[at], &before = pool[now.previous];
    plan.overlapped += addTasks(graph, now.step, now.dram - before.dram,
                                now.arithmetic - before.arithmetic, sequence);
    if (now.step.strips > 1)
      plan.groups.push_back(now.step);
  }
}

// All states of a border are known, and steps may begin there.
void Search::begin(int number) {
  if (number >= maxGroupOps)
    borders[number - maxGroupOps].holders = {}; // out of reach
  Border &border = borders[number];
  for (auto [place, index] : llvm::enumerate(border.states)) {
    const State &state = pool[index];
    border.starts.push_back(
        {state.bytes, state.cost, index, state.resident.empty()});
    for (int root : state.resident) {
      if (holding[root] == 0)
        border.holders.push_back({root, 0});
      holding[root] |= StateSet(1) << place;
    }
  }
  llvm::sort(border.holders);
  for (auto &[root, states] : border.holders)
    states = std::exchange(holding[root], 0);
}

// `nextFound` is the first of the groups that may end here.
void Search::visit(int number, size_t &nextFound) {
  prune(number);
  begin(number);
  if (!found)
    followRepeats(number);
  if (numRepeated >= maxGroupOps && repeats.isRepeated(number, period) &&
      !borders[number + 1 - period].states.empty()) {
    copyBorder(number);
    ++copiedOps;
    return;
  }
  addSingle(number);
  if (!found)
    addGroups(number);
  else if (nextFound < found->groups.size() &&
           found->groups[nextFound].last == number)
    refineGroup(found->groups[nextFound++]);
}

TilePlan Search::run(ArrayRef<NodeRange> ranges) {
  TilePlan plan;
  plan.compulsoryBytes = graph.compulsoryBytes;
  size_t nextFound = 0;
  for (auto [first, end] : ranges) {
    claim(first, {}, 0);
    for (int number = first; number < end; ++number)
      visit(number, nextFound);
    collect(end, plan);
  }
  plan.copiedOps = copiedOps;
  plan.isExact = isExact && !grower.wasLimited;
  return plan;
}

// With other numbers of strips for the groups of the best plan.
static TilePlan planRanges(const TileGraph &graph, ArrayRef<NodeRange> ranges) {
  TilePlan plan = Search(graph).run(ranges);
  if (plan.groups.empty())
    return plan;
  TilePlan refined = Search(graph, &plan).run(ranges);
  refined.isExact = plan.isExact;
  refined.copiedOps = plan.copiedOps;
  return refined.seconds < plan.seconds ? refined : plan;
}

TilePlan mlir::ane::planTiles(const TileGraph &graph) {
  return planRanges(graph, NodeRange{0, int(graph.nodes.size())});
}

TilePlan mlir::ane::planTilesAround(const TileGraph &graph,
                                    const llvm::BitVector &wanted) {
  SmallVector<NodeRange> ranges;
  const int count = graph.nodes.size();
  for (int number : wanted.set_bits()) {
    int first = std::max(0, number + 1 - maxGroupOps);
    int end = std::min(count, number + maxGroupOps);
    if (!ranges.empty() && first <= ranges.back().end)
      ranges.back().end = end;
    else
      ranges.push_back({first, end});
  }
  return planRanges(graph, ranges);
}
