//===- ResidencyPlanTest.cpp - What stays in L2 ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResidencyPlan.h"

#include "llvm/ADT/DenseSet.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir::ane;
namespace hw = ::ane::hw;

static const hw::GenerationInfo &h13() { return hw::info(hw::Generation::H13); }

/// Each task loads what some items hold, and stores what items start with.
static ResidencyProblem randomProblem(unsigned seed, size_t tasks,
                                      size_t items) {
  std::mt19937 random(seed);
  auto upTo = [&](int64_t n) { return int64_t(random() % (n + 1)); };
  ResidencyProblem problem;
  problem.info = &h13();
  problem.tasks.resize(tasks);
  problem.inPlace.resize(tasks);
  for (uint32_t i = 0; i < items; ++i) {
    ResidencyItem item;
    item.first = upTo(tasks - 2);
    item.last = std::min<int64_t>(tasks - 1, item.first + 1 + upTo(3));
    item.bytes = 0x10 * (1 + upTo(h13().l2Bytes / 0x20));
    item.isFixed = i == 0 && seed % 3 == 0;
    item.isExcluded = i == 1 && seed % 3 == 1;
    if (item.isExcluded) // so small that there would be room
      item.bytes = 0x10;
    DramAccess store, load;
    store.isResult = true;
    store.items.push_back(i);
    load.items.push_back(i);
    store.dramBytes = load.dramBytes = item.bytes;
    store.tileBytes = load.tileBytes = item.bytes / 8;
    problem.tasks[item.first].push_back(store);
    problem.tasks[item.last].push_back(load);
    // Several results may want a source, and several sources be there.
    for (uint32_t other = 0; other < i; ++other)
      if (problem.items[other].last == item.first && upTo(1))
        problem.inPlace[item.first].push_back({other, i, upTo(1) == 0});
    problem.items.push_back(item);
  }
  return problem;
}

static int64_t usedBytes(const ResidencyProblem &problem, size_t at,
                         const llvm::BitVector &chosen) {
  int64_t bytes = 0;
  for (uint32_t i : chosen.set_bits())
    if (problem.items[i].first <= int64_t(at) &&
        int64_t(at) <= problem.items[i].last)
      bytes += problem.items[i].bytes;
  // A place is left once as a whole, or to several parts, and entered once.
  llvm::DenseSet<uint32_t> left, leftInParts, entered;
  for (const InPlace &pair : problem.inPlace[at]) {
    bool isFree =
        !left.contains(pair.source) && !entered.contains(pair.source) &&
        !left.contains(pair.result) && !entered.contains(pair.result) &&
        (pair.isPart || !leftInParts.contains(pair.source));
    if (!chosen.test(pair.source) || !chosen.test(pair.result) || !isFree)
      continue;
    bytes -= std::min(problem.items[pair.source].bytes,
                      problem.items[pair.result].bytes);
    (pair.isPart ? leftInParts : left).insert(pair.source);
    entered.insert(pair.result);
  }
  return bytes;
}

static bool fits(const ResidencyProblem &problem,
                 const llvm::BitVector &chosen) {
  for (size_t at = 0; at < problem.tasks.size(); ++at)
    if (!hasRoom(h13(), int64_t(h13().l2Bytes) - usedBytes(problem, at, chosen),
                 getStreamNeed(problem, at, chosen)))
      return false;
  return true;
}

static int64_t savedBytes(const ResidencyProblem &problem,
                          const llvm::BitVector &chosen) {
  int64_t bytes = 0;
  llvm::SmallVector<int64_t> savings = getSavings(problem);
  for (uint32_t i : chosen.set_bits())
    bytes += savings[i]; // here, no access has two items
  return bytes;
}

