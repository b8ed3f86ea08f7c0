//===- HalfRoundingTest.cpp - Numbers of half precision, as floats --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/HalfRounding.h"
#include "ane/HW/Float16.h"

#include "gtest/gtest.h"

using namespace ane::hw;

namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// What the compiler's own type says, where it has one.
float byType(float value) { return fromHalfBits(toHalfBits(value)); }

TEST(HalfRounding, AgreesWithTheTypeAroundEachHalfAndBetweenThem) {
  for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu})
    for (uint32_t high = 0; high < 0x80000; ++high) {
      uint32_t bits = high << 13 | low;
      float value;
      std::memcpy(&value, &bits, sizeof(bits));
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(roundToHalf(value))) << std::hex << bits;
        continue;
      }
      ASSERT_EQ(bitsOf(roundToHalf(value)), bitsOf(byType(value)))
          << std::hex << bits;
    }
}

TEST(HalfRounding, AgreesWithTheTypeOnAnyBits) {
  uint32_t bits = 1;
  for (int i = 0; i < 2000000; ++i) {
    bits = bits * 1664525 + 1013904223;
    float value;
    std::memcpy(&value, &bits, sizeof(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(bitsOf(roundToHalf(value)), bitsOf(byType(value)))
          << std::hex << bits;
    }
  }
}

// The conversion of compilers without the type, bit by bit. Which NaN stays one
// is up to how the type is converted.
TEST(HalfRounding, IntegersConvertAsTheType) {
  auto isNaN = [](uint16_t half) { return (half & 0x7fff) > 0x7c00; };
  for (uint32_t half = 0; half < 0x10000; ++half) {
    float value = fromHalfBitsByIntegers(half);
    if (isNaN(half)) {
      ASSERT_TRUE(std::isnan(value) && isNaN(toHalfBitsByIntegers(value)))
          << std::hex << half;
      continue;
    }
    ASSERT_EQ(bitsOf(value), bitsOf(fromHalfBits(half))) << std::hex << half;
    ASSERT_EQ(toHalfBitsByIntegers(value), half) << std::hex << half;
  }
  for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu})
    for (uint32_t high = 0; high < 0x80000; ++high) {
      uint32_t bits = high << 13 | low;
      float value;
      std::memcpy(&value, &bits, sizeof(bits));
      if (!std::isnan(value))
        ASSERT_EQ(toHalfBitsByIntegers(value), toHalfBits(value))
            << std::hex << bits;
    }
}

} // namespace
