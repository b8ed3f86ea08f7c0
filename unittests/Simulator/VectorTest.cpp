//===- VectorTest.cpp - The vector code of every instruction set ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vector.h"
#include "Buffer.h"

#include "ane/HW/Float16.h"

#include "hwy/targets.h"
#include "gtest/gtest.h"

#include <cmath>
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

TEST_P(Vector, RoundingCountsWhatIsLost) {
  // Around vectors of all sizes, so that some is in the rest.
  for (size_t before : {0, 3, 5, 16, 33}) {
    std::vector<float> values(before, -1.5f);
    const std::vector<float> special = {
        INFINITY, -INFINITY, 65519, 65520,  -1e30f,  NAN,
        0.0f,     -0.0f,     1e-8f, -1e-8f, 3.0e-8f, std::ldexp(1.0f, -14),
        -6e-5f,   1e-40f};
    values.insert(values.end(), special.begin(), special.end());
    std::vector<float> plain(values.size()), result(values.size());
    sim::ValueCounts counts;
    sim::roundToHalf(values.data(), result.data(), values.size(), counts);
    sim::roundToHalf(values.data(), plain.data(), values.size());
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(result[i] == plain[i] ||
                  (std::isnan(result[i]) && std::isnan(plain[i])));
    EXPECT_EQ(counts.elements, values.size());
    EXPECT_EQ(counts.infinities, 4u);
    EXPECT_EQ(counts.nans, 1u);
    EXPECT_EQ(counts.underflows, 3u);
    EXPECT_EQ(counts.subnormals, 2u);
    EXPECT_EQ(counts.largest, 1e30f);
    // In doubles the same.
    std::vector<double> doubles(values.begin(), values.end());
    sim::ValueCounts again;
    sim::roundToHalf(doubles.data(), result.data(), doubles.size(), again);
    EXPECT_EQ(again.infinities, 4u);
    EXPECT_EQ(again.underflows, 3u);
    EXPECT_EQ(again.largest, 1e30f);
  }
}

TEST_P(Vector, RowsMayLieApart) {
  // Widths around every number of lanes, rows of 200 bytes.
  for (uint32_t width : {1, 3, 4, 7, 8, 15, 16, 17, 33}) {
    std::vector<uint16_t> halves(5 * 100);
    for (size_t i = 0; i < halves.size(); ++i)
      halves[i] = hw::toHalfBits(float(i));
    std::vector<float> dense(5 * width);
    sim::halvesToFloats(reinterpret_cast<const uint8_t *>(halves.data()), 200,
                        dense.data(), width, 5);
    std::vector<uint16_t> back(5 * 100), expected(5 * 100);
    for (uint32_t row = 0; row < 5; ++row)
      for (uint32_t i = 0; i < width; ++i) {
        ASSERT_EQ(dense[row * width + i], float(row * 100 + i)) << width;
        expected[row * 100 + i] = halves[row * 100 + i];
      }
    sim::floatsToHalves(dense.data(), reinterpret_cast<uint8_t *>(back.data()),
                        200, width, 5);
    EXPECT_EQ(back, expected) << width; // and nothing between the rows
  }
}

/// A sink that keeps the sums, and counts that each is given once.
template <typename T> class Sums {
public:
  explicit Sums(const sim::ConvShape &shape)
      : pixels(size_t(shape.hout) * shape.wout), sums(shape.cout * pixels),
        times(sums.size()) {}
  void operator()(uint32_t channel, size_t pixel, size_t count, T *from) const {
    for (size_t i = 0; i < count; ++i) {
      sums[channel * pixels + pixel + i] = from[i];
      ++times[channel * pixels + pixel + i];
      from[i] = NAN; // whoever gets the sums may use them up
    }
  }
  void expect(const std::vector<double> &expected) const {
    ASSERT_EQ(expected.size(), sums.size());
    for (size_t i = 0; i < sums.size(); ++i) {
      ASSERT_EQ(sums[i], expected[i]) << "element " << i;
      ASSERT_EQ(times[i], 1) << "element " << i;
    }
  }

private:
  size_t pixels;
  mutable std::vector<T> sums; // absl::FunctionRef wants a const callable
  mutable std::vector<int> times;
};

sim::Buffer<float> smallIntegers(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  sim::Buffer<float> values(count);
  for (float &value : values)
    value = int(random() % 64) - 32;
  return values;
}

