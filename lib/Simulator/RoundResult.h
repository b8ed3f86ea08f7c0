//===- RoundResult.h - The last step of both engines ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_ROUNDRESULT_H
#define ANE_LIB_SIMULATOR_ROUNDRESULT_H

#include "EngineArithmetic.h"
#include "ValueTally.h"
#include "Vector.h"

#include "ane/HW/Sums.h"

#include <algorithm>
#include <cmath>

namespace ane::sim {

/// Whether engines add up in fixed point.
inline bool isFixedPoint(const Options &options) {
  return options.mode == Mode::Engine &&
         options.assumptions->sums == assumed::Sums::Fixed;
}

/// A finite result that no half holds.
template <typename T>
void limitToLargest(const T *values, float *result, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (std::isinf(result[i]) && std::isfinite(values[i]))
      result[i] =
          std::copysign(static_cast<float>(hw::kLargestHalf), result[i]);
}

/// Rounds results, singles or doubles, to the element type.
template <typename T>
void roundResult(hw::ElementType type, const Options &options, const T *values,
                 float *result, size_t count, ValueCounts &counts) {
  if (type != hw::ElementType::Float16) {
    countBytes(values, count, counts);
    std::transform(values, values + count, result,
                   [](T value) { return static_cast<float>(value); });
    return roundTo(type, result, count);
  }
  if (options.mode != Mode::Engine ||
      options.assumptions->rounding == assumed::Rounding::Even) {
    roundToHalf(values, result, count, counts);
  } else {
    roundHalfAway(values, result, count);
    for (size_t i = 0; i < count; ++i)
      countValue(values[i], result[i], counts);
  }
  if (options.mode == Mode::Engine &&
      options.assumptions->overflow == assumed::Overflow::Largest)
    limitToLargest(values, result, count);
}

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_ROUNDRESULT_H
