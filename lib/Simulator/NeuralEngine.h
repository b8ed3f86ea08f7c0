//===- NeuralEngine.h - What the neural engines compute ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_NEURALENGINE_H
#define ANE_LIB_SIMULATOR_NEURALENGINE_H

#include "KernelDMA.h"

namespace ane::sim {

/// The result of a task of the neural engines, rounded to its element type.
absl::StatusOr<Tile> runNeural(const TaskConfig &task, const Tile &source,
                               const Kernel &kernel, const Options &options);

/// Multiply-accumulates of the task; 0 where it has no kernel.
uint64_t neuralMacs(const TaskConfig &task);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_NEURALENGINE_H
