//===- ResidencyPlan.cpp - What stays in L2 -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResidencyPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <unordered_map>

using namespace mlir;
using namespace mlir::ane;

StreamNeed mlir::ane::getStreamNeed(const ResidencyProblem &problem,
                                    size_t task,
                                    const llvm::BitVector &chosen) {
  StreamNeed need;
  auto isChosen = [&](uint32_t item) { return chosen.test(item); };
  for (const DramAccess &access : problem.tasks[task])
    if (llvm::none_of(access.items, isChosen) &&
        llvm::none_of(access.fills, isChosen))
      (access.isResult ? need.result : need.sources) += access.tileBytes;
  return need;
}

// Whether two items of one tensor cannot both be.
static bool isAgainst(const ResidencyItem &a, const ResidencyItem &b) {
  return a.tensor >= 0 && a.tensor == b.tensor && !(a.isPart && b.isPart);
}

llvm::SmallVector<int64_t>
mlir::ane::getSavings(const ResidencyProblem &problem) {
  llvm::SmallVector<int64_t> savings(problem.items.size(), 0);
  for (const auto &task : problem.tasks)
    for (const DramAccess &access : task)
      for (uint32_t item : access.items)
        savings[item] += access.dramBytes;
  return savings;
}

int64_t mlir::ane::getSavedBytes(const ResidencyProblem &problem,
                                 const llvm::BitVector &chosen) {
  int64_t bytes = 0;
  for (const auto &task : problem.tasks)
    for (const DramAccess &access : task)
      if (llvm::any_of(access.items,
                       [&](uint32_t item) { return chosen.test(item); }))
        bytes += access.dramBytes;
  return bytes;
}

// Bytes at `task` that two of the items that `isThere` have in common.
static int64_t sharedBytes(const ResidencyProblem &problem, size_t task,
                           llvm::function_ref<bool(uint32_t)> isThere) {
  int64_t bytes = 0;
  llvm::SmallVector<uint32_t, 4> shared, sharedInParts;
  for (const InPlace &pair : problem.inPlace[task]) {
    if (!isThere(pair.source) || !isThere(pair.result) ||
        llvm::is_contained(shared, pair.source) ||
        llvm::is_contained(shared, pair.result) ||
        (!pair.isPart && llvm::is_contained(sharedInParts, pair.source)))
      continue;
    bytes += std::min(problem.items[pair.source].bytes,
                      problem.items[pair.result].bytes);
    (pair.isPart ? sharedInParts : shared).push_back(pair.source);
    shared.push_back(pair.result);
  }
  return bytes;
}

using ItemSet = llvm::SmallVector<uint32_t, 8>; // ascending

static bool contains(const ItemSet &set, uint32_t item) {
  return llvm::binary_search(set, item);
}

namespace {

/// The best plan up to a task among those with the same live items.
struct State {
  ItemSet live;
  int64_t value = 0;
  int32_t last = -1; ///< decision
  // Of all live items. Hundreds of small ones may live, so that these are kept
  // and not summed up for each question.
  int64_t bytes = 0, savings = 0;
  uint64_t hash = 0;
};

/// An item that was taken, or given back, and the decision before.
struct Decision {
  uint32_t item;
  int32_t before;
  bool isGivenBack = false;
};

class Search {
public:
  Search(const ResidencyProblem &problem, size_t width);
  ResidencyPlan run();
  /// Whether the plan of run() had no room somewhere, with what was taken.
  bool hasGivenBack() const { return gaveBack; }

private:
  bool excludes(const ItemSet &live, uint32_t item) const;
  int64_t liveBytes(const State &state, size_t task) const;
  void count(State &state, uint32_t item, int64_t sign) const;
  void insert(State &state, uint32_t item) const;
  void erase(State &state, uint32_t item) const;
  void take(uint32_t item);
  bool hasRoomIn(const State &state, size_t task) const;
  void giveBack(State &state, size_t task);
  void visit(size_t task);
  void merge();
  void prune();

  const ResidencyProblem &problem;
  size_t width;
  llvm::SmallVector<llvm::SmallVector<uint32_t, 2>> starts, ends; ///< by task
  /// By item: DRAM bytes of the accesses that it covers.
  llvm::SmallVector<int64_t> savings;
  std::vector<State> states;
  std::vector<Decision> decisions;
  size_t now = 0;
  bool isExact = true, fits = true, gaveBack = false;
};

} // namespace

