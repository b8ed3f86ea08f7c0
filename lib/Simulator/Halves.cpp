//===- Halves.cpp - Between half, single and double precision -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Highway includes this file once for each instruction set, as it does
// Vector.cpp.
//
//===----------------------------------------------------------------------===//

#define HWY_DISABLED_TARGETS                                                   \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Halves.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "Halves-inl.h"
#include "ValueTally.h"
#include "Vector.h"

#include "ane/HW/Float16.h"

#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace ane::sim {
namespace HWY_NAMESPACE {

#ifdef ANE_HAS_HALF_CONVERSION
void FloatsToHalves(const float *from, uint8_t *to, size_t stride,
                    uint32_t width, uint32_t rows) {
  const hn::ScalableTag<float> d;
  const uint32_t lanes = hn::Lanes(d);
  for (; rows; --rows, from += width, to += stride) {
    uint32_t i = 0;
    for (; i + lanes <= width; i += lanes)
      StoreHalves(hn::LoadU(d, from + i), to + 2 * size_t(i));
    if (i == width)
      continue;
    if (width >= lanes) {
      i = width - lanes;
      StoreHalves(hn::LoadU(d, from + i), to + 2 * size_t(i));
      continue;
    }
    HWY_ALIGN float singles[HWY_MAX_BYTES / sizeof(float)] = {};
    HWY_ALIGN uint8_t halves[HWY_MAX_BYTES];
    std::memcpy(singles, from, sizeof(float) * width);
    StoreHalves(hn::Load(d, singles), halves);
    std::memcpy(to, halves, 2 * size_t(width));
  }
}

void RoundFloats(const float *from, float *to, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto round = [&](hn::Vec<decltype(d)> v) {
    return hn::PromoteTo(d, hn::DemoteTo(HalfTag(), v));
  };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(round(hn::LoadU(d, from + i)), d, to + i);
  if (i == count)
    return;
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(rest, from + i, sizeof(float) * (count - i));
  hn::Store(round(hn::Load(d, rest)), d, rest);
  std::memcpy(to + i, rest, sizeof(float) * (count - i));
}
#else
void FloatsToHalves(const float *from, uint8_t *to, size_t stride,
                    uint32_t width, uint32_t rows) {
  for (; rows; --rows, from += width, to += stride)
    for (uint32_t i = 0; i < width; ++i) {
      uint16_t bits = hw::toHalfBits(from[i]);
      std::memcpy(to + 2 * size_t(i), &bits, sizeof(bits));
    }
}
void RoundFloats(const float *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = hw::fromHalfBits(hw::toHalfBits(from[i]));
}
#endif

/// Rounds and counts. What is to be counted is rare: vectors without any cost
/// one test.
#ifdef ANE_HAS_HALF_CONVERSION
void RoundAndCount(const float *from, float *to, size_t count,
                   ValueCounts &counts) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  const auto zero = hn::Zero(d), smallestNormal = hn::Set(d, kSmallestNormal);
  auto largest = zero;
  auto round = [&](hn::Vec<decltype(d)> v) {
    const auto rounded = hn::PromoteTo(d, hn::DemoteTo(HalfTag(), v));
    const auto size = hn::Abs(rounded), before = hn::Abs(v);
    const auto isFinite = hn::Lt(size, infinity); // false for NaN
    const auto isSmall =
        hn::And(hn::Lt(size, smallestNormal), hn::Gt(before, zero));
    if (hn::AllTrue(d, hn::AndNot(isSmall, isFinite))) {
      largest = hn::Max(largest, before);
      return rounded;
    }
    largest =
        hn::Max(largest, hn::IfThenElseZero(hn::Lt(before, infinity), before));
    counts.infinities += hn::CountTrue(d, hn::Eq(size, infinity));
    // Ne is false for NaN on some instruction sets.
    counts.nans += hn::CountTrue(d, hn::Not(hn::Eq(size, size)));
    const size_t zeros = hn::CountTrue(d, hn::And(isSmall, hn::Eq(size, zero)));
    counts.underflows += zeros;
    counts.subnormals += hn::CountTrue(d, isSmall) - zeros;
    return rounded;
  };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(round(hn::LoadU(d, from + i)), d, to + i);
  if (i < count) {
    HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
    std::memcpy(rest, from + i, sizeof(float) * (count - i));
    hn::Store(round(hn::Load(d, rest)), d, rest);
    std::memcpy(to + i, rest, sizeof(float) * (count - i));
  }
  counts.elements += count;
  counts.largest =
      std::max(counts.largest, hn::GetLane(hn::MaxOfLanes(d, largest)));
}
#else
void RoundAndCount(const float *from, float *to, size_t count,
                   ValueCounts &counts) {
  for (size_t i = 0; i < count; ++i) {
    const float before = from[i];
    to[i] = hw::fromHalfBits(hw::toHalfBits(before));
    countValue(before, to[i], counts);
  }
}
#endif

