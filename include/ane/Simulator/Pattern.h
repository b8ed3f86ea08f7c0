//===- Pattern.h - Where the elements of a tensor are ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_PATTERN_H
#define ANE_SIMULATOR_PATTERN_H

#include "ane/HW/Footprint.h"
#include "ane/HW/Program.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

#include <algorithm>
#include <string>

namespace ane::sim {

struct Dims {
  uint32_t g = 1, d = 1, c = 1, h = 1, w = 1;

  uint64_t count() const { return uint64_t(g) * d * c * h * w; }
  bool operator==(const Dims &o) const {
    return g == o.g && d == o.d && c == o.c && h == o.h && w == o.w;
  }
  bool operator!=(const Dims &o) const { return !(*this == o); }
};

/// "G1 D1 C64 H8 W8"
std::string text(const Dims &dims);

/// Where the elements of a tensor are. Element (g, d, c, h, w) is at
///   base + g * group + d * depth + c * plane + h * row + w * size.
/// With `exchange`, c and w change roles. With an interleave of I, channel
/// c = I * p + i is at p * plane + h * row + (w * I + i) * size.
struct Pattern {
  Dims dims;
  hw::ElementType type = hw::ElementType::Float16;
  uint64_t base = 0, group = 0, depth = 0, plane = 0, row = 0;
  uint32_t interleave = 1;
  bool exchange = false;

  /// Its bytes. The last plane may lack some of its interleaved channels, which
  /// makes a second part.
  absl::InlinedVector<hw::Footprint, 1> footprints() const;
  /// Bytes behind the last element, from the start of the memory.
  uint64_t end() const;
  /// Fails where two elements share a byte, which a writer cannot mean.
  /// `writer` is for the message: "the result".
  absl::Status checkDistinct(absl::string_view writer) const;
};

/// Elements that are neighbours in memory. Element k belongs to the tile's
/// element first + k / interleave * wideStep + k % interleave * channelStep.
struct Run {
  uint64_t offset; ///< bytes
  uint32_t count;  ///< elements
  size_t first;
  size_t wideStep, channelStep;
  uint32_t interleave;
};

/// Calls `visit(run)` for all runs, in the order of the tile. Stops when it
/// returns false and returns that.
template <typename Visit> bool forEachRun(const Pattern &p, Visit visit) {
  const Dims &n = p.dims;
  const uint32_t size = hw::elementBytes(p.type);
  const size_t tilePlane = size_t(n.h) * n.w;
  // The axis that memory strides by `plane`, and the one it steps through.
  const uint32_t planes = p.exchange ? n.w : n.c, wide = p.exchange ? n.c : n.w;
  const size_t planeStep = p.exchange ? 1 : tilePlane;
  const size_t wideStep = p.exchange ? tilePlane : 1;
  for (uint32_t g = 0; g < n.g; ++g)
    for (uint32_t d = 0; d < n.d; ++d)
      for (uint32_t c = 0; c < planes; c += p.interleave)
        for (uint32_t h = 0; h < n.h; ++h) {
          Run run;
          run.offset = p.base + g * p.group + d * p.depth +
                       c / p.interleave * p.plane + h * p.row;
          run.first = (size_t(g) * n.d + d) * n.c * tilePlane + c * planeStep +
                      size_t(h) * n.w;
          run.wideStep = wideStep;
          run.channelStep = planeStep;
          run.interleave = p.interleave;
          run.count = wide * p.interleave;
          // The last interleaved plane may be half full: then element by
          // element.
          uint32_t full = std::min(p.interleave, planes - c);
          if (full == p.interleave) {
            if (!visit(run))
              return false;
            continue;
          }
          run.count = full;
          for (uint32_t w = 0; w < wide; ++w) {
            if (!visit(run))
              return false;
            run.offset += uint64_t(p.interleave) * size;
            run.first += wideStep;
          }
        }
  return true;
}

/// Whether channels lie one after the other in memory, so that some of them are
/// a pattern, too.
inline bool hasChannels(const Pattern &pattern) {
  return pattern.interleave == 1 && !pattern.exchange;
}
/// Channels [first, first + count) of such a pattern.
Pattern someChannels(Pattern pattern, uint32_t first, uint32_t count);

} // namespace ane::sim

#endif // ANE_SIMULATOR_PATTERN_H
