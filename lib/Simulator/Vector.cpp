//===- Vector.cpp - The loops that take the time --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Highway includes this file once for each instruction set; what stands between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE is compiled for each of them.
//
//===----------------------------------------------------------------------===//

// Arrays of vectors need a size that is known when compiling.
#define HWY_DISABLED_TARGETS                                                   \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Vector.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "Buffer.h"
#include "Halves-inl.h"
#include "Parallel.h"
#include "Vector.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#ifndef ANE_VECTOR_SHARED
#define ANE_VECTOR_SHARED
namespace ane::sim {
/// One piece of a convolution: some output channels, some pixels.
template <typename T> struct ConvJob {
  ConvShape shape;
  const float *x;         ///< padded: [cin][rows][columns]
  uint32_t rows, columns; ///< of the padded image
  const T *w;             ///< [cout / block][cin * kh * kw][block]
  uint32_t firstCout, couts;
  size_t firstPixel, pixels;
  const Sink<T> *sink;
};
/// A range of output channels of a unicast convolution.
template <typename T> struct UnicastJob {
  ConvShape shape;
  uint32_t perChannel;
  const float *x; ///< [cout * perChannel][hin][win]
  const float *w; ///< [cout][perChannel][kh][kw]
  uint32_t first, last;
  HalfPlanes halves; ///< instead of `x`
  const Sink<T> *sink;
};
/// Sizes of a padded image.
inline uint32_t paddedRows(const ConvShape &s) {
  return std::max(s.py + s.hin, (s.hout - 1) * s.sy + s.kh);
}
inline uint32_t paddedColumns(const ConvShape &s) {
  return std::max(s.px + s.win, (s.wout - 1) * s.sx + s.kw);
}
inline bool needsPadding(const ConvShape &s) {
  return paddedRows(s) != s.hin || paddedColumns(s) != s.win;
}
/// Puts zeros around a plane, so that no window leaves it.
inline void padPlane(const ConvShape &s, const float *x, float *to) {
  const uint32_t columns = paddedColumns(s), behind = columns - s.px - s.win;
  to = std::fill_n(to, size_t(s.py) * columns, 0.0f);
  for (uint32_t h = 0; h < s.hin; ++h) {
    to = std::fill_n(to, s.px, 0.0f);
    to = std::copy_n(x + size_t(h) * s.win, s.win, to);
    to = std::fill_n(to, behind, 0.0f);
  }
  std::fill_n(to, size_t(paddedRows(s) - s.py - s.hin) * columns, 0.0f);
}
} // namespace ane::sim
#endif