Search::Search(const ResidencyProblem &problem, size_t width)
    : problem(problem), width(width), starts(problem.tasks.size()),
      ends(problem.tasks.size()), savings(getSavings(problem)) {
  for (auto [i, item] : llvm::enumerate(problem.items)) {
    starts[item.first].push_back(i);
    ends[item.last].push_back(i);
  }
}

void Search::count(State &state, uint32_t item, int64_t sign) const {
  state.bytes += sign * problem.items[item].bytes;
  state.savings += sign * savings[item];
  state.hash += uint64_t(sign) * uint64_t(llvm::hash_value(item));
}

void Search::insert(State &state, uint32_t item) const {
  state.live.insert(llvm::upper_bound(state.live, item), item);
  count(state, item, 1);
}

void Search::erase(State &state, uint32_t item) const {
  auto *at = llvm::lower_bound(state.live, item);
  if (at == state.live.end() || *at != item)
    return;
  state.live.erase(at);
  count(state, item, -1);
}

bool Search::excludes(const ItemSet &live, uint32_t item) const {
  return problem.items[item].tensor >= 0 &&
         llvm::any_of(live, [&](uint32_t other) {
           return isAgainst(problem.items[item], problem.items[other]);
         });
}

int64_t Search::liveBytes(const State &state, size_t task) const {
  return state.bytes - sharedBytes(problem, task, [&](uint32_t item) {
           return contains(state.live, item);
         });
}

// Every state with and without `item`. With many states, only with one that is
// small where much is left: else sets that differ in such items only would take
// the place of all others.
void Search::take(uint32_t item) {
  const ResidencyItem &data = problem.items[item];
  size_t count = states.size();
  const int64_t room = problem.info->l2Bytes;
  bool isMinor = count > width / 16 && data.bytes <= room / 512;
  for (size_t i = 0; i < count; ++i) {
    if (excludes(states[i].live, item))
      continue;
    State with = states[i];
    insert(with, item);
    decisions.push_back({item, with.last});
    with.last = int32_t(decisions.size()) - 1;
    int64_t bytes = liveBytes(with, now);
    bool isTaken = isMinor && !data.isFixed && bytes <= room / 32 * 31;
    isExact &= !isTaken;
    if (data.isFixed || isTaken)
      states[i] = std::move(with);
    else if (bytes <= room)
      states.push_back(std::move(with));
  }
  if (states.size() > 2 * width)
    prune();
}

// Keeps those that have saved most, and will for what they keep.
void Search::prune() {
  isExact = false;
  std::nth_element(states.begin(), states.begin() + width, states.end(),
                   [&](const State &a, const State &b) {
                     int64_t x = a.value + a.savings, y = b.value + b.savings;
                     return std::tie(y, a.live) < std::tie(x, b.live);
                   });
  states.resize(width);
}

bool Search::hasRoomIn(const State &state, size_t task) const {
  StreamNeed need;
  auto isLive = [&](uint32_t item) { return contains(state.live, item); };
  for (const DramAccess &access : problem.tasks[task])
    if (llvm::none_of(access.items, isLive) &&
        llvm::none_of(access.fills, isLive))
      (access.isResult ? need.result : need.sources) += access.tileBytes;
  int64_t free = int64_t(problem.info->l2Bytes) - liveBytes(state, task);
  return hasRoom(*problem.info, free, need);
}

