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
#endif

void ane::hw::convertToHalf(const float *from, uint16_t *to, size_t count) {
  size_t done = 0;
#if defined(__x86_64__)
  static const bool hasInstruction =
      __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  if (hasInstruction)
    done = convertEights(from, to, count);
#endif
  for (; done < count; ++done)
    to[done] = toHalfBits(from[done]);
}
