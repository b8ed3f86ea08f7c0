//===- EngineArithmetic.h - Sums and special values as probed ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What published probes show of sums and special values, where it differs from
// one rounding of the exact result (Mode::Engine). There are two sets of rules,
// those of each hw::SumArithmetic; docs/Simulator.md has the probes, who
// published them, and what is a guess here. Each rule can be replaced alone
// (Assumptions.def).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_ENGINEARITHMETIC_H
#define ANE_LIB_SIMULATOR_ENGINEARITHMETIC_H

#include "Tile.h"
#include "Vector.h"
#include "ane/Simulator/Assumptions.h"
#include "ane/Simulator/TaskConfig.h"

namespace ane::sim {

/// Like convolve, or convolveUnicast where `perChannel` is not 0: in the order
/// of the reduction, four products at a time are added up with a rounding to
/// half precision after each addition; those sums are accumulated in single
/// precision and saturate at 32768. Subnormal halves count as zero. With single
/// sums, products are accumulated one by one.
void convolveHalfSums(const Assumptions &rules, const ConvShape &shape,
                      uint32_t perChannel, const float *x, const float *w,
                      unsigned threads, Sink<float> sink);

/// The same with an accumulator of 32 bits, 16 of them fractional. It
/// starts with the bias (one for each output channel, or null). A product is
/// rounded to 2^-16, half away from zero, and lost where the exponents of its
/// factors add up to less than -16. A running sum of 32768 or more is infinite
/// and stays so.
void convolveFixedPoint(const Assumptions &rules, const ConvShape &shape,
                        uint32_t perChannel, const float *bias, const float *x,
                        const float *w, unsigned threads, Sink<double> sink);

/// The sum of `per` planes of `pixels` elements in that accumulator.
void addFixedPoint(const Assumptions &rules, uint32_t per, size_t pixels,
                   const float *x, double *y);

/// Rounds to a half, half away from zero.
float toHalfAway(double value);
template <typename T>
void roundHalfAway(const T *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = toHalfAway(from[i]);
}

/// What becomes of special values on the way in: NaN is plus infinity, or NaN
/// and infinity are numbers from 65536 on. Zero has no sign in front of a
/// reciprocal.
void settleSource(const Assumptions &rules, const TaskConfig &task, Tile &tile);
/// And on the way out: what IEEE calls NaN (inf - inf, 0 * inf, the root of -1)
/// is zero.
void settleResult(const Assumptions &rules, Tile &tile);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_ENGINEARITHMETIC_H
