//===- WorkUnits.h - Shapes in which the NEs work through images *- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A work unit covers 128 pixels; code s of 0 to 3 (Common.Cfg.Sh*) is 128 >> s
// columns and 1 << s rows of halves, code 4 is 8 columns and 16 rows. Of bytes
// a unit is twice as wide (guess, from one program).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_WORKUNITS_H
#define ANE_HW_WORKUNITS_H

#include "ane/HW/Generation.h"

#include <cstdint>
#include <limits>

namespace ane::hw {

/// What can be a small source (Common.Cfg.SmallSourceMode): few pixels, and of
/// a product of matrices few channels (71 of 71).
inline constexpr int64_t smallSourcePixels = 64, smallSourceChannels = 1024;

enum class UnitTies { Smallest, Largest };

/// The code whose units cover an image of elements of `elementBytes` with the
/// least waste, up to `last`.
inline uint32_t minAreaUnit(int64_t height, int64_t width,
                            int64_t elementBytes = 2, uint32_t last = 3,
                            UnitTies ties = UnitTies::Smallest) {
  uint32_t best = 0;
  int64_t bestArea = std::numeric_limits<int64_t>::max();
  for (uint32_t code = 0; code <= last; ++code) {
    int64_t columns = int64_t(128 >> code) * 2 / elementBytes, rows = 1 << code;
    int64_t area = (width + columns - 1) / columns * columns *
                   ((height + rows - 1) / rows * rows);
    if (area < bestArea || (area == bestArea && ties == UnitTies::Largest)) {
      bestArea = area;
      best = code;
    }
  }
  return best;
}

/// Pixels of the units of `code` that cover an image, to those of the image.
inline double unitShare(uint32_t code, int64_t height, int64_t width) {
  int64_t columns = 128 >> code, rows = 1 << code;
  const int64_t coveredWidth = (width + columns - 1) / columns * columns,
                coveredHeight = (height + rows - 1) / rows * rows;
  return double(coveredWidth) / double(width) *
         (double(coveredHeight) / double(height));
}

/// The code up to which the engine may choose in a pass without coefficients:
/// that of the units with the least waste. On H13 the widest of these, without
/// that of 8 columns (96 of 106 tasks); later, for several rows, the widest
/// that is not wider than the image (10 of 10).
inline uint32_t bypassUnit(Generation generation, int64_t height, int64_t width,
                           int64_t elementBytes) {
  if (generation == Generation::H13 || height == 1)
    return minAreaUnit(height, width, elementBytes);
  constexpr uint32_t last = 4;
  uint32_t code = last;
  for (int64_t columns = int64_t(16) / elementBytes; code && width > columns;
       columns *= 2)
    --code;
  auto area = [&](uint32_t code) {
    int64_t columns = int64_t(128 >> code) * 2 / elementBytes, rows = 1 << code;
    return (width + columns - 1) / columns * columns *
           ((height + rows - 1) / rows * rows);
  };
  uint32_t best = code;
  for (uint32_t other = 0; other <= last; ++other)
    if (area(other) < area(best))
      best = other;
  return best;
}

/// The same of a copy: of one channel, it is that of H13 later, too (4 of 4).
inline uint32_t copyUnit(Generation generation, int64_t channels,
                         int64_t height, int64_t width, int64_t elementBytes) {
  return bypassUnit(channels == 1 ? Generation::H13 : generation, height, width,
                    elementBytes);
}

/// Log2 of the channels that one of `engines` exchanges at once after H13; more
/// than 8 are not on record.
inline uint32_t exchangeLanesLog2(int64_t channels, int64_t engines) {
  uint32_t log2 = 0;
  while (log2 < 3 && channels > engines << log2)
    ++log2;
  return log2;
}

} // namespace ane::hw

#endif // ANE_HW_WORKUNITS_H