HWY_BEFORE_NAMESPACE();
namespace ane::sim {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The number of output channels of a register block and of vectors of pixels:
/// accumulators, one vector row of inputs and a coefficient fit the registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
constexpr uint32_t kBlock = 8;
#else
constexpr uint32_t kBlock = 4;
#endif
constexpr uint32_t kVectors = 3;
/// Steps of the reduction that are gathered at once: with 64-byte vectors 24
/// KiB, which leaves room in the first cache for coefficients.
constexpr uint32_t kDepth = 128;
/// Vectors of a row of a unicast convolution that are summed at once.
constexpr uint32_t kRun = 4;

/// A vector of every `step`-th pixel from `from` on. `Step` is 1 or 2 where
/// that is the step, and 0 elsewhere.
template <uint32_t Step>
HWY_INLINE hn::Vec<hn::ScalableTag<float>>
LoadPixels(hn::ScalableTag<float> d, const float *from, uint32_t step) {
#if HWY_TARGET != HWY_SCALAR
  if (Step == 2)
    return hn::ConcatEven(d, hn::LoadU(d, from + hn::Lanes(d)),
                          hn::LoadU(d, from));
#endif
  if (Step == 1)
    return hn::LoadU(d, from);
  HWY_ALIGN float some[HWY_MAX_BYTES / sizeof(float)];
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    some[i] = from[i * step];
  return hn::Load(d, some);
}
#if HWY_HAVE_FLOAT64
template <uint32_t Step>
HWY_INLINE hn::Vec<hn::ScalableTag<double>>
LoadPixels(hn::ScalableTag<double> d, const float *from, uint32_t step) {
  const hn::Rebind<float, decltype(d)> df;
  if (Step == 1)
    return hn::PromoteTo(d, hn::LoadU(df, from));
#if HWY_TARGET != HWY_SCALAR
  if (Step == 2) {
    const hn::Repartition<float, decltype(d)> both;
    const auto v = hn::LoadU(both, from);
    return hn::PromoteTo(d, hn::LowerHalf(hn::ConcatEven(both, v, v)));
  }
#endif
  HWY_ALIGN float some[HWY_MAX_BYTES / sizeof(double)];
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    some[i] = from[i * step];
  return hn::PromoteTo(d, hn::Load(df, some));
}
#endif

/// acc[block][vectors * lanes] += w[depth][block] * panel[depth][pitch]
template <typename T, uint32_t Vectors>
void RegisterBlock(const T *HWY_RESTRICT w, const T *HWY_RESTRICT panel,
                   size_t pitch, uint32_t depth, bool first,
                   T *HWY_RESTRICT acc, size_t accPitch) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kBlock][Vectors];
  for (uint32_t m = 0; m < kBlock; ++m)
    for (uint32_t v = 0; v < Vectors; ++v)
      sum[m][v] =
          first ? hn::Zero(d) : hn::Load(d, acc + m * accPitch + v * lanes);
  for (uint32_t k = 0; k < depth; ++k) {
    hn::Vec<decltype(d)> x[Vectors];
    for (uint32_t v = 0; v < Vectors; ++v)
      x[v] = hn::Load(d, panel + v * lanes);
    for (uint32_t m = 0; m < kBlock; ++m) {
      const auto c = hn::Set(d, w[m]);
      for (uint32_t v = 0; v < Vectors; ++v)
        sum[m][v] = hn::MulAdd(c, x[v], sum[m][v]);
    }
    panel += pitch;
    w += kBlock;
  }
  for (uint32_t m = 0; m < kBlock; ++m)
    for (uint32_t v = 0; v < Vectors; ++v)
      hn::Store(sum[m][v], d, acc + m * accPitch + v * lanes);
}

/// Pixels that lie in one output row.
struct Segment {
  uint32_t at; ///< position in the panel
  uint32_t length;
  size_t source; ///< of the first pixel's window, in the padded plane
};

template <typename T>
std::vector<Segment> FindSegments(const ConvJob<T> &job, size_t firstPixel,
                                  size_t pixels) {
  const ConvShape &s = job.shape;
  std::vector<Segment> segments;
  for (size_t p = 0; p < pixels;) {
    const size_t oy = (firstPixel + p) / s.wout, ox = (firstPixel + p) % s.wout;
    const size_t length = std::min(s.wout - ox, pixels - p);
    segments.push_back(
        {uint32_t(p), uint32_t(length), oy * s.sy * job.columns + ox * s.sx});
    p += length;
  }
  return segments;
}

/// Gathers steps [first, first + depth) of the reduction for the panel. Whole
/// vectors are copied; what a segment leaves after its end the next one
/// replaces.
template <typename T, uint32_t Step>
void Gather(const ConvJob<T> &job, const std::vector<Segment> &segments,
            uint32_t first, uint32_t depth, size_t pitch,
            T *HWY_RESTRICT panel) {
  const hn::ScalableTag<T> d;
  const uint32_t lanes = hn::Lanes(d);
  const ConvShape &s = job.shape;
  uint32_t c = first / (s.kh * s.kw), ky = first / s.kw % s.kh,
           kx = first % s.kw;
  for (uint32_t k = 0; k < depth; ++k, panel += pitch) {
    const float *plane = job.x + (size_t(c) * job.rows + ky) * job.columns + kx;
    for (const Segment &segment : segments)
      for (uint32_t i = 0; i < segment.length; i += lanes)
        hn::StoreU(LoadPixels<Step>(
                       d, plane + segment.source + size_t(i) * s.sx, s.sx),
                   d, panel + segment.at + i);
    if (++kx < s.kw)
      continue;
    kx = 0;
    if (++ky < s.kh)
      continue;
    ky = 0;
    ++c;
  }
}

