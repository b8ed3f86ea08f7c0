//===- ValueTally.h - Counting what is no number ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_VALUETALLY_H
#define ANE_LIB_SIMULATOR_VALUETALLY_H

#include "ane/Simulator/Simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace ane::sim {

/// The smallest half with all digits.
constexpr float kSmallestNormal = 6.103515625e-05f; // 2^-14

/// A value that became `rounded`.
template <typename T>
void countValue(T value, float rounded, ValueCounts &counts) {
  ++counts.elements;
  const float size = std::fabs(rounded);
  if (std::isnan(value))
    ++counts.nans;
  else if (std::isinf(rounded))
    ++counts.infinities;
  else if (size < kSmallestNormal && value != 0)
    ++(size == 0 ? counts.underflows : counts.subnormals);
  // Infinity may have come as the largest single from a double.
  constexpr float largest = std::numeric_limits<float>::max();
  if (std::fabs(value) < largest)
    counts.largest =
        std::max(counts.largest, static_cast<float>(std::fabs(value)));
}

/// Values that become bytes. Rounding them to integers is what is meant.
template <typename T>
void countBytes(const T *values, size_t count, ValueCounts &counts) {
  counts.elements += count;
  for (size_t i = 0; i < count; ++i) {
    counts.nans += std::isnan(values[i]);
    counts.infinities += std::isinf(values[i]);
    if (std::isfinite(values[i]))
      counts.largest =
          std::max(counts.largest, static_cast<float>(std::fabs(values[i])));
  }
}

/// What several threads count.
class ValueTally {
public:
  void add(const ValueCounts &more) {
    std::lock_guard<std::mutex> lock(mutex);
    counts.add(more);
  }
  void setInherits() {
    std::lock_guard<std::mutex> lock(mutex);
    inherited = true;
  }
  /// The largest of them counts.
  void addSum(float magnitude) {
    std::lock_guard<std::mutex> lock(mutex);
    sum = std::max(sum.value_or(0), magnitude);
  }
  const ValueCounts &result() const { return counts; }
  std::optional<float> largestSum() const { return sum; }
  /// A source of what was counted had elements that are no numbers.
  bool inherits() const { return inherited; }

private:
  std::mutex mutex;
  ValueCounts counts;
  bool inherited = false;
  std::optional<float> sum;
};

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_VALUETALLY_H
