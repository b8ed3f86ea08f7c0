//===- RunningSums.h - How far sums of products reach -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result may be small where the sum on the way to it was not. The engines
// lose a running sum beyond hw::sumLimit; these are its magnitudes, in the
// order of the reduction (Vector.h) and without rounding.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_RUNNINGSUMS_H
#define ANE_LIB_SIMULATOR_RUNNINGSUMS_H

#include "Vector.h"

namespace ane::sim {

/// The largest magnitude that a running sum of convolve has, or of
/// convolveUnicast where `perChannel` is not 0. It starts with the bias (one
/// for each output channel, or null); that the bias comes first is seen on M4
/// and M6, a guess elsewhere. In single precision.
float largestRunningSum(const ConvShape &shape, uint32_t perChannel,
                        const float *bias, const float *x, const float *w,
                        unsigned threads);

/// The same for the sums of `per` planes of `pixels` elements.
float largestRunningSum(uint32_t per, size_t pixels, const float *x);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_RUNNINGSUMS_H