template <typename T, uint32_t Step> void RunJob(const ConvJob<T> &job) {
  const hn::ScalableTag<T> d;
  const uint32_t lanes = hn::Lanes(d), pitch = kVectors * lanes;
  const ConvShape &s = job.shape;
  const uint32_t steps = s.cin * s.kh * s.kw;
  const uint32_t blocks = (job.couts + kBlock - 1) / kBlock;
  const size_t panels = (job.pixels + pitch - 1) / pitch;
  const size_t accPitch = panels * pitch;
  std::vector<std::vector<Segment>> segments;
  for (size_t p = 0; p < job.pixels; p += pitch)
    segments.push_back(FindSegments(job, job.firstPixel + p,
                                    std::min<size_t>(pitch, job.pixels - p)));
  // Lanes that no pixel has are computed too, so they had better be numbers.
  Buffer<T> panel(size_t(pitch) * std::min(steps, kDepth) + lanes, T(0));
  Buffer<T> acc(size_t(blocks) * kBlock * accPitch);

  for (uint32_t k = 0; k < steps; k += kDepth) {
    const uint32_t depth = std::min(kDepth, steps - k);
    for (size_t p = 0; p < panels; ++p) {
      Gather<T, Step>(job, segments[p], k, depth, pitch, panel.data());
      const size_t pixels = std::min<size_t>(pitch, job.pixels - p * pitch);
      const uint32_t vectors = (pixels + lanes - 1) / lanes;
      for (uint32_t b = 0; b < blocks; ++b) {
        const T *w =
            job.w + (size_t(job.firstCout / kBlock + b) * steps + k) * kBlock;
        T *sums = acc.data() + size_t(b) * kBlock * accPitch + p * pitch;
        if (vectors == 1)
          RegisterBlock<T, 1>(w, panel.data(), pitch, depth, !k, sums,
                              accPitch);
        else if (vectors == 2)
          RegisterBlock<T, 2>(w, panel.data(), pitch, depth, !k, sums,
                              accPitch);
        else
          RegisterBlock<T, 3>(w, panel.data(), pitch, depth, !k, sums,
                              accPitch);
      }
    }
  }
  for (uint32_t m = 0; m < job.couts; ++m)
    (*job.sink)(job.firstCout + m, job.firstPixel, job.pixels,
                acc.data() + m * accPitch);
}

/// A plane with zeros around it whose rows start at whole vectors: what is zero
/// after a row is also what stands in front of the next.
struct PaddedPlane {
  uint32_t front, pitch; ///< floats before the first row, and between rows
  size_t size;

  explicit PaddedPlane(const ConvShape &s) {
    const uint32_t lanes = hn::Lanes(hn::ScalableTag<float>());
    auto whole = [&](uint32_t n) { return (n + lanes - 1) / lanes * lanes; };
    front = whole(s.px);
    pitch = whole(s.win + std::max(s.px, paddedColumns(s) - s.px - s.win));
    size = front + size_t(paddedRows(s)) * pitch;
  }
};

