//===- RunningSumsTest.cpp - How far sums of products reach ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunningSums.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace ane;

namespace {

/// Small whole numbers: sums of them are exact.
std::vector<float> numbers(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = int(random() % 33) - 16;
  return values;
}

/// One product after the other, as the definition says.
float expected(const sim::ConvShape &s, uint32_t perChannel, const float *bias,
               const std::vector<float> &x, const std::vector<float> &w) {
  const uint32_t inputs = perChannel ? perChannel : s.cin;
  float most = 0;
  for (uint32_t o = 0; o < s.cout; ++o)
    for (uint32_t oy = 0; oy < s.hout; ++oy)
      for (uint32_t ox = 0; ox < s.wout; ++ox) {
        float sum = bias ? bias[o] : 0;
        most = std::max(most, std::fabs(sum));
        for (uint32_t c = 0; c < inputs; ++c)
          for (uint32_t ky = 0; ky < s.kh; ++ky)
            for (uint32_t kx = 0; kx < s.kw; ++kx) {
              const int y = int(oy * s.sy + ky) - int(s.py),
                        column = int(ox * s.sx + kx) - int(s.px);
              const uint32_t from = perChannel ? o * perChannel + c : c;
              if (y >= 0 && y < int(s.hin) && column >= 0 &&
                  column < int(s.win))
                sum += w[((o * inputs + c) * s.kh + ky) * s.kw + kx] *
                       x[(from * s.hin + y) * s.win + column];
              most = std::max(most, std::fabs(sum));
            }
      }
  return most;
}

TEST(RunningSums, AreThoseOfTheReduction) {
  sim::ConvShape s;
  s.cin = 6;
  s.hin = 9;
  s.win = 7;
  s.kh = 3;
  s.kw = 2;
  s.sy = 2;
  s.sx = 1;
  s.py = s.px = 1;
  s.hout = 5;
  s.wout = 7;
  s.cout = 4;
  for (uint32_t perChannel : {0, 2}) {
    s.cout = perChannel ? 3 : 4;
    const auto x = numbers(s.cin * s.hin * s.win, 1);
    const auto w =
        numbers(s.cout * (perChannel ? perChannel : s.cin) * s.kh * s.kw, 2);
    const auto bias = numbers(s.cout, 3);
    for (const float *b : {bias.data(), (const float *)nullptr})
      for (unsigned threads : {1, 3})
        EXPECT_EQ(sim::largestRunningSum(s, perChannel, b, x.data(), w.data(),
                                         threads),
                  expected(s, perChannel, b, x, w));
  }
}

TEST(RunningSums, OfPlanes) {
  const std::vector<float> x = {5, 1, -8, 1, 2, 1};
  EXPECT_EQ(sim::largestRunningSum(3, 2, x.data()), 5);
  EXPECT_EQ(sim::largestRunningSum(1, 6, x.data()), 8);
}

} // namespace
