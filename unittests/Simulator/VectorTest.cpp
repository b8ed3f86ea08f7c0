//===- VectorTest.cpp - The vector code of every instruction set ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vector.h"

#include "ane/HW/Float16.h"

#include "hwy/targets.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace ane;

namespace {

/// Runs each test once for every instruction set that this machine has.
class Vector : public ::testing::TestWithParam<int64_t> {
protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(Vector, HalvesGoThereAndBack) {
  std::vector<uint16_t> halves(65536);
  for (size_t i = 0; i < halves.size(); ++i)
    halves[i] = uint16_t(i);
  std::vector<float> singles(halves.size());
  std::vector<uint16_t> back(halves.size());
  // An odd start and count: neither is a multiple of a vector.
  const uint8_t *from = reinterpret_cast<const uint8_t *>(halves.data());
  sim::halvesToFloats(from + 2, singles.data(), halves.size() - 1);
  sim::floatsToHalves(singles.data(), reinterpret_cast<uint8_t *>(back.data()),
                      halves.size() - 1);
  for (size_t i = 1; i < halves.size(); ++i) {
    float expected = hw::fromHalfBits(halves[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(singles[i - 1]));
      EXPECT_TRUE(std::isnan(hw::fromHalfBits(back[i - 1])));
      continue;
    }
    ASSERT_EQ(singles[i - 1], expected) << i;
    ASSERT_EQ(back[i - 1], halves[i]);
  }
}

TEST_P(Vector, RoundsOnceToNearestEven) {
  // Halfway between two halves, and a hair beside it: rounding to single first
  // would lose the hair.
  const double step = std::ldexp(1.0, -10), hair = std::ldexp(1.0, -40);
  std::vector<double> values = {1 + step / 2,         1 + step / 2 + hair,
                                1 + 3 * step / 2,     1 + 3 * step / 2 - hair,
                                -(1 + step / 2),      -(1 + step / 2 + hair),
                                65519.999999999,      65520,
                                std::ldexp(1.0, -25), 1e300};
  std::vector<float> expected = {1.0f,
                                 float(1 + step),
                                 float(1 + 2 * step),
                                 float(1 + step),
                                 -1.0f,
                                 float(-(1 + step)),
                                 65504.0f,
                                 INFINITY,
                                 0.0f,
                                 INFINITY};
  std::vector<float> result(values.size());
  sim::roundToHalf(values.data(), result.data(), values.size());
  EXPECT_EQ(result, expected);
}

TEST_P(Vector, Convolution) {
  sim::ConvShape shape;
  shape.cin = 45;
  shape.hin = shape.win = 13;
  shape.cout = 19;
  shape.hout = 7;
  shape.wout = 7;
  shape.kh = shape.kw = 3;
  shape.sy = shape.sx = 2;
  shape.py = shape.px = 1;
  std::mt19937 random(1);
  auto fill = [&](size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = int(random() % 64) - 32;
    return values;
  };
  std::vector<float> x = fill(45 * 13 * 13), w = fill(19 * 45 * 9);
  std::vector<float> single(19 * 49), unicast(45 * 49);
  std::vector<double> twice(19 * 49), unicastTwice(45 * 49);
  sim::convolve(shape, x.data(), w.data(), single.data(), 2);
  sim::convolve(shape, x.data(), w.data(), twice.data(), 1);
  auto window = [&](uint32_t c, uint32_t p, const float *weights) {
    double sum = 0;
    for (int ky = 0; ky < 3; ++ky)
      for (int kx = 0; kx < 3; ++kx) {
        int iy = int(p / 7) * 2 + ky - 1, ix = int(p % 7) * 2 + kx - 1;
        if (iy >= 0 && ix >= 0 && iy < 13 && ix < 13)
          sum += double(x[(c * 13 + iy) * 13 + ix]) * weights[ky * 3 + kx];
      }
    return sum;
  };
  for (uint32_t o = 0; o < 19; ++o)
    for (uint32_t p = 0; p < 49; ++p) {
      double sum = 0;
      for (uint32_t c = 0; c < 45; ++c)
        sum += window(c, p, &w[(o * 45 + c) * 9]);
      ASSERT_EQ(single[o * 49 + p], sum);
      ASSERT_EQ(twice[o * 49 + p], sum);
    }
  shape.cout = 45;
  sim::convolveUnicast(shape, 1, x.data(), w.data(), unicast.data(), 2);
  sim::convolveUnicast(shape, 1, x.data(), w.data(), unicastTwice.data(), 1);
  for (uint32_t c = 0; c < 45; ++c)
    for (uint32_t p = 0; p < 49; ++p) {
      ASSERT_EQ(unicast[c * 49 + p], window(c, p, &w[c * 9]));
      ASSERT_EQ(unicastTwice[c * 49 + p], window(c, p, &w[c * 9]));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Vector, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
    [](const ::testing::TestParamInfo<int64_t> &info) {
      return std::string(hwy::TargetName(info.param));
    });

} // namespace