void PadPlane(const ConvShape &s, const PaddedPlane &plane,
              const float *HWY_RESTRICT x, float *HWY_RESTRICT to) {
  const hn::ScalableTag<float> d;
  const uint32_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto clear = [&](size_t count) {
    for (; count; count -= lanes, to += lanes)
      hn::Store(zero, d, to);
  };
  const auto inRow = hn::FirstN(d, s.win % lanes);
  clear(plane.front + size_t(s.py) * plane.pitch);
  for (uint32_t h = 0; h < s.hin; ++h, x += s.win) {
    uint32_t i = 0;
    for (; i + lanes <= s.win; i += lanes, to += lanes)
      hn::Store(hn::LoadU(d, x + i), d, to);
    if (i < s.win) {
      hn::Store(hn::IfThenElseZero(inRow, hn::LoadU(d, x + i)), d, to);
      i += lanes;
      to += lanes;
    }
    clear(plane.pitch - i);
  }
  clear(size_t(paddedRows(s) - s.py - s.hin) * plane.pitch);
}

/// The same from halves, whose rows must not be read beyond their ends.
void PadHalves(const ConvShape &s, const PaddedPlane &plane,
               const uint8_t *from, size_t stride, float *HWY_RESTRICT to) {
  const hn::ScalableTag<float> d;
  const uint32_t lanes = hn::Lanes(d);
  const uint32_t full = s.win / lanes * lanes;
  auto clear = [&](float *at, size_t count) {
    for (size_t i = 0; i < count; i += lanes)
      hn::Store(hn::Zero(d), d, at + i);
  };
  const size_t head = plane.front + size_t(s.py) * plane.pitch;
  clear(to, head);
  to += head;
  for (uint32_t h = 0; h < s.hin; ++h, to += plane.pitch) {
    clear(to + full, plane.pitch - full);
    HalvesToFloats(from + h * stride, 0, to, s.win, 1);
  }
  clear(to, size_t(paddedRows(s) - s.py - s.hin) * plane.pitch);
}

/// One row of a unicast convolution: `Vectors` vectors of pixels. `x` is the
/// padded window of the first one.
template <typename T, uint32_t Step, uint32_t Vectors>
HWY_INLINE void UnicastRun(const UnicastJob<T> &job, const float *x,
                           size_t plane, size_t columns, const float *w, T *y) {
  const hn::ScalableTag<T> d;
  const uint32_t lanes = hn::Lanes(d);
  const ConvShape &s = job.shape;
  hn::Vec<decltype(d)> sum[Vectors];
  for (uint32_t v = 0; v < Vectors; ++v)
    sum[v] = hn::Zero(d);
  for (uint32_t c = 0; c < job.perChannel; ++c)
    for (uint32_t ky = 0; ky < s.kh; ++ky) {
      const float *row = x + c * plane + ky * columns;
      for (uint32_t kx = 0; kx < s.kw; ++kx) {
        const auto weight = hn::Set(d, T(*w++));
        for (uint32_t v = 0; v < Vectors; ++v)
          sum[v] = hn::MulAdd(
              weight,
              LoadPixels<Step>(d, row + kx + size_t(v) * lanes * s.sx, s.sx),
              sum[v]);
      }
    }
  for (uint32_t v = 0; v < Vectors; ++v)
    hn::StoreU(sum[v], d, y + v * lanes);
}

// Four rows of a 3x3 convolution read six rows instead of twelve; the sums and
// the nine coefficients need 25 registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
constexpr uint32_t kSharedRows = 4;
#else
constexpr uint32_t kSharedRows = 2;
#endif

