//===- Measured.h - Arithmetic as probed on an M1 ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What published probes of an M1 show of its sums and special values, where it
// differs from one rounding of the exact result. docs/Simulator.md has the
// probes, and what is a guess here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_MEASURED_H
#define ANE_LIB_SIMULATOR_MEASURED_H

#include "TaskConfig.h"
#include "Vector.h"

namespace ane::sim {

/// Like convolve, or convolveUnicast where `perChannel` is not 0: in the order
/// of the reduction, four products at a time are added up with a rounding to
/// half precision behind each addition; those sums are accumulated in single
/// precision. Subnormal halves count as zero.
void convolveMeasured(const ConvShape &shape, uint32_t perChannel,
                      const float *x, const float *w, unsigned threads,
                      Sink<float> sink);

/// What becomes of special values on the way in: NaN is plus infinity, and zero
/// has no sign in front of a reciprocal.
void settleSource(const TaskConfig &task, Tile &tile);
/// And on the way out: what IEEE calls NaN (inf - inf, 0 * inf, the root of -1)
/// is zero.
void settleResult(Tile &tile);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_MEASURED_H
