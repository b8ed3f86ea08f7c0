//===- ArraysTest.cpp - Numbers of callers and elements -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Arrays.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace ane::hw;

static absl::Span<const uint8_t> bytesOf(const std::vector<float> &numbers) {
  return {reinterpret_cast<const uint8_t *>(numbers.data()),
          numbers.size() * sizeof(float)};
}

TEST(ArraysTest, PairsHaveTwentyTwoBits) {
  std::vector<float> numbers = {0.1f, -3.14159274f, 1e-3f, 65519.0f};
  for (int whole = 0; whole < 65504; whole += 7)
    numbers.push_back(static_cast<float>(whole) + 0.25f);
  const Elements pair = narrow(ElementType::Float16, bytesOf(numbers), true);
  const std::vector<float> high = widen(ElementType::Float16, pair.dense),
                           low = widen(ElementType::Float16, pair.low);
  ASSERT_EQ(low.size(), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    // 22 bits, but not below the smallest half.
    EXPECT_LE(std::fabs(high[i] + low[i] - numbers[i]),
              std::fabs(numbers[i]) * 0x1p-22f + 0x1p-25f)
        << numbers[i];
    if (i >= 4)
      EXPECT_EQ(high[i] + low[i], numbers[i]);
  }
  EXPECT_TRUE(
      narrow(ElementType::Float16, bytesOf(numbers), false).low.empty());
  EXPECT_TRUE(narrow(ElementType::UInt8, bytesOf(numbers), true).low.empty());
}

TEST(ArraysTest, NothingIsLeftOfWhatIsNoNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Elements pair =
      narrow(ElementType::Float16,
             bytesOf({70000.0f, infinity, std::nanf(""), 1e-9f, 0.0f}), true);
  EXPECT_EQ(pair.infinities, 1u);
  EXPECT_EQ(pair.underflows, 1u);
  const std::vector<float> high = widen(ElementType::Float16, pair.dense);
  EXPECT_EQ(high[0], infinity);
  EXPECT_EQ(high[1], infinity);
  EXPECT_TRUE(std::isnan(high[2]));
  EXPECT_EQ(widen(ElementType::Float16, pair.low), std::vector<float>(5, 0));
}

TEST(ArraysTest, BytesAreRoundedAndClamped) {
  const std::vector<float> numbers = {-200,  -1.5, 2.5,
                                      127.6, 300,  std::nanf("")};
  const Elements s = narrow(ElementType::Int8, bytesOf(numbers), false);
  EXPECT_EQ(widen(ElementType::Int8, s.dense),
            (std::vector<float>{-128, -2, 2, 127, 127, 0}));
  const Elements u = narrow(ElementType::UInt8, bytesOf(numbers), false);
  EXPECT_EQ(widen(ElementType::UInt8, u.dense),
            (std::vector<float>{0, 0, 2, 128, 255, 0}));
}

TEST(ArraysTest, LowHalvesFollowTheirInput) {
  Tensor x, low, y;
  low.isLow = true;
  const std::vector<Tensor> tensors = {x, low, y};
  EXPECT_EQ(lowOf(tensors, 0), 1u);
  EXPECT_FALSE(lowOf(tensors, 1));
  EXPECT_FALSE(lowOf(tensors, 2));
  EXPECT_TRUE(canBeLow(x, y));
  EXPECT_FALSE(canBeLow(low, y));
  y.kind = TensorKind::Output;
  EXPECT_FALSE(canBeLow(x, y));
  y = x;
  y.type = ElementType::UInt8;
  EXPECT_FALSE(canBeLow(x, y));
  y = x;
  y.shape[3] = 2;
  EXPECT_FALSE(canBeLow(x, y));
}