/// kSharedRows rows of a 3x3 convolution of one channel with steps of 1:
/// `Vectors` vectors of pixels of each.
template <typename T, uint32_t Vectors>
HWY_INLINE void SharedRows(const float *HWY_RESTRICT x, size_t columns,
                           const float *HWY_RESTRICT w, T *HWY_RESTRICT y,
                           size_t pitch) {
  const hn::ScalableTag<T> d;
  const uint32_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kSharedRows][Vectors], weight[9];
  for (uint32_t i = 0; i < 9; ++i)
    weight[i] = hn::Set(d, T(w[i]));
  for (uint32_t r = 0; r < kSharedRows; ++r)
    for (uint32_t v = 0; v < Vectors; ++v)
      sum[r][v] = hn::Zero(d);
  for (uint32_t in = 0; in < kSharedRows + 2; ++in)
    for (uint32_t kx = 0; kx < 3; ++kx)
      for (uint32_t v = 0; v < Vectors; ++v) {
        const auto value =
            LoadPixels<1>(d, x + in * columns + kx + v * lanes, 1);
        for (uint32_t r = 0; r < kSharedRows; ++r)
          if (in >= r && in < r + 3)
            sum[r][v] = hn::MulAdd(weight[(in - r) * 3 + kx], value, sum[r][v]);
      }
  for (uint32_t r = 0; r < kSharedRows; ++r)
    for (uint32_t v = 0; v < Vectors; ++v)
      hn::StoreU(sum[r][v], d, y + r * pitch + v * lanes);
}

/// All such rows from the top; the number of rows that are done. A vector that
/// is too much of a row reaches into the next, so vectors go left to right for
/// all rows, and the last one lies so that it ends with the row.
template <typename T>
uint32_t RunSharedRows(const ConvShape &s, const float *x, size_t columns,
                       const float *w, T *y) {
  const uint32_t lanes = hn::Lanes(hn::ScalableTag<T>());
  if (s.kh != 3 || s.kw != 3 || s.sx != 1 || s.sy != 1 || s.wout < lanes)
    return 0;
  uint32_t oy = 0;
  for (; oy + kSharedRows <= s.hout; oy += kSharedRows) {
    const float *row = x + oy * columns;
    T *to = y + size_t(oy) * s.wout;
    uint32_t ox = 0;
    for (; ox + 2 * lanes <= s.wout; ox += 2 * lanes)
      SharedRows<T, 2>(row + ox, columns, w, to + ox, s.wout);
    for (; ox + lanes <= s.wout; ox += lanes)
      SharedRows<T, 1>(row + ox, columns, w, to + ox, s.wout);
    if (ox < s.wout) {
      ox = s.wout - lanes;
      SharedRows<T, 1>(row + ox, columns, w, to + ox, s.wout);
    }
  }
  return oy;
}

/// Rows are written with whole vectors; the next row replaces what is too much.
template <typename T, uint32_t Step> void RunUnicast(const UnicastJob<T> &job) {
  const uint32_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const ConvShape &s = job.shape;
  const HalfPlanes &halves = job.halves;
  const bool pads = needsPadding(s) || halves.bytes;
  const PaddedPlane layout(s);
  const uint32_t columns = pads ? layout.pitch : s.win, inputs = job.perChannel;
  const size_t inPlane = size_t(s.hin) * s.win;
  const size_t plane = pads ? layout.size : inPlane;
  const size_t pixels = size_t(s.hout) * s.wout;
  Buffer<float> padded(pads ? plane * inputs : 0);
  Buffer<T> sums(pixels + kRun * lanes);
  for (uint32_t m = job.first; m < job.last; ++m) {
    const float *x = halves.bytes ? nullptr : job.x + m * inputs * inPlane;
    if (pads) {
      for (uint32_t c = 0; c < inputs; ++c)
        if (halves.bytes)
          PadHalves(s, layout,
                    halves.bytes + (size_t(m) * inputs + c) * halves.plane,
                    halves.row, padded.data() + c * plane);
        else
          PadPlane(s, layout, x + c * inPlane, padded.data() + c * plane);
      x = padded.data() + layout.front - s.px;
    }
    const float *w = job.w + size_t(m) * inputs * s.kh * s.kw;
    uint32_t oy =
        inputs == 1 ? RunSharedRows(s, x, columns, w, sums.data()) : 0;
    for (; oy < s.hout; ++oy) {
      const float *row = x + size_t(oy) * s.sy * columns;
      T *y = sums.data() + size_t(oy) * s.wout;
      uint32_t ox = 0;
      for (; ox + (kRun - 1) * lanes < s.wout; ox += kRun * lanes)
        UnicastRun<T, Step, kRun>(job, row + size_t(ox) * s.sx, plane, columns,
                                  w, y + ox);
      for (; ox < s.wout; ox += lanes)
        UnicastRun<T, Step, 1>(job, row + size_t(ox) * s.sx, plane, columns, w,
                               y + ox);
    }
    (*job.sink)(m, 0, pixels, sums.data());
  }
}