// Where no state has room, the least one goes on without what saves least for
// its bytes. What that has saved so far stays in its value, by which states are
// compared; the plan counts it right.
void Search::giveBack(State &state, size_t task) {
  ItemSet items;
  llvm::copy_if(state.live, std::back_inserter(items),
                [&](uint32_t item) { return !problem.items[item].isFixed; });
  auto key = [&](uint32_t item) {
    return std::tuple(double(savings[item]) / double(problem.items[item].bytes),
                      item);
  };
  llvm::sort(items, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  for (uint32_t item : items) {
    erase(state, item);
    decisions.push_back({item, state.last, /*isGivenBack=*/true});
    state.last = int32_t(decisions.size()) - 1;
    if (hasRoomIn(state, task))
      return;
  }
}

// Drops what does not fit and what ends here, and counts what is saved.
void Search::visit(size_t task) {
  std::vector<State> kept;
  State *least = nullptr;
  int64_t minBytes = 0;
  for (State &state : states) {
    StreamNeed need;
    int64_t saved = 0;
    for (const DramAccess &access : problem.tasks[task]) {
      auto isLive = [&](uint32_t item) { return contains(state.live, item); };
      if (llvm::any_of(access.items, isLive))
        saved += access.dramBytes;
      else if (llvm::none_of(access.fills, isLive))
        (access.isResult ? need.result : need.sources) += access.tileBytes;
    }
    state.value += saved;
    int64_t bytes = liveBytes(state, task);
    if (hasRoom(*problem.info, int64_t(problem.info->l2Bytes) - bytes, need)) {
      kept.push_back(std::move(state));
    } else if (!least || bytes < minBytes) {
      least = &state;
      minBytes = bytes;
    }
  }
  // What is fixed does not fit: whoever gives addresses says so. Else those
  // that would have left room have been given up.
  if (kept.empty()) {
    isExact = false;
    giveBack(*least, task);
    kept.push_back(std::move(*least));
  }
  states = std::move(kept);
  for (State &state : states)
    for (uint32_t item : ends[task])
      erase(state, item);
  merge();
  if (states.size() > width)
    prune();
}

void Search::merge() {
  std::unordered_multimap<uint64_t, size_t> best;
  std::vector<State> kept;
  for (State &state : states) {
    auto [begin, end] = best.equal_range(state.hash);
    auto same = std::find_if(begin, end, [&](const auto &known) {
      return kept[known.second].live == state.live;
    });
    if (same == end) {
      best.emplace(state.hash, kept.size());
      kept.push_back(std::move(state));
    } else if (kept[same->second].value < state.value) {
      kept[same->second] = std::move(state);
    }
  }
  states = std::move(kept);
}

// Tasks where only what is fixed lies in L2 count as fitting: whoever gives
// addresses says so.
static bool isFitting(const ResidencyProblem &problem,
                      const llvm::BitVector &chosen) {
  llvm::SmallVector<int64_t> change(problem.tasks.size() + 1, 0),
      free(problem.tasks.size() + 1, 0);
  for (int item : chosen.set_bits()) {
    const ResidencyItem &data = problem.items[item];
    change[data.first] += data.bytes;
    change[data.last + 1] -= data.bytes;
    if (!data.isFixed) {
      ++free[data.first];
      --free[data.last + 1];
    }
  }
  auto isChosen = [&](uint32_t item) { return chosen.test(item); };
  int64_t bytes = 0, count = 0;
  for (size_t task = 0; task < problem.tasks.size(); ++task) {
    bytes += change[task];
    count += free[task];
    int64_t room = int64_t(problem.info->l2Bytes) - bytes +
                   sharedBytes(problem, task, isChosen);
    if (count > 0 &&
        !hasRoom(*problem.info, room, getStreamNeed(problem, task, chosen)))
      return false;
  }
  return true;
}

ResidencyPlan Search::run() {
  states.emplace_back();
  for (now = 0; now < problem.tasks.size(); ++now) {
    for (uint32_t item : starts[now])
      if (!problem.items[item].isExcluded)
        take(item);
    visit(now);
  }
  const State &best =
      *llvm::min_element(states, [](const State &a, const State &b) {
        return std::tie(b.value, a.live, a.last) <
               std::tie(a.value, b.live, b.last);
      });
  ResidencyPlan plan;
  plan.chosen.resize(problem.items.size());
  plan.savedBytes = best.value;
  llvm::BitVector givenBack(problem.items.size());
  for (int32_t at = best.last; at >= 0; at = decisions[at].before) {
    auto [item, before, isGivenBack] = decisions[at];
    if (isGivenBack)
      givenBack.set(item);
    else if (!givenBack.test(item))
      plan.chosen.set(item);
  }
  gaveBack = givenBack.any();
  if (gaveBack) {
    plan.savedBytes = getSavedBytes(problem, plan.chosen);
    fits = isFitting(problem, plan.chosen);
  }
  plan.isOptimal = isExact && fits;
  plan.fits = fits;
  return plan;
}

//===----------------------------------------------------------------------===//
// By density
//===----------------------------------------------------------------------===//

namespace {

/// Takes items one by one where they fit.
class Greedy {
public:
  explicit Greedy(const ResidencyProblem &problem);
  ResidencyPlan run(ResidencyPlan plan);

private:
  void tryTake(uint32_t item);
  void change(uint32_t item, int64_t sign);

  const ResidencyProblem &problem;
  llvm::BitVector chosen;
  llvm::SmallVector<int64_t> used; ///< bytes, by task
  llvm::DenseMap<int64_t, llvm::SmallVector<uint32_t>> tensors;
};

} // namespace

Greedy::Greedy(const ResidencyProblem &problem)
    : problem(problem), chosen(problem.items.size()),
      used(problem.tasks.size(), 0) {}

void Greedy::change(uint32_t item, int64_t sign) {
  const ResidencyItem &data = problem.items[item];
  for (int64_t at = data.first; at <= data.last; ++at)
    used[at] += sign * data.bytes;
  chosen[item] = sign > 0;
}

void Greedy::tryTake(uint32_t item) {
  const ResidencyItem &data = problem.items[item];
  if (data.tensor >= 0)
    for (uint32_t other : tensors[data.tensor])
      if (chosen.test(other) && isAgainst(data, problem.items[other]))
        return;
  change(item, 1);
  for (int64_t at = data.first; at <= data.last; ++at) {
    int64_t bytes = used[at] - sharedBytes(problem, at, [&](uint32_t other) {
                      return chosen.test(other);
                    });
    if (!hasRoom(*problem.info, int64_t(problem.info->l2Bytes) - bytes,
                 getStreamNeed(problem, at, chosen))) {
      change(item, -1);
      return;
    }
  }
}

// Starts from `plan`, whose items fit.
ResidencyPlan Greedy::run(ResidencyPlan plan) {
  llvm::SmallVector<int64_t> savings = getSavings(problem);
  llvm::SmallVector<std::pair<double, uint32_t>> order;
  for (auto [i, item] : llvm::enumerate(problem.items)) {
    if (item.tensor >= 0)
      tensors[item.tensor].push_back(i);
    if (item.isExcluded)
      continue;
    if (item.isFixed || plan.chosen.test(i)) {
      change(i, 1);
      continue;
    }
    double cost = double(item.bytes) * (item.last - item.first + 1);
    order.emplace_back(-savings[i] / cost, i);
  }
  llvm::sort(order);
  for (auto [density, item] : order)
    tryTake(item);
  plan.chosen = chosen;
  plan.savedBytes = getSavedBytes(problem, chosen);
  return plan;
}

static ResidencyPlan planByDensity(const ResidencyProblem &problem) {
  ResidencyPlan none;
  none.chosen.resize(problem.items.size());
  return Greedy(problem).run(std::move(none));
}

ResidencyPlan mlir::ane::planResidency(const ResidencyProblem &problem,
                                       size_t width) {
  // What is tried again is bounded, too: thousands of tasks follow few sets.
  constexpr size_t factor = 4, most = 64, maxVisits = 1 << 23;
  if (problem.items.empty()) {
    ResidencyPlan none;
    none.isOptimal = true;
    return none;
  }
  ResidencyPlan found;
  size_t times = 1;
  bool isTriedAgain = false;
  do {
    Search search(problem, times * width);
    ResidencyPlan plan = search.run();
    if (times == 1 || !found.fits ||
        (plan.fits && plan.savedBytes > found.savedBytes))
      found = std::move(plan);
    isTriedAgain = !found.fits || search.hasGivenBack();
    times *= factor;
  } while (isTriedAgain && times <= most &&
           times * width * problem.tasks.size() <= maxVisits);
  if (found.isOptimal)
    return found;
  // A state that was given up may have left room.
  if (found.fits)
    found = Greedy(problem).run(std::move(found));
  ResidencyPlan dense = planByDensity(problem);
  return !found.fits || dense.savedBytes > found.savedBytes ? dense : found;
}