/// Output channel o sees `inputs` channels from o * step on.
std::vector<double> convolution(const sim::ConvShape &s, uint32_t inputs,
                                uint32_t step, const float *x, const float *w) {
  std::vector<double> y;
  for (uint32_t o = 0; o < s.cout; ++o)
    for (uint32_t oy = 0; oy < s.hout; ++oy)
      for (uint32_t ox = 0; ox < s.wout; ++ox) {
        double sum = 0;
        for (uint32_t c = 0; c < inputs; ++c)
          for (uint32_t ky = 0; ky < s.kh; ++ky)
            for (uint32_t kx = 0; kx < s.kw; ++kx) {
              int64_t iy = int64_t(oy) * s.sy + ky - s.py;
              int64_t ix = int64_t(ox) * s.sx + kx - s.px;
              if (iy >= 0 && ix >= 0 && iy < s.hin && ix < s.win)
                sum += double(x[((o * step + c) * s.hin + iy) * s.win + ix]) *
                       w[((o * inputs + c) * s.kh + ky) * s.kw + kx];
            }
        y.push_back(sum);
      }
  return y;
}

sim::ConvShape shapeOf(uint32_t cin, uint32_t cout, uint32_t size,
                       uint32_t kernel, uint32_t stride, uint32_t pad) {
  sim::ConvShape s;
  s.cin = cin;
  s.cout = cout;
  s.hin = size;
  s.win = size + 2;
  s.kh = kernel;
  s.kw = kernel;
  s.sy = s.sx = stride;
  s.py = s.px = pad;
  s.hout = (s.hin + 2 * pad - kernel) / stride + 1;
  s.wout = (s.win + 2 * pad - kernel) / stride + 1;
  return s;
}

const sim::ConvShape shapes[] = {
    shapeOf(45, 19, 13, 3, 2, 1),  // no count is a multiple of a vector
    shapeOf(17, 70, 5, 1, 1, 0),   // no padding, few pixels, many channels
    shapeOf(40, 9, 30, 3, 1, 1),   // several jobs
    shapeOf(5, 3, 37, 3, 1, 0),    // rows that are not a multiple of anything
    shapeOf(3, 5, 40, 5, 3, 2),    // a stride that no vector code knows
    shapeOf(200, 8, 1, 1, 1, 0),   // one row
    shapeOf(64, 130, 20, 2, 1, 1), // enough for several threads
};

TEST_P(Vector, Convolution) {
  for (const sim::ConvShape &s : shapes) {
    SCOPED_TRACE(s.cin);
    sim::Buffer<float> x = smallIntegers(size_t(s.cin) * s.hin * s.win, 1);
    sim::Buffer<float> w = smallIntegers(s.cout * s.cin * s.kh * s.kw, 2);
    std::vector<double> y = convolution(s, s.cin, 0, x.data(), w.data());
    for (unsigned threads : {1, 2}) {
      Sums<float> single(s);
      sim::convolve(s, x.data(), w.data(), threads, sim::Sink<float>(single));
      single.expect(y);
      Sums<double> twice(s);
      sim::convolve(s, x.data(), w.data(), threads, sim::Sink<double>(twice));
      twice.expect(y);
    }
  }
}

TEST_P(Vector, UnicastConvolution) {
  for (sim::ConvShape s : shapes)
    for (uint32_t inputs : {1, 2}) {
      SCOPED_TRACE(s.cin);
      s.cin = s.cout * inputs;
      sim::Buffer<float> x = smallIntegers(size_t(s.cin) * s.hin * s.win, 3);
      sim::Buffer<float> w = smallIntegers(s.cin * s.kh * s.kw, 4);
      std::vector<double> y =
          convolution(s, inputs, inputs, x.data(), w.data());
      for (unsigned threads : {1, 2}) {
        Sums<float> single(s);
        sim::convolveUnicast(s, inputs, x.data(), w.data(), threads,
                             sim::Sink<float>(single));
        single.expect(y);
        Sums<double> twice(s);
        sim::convolveUnicast(s, inputs, x.data(), w.data(), threads,
                             sim::Sink<double>(twice));
        twice.expect(y);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Vector, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
    [](const ::testing::TestParamInfo<int64_t> &info) {
      return std::string(hwy::TargetName(info.param));
    });

} // namespace