/// Calls `run` with the step as a constant.
template <typename Run> void WithStep(uint32_t step, Run run) {
  if (step == 1)
    run(std::integral_constant<uint32_t, 1>());
  else if (step == 2)
    run(std::integral_constant<uint32_t, 2>());
  else
    run(std::integral_constant<uint32_t, 0>());
}
template <typename T> void RunAnyJob(const ConvJob<T> &job) {
  WithStep(job.shape.sx, [&](auto step) { RunJob<T, step>(job); });
}
template <typename T> void RunAnyUnicast(const UnicastJob<T> &job) {
  WithStep(job.shape.sx, [&](auto step) { RunUnicast<T, step>(job); });
}

uint32_t BlockChannels() { return kBlock; }
uint32_t PanelPixelsFloat() {
  return kVectors * hn::Lanes(hn::ScalableTag<float>());
}
void RunJobFloat(const ConvJob<float> &job) { RunAnyJob(job); }
void RunUnicastFloat(const UnicastJob<float> &job) { RunAnyUnicast(job); }
#if HWY_HAVE_FLOAT64
uint32_t PanelPixelsDouble() {
  return kVectors * hn::Lanes(hn::ScalableTag<double>());
}
void RunJobDouble(const ConvJob<double> &job) { RunAnyJob(job); }
void RunUnicastDouble(const UnicastJob<double> &job) { RunAnyUnicast(job); }
#else
/// The sum of a window, as the vector code computes it.
double WindowSum(const float *x, size_t plane, size_t columns, uint32_t inputs,
                 const ConvShape &s, const double *w, size_t step) {
  double sum = 0;
  for (uint32_t c = 0; c < inputs; ++c)
    for (uint32_t ky = 0; ky < s.kh; ++ky)
      for (uint32_t kx = 0; kx < s.kw; ++kx, w += step)
        sum += *w * x[c * plane + ky * columns + kx];
  return sum;
}
uint32_t PanelPixelsDouble() { return 16; }
void RunJobDouble(const ConvJob<double> &job) {
  const ConvShape &s = job.shape;
  const uint32_t steps = s.cin * s.kh * s.kw;
  std::vector<double> sums(job.pixels);
  for (uint32_t m = job.firstCout; m < job.firstCout + job.couts; ++m) {
    const double *w = job.w + size_t(m / kBlock) * steps * kBlock + m % kBlock;
    for (size_t p = 0; p < job.pixels; ++p) {
      const size_t oy = (job.firstPixel + p) / s.wout,
                   ox = (job.firstPixel + p) % s.wout;
      sums[p] = WindowSum(job.x + oy * s.sy * job.columns + ox * s.sx,
                          size_t(job.rows) * job.columns, job.columns, s.cin, s,
                          w, kBlock);
    }
    (*job.sink)(m, job.firstPixel, job.pixels, sums.data());
  }
}
void RunUnicastDouble(const UnicastJob<double> &job) {
  const ConvShape &s = job.shape;
  const uint32_t columns = paddedColumns(s), inputs = job.perChannel;
  const size_t plane = size_t(paddedRows(s)) * columns, taps = s.kh * s.kw;
  std::vector<float> x(plane * inputs);
  std::vector<double> w(inputs * taps), sums(size_t(s.hout) * s.wout);
  for (uint32_t m = job.first; m < job.last; ++m) {
    for (uint32_t c = 0; c < inputs; ++c) {
      const size_t input = size_t(m) * inputs + c, inPlane = s.hin * s.win;
      std::vector<float> singles(job.halves.bytes ? inPlane : 0);
      if (job.halves.bytes)
        HalvesToFloats(job.halves.bytes + input * job.halves.plane,
                       job.halves.row, singles.data(), s.win, s.hin);
      padPlane(s, singles.empty() ? job.x + input * inPlane : singles.data(),
               x.data() + c * plane);
    }
    std::copy_n(job.w + m * w.size(), w.size(), w.data());
    for (uint32_t oy = 0; oy < s.hout; ++oy)
      for (uint32_t ox = 0; ox < s.wout; ++ox)
        sums[size_t(oy) * s.wout + ox] =
            WindowSum(x.data() + size_t(oy) * s.sy * columns + ox * s.sx, plane,
                      columns, inputs, s, w.data(), 1);
    (*job.sink)(m, 0, sums.size(), sums.data());
  }
}
#endif

} // namespace HWY_NAMESPACE
} // namespace ane::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ane::sim {

