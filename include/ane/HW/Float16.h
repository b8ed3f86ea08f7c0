//===- Float16.h - Half precision as bits -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_FLOAT16_H
#define ANE_HW_FLOAT16_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ane::hw {

/// The largest finite number of f16, its smallest one with all bits, and its
/// smallest.
constexpr double largestHalf = 65504, smallestNormalHalf = 0x1p-14,
                 smallestHalf = 0x1p-24;

/// Whether f16 has a number with all of its bits.
constexpr bool hasAllBits(double number) {
  const double magnitude = number < 0 ? -number : number;
  return number == 0 ||
         (magnitude >= smallestNormalHalf && magnitude <= largestHalf);
}

// Conversion rounds to nearest even, keeps NaN, and goes to infinity above
// 65504 as the engine does.

/// By integers, for compilers without a type of half precision.
inline uint16_t toHalfBitsByIntegers(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest > 0x7f800000) // NaN: quiet, with the bits that there is room for
    return static_cast<uint16_t>(sign | 0x7e00 | (rest >> 13 & 0x1ff));
  if (rest >= 0x47800000) // 65536 and more
    return static_cast<uint16_t>(sign | 0x7c00);
  // A subnormal counts multiples of 2^-24; its significand is shifted further.
  const uint32_t exponent = rest >> 23;
  const bool isNormal = exponent > 112;
  if (exponent < 102) // below half of the least
    return static_cast<uint16_t>(sign);
  const uint32_t significand =
      isNormal ? rest - (112u << 23) : (rest & 0x7fffff) | 0x800000;
  const uint32_t shift = isNormal ? 13 : 126 - exponent;
  const uint32_t half = significand >> shift;
  const uint32_t lost = significand & ((1u << shift) - 1);
  const uint32_t middle = 1u << (shift - 1);
  // A carry goes into the exponent, up to infinity.
  const bool goesUp = lost > middle || (lost == middle && (half & 1));
  return static_cast<uint16_t>(sign | (half + goesUp));
}

inline float fromHalfBitsByIntegers(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
  uint32_t result;
  if (rest >= 0x7c00) // infinity, or NaN, which becomes quiet
    result = 0x7f800000 | (rest & 0x3ff) << 13 | (rest > 0x7c00 ? 0x400000 : 0);
  else if (rest >= 0x400)
    result = (rest << 13) + (112u << 23);
  else {
    const float least = 5.9604644775390625e-8f; // 2^-24
    const float value = static_cast<float>(rest) * least;
    std::memcpy(&result, &value, sizeof(result));
  }
  result |= sign;
  float value;
  std::memcpy(&value, &result, sizeof(value));
  return value;
}
#if defined(__FLT16_MANT_DIG__) &&                                             \
    (defined(__clang__) || !defined(__aarch64__) || __GNUC__ > 12)
inline uint16_t toHalfBits(float value) {
  _Float16 half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof(bits));
  return bits;
}

inline float fromHalfBits(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, sizeof(half));
  return static_cast<float>(half);
}
#else // g++ 12 for aarch64 has the macro, and no type
inline uint16_t toHalfBits(float value) { return toHalfBitsByIntegers(value); }
inline float fromHalfBits(uint16_t bits) {
  return fromHalfBitsByIntegers(bits);
}
#endif

// The same for many at a time, by the instruction where the machine has it (ten
// times as fast as the function that compilers call for one).
void convertToHalf(const float *from, uint16_t *to, size_t count);
void convertFromHalf(const uint16_t *from, float *to, size_t count);

} // namespace ane::hw

#endif // ANE_HW_FLOAT16_H
