//===- EngineArithmetic.cpp - Sums and special values as probed -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineArithmetic.h"

#include "Parallel.h"

#include "ane/HW/Sums.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ane::sim {

//===----------------------------------------------------------------------===//
// Sums of halves: probed on an M1
//===----------------------------------------------------------------------===//

/// Products that are added up in half precision before the accumulator.
constexpr uint32_t kRadix = 4;

/// A factor of a product.
static float flushed(const Assumptions &rules, float half) {
  constexpr float smallestNormal = 6.103515625e-05f; // 2^-14
  return rules.subnormals == assumed::Subnormals::Zero &&
                 std::fabs(half) < smallestNormal
             ? 0.0f
             : half;
}

/// A running sum that has reached the limit.
static float beyondLimit(const Assumptions &rules, float sum) {
  constexpr float most = hw::sumLimit(hw::SumArithmetic::HalfSums);
  switch (rules.limit) {
  case assumed::Limit::Saturated:
    return std::copysign(most, sum);
  case assumed::Limit::Infinite:
    return std::copysign(std::numeric_limits<float>::infinity(), sum);
  case assumed::Limit::Unlimited:
    break;
  }
  return sum;
}

namespace {
/// The sums of one row of one output channel.
class RowSum {
public:
  RowSum(const Assumptions &rules, uint32_t width)
      : rules(rules), exact(width), partial(width), total(width, 0.0f) {}

  /// Adds the products of `weight` with the elements of a row.
  void add(float weight, const std::vector<float> &x) {
    for (size_t i = 0; i < x.size(); ++i)
      exact[i] = double(partial[i]) + double(weight) * x[i];
    if (rules.sums == assumed::Sums::Single) {
      std::copy(exact.begin(), exact.end(), partial.begin());
      return flush();
    }
    roundToHalf(exact.data(), partial.data(), x.size());
    if (++count % kRadix == 0)
      flush();
  }
  float *finish() {
    flush();
    return total.data();
  }

private:
  void flush() {
    constexpr float most = hw::sumLimit(hw::SumArithmetic::HalfSums);
    for (size_t i = 0; i < total.size(); ++i) {
      total[i] += partial[i];
      if (std::fabs(total[i]) >= most)
        total[i] = beyondLimit(rules, total[i]);
      partial[i] = 0;
    }
  }

  const Assumptions &rules;
  std::vector<double> exact;
  std::vector<float> partial, total;
  uint32_t count = 0;
};

} // namespace

/// Row `y` of the image under tap (ky, kx), with zeros around it.
static void gather(const Assumptions &rules, const ConvShape &s,
                   const float *plane, uint32_t oy, uint32_t ky, uint32_t kx,
                   std::vector<float> &row) {
  const int64_t y = int64_t(oy) * s.sy + ky - s.py;
  for (uint32_t ox = 0; ox < s.wout; ++ox) {
    const int64_t x = int64_t(ox) * s.sx + kx - s.px;
    bool inside = y >= 0 && y < s.hin && x >= 0 && x < s.win;
    row[ox] = inside ? flushed(rules, plane[y * s.win + x]) : 0.0f;
  }
}

void convolveHalfSums(const Assumptions &rules, const ConvShape &s,
                      uint32_t perChannel, const float *x, const float *w,
                      unsigned threads, Sink<float> sink) {
  const uint32_t inputs = perChannel ? perChannel : s.cin;
  const size_t plane = size_t(s.hin) * s.win;
  const size_t steps = size_t(inputs) * s.kh * s.kw;
  parallelFor(size_t(s.cout) * s.hout, threads, [&](size_t i) {
    const uint32_t channel = uint32_t(i / s.hout), oy = uint32_t(i % s.hout);
    const float *planes =
        x + (perChannel ? size_t(channel) * perChannel * plane : 0);
    const float *weight = w + channel * steps;
    std::vector<float> row(s.wout);
    RowSum sum(rules, s.wout);
    for (uint32_t c = 0; c < inputs; ++c)
      for (uint32_t ky = 0; ky < s.kh; ++ky)
        for (uint32_t kx = 0; kx < s.kw; ++kx) {
          gather(rules, s, planes + c * plane, oy, ky, kx, row);
          sum.add(flushed(rules, *weight++), row);
        }
    sink(channel, size_t(oy) * s.wout, s.wout, sum.finish());
  });
}

//===----------------------------------------------------------------------===//
// Fixed point: probed on M4 and M6
//===----------------------------------------------------------------------===//

constexpr double kUnits = 1 << 16; ///< of the accumulator in 1
constexpr int64_t kInfinite =      // in units
    hw::sumLimit(hw::SumArithmetic::FixedPoint) * kUnits;

/// A half as the engines read it: the exponent of infinity and NaN is one like
/// the others.
static float decoded(float half) {
  constexpr uint32_t mantissa = 0x7fffff, exponent = 0x7f800000;
  constexpr uint32_t next = (127 + 16) << 23; // 2^16
  uint32_t bits;
  std::memcpy(&bits, &half, sizeof(bits));
  if ((bits & exponent) != exponent)
    return half;
  bits = (bits & 0x80000000) | next | (bits & mantissa);
  std::memcpy(&half, &bits, sizeof(bits));
  return half;
}

