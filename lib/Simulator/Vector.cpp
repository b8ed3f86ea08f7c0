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
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Vector.cpp"
#include "hwy/aligned_allocator.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "Parallel.h"
#include "Vector.h"

#include "ane/HW/Float16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#ifndef ANE_VECTOR_SHARED
#define ANE_VECTOR_SHARED
namespace ane::sim {
/// What all panels of a convolution share.
template <typename T> struct ConvJob {
  ConvShape shape;
  const float *x;            ///< padded: [cin][rows][columns]
  uint32_t rows, columns;    ///< of the padded image
  const T *w;                ///< [cout / block][cin * kh * kw][block]
  uint32_t block;            ///< channels of a register block
  T *y;                      ///< [cout][pixels]
  uint32_t firstCout, couts; ///< the channels of one piece of work
  uint32_t firstPixel, pixels;
};
} // namespace ane::sim
#endif

HWY_BEFORE_NAMESPACE();
namespace ane::sim {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where the instruction set has no conversion, Highway's own does not round and
// knows no infinity.
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64
void HalvesToFloats(const uint8_t *from, float *to, size_t count) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  const size_t lanes = hn::Lanes(df);
  HWY_ALIGN hwy::float16_t buffer[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float result[HWY_MAX_BYTES / sizeof(float)];
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    std::memcpy(buffer, from + 2 * i, 2 * lanes);
    hn::StoreU(hn::PromoteTo(df, hn::Load(dh, buffer)), df, to + i);
  }
  if (i < count) {
    std::memset(static_cast<void *>(buffer), 0, sizeof(buffer));
    std::memcpy(buffer, from + 2 * i, 2 * (count - i));
    hn::Store(hn::PromoteTo(df, hn::Load(dh, buffer)), df, result);
    std::memcpy(to + i, result, sizeof(float) * (count - i));
  }
}

void FloatsToHalves(const float *from, uint8_t *to, size_t count) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  const size_t lanes = hn::Lanes(df);
  HWY_ALIGN hwy::float16_t buffer[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Store(hn::DemoteTo(dh, hn::LoadU(df, from + i)), dh, buffer);
    std::memcpy(to + 2 * i, buffer, 2 * lanes);
  }
  if (i < count) {
    std::memcpy(rest, from + i, sizeof(float) * (count - i));
    hn::Store(hn::DemoteTo(dh, hn::Load(df, rest)), dh, buffer);
    std::memcpy(to + 2 * i, buffer, 2 * (count - i));
  }
}
#else
void HalvesToFloats(const uint8_t *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + 2 * i, sizeof(bits));
    to[i] = hw::fromHalfBits(bits);
  }
}
void FloatsToHalves(const float *from, uint8_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits = hw::toHalfBits(from[i]);
    std::memcpy(to + 2 * i, &bits, sizeof(bits));
  }
}
#endif

/// The number of output channels of a register block and of vectors of pixels:
/// accumulators, one vector row of inputs and a coefficient fit the registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
constexpr uint32_t kBlock = 8;
#else
constexpr uint32_t kBlock = 4;
#endif
constexpr uint32_t kVectors = 3;
/// Rows of the gathered panel that are used before the next ones are gathered.
constexpr uint32_t kDepth = 384;

/// acc[block][vectors * lanes] += w[depth][block] * panel[depth][pitch]
template <typename T, uint32_t Vectors>
void RegisterBlock(const T *HWY_RESTRICT w, const T *HWY_RESTRICT panel,
                   size_t pitch, uint32_t depth, T *HWY_RESTRICT acc,
                   size_t accPitch) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kBlock][Vectors];
  for (uint32_t m = 0; m < kBlock; ++m)
    for (uint32_t v = 0; v < Vectors; ++v)
      sum[m][v] = hn::Load(d, acc + m * accPitch + v * lanes);
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

/// Gathers steps [first, first + depth) of the reduction for the panel.
template <typename T>
void Gather(const ConvJob<T> &job, const std::vector<Segment> &segments,
            uint32_t first, uint32_t depth, size_t pitch,
            T *HWY_RESTRICT panel) {
  const ConvShape &s = job.shape;
  const uint32_t taps = s.kh * s.kw;
  for (uint32_t k = first; k < first + depth; ++k, panel += pitch) {
    const uint32_t c = k / taps, ky = k % taps / s.kw, kx = k % s.kw;
    const float *plane = job.x + (size_t(c) * job.rows + ky) * job.columns + kx;
    for (const Segment &segment : segments) {
      const float *from = plane + segment.source;
      T *to = panel + segment.at;
      if (s.sx == 1)
        for (uint32_t i = 0; i < segment.length; ++i)
          to[i] = from[i];
      else
        for (uint32_t i = 0; i < segment.length; ++i)
          to[i] = from[size_t(i) * s.sx];
    }
  }
}

