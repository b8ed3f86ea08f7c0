//===- Footprint.cpp - Which bytes a tensor takes -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Footprint.h"

#include "absl/numeric/int128.h"

#include <algorithm>
#include <limits>

namespace ane::hw {

uint64_t Footprint::end() const {
  absl::uint128 end = absl::uint128(base) + run;
  for (const Axis &axis : axes) {
    if (axis.count == 0)
      return base;
    end += absl::uint128(axis.count - 1) * axis.stride;
  }
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  return run == 0 ? base : end > most ? most : absl::Uint128Low64(end);
}

// From the smallest stride on, each axis steps over all that is inside.
static bool nests(const Footprint &footprint) {
  absl::InlinedVector<Footprint::Axis, 5> sorted = footprint.axes;
  std::sort(sorted.begin(), sorted.end(),
            [](const Footprint::Axis &a, const Footprint::Axis &b) {
              return std::pair(a.stride, a.count) <
                     std::pair(b.stride, b.count);
            });
  uint64_t extent = footprint.run;
  for (const auto &[count, stride] : sorted) {
    if (count == 1)
      continue;
    if (stride < extent)
      return false;
    extent += (count - 1) * stride;
  }
  return true;
}

std::optional<uint64_t> findSharedByte(absl::Span<const Footprint> parts) {
  if (parts.empty() || (parts.size() == 1 && nests(parts.front())))
    return std::nullopt;
  // Strides that do not nest may still miss each other.
  uint64_t base = parts.front().base, end = 0;
  for (const Footprint &part : parts) {
    base = std::min(base, part.base);
    end = std::max(end, part.end());
  }
  ByteSet taken(end - base);
  std::optional<uint64_t> shared;
  for (const Footprint &part : parts)
    if (!part.forEachRange([&](uint64_t at, uint64_t stop) {
          at -= base;
          stop -= base;
          if (!taken.intersects(at, stop)) {
            taken.insert(at, stop);
            return true;
          }
          shared = base + taken.firstPresent(at, stop);
          return false;
        }))
      break;
  return shared;
}

std::optional<uint64_t> Footprint::firstMissing(const ByteSet &set) const {
  std::optional<uint64_t> missing;
  forEachRange([&](uint64_t begin, uint64_t end) {
    if (set.contains(begin, end))
      return true;
    missing = set.firstMissing(begin, end);
    return false;
  });
  return missing;
}

bool Footprint::meets(const ByteSet &set) const {
  return !forEachRange([&](uint64_t begin, uint64_t end) {
    return !set.intersects(begin, end);
  });
}

void Footprint::insertInto(ByteSet &set) const {
  forEachRange([&](uint64_t begin, uint64_t end) {
    set.insert(begin, end);
    return true;
  });
}

} // namespace ane::hw