/// The exponent of a half, that of subnormals being -14.
static int8_t exponentOf(float half) {
  return half == 0 ? -14 : int8_t(std::max(std::ilogb(half), -14));
}

static int64_t toUnits(double value) {
  return static_cast<int64_t>(value * kUnits + std::copysign(0.5, value));
}

static double fromUnits(const Assumptions &rules, int64_t sum) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool isInfinite = rules.limit == assumed::Limit::Infinite;
  return isInfinite && sum >= kInfinite    ? infinity
         : isInfinite && sum <= -kInfinite ? -infinity
                                           : double(sum) / kUnits;
}

/// Adds unless the sum is infinite already.
static void accumulate(const Assumptions &rules, int64_t &sum, int64_t units) {
  if (rules.limit != assumed::Limit::Infinite ||
      (sum > -kInfinite && sum < kInfinite))
    sum += units;
  if (rules.limit == assumed::Limit::Saturated)
    sum = std::clamp(sum, -kInfinite, kInfinite);
}

namespace {
/// Products with a weight, in units.
class Factor {
public:
  Factor(const Assumptions &rules, float weight)
      : weight(decoded(flushed(rules, weight))),
        least(-16 - exponentOf(this->weight)) {}
  int64_t times(float x, int8_t exponent) const {
    return exponent < least ? 0 : toUnits(weight * x);
  }

private:
  double weight;
  int least; ///< exponent of the other factor
};

} // namespace

void convolveFixedPoint(const Assumptions &rules, const ConvShape &s,
                        uint32_t perChannel, const float *bias, const float *x,
                        const float *w, unsigned threads, Sink<double> sink) {
  const uint32_t inputs = perChannel ? perChannel : s.cin;
  const size_t plane = size_t(s.hin) * s.win;
  const size_t steps = size_t(inputs) * s.kh * s.kw;
  const size_t count = plane * s.cin;
  std::vector<float> values(count);
  std::vector<int8_t> exponents(count);
  parallelFor(s.cin, threads, [&](size_t c) {
    for (size_t i = c * plane; i < (c + 1) * plane; ++i) {
      values[i] = decoded(flushed(rules, x[i]));
      exponents[i] = exponentOf(values[i]);
    }
  });
  parallelFor(size_t(s.cout) * s.hout, threads, [&](size_t i) {
    const uint32_t channel = uint32_t(i / s.hout), oy = uint32_t(i % s.hout);
    const float *weight = w + channel * steps;
    std::vector<int64_t> sums(s.wout, bias ? toUnits(bias[channel]) : 0);
    for (uint32_t c = 0; c < inputs; ++c) {
      const size_t from = (perChannel ? channel * perChannel + c : c) * plane;
      for (uint32_t ky = 0; ky < s.kh; ++ky)
        for (uint32_t kx = 0; kx < s.kw; ++kx) {
          const Factor factor(rules, *weight++);
          const int64_t iy = int64_t(oy) * s.sy + ky - s.py;
          if (iy < 0 || iy >= s.hin)
            continue;
          const size_t row = from + iy * s.win;
          for (uint32_t ox = 0; ox < s.wout; ++ox) {
            const int64_t ix = int64_t(ox) * s.sx + kx - s.px;
            if (ix >= 0 && ix < s.win)
              accumulate(rules, sums[ox],
                         factor.times(values[row + ix], exponents[row + ix]));
          }
        }
    }
    std::vector<double> result(s.wout);
    std::transform(sums.begin(), sums.end(), result.begin(),
                   [&](int64_t sum) { return fromUnits(rules, sum); });
    sink(channel, size_t(oy) * s.wout, s.wout, result.data());
  });
}

void addFixedPoint(const Assumptions &rules, uint32_t per, size_t pixels,
                   const float *x, double *y) {
  for (size_t i = 0; i < pixels; ++i) {
    int64_t sum = 0;
    for (uint32_t c = 0; c < per; ++c)
      accumulate(rules, sum, toUnits(decoded(x[c * pixels + i])));
    y[i] = fromUnits(rules, sum);
  }
}

float toHalfAway(double value) {
  if (value == 0 || !std::isfinite(value))
    return static_cast<float>(value);
  constexpr int least = -14, digits = 10;
  const double unit =
      std::ldexp(1.0, std::max(std::ilogb(value), least) - digits);
  const double rounded = std::round(value / unit) * unit;
  constexpr double beyond = 65536;
  return std::fabs(rounded) < beyond
             ? static_cast<float>(rounded)
             : std::copysign(std::numeric_limits<float>::infinity(),
                             static_cast<float>(rounded));
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

void settleSource(const Assumptions &rules, const TaskConfig &task,
                  Tile &tile) {
  if (rules.specials == assumed::Specials::Numbers)
    for (float &value : tile.data)
      value = decoded(value);
  if (rules.specials == assumed::Specials::Infinite)
    for (float &value : tile.data)
      if (std::isnan(value))
        value = std::numeric_limits<float>::infinity();
  bool reciprocal =
      !task.isNeural && task.planar.function != h13::PE::NLMode::None;
  if (reciprocal)
    for (float &value : tile.data)
      value += 0.0f; // -0 + 0 is 0
}

void settleResult(const Assumptions &rules, Tile &tile) {
  if (rules.specials == assumed::Specials::Kept)
    return;
  for (float &value : tile.data)
    if (std::isnan(value))
      value = 0;
}

} // namespace ane::sim