/// Rounds to odd: a single keeps enough bits so that rounding it again to a
/// half gives what rounding `value` once gives. A double has 29 more bits than
/// a single; they go into the last one that stays.
#if HWY_HAVE_FLOAT64
void RoundToOdd(const double *from, float *to, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<float, decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const auto dropped = hn::Set(du, (uint64_t(1) << 29) - 1);
  const auto last = hn::Set(du, uint64_t(1) << 29);
  auto round = [&](hn::Vec<decltype(d)> v) {
    const auto bits = hn::BitCast(du, v);
    const auto kept = hn::AndNot(dropped, bits);
    // Adding the mask carries into the last bit unless all dropped are zero.
    const auto sticky = hn::And(hn::Add(hn::And(bits, dropped), dropped), last);
    return hn::DemoteTo(df, hn::BitCast(d, hn::Or(kept, sticky)));
  };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(round(hn::LoadU(d, from + i)), df, to + i);
  if (i == count)
    return;
  HWY_ALIGN double rest[HWY_MAX_BYTES / sizeof(double)] = {};
  HWY_ALIGN float rounded[HWY_MAX_BYTES / sizeof(double)];
  std::memcpy(rest, from + i, sizeof(double) * (count - i));
  hn::Store(round(hn::Load(d, rest)), df, rounded);
  std::memcpy(to + i, rounded, sizeof(float) * (count - i));
}
#else
void RoundToOdd(const double *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    constexpr uint64_t dropped = (uint64_t(1) << 29) - 1;
    uint64_t bits;
    std::memcpy(&bits, from + i, sizeof(bits));
    bits = (bits & ~dropped) | (((bits & dropped) + dropped) & (dropped + 1));
    double odd;
    std::memcpy(&odd, &bits, sizeof(odd));
    to[i] = static_cast<float>(odd);
  }
}
#endif

} // namespace HWY_NAMESPACE
} // namespace ane::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ane::sim {

HWY_EXPORT(HalvesToFloats);
HWY_EXPORT(FloatsToHalves);
HWY_EXPORT(RoundFloats);
HWY_EXPORT(RoundAndCount);
HWY_EXPORT(RoundToOdd);

void halvesToFloats(const uint8_t *from, size_t stride, float *to,
                    uint32_t width, uint32_t rows) {
  HWY_DYNAMIC_DISPATCH(HalvesToFloats)(from, stride, to, width, rows);
}
void floatsToHalves(const float *from, uint8_t *to, size_t stride,
                    uint32_t width, uint32_t rows) {
  HWY_DYNAMIC_DISPATCH(FloatsToHalves)(from, to, stride, width, rows);
}
void roundToHalf(const float *from, float *to, size_t count) {
  HWY_DYNAMIC_DISPATCH(RoundFloats)(from, to, count);
}
void roundToHalf(const double *from, float *to, size_t count) {
  HWY_DYNAMIC_DISPATCH(RoundToOdd)(from, to, count);
  HWY_DYNAMIC_DISPATCH(RoundFloats)(to, to, count);
}
void roundToHalf(const float *from, float *to, size_t count,
                 ValueCounts &counts) {
  HWY_DYNAMIC_DISPATCH(RoundAndCount)(from, to, count, counts);
}
void roundToHalf(const double *from, float *to, size_t count,
                 ValueCounts &counts) {
  HWY_DYNAMIC_DISPATCH(RoundToOdd)(from, to, count);
  HWY_DYNAMIC_DISPATCH(RoundAndCount)(to, to, count, counts);
}

} // namespace ane::sim
#endif // HWY_ONCE
