//===- KernelUnits.h - The units of coefficient streams ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over the units of a stream, for packing and unpacking. Private to
// lib/HW.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_KERNELUNITS_H
#define ANE_LIB_HW_KERNELUNITS_H

#include "ane/HW/KernelPacking.h"

#include "absl/status/status.h"

#include <algorithm>
#include <cstdint>

namespace ane::hw {

constexpr uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/// Coefficients of `lanes` neighbouring channels from `firstChannel` (in the
/// numbering of all groups). Channels at or above `endChannel` do not exist:
/// their lanes hold zero.
struct Unit {
  uint32_t firstChannel, endChannel, lanes;
  uint32_t existing() const {
    return firstChannel >= endChannel
               ? 0
               : std::min(lanes, endChannel - firstChannel);
  }
};

/// Calls `visit(unit)` for the units that engine 0 has, in stream order; the
/// unit of engine i beside it starts i * lanes channels later. Stops and
/// returns false when `visit` returns false.
template <typename Visit>
bool forEachRow(const KernelShape &shape, Visit visit) {
  uint32_t engines = 1u << shape.activeNeLog2;
  if (shape.depthwise) {
    // Channel c belongs to engine c mod 16 (seen: hashes of the depthwise
    // records).
    for (uint32_t c = 0; c < shape.cout; c += engines)
      if (!visit(Unit{c, shape.cout, 1}))
        return false;
    return true;
  }
  uint32_t perGroup = shape.cout / shape.groups;
  uint32_t perEngine = ceilDiv(perGroup, engines);
  for (uint32_t group = 0; group < shape.groups; ++group) {
    uint32_t base = group * perGroup, end = base + perGroup;
    for (uint32_t done = 0; done < perEngine;) {
      uint32_t lanes = std::min(1u << shape.lanesLog2, perEngine - done);
      if (!visit(Unit{base, end, lanes}))
        return false;
      base += engines * lanes;
      done += lanes;
    }
  }
  return true;
}

/// The unit of engine `ne` beside that of engine 0.
inline Unit unitOf(const Unit &row, uint32_t ne) {
  return {row.firstChannel + ne * row.lanes, row.endChannel, row.lanes};
}

/// An engine has no unit for a channel that a depthwise convolution lacks; it
/// has units of zeros in the other kinds.
inline bool hasUnit(const KernelShape &shape, const Unit &unit) {
  return !shape.depthwise || unit.existing();
}

/// Calls `visit(unit)` for the units of engine `ne`, in stream order; stops and
/// returns false when it returns false.
template <typename Visit>
bool forEachUnit(const KernelShape &shape, uint32_t ne, Visit visit) {
  return forEachRow(shape, [&](const Unit &row) {
    Unit unit = unitOf(row, ne);
    return !hasUnit(shape, unit) || visit(unit);
  });
}

/// Input channels that one output channel sees.
inline uint32_t inputsOfOne(const KernelShape &shape) {
  return shape.depthwise ? shape.unicastCin : shape.cin;
}

inline uint32_t reductionSteps(const KernelShape &shape) {
  return inputsOfOne(shape) * shape.kh * shape.kw;
}

/// Units of grouped and zero-skipping kernels start at a multiple of 64 bytes,
/// those of dense and depthwise kernels follow each other (seen in hashes).
inline bool unitsArePadded(const KernelShape &shape) {
  return !shape.depthwise && (shape.groups > 1 || shape.zeroSkipping);
}

/// The order in which the engine walks a K x K kernel at stride 2: four phases
/// of row and column parity, each a grid of the taps of that parity. Calls
/// `visit(tap index or -1 when the grid has no tap there)`.
template <typename Visit>
void forEachPhaseSlot(uint32_t kh, uint32_t kw, Visit visit) {
  for (uint32_t py = 0; py < 2; ++py)
    for (uint32_t px = 0; px < 2; ++px)
      for (uint32_t y = py; y < py + 2 * ceilDiv(kh, 2); y += 2)
        for (uint32_t x = px; x < px + 2 * ceilDiv(kw, 2); x += 2)
          visit(y < kh && x < kw ? int64_t(y) * kw + x : int64_t(-1));
}

/// Entries of a slot: a lane each, but at least four (seen with 1 and 4 lanes).
constexpr uint32_t slotEntries(uint32_t lanes) { return std::max(lanes, 4u); }

inline uint64_t zeroSkipEntries(const KernelShape &shape, uint32_t lanes) {
  uint64_t slots = 4ull * ceilDiv(shape.kh, 2) * ceilDiv(shape.kw, 2);
  return inputsOfOne(shape) * slots * slotEntries(lanes);
}

constexpr uint32_t zeroSkipLengthBytes = 3;

/// Whether the numbers of weights and of bias values are those of the kernel.
absl::Status checkShape(const GenerationInfo &generation,
                        const KernelShape &shape, size_t weights, size_t bias);

} // namespace ane::hw

#endif // ANE_LIB_HW_KERNELUNITS_H
