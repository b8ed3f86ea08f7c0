//===- HalfRounding.h - Numbers of half precision, as floats ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For loops that need each result before the next one, which instructions on
// many numbers cannot do (Float16.h): without them, compilers call a function
// in each direction.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_HALFROUNDING_H
#define ANE_HW_HALFROUNDING_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ane::hw {

/// The number of half precision that is nearest, to even between two; infinity
/// beyond them. What is no number stays none.
inline float roundToHalf(float value) {
  constexpr uint32_t smallestNormal = 0x38800000, infinity = 0x7f800000,
                     beyond = 0x47800000; // 2^-14 and 2^16
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude < smallestNormal) {
    // Multiples of 2^-24, as floats from 0.5 on are.
    return std::copysign((std::fabs(value) + 0.5f) - 0.5f, value);
  }
  if (magnitude >= infinity)
    return value;
  // 13 bits less.
  magnitude = (magnitude + 0xfff + (magnitude >> 13 & 1)) & ~uint32_t(0x1fff);
  if (magnitude >= beyond)
    return std::copysign(std::numeric_limits<float>::infinity(), value);
  bits = (bits & 0x80000000) | magnitude;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

} // namespace ane::hw

#endif // ANE_HW_HALFROUNDING_H
