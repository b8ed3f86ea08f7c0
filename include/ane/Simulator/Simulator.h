//===- Simulator.h - Runs a register program --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes tasks from their words, the constant section and the surfaces, and
// nothing else: no knowledge of the network reaches it. A word or mode that it
// does not understand is an error that names it, never a silent zero.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_SIMULATOR_H
#define ANE_SIMULATOR_SIMULATOR_H

#include "ane/HW/Program.h"

#include <functional>
#include <string>
#include <vector>

namespace ane::sim {

enum class Mode : uint8_t {
  Fast,  ///< fp16 storage, fp32 accumulation
  Exact, ///< fp16 storage, accumulation in double and one rounding at the end
};

/// Bytes that cross the DRAM interface, by purpose.
struct Traffic {
  uint64_t weights = 0, input = 0, output = 0, intermediate = 0;
  /// All of them with what DMA moves beside: rows are moved in whole bursts.
  /// Guess: of 64 bytes, the unit of all strides.
  uint64_t moved = 0;
  uint64_t total() const { return weights + input + output + intermediate; }
};

struct TaskStats {
  uint32_t index = 0;
  std::string unit; ///< "NE" or "PE"
  uint64_t macs = 0;
  Traffic read, written;
  uint64_t l2Bytes = 0; ///< end of the highest L2 range that the task touches
  /// What the task takes, and its parts, which overlap (CostModel.h).
  double predictedMs = 0, computeMs = 0, weightMs = 0, tileMs = 0;
  std::string bound; ///< the longest part: "compute", "weights" or "tiles"
};

struct Stats {
  std::vector<TaskStats> tasks;
  uint64_t macs = 0;
  Traffic read, written;
  /// Weights, inputs and outputs once: what no plan can avoid.
  uint64_t compulsoryBytes = 0;
  uint64_t l2PeakBytes = 0;
  double dispatchMs = 0;
  double predictedMs = 0; ///< with one dispatch
};

struct Options {
  Mode mode = Mode::Fast;
  unsigned threads = 0; ///< 0: as many as the machine has
  /// Called after each task with (tasks done, tasks in all); for progress on
  /// long runs.
  std::function<void(size_t, size_t)> progress;
};

/// Runs `program`. `surfaces[i]` is the buffer of `program.tensors[i]`, of
/// exactly its `bytes`; outputs are written in place.
absl::StatusOr<Stats> run(const hw::Program &program,
                          absl::Span<const absl::Span<uint8_t>> surfaces,
                          const Options &options = {});

} // namespace ane::sim

#endif // ANE_SIMULATOR_SIMULATOR_H
