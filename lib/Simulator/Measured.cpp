//===- Measured.cpp - Arithmetic as probed on an M1 -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measured.h"

#include "Parallel.h"

#include <cmath>
#include <limits>

namespace ane::sim {
namespace {

/// Products that are added up in half precision before the accumulator.
constexpr uint32_t kRadix = 4;

float flushed(float half) {
  constexpr float smallestNormal = 6.103515625e-05f; // 2^-14
  return std::fabs(half) < smallestNormal ? 0.0f : half;
}

/// The sums of one row of one output channel.
class RowSum {
public:
  explicit RowSum(uint32_t width)
      : exact(width), partial(width), total(width, 0.0f) {}

  /// Adds the products of `weight` with the elements of a row.
  void add(float weight, const std::vector<float> &x) {
    for (size_t i = 0; i < x.size(); ++i)
      exact[i] = double(partial[i]) + double(weight) * x[i];
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
    for (size_t i = 0; i < total.size(); ++i) {
      total[i] += partial[i];
      partial[i] = 0;
    }
  }

  std::vector<double> exact;
  std::vector<float> partial, total;
  uint32_t count = 0;
};

/// Row `y` of the image under tap (ky, kx), with zeros around it.
void gather(const ConvShape &s, const float *plane, uint32_t oy, uint32_t ky,
            uint32_t kx, std::vector<float> &row) {
  const int64_t y = int64_t(oy) * s.sy + ky - s.py;
  for (uint32_t ox = 0; ox < s.wout; ++ox) {
    const int64_t x = int64_t(ox) * s.sx + kx - s.px;
    bool inside = y >= 0 && y < s.hin && x >= 0 && x < s.win;
    row[ox] = inside ? flushed(plane[y * s.win + x]) : 0.0f;
  }
}

} // namespace

void convolveMeasured(const ConvShape &s, uint32_t perChannel, const float *x,
                      const float *w, unsigned threads, Sink<float> sink) {
  const uint32_t inputs = perChannel ? perChannel : s.cin;
  const size_t plane = size_t(s.hin) * s.win;
  const size_t steps = size_t(inputs) * s.kh * s.kw;
  parallelFor(size_t(s.cout) * s.hout, threads, [&](size_t i) {
    const uint32_t channel = uint32_t(i / s.hout), oy = uint32_t(i % s.hout);
    const float *planes = x + (perChannel ? channel * perChannel * plane : 0);
    const float *weight = w + channel * steps;
    std::vector<float> row(s.wout);
    RowSum sum(s.wout);
    for (uint32_t c = 0; c < inputs; ++c)
      for (uint32_t ky = 0; ky < s.kh; ++ky)
        for (uint32_t kx = 0; kx < s.kw; ++kx) {
          gather(s, planes + c * plane, oy, ky, kx, row);
          sum.add(flushed(*weight++), row);
        }
    sink(channel, size_t(oy) * s.wout, s.wout, sum.finish());
  });
}

void settleSource(const TaskConfig &task, Tile &tile) {
  for (float &value : tile.data)
    if (std::isnan(value))
      value = std::numeric_limits<float>::infinity();
  bool reciprocal =
      !task.isNeural && task.planar.function != h13::PE::NLMode::None;
  if (reciprocal)
    for (float &value : tile.data)
      value += 0.0f; // -0 + 0 is 0
}

void settleResult(Tile &tile) {
  for (float &value : tile.data)
    if (std::isnan(value))
      value = 0;
}

} // namespace ane::sim
