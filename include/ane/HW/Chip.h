//===- Chip.h - How fast a chip's engine is ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chips of one generation run the same programs at different speeds. The
// numbers here are those of the cost model (Simulator/CostModel.h says how they
// enter); what a program may look like is the generation's affair
// (Generation.h). benchmarks/run.py --only cost judges them.
//
// What is only guessed has a name in `guessedRates`: benchmarks/run.py --only
// sensitivity asks what it would cost to be wrong about it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_CHIP_H
#define ANE_HW_CHIP_H

#include "ane/HW/Generation.h"

#include "absl/types/span.h"

namespace ane::hw {

struct ChipInfo {
  const char *name; ///< "m1"
  const char *description;
  uint32_t neCount;           ///< neural engines
  uint32_t macsPerCycle;      ///< of one of them, with 16-bit operands
  bool pairsBytes;            ///< 8-bit operands: two output channels at once
  uint64_t l2Bytes;           ///< what a source may fill before it is streamed
  uint64_t kernelBufferBytes; ///< coefficients of one engine
  double clockHertz;
  double sustained; ///< share of the peak that long convolutions reach
  double winograd;  ///< speed-up of kernels of width 3; 1 without
  double weightBytesPerSecond; ///< coefficient streams
  double tileBytesPerSecond;   ///< tile DMA, both directions
  /// The same for a source with 16-bit elements that does not fit the L2 under
  /// a window larger than 1x1: its rows are wanted more than once.
  double windowBytesPerSecond;
  double depthwiseMacsPerSecond;
  double elementsPerSecond;    ///< of elementwise work, results
  double conversionsPerSecond; ///< elements between halves and bytes
  /// Share of the shorter of computing and moving data that is not hidden
  /// after the longest.
  double overlapLoss;
  /// Coefficients of a task are loaded while the task before it runs, as far as
  /// they fit beside those in the kernel buffers.
  bool prefetchesWeights;
  double dispatchSeconds;   ///< of a program, once
  const char *guessedRates; ///< names of ChipRate that are guesses, with spaces

  /// Products a second of long convolutions.
  double macsPerSecond() const {
    return neCount * macsPerCycle * clockHertz * sustained;
  }
};

/// A number of a chip that can be replaced.
struct ChipRate {
  const char *name; ///< "tiles"
  double ChipInfo::*member;

  bool isGuessed(const ChipInfo &chip) const;
};

absl::Span<const ChipRate> chipRates();

/// Replaces a number of a chip: "tiles=25.5e9".
absl::Status setRate(ChipInfo &chip, absl::string_view assignment);

/// All chips with known rates.
absl::Span<const ChipInfo> chips();

/// The chip that times of a generation are given for.
const ChipInfo &chipOf(Generation generation);

/// The same for that chip in all of the process from here on: a measured rate,
/// or the experiment that one is wrong. Call it before anything is compiled.
absl::Status setRate(Generation generation, absl::string_view assignment);

/// "m4" -> its numbers. The error lists the names that exist.
absl::StatusOr<ChipInfo> findChip(absl::string_view name);

} // namespace ane::hw

#endif // ANE_HW_CHIP_H