template <typename T> void RunPanel(const ConvJob<T> &job) {
  const hn::ScalableTag<T> d;
  const uint32_t lanes = hn::Lanes(d);
  const size_t pitch = kVectors * lanes;
  const ConvShape &s = job.shape;
  const uint32_t steps = s.cin * s.kh * s.kw;
  const uint32_t blocks = (job.couts + kBlock - 1) / kBlock;

  std::vector<Segment> segments;
  for (uint32_t p = 0; p < job.pixels;) {
    uint32_t pixel = job.firstPixel + p, oy = pixel / s.wout,
             ox = pixel % s.wout;
    uint32_t length = std::min(s.wout - ox, job.pixels - p);
    segments.push_back(
        {p, length, size_t(oy) * s.sy * job.columns + size_t(ox) * s.sx});
    p += length;
  }
  auto panel = hwy::AllocateAligned<T>(pitch * std::min(steps, kDepth));
  auto acc = hwy::AllocateAligned<T>(size_t(blocks) * kBlock * pitch);
  std::fill_n(panel.get(), pitch * std::min(steps, kDepth), T(0));
  std::fill_n(acc.get(), size_t(blocks) * kBlock * pitch, T(0));

  const uint32_t vectors = (job.pixels + lanes - 1) / lanes;
  for (uint32_t k = 0; k < steps; k += kDepth) {
    const uint32_t depth = std::min(kDepth, steps - k);
    Gather(job, segments, k, depth, pitch, panel.get());
    for (uint32_t b = 0; b < blocks; ++b) {
      const T *w =
          job.w + (size_t(job.firstCout / kBlock + b) * steps + k) * kBlock;
      T *sums = acc.get() + size_t(b) * kBlock * pitch;
      if (vectors == 1)
        RegisterBlock<T, 1>(w, panel.get(), pitch, depth, sums, pitch);
      else if (vectors == 2)
        RegisterBlock<T, 2>(w, panel.get(), pitch, depth, sums, pitch);
      else
        RegisterBlock<T, 3>(w, panel.get(), pitch, depth, sums, pitch);
    }
  }
  for (uint32_t m = 0; m < job.couts; ++m)
    std::copy_n(acc.get() + m * pitch, job.pixels,
                job.y + size_t(job.firstCout + m) * s.hout * s.wout +
                    job.firstPixel);
}

uint32_t BlockChannels() { return kBlock; }
uint32_t PanelPixelsFloat() {
  return kVectors * hn::Lanes(hn::ScalableTag<float>());
}
void RunPanelFloat(const ConvJob<float> &job) { RunPanel(job); }
#if HWY_HAVE_FLOAT64
uint32_t PanelPixelsDouble() {
  return kVectors * hn::Lanes(hn::ScalableTag<double>());
}
void RunPanelDouble(const ConvJob<double> &job) { RunPanel(job); }
#else
uint32_t PanelPixelsDouble() { return 16; }
void RunPanelDouble(const ConvJob<double> &job) {
  const ConvShape &s = job.shape;
  const uint32_t steps = s.cin * s.kh * s.kw;
  for (uint32_t m = job.firstCout; m < job.firstCout + job.couts; ++m)
    for (uint32_t p = job.firstPixel; p < job.firstPixel + job.pixels; ++p) {
      const double *w =
          job.w + size_t(m / kBlock) * steps * kBlock + m % kBlock;
      const float *x = job.x + size_t(p / s.wout) * s.sy * job.columns +
                       size_t(p % s.wout) * s.sx;
      double sum = 0;
      for (uint32_t k = 0; k < steps; ++k) {
        uint32_t c = k / (s.kh * s.kw), ky = k / s.kw % s.kh, kx = k % s.kw;
        sum += w[size_t(k) * kBlock] *
               x[(size_t(c) * job.rows + ky) * job.columns + kx];
      }
      job.y[size_t(m) * s.hout * s.wout + p] = sum;
    }
}
#endif

