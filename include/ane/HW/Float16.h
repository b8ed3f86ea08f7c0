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

// Both compilers that build this project have _Float16; conversion rounds to
// nearest even, keeps NaN, and goes to infinity above 65504 as the engine does.
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

// The same for many at a time, by the instruction where the machine has it (ten
// times as fast as the function that compilers call for one).
void convertToHalf(const float *from, uint16_t *to, size_t count);
void convertFromHalf(const uint16_t *from, float *to, size_t count);

} // namespace ane::hw

#endif // ANE_HW_FLOAT16_H
