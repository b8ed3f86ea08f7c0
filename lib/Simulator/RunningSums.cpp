//===- RunningSums.cpp - How far sums of products reach -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunningSums.h"

#include "Parallel.h"

#include <cmath>
#include <mutex>

namespace ane::sim {
namespace {

/// Output pixels that are summed up side by side, of all rows: a few vectors.
constexpr uint32_t kPixels = 16;

/// The source elements of kPixels outputs, from pixel `first` on, for each step
/// of the reduction; zeros in the padding and past the end.
class Panel {
public:
  Panel(const ConvShape &s, size_t first) : s(s) {
    const size_t pixels = size_t(s.hout) * s.wout;
    for (uint32_t i = 0; i < kPixels; ++i) {
      const size_t pixel = std::min(first + i, pixels - 1);
      isIn[i] = first + i < pixels;
      y[i] = int64_t(pixel / s.wout) * s.sy - s.py;
      x[i] = int64_t(pixel % s.wout) * s.sx - s.px;
    }
  }

  void gather(const float *planes, uint32_t inputs) {
    data.resize(size_t(inputs) * s.kh * s.kw * kPixels);
    float *to = data.data();
    for (uint32_t c = 0; c < inputs; ++c, planes += size_t(s.hin) * s.win)
      for (uint32_t ky = 0; ky < s.kh; ++ky)
        for (uint32_t kx = 0; kx < s.kw; ++kx)
          for (uint32_t i = 0; i < kPixels; ++i)
            *to++ = at(planes, i, ky, kx);
  }

  /// The largest running sum of all pixels.
  float add(float bias, const float *w) const {
    float sum[kPixels], most[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) {
      sum[i] = bias;
      most[i] = std::fabs(bias);
    }
    const size_t steps = data.size() / kPixels;
    const float *from = data.data();
    for (size_t step = 0; step < steps; ++step, from += kPixels)
      for (uint32_t i = 0; i < kPixels; ++i) {
        sum[i] += w[step] * from[i];
        const float size = std::fabs(sum[i]);
        most[i] = size > most[i] ? size : most[i];
      }
    return *std::max_element(most, most + kPixels);
  }

private:
  float at(const float *plane, uint32_t i, uint32_t ky, uint32_t kx) const {
    const int64_t row = y[i] + ky, column = x[i] + kx;
    const bool isInside =
        isIn[i] && row >= 0 && row < s.hin && column >= 0 && column < s.win;
    return isInside ? plane[row * s.win + column] : 0.0f;
  }

  const ConvShape &s;
  bool isIn[kPixels];
  int64_t y[kPixels], x[kPixels];
  std::vector<float> data; ///< [step][pixel]
};

} // namespace

float largestRunningSum(const ConvShape &s, uint32_t perChannel,
                        const float *bias, const float *x, const float *w,
                        unsigned threads) {
  const uint32_t inputs = perChannel ? perChannel : s.cin;
  const size_t plane = size_t(s.hin) * s.win;
  const size_t steps = size_t(inputs) * s.kh * s.kw;
  const size_t panels = (size_t(s.hout) * s.wout + kPixels - 1) / kPixels;
  std::mutex mutex;
  float largest = 0;
  parallelFor(panels, threads, [&](size_t p) {
    Panel panel(s, p * kPixels);
    float mine = 0;
    if (!perChannel)
      panel.gather(x, inputs);
    for (uint32_t c = 0; c < s.cout; ++c) {
      if (perChannel)
        panel.gather(x + c * perChannel * plane, inputs);
      mine = std::max(mine, panel.add(bias ? bias[c] : 0, w + c * steps));
    }
    std::lock_guard<std::mutex> lock(mutex);
    largest = std::max(largest, mine);
  });
  return largest;
}

float largestRunningSum(uint32_t per, size_t pixels, const float *x) {
  float largest = 0;
  for (size_t i = 0; i < pixels; ++i) {
    float sum = 0;
    for (uint32_t c = 0; c < per; ++c) {
      sum += x[c * pixels + i];
      largest = std::max(largest, std::fabs(sum));
    }
  }
  return largest;
}

} // namespace ane::sim
