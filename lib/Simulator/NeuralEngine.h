//===- NeuralEngine.h - What the neural engines compute ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_NEURALENGINE_H
#define ANE_LIB_SIMULATOR_NEURALENGINE_H

#include "KernelDMA.h"
#include "ValueTally.h"

namespace ane::sim {

/// What is wrong with the sizes of a task.
absl::Status checkNeural(const TaskConfig &task);

/// The result of a task of the neural engines, rounded to its element type. The
/// source may be changed. What becomes of its elements is counted.
absl::StatusOr<Tile> runNeural(const TaskConfig &task, Tile &source,
                               const Kernel &kernel, const Options &options,
                               ValueTally &tally);

/// Whether runNeuralOnHalves can run the task on a source in this pattern.
bool worksOnHalves(const TaskConfig &task, const Pattern &source);
/// The same, read from `memory`, byte 0 of the pattern, as it lies there.
absl::StatusOr<Tile>
runNeuralOnHalves(const TaskConfig &task, const Pattern &source,
                  const uint8_t *memory, const Kernel &kernel,
                  const Options &options, ValueTally &tally);

/// Multiply-accumulates of the task; 0 where it has no kernel.
uint64_t neuralMacs(const TaskConfig &task);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_NEURALENGINE_H