/// One output channel of a unicast convolution; `x` is padded and starts at the
/// channel's first input.
template <typename T>
void UnicastChannel(const ConvJob<T> &job, uint32_t perChannel, const float *x,
                    const float *w, T *y) {
  constexpr uint32_t kRun = 64;
  const ConvShape &s = job.shape;
  T sum[kRun];
  for (uint32_t oy = 0; oy < s.hout; ++oy)
    for (uint32_t ox = 0; ox < s.wout; ox += kRun) {
      const uint32_t run = std::min(kRun, s.wout - ox);
      std::fill_n(sum, run, T(0));
      for (uint32_t c = 0; c < perChannel; ++c)
        for (uint32_t ky = 0; ky < s.kh; ++ky)
          for (uint32_t kx = 0; kx < s.kw; ++kx) {
            const T weight = w[(c * s.kh + ky) * s.kw + kx];
            const float *row =
                x + (size_t(c) * job.rows + oy * s.sy + ky) * job.columns +
                size_t(ox) * s.sx + kx;
            if (s.sx == 1)
              for (uint32_t i = 0; i < run; ++i)
                sum[i] += weight * T(row[i]);
            else
              for (uint32_t i = 0; i < run; ++i)
                sum[i] += weight * T(row[size_t(i) * s.sx]);
          }
      std::copy_n(sum, run, y + size_t(oy) * s.wout + ox);
    }
}
void UnicastFloat(const ConvJob<float> &job, uint32_t perChannel,
                  const float *x, const float *w, float *y) {
  UnicastChannel(job, perChannel, x, w, y);
}
void UnicastDouble(const ConvJob<double> &job, uint32_t perChannel,
                   const float *x, const float *w, double *y) {
  UnicastChannel(job, perChannel, x, w, y);
}

} // namespace HWY_NAMESPACE
} // namespace ane::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ane::sim {

HWY_EXPORT(HalvesToFloats);
HWY_EXPORT(FloatsToHalves);
HWY_EXPORT(BlockChannels);
HWY_EXPORT(PanelPixelsFloat);
HWY_EXPORT(PanelPixelsDouble);
HWY_EXPORT(RunPanelFloat);
HWY_EXPORT(RunPanelDouble);
HWY_EXPORT(UnicastFloat);
HWY_EXPORT(UnicastDouble);

void halvesToFloats(const uint8_t *from, float *to, size_t count) {
  HWY_DYNAMIC_DISPATCH(HalvesToFloats)(from, to, count);
}
void floatsToHalves(const float *from, uint8_t *to, size_t count) {
  HWY_DYNAMIC_DISPATCH(FloatsToHalves)(from, to, count);
}

void roundToHalf(const float *from, float *to, size_t count) {
  constexpr size_t piece = 1024;
  uint8_t halves[2 * piece];
  for (size_t i = 0; i < count; i += piece) {
    size_t n = std::min(piece, count - i);
    floatsToHalves(from + i, halves, n);
    halvesToFloats(halves, to + i, n);
  }
}

/// Rounds to odd: a single keeps enough bits so that rounding it again to a
/// half gives what rounding `value` once gives.
static float roundToOdd(double value) {
  float single = static_cast<float>(value);
  if (static_cast<double>(single) == value)
    return single;
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof(bits));
  if (std::fabs(static_cast<double>(single)) > std::fabs(value))
    --bits;
  bits |= 1;
  std::memcpy(&single, &bits, sizeof(bits));
  return single;
}

void roundToHalf(const double *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = roundToOdd(from[i]);
  roundToHalf(to, to, count);
}

