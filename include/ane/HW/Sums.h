//===- Sums.h - How far the sums of the engines reach -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_SUMS_H
#define ANE_HW_SUMS_H

#include "ane/HW/Generation.h"

namespace ane::hw {

/// The magnitude from which on a running sum of products is lost, also where
/// later terms would bring it back. In fixed point it is infinite (seen on M4
/// and M6); where halves are added up it saturates (published once, of an M1).
/// docs/Simulator.md, "Modes", has the sources.
constexpr double sumLimit(SumArithmetic sums) {
  switch (sums) {
  case SumArithmetic::HalfSums:
  case SumArithmetic::FixedPoint:
    break;
  }
  return 32768;
}

/// The largest finite half.
constexpr double kLargestHalf = 65504;

} // namespace ane::hw

#endif // ANE_HW_SUMS_H
