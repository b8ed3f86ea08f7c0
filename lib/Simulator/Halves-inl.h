//===- Halves-inl.h - Rows of halves and singles ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once for each instruction set, between HWY_BEFORE_NAMESPACE and
// HWY_AFTER_NAMESPACE of files that foreach_target.h compiles.
//
//===----------------------------------------------------------------------===//

#if defined(ANE_SIMULATOR_HALVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANE_SIMULATOR_HALVES_INL_H
#undef ANE_SIMULATOR_HALVES_INL_H
#else
#define ANE_SIMULATOR_HALVES_INL_H
#endif

#include "ane/HW/Float16.h"

#include "hwy/highway.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace ane::sim {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where the instruction set has no conversion, Highway's own does not round and
// knows no infinity.
#undef ANE_HAS_HALF_CONVERSION
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64
#define ANE_HAS_HALF_CONVERSION
using HalfTag = hn::Rebind<hwy::float16_t, hn::ScalableTag<float>>;

HWY_INLINE hn::Vec<hn::ScalableTag<float>> LoadHalves(const uint8_t *from) {
  return hn::PromoteTo(
      hn::ScalableTag<float>(),
      hn::LoadU(HalfTag(), reinterpret_cast<const hwy::float16_t *>(from)));
}
HWY_INLINE void StoreHalves(hn::Vec<hn::ScalableTag<float>> v, uint8_t *to) {
  hn::StoreU(hn::DemoteTo(HalfTag(), v), HalfTag(),
             reinterpret_cast<hwy::float16_t *>(to));
}

inline void HalvesToFloats(const uint8_t *from, size_t stride, float *to,
                           uint32_t width, uint32_t rows) {
  const hn::ScalableTag<float> d;
  const uint32_t lanes = hn::Lanes(d);
  for (; rows; --rows, from += stride, to += width) {
    uint32_t i = 0;
    for (; i + lanes <= width; i += lanes)
      hn::StoreU(LoadHalves(from + 2 * size_t(i)), d, to + i);
    if (i == width)
      continue;
    if (width >= lanes) { // the last vector again covers what is done
      i = width - lanes;
      hn::StoreU(LoadHalves(from + 2 * size_t(i)), d, to + i);
      continue;
    }
    HWY_ALIGN uint8_t halves[HWY_MAX_BYTES] = {};
    HWY_ALIGN float singles[HWY_MAX_BYTES / sizeof(float)];
    std::memcpy(halves, from, 2 * size_t(width));
    hn::Store(LoadHalves(halves), d, singles);
    std::memcpy(to, singles, sizeof(float) * width);
  }
}
#else
inline void HalvesToFloats(const uint8_t *from, size_t stride, float *to,
                           uint32_t width, uint32_t rows) {
  for (; rows; --rows, from += stride, to += width)
    for (uint32_t i = 0; i < width; ++i) {
      uint16_t bits;
      std::memcpy(&bits, from + 2 * size_t(i), sizeof(bits));
      to[i] = hw::fromHalfBits(bits);
    }
}
#endif

} // namespace HWY_NAMESPACE
} // namespace ane::sim
HWY_AFTER_NAMESPACE();

#endif // per-target guard
