//===- Float16Test.cpp - Half precision as bits ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Float16.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace ane::hw;

// Every half, its neighbours halfway to the next, and what lies outside.
TEST(Float16, ManyAgreeWithOne) {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = fromHalfBits(uint16_t(bits));
    values.push_back(value);
    if (!std::isfinite(value))
      continue;
    float next = fromHalfBits(uint16_t(bits + 1));
    float middle = value / 2 + next / 2;
    values.insert(values.end(), {middle, std::nextafter(middle, value),
                                 std::nextafter(middle, next)});
  }
  values.insert(values.end(),
                {65504.0f, 65519.0f, 65520.0f, 1e10f, -1e10f, 1e-8f, -1e-30f,
                 std::numeric_limits<float>::infinity(),
                 std::numeric_limits<float>::denorm_min()});
  std::vector<uint16_t> halves(values.size());
  convertToHalf(values.data(), halves.data(), values.size());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(halves[i], toHalfBits(values[i])) << "of " << values[i];
}

TEST(Float16, ManyTouchNothingBehind) {
  float ones[11];
  std::fill(ones, ones + 11, 1.0f);
  for (size_t count = 0; count <= 11; ++count) {
    uint16_t halves[12] = {};
    convertToHalf(ones, halves, count);
    for (size_t i = 0; i < 12; ++i)
      EXPECT_EQ(halves[i], i < count ? 0x3c00 : 0) << count << " " << i;
  }
}

TEST(Float16, ManyAreWidenedAsOne) {
  std::vector<uint16_t> halves(0x10000);
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    halves[bits] = uint16_t(bits);
  for (size_t count : {0, 1, 7, 8, 9, 0x10000}) {
    std::vector<float> values(count + 1, -1.0f);
    convertFromHalf(halves.data(), values.data(), count);
    for (size_t i = 0; i < count; ++i) {
      float one = fromHalfBits(halves[i]);
      ASSERT_TRUE(values[i] == one ||
                  (std::isnan(values[i]) && std::isnan(one)))
          << "of " << halves[i];
    }
    EXPECT_EQ(values[count], -1.0f);
  }
}