namespace {

struct PaddedImage {
  std::vector<float> copy; ///< empty when the image needs no padding
  const float *data;
  uint32_t rows, columns;
};

/// Puts zeros around each plane, so that no window leaves its image.
PaddedImage padded(const ConvShape &s, uint32_t channels, const float *x,
                   unsigned threads) {
  PaddedImage image{{}, x, s.hin, s.win};
  uint32_t rows = std::max(s.py + s.hin, (s.hout - 1) * s.sy + s.kh);
  uint32_t columns = std::max(s.px + s.win, (s.wout - 1) * s.sx + s.kw);
  if (rows == s.hin && columns == s.win)
    return image;
  image.rows = rows;
  image.columns = columns;
  image.copy.resize(size_t(channels) * rows * columns);
  image.data = image.copy.data();
  parallelFor(channels, image.copy.size() < (1 << 18) ? 1 : threads,
              [&](size_t c) {
                for (uint32_t h = 0; h < s.hin; ++h)
                  std::copy_n(x + (c * s.hin + h) * s.win, s.win,
                              image.copy.data() +
                                  (c * rows + s.py + h) * columns + s.px);
              });
  return image;
}

void runPanel(const ConvJob<float> &job) {
  HWY_DYNAMIC_DISPATCH(RunPanelFloat)(job);
}
void runPanel(const ConvJob<double> &job) {
  HWY_DYNAMIC_DISPATCH(RunPanelDouble)(job);
}
uint32_t panelPixels(float) { return HWY_DYNAMIC_DISPATCH(PanelPixelsFloat)(); }
uint32_t panelPixels(double) {
  return HWY_DYNAMIC_DISPATCH(PanelPixelsDouble)();
}
void unicastChannel(const ConvJob<float> &job, uint32_t perChannel,
                    const float *x, const float *w, float *y) {
  HWY_DYNAMIC_DISPATCH(UnicastFloat)(job, perChannel, x, w, y);
}
void unicastChannel(const ConvJob<double> &job, uint32_t perChannel,
                    const float *x, const float *w, double *y) {
  HWY_DYNAMIC_DISPATCH(UnicastDouble)(job, perChannel, x, w, y);
}

/// [cout][steps] to [cout / block][steps][block], zeros behind the last
/// channel.
template <typename T>
std::vector<T> blockWeights(const float *w, uint32_t cout, uint32_t steps,
                            uint32_t block, unsigned threads) {
  uint32_t blocks = (cout + block - 1) / block;
  std::vector<T> packed(size_t(blocks) * steps * block);
  parallelFor(blocks, packed.size() < (1 << 16) ? 1 : threads, [&](size_t b) {
    T *to = packed.data() + b * steps * block;
    uint32_t lanes = std::min<uint32_t>(block, cout - b * block);
    for (uint32_t k = 0; k < steps; ++k)
      for (uint32_t m = 0; m < lanes; ++m)
        to[size_t(k) * block + m] = w[(b * block + m) * steps + k];
  });
  return packed;
}

template <typename T>
void convolveImpl(const ConvShape &shape, const float *x, const float *w, T *y,
                  unsigned threads) {
  const uint32_t steps = shape.cin * shape.kh * shape.kw;
  const uint32_t block = HWY_DYNAMIC_DISPATCH(BlockChannels)();
  PaddedImage image = padded(shape, shape.cin, x, threads);
  std::vector<T> weights =
      blockWeights<T>(w, shape.cout, steps, block, threads);
  ConvJob<T> job{shape,          image.data, image.rows, image.columns,
                 weights.data(), block,      y,          0,
                 shape.cout,     0,          0};

  const uint32_t pixels = shape.hout * shape.wout;
  const uint32_t panel = panelPixels(T());
  const uint32_t panels = (pixels + panel - 1) / panel;
  // Few panels: cut the channels too, so that every thread has work. Gathering
  // a panel again costs about as much as one channel.
  uint32_t pieces = 1;
  if (panels < 8)
    pieces = std::max(1u, std::min(8 / panels, shape.cout / 64));
  const uint32_t couts =
      ((shape.cout + pieces - 1) / pieces + block - 1) / block * block;
  pieces = (shape.cout + couts - 1) / couts;
  const bool small = uint64_t(pixels) * steps * shape.cout < (1 << 20);
  parallelFor(size_t(panels) * pieces, small ? 1 : threads, [&](size_t i) {
    ConvJob<T> mine = job;
    mine.firstPixel = uint32_t(i % panels) * panel;
    mine.pixels = std::min(panel, pixels - mine.firstPixel);
    mine.firstCout = uint32_t(i / panels) * couts;
    mine.couts = std::min(couts, shape.cout - mine.firstCout);
    runPanel(mine);
  });
}

template <typename T>
void unicastImpl(const ConvShape &shape, uint32_t perChannel, const float *x,
                 const float *w, T *y, unsigned threads) {
  PaddedImage image = padded(shape, shape.cout * perChannel, x, threads);
  ConvJob<T> job{shape,   image.data, image.rows, image.columns,
                 nullptr, 1,          nullptr,    0,
                 0,       0,          0};
  const uint32_t steps = perChannel * shape.kh * shape.kw;
  const size_t pixels = size_t(shape.hout) * shape.wout;
  const size_t plane = size_t(image.rows) * image.columns;
  const bool small = pixels * steps * shape.cout < (1 << 20);
  parallelFor(shape.cout, small ? 1 : threads, [&](size_t c) {
    unicastChannel(job, perChannel, image.data + c * perChannel * plane,
                   w + c * steps, y + c * pixels);
  });
}

} // namespace

void convolve(const ConvShape &shape, const float *x, const float *w, float *y,
              unsigned threads) {
  convolveImpl(shape, x, w, y, threads);
}
void convolve(const ConvShape &shape, const float *x, const float *w, double *y,
              unsigned threads) {
  convolveImpl(shape, x, w, y, threads);
}
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, float *y,
                     unsigned threads) {
  unicastImpl(shape, perChannel, x, w, y, threads);
}
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, double *y,
                     unsigned threads) {
  unicastImpl(shape, perChannel, x, w, y, threads);
}

} // namespace ane::sim
#endif // HWY_ONCE
