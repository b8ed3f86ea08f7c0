//===- FootprintTest.cpp - Which bytes a tensor takes ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Footprint.h"

#include "gtest/gtest.h"

using namespace ane::hw;

namespace {

using Range = std::pair<uint64_t, uint64_t>;

std::vector<Range> rangesOf(const Footprint &footprint) {
  std::vector<Range> ranges;
  footprint.forEachRange([&](uint64_t begin, uint64_t end) {
    ranges.push_back({begin, end});
    return true;
  });
  return ranges;
}

TEST(Footprint, RunsThatMeetAreOne) {
  Footprint rows{64, 6, {{2, 32}, {1, 7}, {3, 6}}};
  EXPECT_EQ(rangesOf(rows), (std::vector<Range>{{64, 82}, {96, 114}}));
  EXPECT_EQ(rows.end(), 114u);
  rows.axes[0].count = 0;
  EXPECT_TRUE(rangesOf(rows).empty());
  EXPECT_EQ(rows.end(), 64u);
}

TEST(Footprint, AnEndThatNoNumberHoldsIsTheLargest) {
  Footprint far{8, 2, {{uint64_t(1) << 40, uint64_t(1) << 40}}};
  EXPECT_EQ(far.end(), ~uint64_t(0));
}

TEST(Footprint, FindsSharedBytes) {
  // Rows of 4 bytes inside planes, and the other way round.
  EXPECT_FALSE(findSharedByte({{0, 4, {{3, 16}, {4, 4}}}}));
  EXPECT_FALSE(findSharedByte({{0, 4, {{3, 4}, {4, 12}}}}));
  // Neither is inside the other: 0 2 4 and 5 7 9.
  EXPECT_FALSE(findSharedByte({{0, 1, {{2, 5}, {3, 2}}}}));
  EXPECT_EQ(findSharedByte({{32, 1, {{2, 4}, {3, 2}}}}), 36u);
  EXPECT_EQ(findSharedByte({{32, 4, {{2, 0}}}}), 32u);
  EXPECT_EQ(findSharedByte({{0, 8, {}}, {6, 8, {}}}), 6u);
  EXPECT_FALSE(findSharedByte({{0, 6, {}}, {6, 8, {}}}));
}

TEST(Footprint, SaysWhatIsMissing) {
  ByteSet set(200);
  Footprint rows{3, 70, {{2, 100}}};
  EXPECT_EQ(rows.firstMissing(set), 3u);
  rows.insertInto(set);
  EXPECT_FALSE(rows.firstMissing(set));
  EXPECT_FALSE(set.contains(3, 74));
  EXPECT_TRUE((Footprint{0, 3, {{2, 102}}}.meets(set)));
  EXPECT_FALSE((Footprint{0, 3, {{2, 100}}}.meets(set)));
  set.erase(110, 112);
  EXPECT_EQ(rows.firstMissing(set), 110u);
  EXPECT_EQ(set.firstPresent(73, 200), 103u);
}

TEST(Footprint, TakesWhatOneSetHasAndTheOtherHasNot) {
  ByteSet some(130), others(130), result(130);
  some.insert(10, 120);
  others.insert(0, 100);
  EXPECT_FALSE(result.insertDifference(0, 90, some, others));
  EXPECT_TRUE(result.insertDifference(90, 110, some, others));
  EXPECT_EQ(result.firstPresent(0, 130), 100u);
  EXPECT_EQ(result.firstMissing(100, 130), 110u);
  EXPECT_TRUE(result.insertDifference(90, 95, some, ByteSet()));
}

} // namespace
