//===- CoefficientStreams.h - Weights out of their streams ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads streams as an engine does, by the words of the task and of the stream
// alone. Shares no code with the packer (HW/KernelPacking.h): a wrong belief of
// one must not hide in the other.
//
// A stream has, for each group and pass, the coefficients of the channels that
// its engine computes at once, its lanes:
//
//   bias of each lane, if there is one
//   dense           for each input, row and column of the kernel: each lane
//   zero-skipping   24 bits with the bytes that follow; then for each input the
//                   phases of even and odd rows and columns, in each a grid of
//                   taps, for each tap a slot. Masks tell which entries of the
//                   slots follow, as halves; the others are zero.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_COEFFICIENTSTREAMS_H
#define ANE_LIB_SIMULATOR_COEFFICIENTSTREAMS_H

#include "ane/Simulator/Assumptions.h"
#include "ane/Simulator/TaskConfig.h"

#include "ane/HW/Generation.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace ane::sim {

/// Numbers that the streams of a task are read by.
struct StreamShape {
  explicit StreamShape(const TaskConfig &task, const Assumptions &rules = {});

  uint64_t weights() const { return uint64_t(groups) * channels * steps(); }
  uint64_t outputs() const { return uint64_t(groups) * channels; }
  /// Coefficients of an output channel.
  uint64_t steps() const { return uint64_t(inputs) * kh * kw; }
  /// Channels of a group that an engine computes.
  uint32_t channelsOfEngine() const {
    return (channels + engines - 1) / engines;
  }
  /// Passes that an engine takes for a group.
  uint32_t passes() const { return (channelsOfEngine() + lanes - 1) / lanes; }
  /// Entries of a slot in a pass of `passLanes`.
  uint32_t slotEntries(uint32_t passLanes) const;

  uint32_t groups, channels; ///< output channels of a group
  uint32_t inputs;           ///< that an output channel sees
  uint32_t kh, kw;
  uint32_t engines, lanes;
  bool depthwise, hasBias, hasTable, skipsZeros;
  uint32_t leastEntries;      ///< of a slot
  bool checksMasks;           ///< else it reads on, as an engine would
  assumed::Passes passPlaces; ///< where the task has a stride for them
};

/// The bytes that a stream takes in a section; where passes lie a stride apart,
/// those of each pass.
struct StreamPlace {
  uint32_t stream;
  uint64_t begin, size;
};
std::vector<StreamPlace> streamPlaces(const TaskConfig &task);

/// Fills `weights` (OIHW) and `bias` with the bits of halves; where both are
/// empty, only checks. Fails when a stream leaves `section`, when it is shorter
/// or longer than its coefficients, and when the masks of a zero-skipping unit
/// do not take the bytes that it says.
absl::Status readCoefficients(const hw::GenerationInfo &generation,
                              const TaskConfig &task,
                              absl::Span<const uint8_t> section,
                              absl::Span<uint16_t> weights,
                              absl::Span<uint16_t> bias,
                              const Assumptions &rules = {});

/// The same checks, but of masks, for a section of which only the size is
/// known.
absl::Status checkCoefficients(const hw::GenerationInfo &generation,
                               const TaskConfig &task, uint64_t sectionBytes);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_COEFFICIENTSTREAMS_H
