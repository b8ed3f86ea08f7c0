//===- Float16.cpp - Half precision as bits -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The project is built for any x86-64, which need not have F16C, so the
// compiler would call a function for every element; the machine is asked at run
// time.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Float16.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Eight at a time; returns how many are done.
__attribute__((target("avx,f16c"))) static size_t
convertEights(const float *from, uint16_t *to, size_t count) {
  size_t done = 0;
  for (; done + 8 <= count; done += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + done),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + done),
                                     _MM_FROUND_TO_NEAREST_INT));
  return done;
}

__attribute__((target("avx,f16c"))) static size_t
convertEights(const uint16_t *from, float *to, size_t count) {
  size_t done = 0;
  for (; done + 8 <= count; done += 8)
    _mm256_storeu_ps(to + done,
                     _mm256_cvtph_ps(_mm_loadu_si128(
                         reinterpret_cast<const __m128i *>(from + done))));
  return done;
}

static bool hasInstruction() {
  static const bool result =
      __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return result;
}
#endif

void ane::hw::convertToHalf(const float *from, uint16_t *to, size_t count) {
  size_t done = 0;
#if defined(__x86_64__)
  if (hasInstruction())
    done = convertEights(from, to, count);
#endif
  for (; done < count; ++done)
    to[done] = toHalfBits(from[done]);
}

void ane::hw::convertFromHalf(const uint16_t *from, float *to, size_t count) {
  size_t done = 0;
#if defined(__x86_64__)
  if (hasInstruction())
    done = convertEights(from, to, count);
#endif
  for (; done < count; ++done)
    to[done] = fromHalfBits(from[done]);
}