TEST(ResidencyPlan, FindsTheBestOfAllPlans) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    ResidencyProblem problem = randomProblem(seed, 8, 11);
    ResidencyPlan plan = planResidency(problem, 4096);
    EXPECT_TRUE(plan.isOptimal);
    int64_t best = -1;
    for (unsigned bits = 0; bits < 1u << problem.items.size(); ++bits) {
      llvm::BitVector chosen(problem.items.size());
      for (size_t i = 0; i < problem.items.size(); ++i)
        chosen[i] = bits >> i & 1;
      bool hasFixed = true;
      for (auto [i, item] : llvm::enumerate(problem.items))
        hasFixed &= chosen.test(i) ? !item.isExcluded : !item.isFixed;
      if (hasFixed && fits(problem, chosen))
        best = std::max(best, savedBytes(problem, chosen));
    }
    if (best < 0)
      continue; // tiles do not fit whatever is chosen
    EXPECT_TRUE(fits(problem, plan.chosen));
    EXPECT_EQ(savedBytes(problem, plan.chosen), best);
    EXPECT_EQ(plan.savedBytes, best);
  }
}

/// Items one by one, those first that save most for a byte and task.
static llvm::BitVector takeByDensity(const ResidencyProblem &problem) {
  llvm::SmallVector<int64_t> savings = getSavings(problem);
  llvm::SmallVector<std::pair<double, uint32_t>> order;
  for (auto [i, item] : llvm::enumerate(problem.items))
    if (!item.isExcluded)
      order.emplace_back(
          -savings[i] / (double(item.bytes) * (item.last - item.first + 1)), i);
  llvm::sort(order);
  llvm::BitVector chosen(problem.items.size());
  for (auto [density, item] : order) {
    chosen.set(item);
    if (!fits(problem, chosen))
      chosen.reset(item);
  }
  return chosen;
}

TEST(ResidencyPlan, KeepsWhatIsFixedWithFewSets) {
  for (unsigned seed = 0; seed < 60; seed += 3) {
    SCOPED_TRACE(seed);
    EXPECT_TRUE(planResidency(randomProblem(seed, 60, 150), 1).chosen.test(0));
  }
}

TEST(ResidencyPlan, FitsAndIsNoWorseThanGreedyWithFewSets) {
  for (unsigned seed = 1; seed < 40; seed += 3) { // nothing is fixed
    SCOPED_TRACE(seed);
    ResidencyProblem problem = randomProblem(seed, 60, 150);
    ResidencyPlan wide = planResidency(problem, 4096);
    ResidencyPlan narrow = planResidency(problem, 8);
    ResidencyPlan least = planResidency(problem, 1);
    EXPECT_FALSE(narrow.isOptimal);
    EXPECT_GE(wide.savedBytes, narrow.savedBytes * 9 / 10);
    for (const ResidencyPlan *plan : {&wide, &narrow, &least}) {
      EXPECT_GE(plan->savedBytes, savedBytes(problem, takeByDensity(problem)));
      EXPECT_FALSE(plan->chosen.test(1)); // is excluded
      for (size_t at = 0; at < problem.tasks.size(); ++at)
        EXPECT_LE(usedBytes(problem, at, plan->chosen), int64_t(h13().l2Bytes));
    }
  }
}

// Parts of a tensor and all of it exclude each other; a part goes on in the
// place of the one before.
TEST(ResidencyPlan, KnowsPartsOfATensor) {
  ResidencyProblem problem;
  problem.info = &h13();
  problem.tasks.resize(4);
  problem.inPlace.resize(4);
  int64_t bytes = h13().l2Bytes * 3 / 4;
  for (auto [first, last, isPart] :
       {std::tuple(0, 3, false), std::tuple(1, 2, true),
        std::tuple(2, 3, true)}) {
    ResidencyItem item;
    item.first = first;
    item.last = last;
    item.bytes = bytes;
    item.tensor = 7;
    item.isPart = isPart;
    problem.items.push_back(item);
  }
  auto access = [&](size_t at, int64_t moved, llvm::ArrayRef<uint32_t> items) {
    DramAccess access;
    access.dramBytes = moved;
    access.items.assign(items.begin(), items.end());
    problem.tasks[at].push_back(access);
  };
  access(0, 10, {0});
  access(1, 10, {0});
  access(2, 10, {0, 1});
  access(3, 10, {0, 2});
  problem.inPlace[2].push_back({1, 2});
  EXPECT_EQ(planResidency(problem, 64).savedBytes, 40);
  // No room for all of its life: another tensor is there at first.
  ResidencyItem other;
  other.bytes = bytes;
  other.isFixed = true;
  problem.items.push_back(other);
  ResidencyPlan plan = planResidency(problem, 64);
  EXPECT_EQ(plan.savedBytes, 20);
  EXPECT_FALSE(plan.chosen.test(0));
  EXPECT_TRUE(plan.chosen.test(1) && plan.chosen.test(2));
  // Nor do both stay where there is room for them and few sets are followed.
  for (ResidencyItem &item : problem.items)
    item.bytes = 0x10;
  plan = planResidency(problem, 1);
  EXPECT_FALSE(plan.isOptimal);
  EXPECT_NE(plan.chosen.test(0), plan.chosen.test(1));
}