HWY_EXPORT(BlockChannels);
HWY_EXPORT(PanelPixelsFloat);
HWY_EXPORT(PanelPixelsDouble);
HWY_EXPORT(RunJobFloat);
HWY_EXPORT(RunJobDouble);
HWY_EXPORT(RunUnicastFloat);
HWY_EXPORT(RunUnicastDouble);

namespace {

void runJob(const ConvJob<float> &job) {
  HWY_DYNAMIC_DISPATCH(RunJobFloat)(job);
}
void runJob(const ConvJob<double> &job) {
  HWY_DYNAMIC_DISPATCH(RunJobDouble)(job);
}
uint32_t panelPixels(float) { return HWY_DYNAMIC_DISPATCH(PanelPixelsFloat)(); }
uint32_t panelPixels(double) {
  return HWY_DYNAMIC_DISPATCH(PanelPixelsDouble)();
}
void runUnicast(const UnicastJob<float> &job) {
  HWY_DYNAMIC_DISPATCH(RunUnicastFloat)(job);
}
void runUnicast(const UnicastJob<double> &job) {
  HWY_DYNAMIC_DISPATCH(RunUnicastDouble)(job);
}

/// [cout][steps] to [cout / block][steps][block], zeros after the last
/// channel.
template <typename T>
Buffer<T> blockWeights(const float *w, uint32_t cout, uint32_t steps,
                       uint32_t block, unsigned threads) {
  uint32_t blocks = (cout + block - 1) / block;
  Buffer<T> packed(size_t(blocks) * steps * block);
  parallelFor(blocks, packed.size() < (1 << 16) ? 1 : threads, [&](size_t b) {
    T *to = packed.data() + b * steps * block;
    uint32_t lanes = std::min<uint32_t>(block, cout - b * block);
    for (uint32_t m = lanes; m < block; ++m)
      for (uint32_t k = 0; k < steps; ++k)
        to[size_t(k) * block + m] = 0;
    for (uint32_t k = 0; k < steps; ++k)
      for (uint32_t m = 0; m < lanes; ++m)
        to[size_t(k) * block + m] = w[(b * block + m) * steps + k];
  });
  return packed;
}

/// How a convolution is cut into jobs.
struct Pieces {
  size_t pixels;  ///< of a job: a number of panels
  uint32_t couts; ///< of a job: a number of register blocks
};

template <typename T>
Pieces cut(const ConvShape &s, uint32_t block, unsigned threads) {
  const size_t panel = panelPixels(T()), pixels = size_t(s.hout) * s.wout;
  const size_t panels = (pixels + panel - 1) / panel;
  // Few panels: cut the channels too, so that every thread has work. Gathering
  // a panel again costs about as much as one channel.
  uint32_t pieces = 1;
  if (threads != 1 && panels < 8)
    pieces = std::max<uint32_t>(1, std::min<size_t>(8 / panels, s.cout / 64));
  const uint32_t couts =
      ((s.cout + pieces - 1) / pieces + block - 1) / block * block;
  // The sums of a job stay in the second cache.
  constexpr size_t kSums = 256 << 10;
  size_t some = std::max<size_t>(1, kSums / (couts * panel * sizeof(T)));
  some = std::min(some, std::max<size_t>(1, panels / (threads == 1 ? 1 : 8)));
  return {some * panel, couts};
}

template <typename T>
void convolveImpl(const ConvShape &shape, const float *x, const float *w,
                  unsigned threads, const Sink<T> &sink) {
  const uint32_t steps = shape.cin * shape.kh * shape.kw;
  const size_t pixels = size_t(shape.hout) * shape.wout;
  const uint32_t block = HWY_DYNAMIC_DISPATCH(BlockChannels)();
  if (pixels * steps * shape.cout < (1 << 20))
    threads = 1;
  Buffer<T> weights = blockWeights<T>(w, shape.cout, steps, block, threads);
  ConvJob<T> job{shape,
                 x,
                 paddedRows(shape),
                 paddedColumns(shape),
                 weights.data(),
                 0,
                 shape.cout,
                 0,
                 0,
                 &sink};
  Buffer<float> image;
  if (needsPadding(shape)) {
    const size_t plane = size_t(job.rows) * job.columns;
    image.resize(plane * shape.cin);
    parallelFor(shape.cin, image.size() < (1 << 18) ? 1 : threads,
                [&](size_t c) {
                  padPlane(shape, x + c * shape.hin * shape.win,
                           image.data() + c * plane);
                });
    job.x = image.data();
  }
  const Pieces pieces = cut<T>(shape, block, threads);
  const size_t across = (pixels + pieces.pixels - 1) / pieces.pixels;
  const size_t down = (shape.cout + pieces.couts - 1) / pieces.couts;
  parallelFor(across * down, threads, [&](size_t i) {
    ConvJob<T> mine = job;
    mine.firstPixel = i % across * pieces.pixels;
    mine.pixels = std::min(pieces.pixels, pixels - mine.firstPixel);
    mine.firstCout = uint32_t(i / across) * pieces.couts;
    mine.couts = std::min(pieces.couts, shape.cout - mine.firstCout);
    runJob(mine);
  });
}

template <typename T>
void unicastImpl(const ConvShape &shape, uint32_t perChannel, const float *x,
                 const float *w, unsigned threads, const Sink<T> &sink,
                 HalfPlanes halves) {
  const size_t steps = size_t(perChannel) * shape.kh * shape.kw;
  if (shape.hout * steps * shape.wout * shape.cout < (1 << 20))
    threads = 1;
  const uint32_t pieces = std::min(shape.cout, threads == 1 ? 1u : 32u);
  parallelFor(pieces, threads, [&](size_t i) {
    auto bound = [&](size_t piece) {
      return uint32_t(piece * shape.cout / pieces);
    };
    runUnicast(UnicastJob<T>{shape, perChannel, x, w, bound(i), bound(i + 1),
                             halves, &sink});
  });
}

} // namespace

void convolve(const ConvShape &shape, const float *x, const float *w,
              unsigned threads, Sink<float> sink) {
  convolveImpl(shape, x, w, threads, sink);
}
void convolve(const ConvShape &shape, const float *x, const float *w,
              unsigned threads, Sink<double> sink) {
  convolveImpl(shape, x, w, threads, sink);
}
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, unsigned threads,
                     Sink<float> sink, HalfPlanes halves) {
  unicastImpl(shape, perChannel, x, w, threads, sink, halves);
}
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, unsigned threads,
                     Sink<double> sink, HalfPlanes halves) {
  unicastImpl(shape, perChannel, x, w, threads, sink, halves);
}

} // namespace ane::sim
#endif // HWY_ONCE