// Sets that differ in small items only do not take the place of the others,
// though the number of sets is limited.
TEST(ResidencyPlan, TakesSmallItemsWithoutAnAlternative) {
  ResidencyProblem problem;
  problem.info = &h13();
  problem.tasks.resize(50);
  problem.inPlace.resize(50);
  auto add = [&](int64_t first, int64_t last, int64_t bytes, int64_t saved) {
    ResidencyItem item;
    item.first = first;
    item.last = last;
    item.bytes = bytes;
    for (int64_t at : {first, last}) {
      DramAccess access;
      access.dramBytes = saved / 2;
      access.items.push_back(problem.items.size());
      problem.tasks[at].push_back(access);
    }
    problem.items.push_back(item);
  };
  const int64_t unit = h13().l2Bytes / 10;
  add(0, 30, 6 * unit, 12 * unit); // against the next three
  for (int64_t first : {22, 24, 26})
    add(first, first + 1, 6 * unit, 12 * unit);
  for (int64_t i = 1; i <= 10; ++i)
    add(i, 10 + i, 0x200, 0x400);
  // For its bytes and time the first of two saves more, but not in all.
  add(40, 42, 5 * unit, 15 * unit);
  add(41, 43, 9 * unit, 18 * unit);
  ResidencyPlan plan = planResidency(problem, 32);
  EXPECT_EQ(plan.savedBytes, (3 * 12 + 18) * unit + 0x2800);
  EXPECT_FALSE(plan.isOptimal);
}

/// `count` items of `bytes` that save a tenth of L2 each, in front of a task
/// that streams seven tenths through L2; and of two items after it the one
/// that would not be taken by bytes and time.
static ResidencyProblem problemWithStream(int64_t count, int64_t bytes) {
  ResidencyProblem problem;
  problem.info = &h13();
  problem.tasks.resize(30);
  problem.inPlace.resize(30);
  const int64_t unit = h13().l2Bytes / 10;
  auto add = [&](int64_t first, int64_t last, int64_t bytes, int64_t saved) {
    ResidencyItem item;
    item.first = first;
    item.last = last;
    item.bytes = bytes;
    DramAccess access;
    access.dramBytes = saved;
    access.items.push_back(problem.items.size());
    problem.tasks[last].push_back(access);
    problem.items.push_back(item);
  };
  for (int64_t i = 0; i < count; ++i)
    add(i, 25, bytes, unit);
  DramAccess stream;
  stream.tileBytes = 7 * unit;
  problem.tasks[20].push_back(stream);
  add(26, 28, 5 * unit, 15 * unit);
  add(27, 29, 9 * unit, 18 * unit);
  return problem;
}

// What a few sets promise most with may leave no room for a task after.
TEST(ResidencyPlan, LooksAgainWhereNoSetHasRoom) {
  const int64_t unit = h13().l2Bytes / 10;
  ResidencyProblem problem = problemWithStream(4, 2 * unit);
  ResidencyPlan plan = planResidency(problem, 1);
  EXPECT_TRUE(plan.fits && fits(problem, plan.chosen));
  EXPECT_EQ(plan.savedBytes, (1 + 18) * unit);
}

// Of so many items the sets that are followed have no room, however many these
// are: what is too much goes, and the rest of the plan stays.
TEST(ResidencyPlan, GivesBackWhereNoSetHasRoom) {
  const int64_t unit = h13().l2Bytes / 10;
  ResidencyProblem problem = problemWithStream(16, unit / 2);
  ResidencyPlan plan = planResidency(problem, 1);
  EXPECT_TRUE(plan.fits && fits(problem, plan.chosen));
  EXPECT_FALSE(plan.isOptimal);
  EXPECT_EQ(plan.savedBytes, (6 + 18) * unit);
}
