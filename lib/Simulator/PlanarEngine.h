//===- PlanarEngine.h - What the planar engine computes ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_PLANARENGINE_H
#define ANE_LIB_SIMULATOR_PLANARENGINE_H

#include "Tile.h"
#include "ValueTally.h"
#include "ane/Simulator/TaskConfig.h"

#include "ane/Simulator/Simulator.h"

namespace ane::sim {

/// What is wrong with the sizes of a task and its sources.
absl::Status checkPlanar(const TaskConfig &task, const Dims &first,
                         const Dims &second);

/// The result of a task of the planar engine, rounded to its element type.
/// `second` is empty for tasks with one source. What becomes of its elements is
/// counted.
absl::StatusOr<Tile> runPlanar(const TaskConfig &task, const Tile &first,
                               const Tile &second, const Options &options,
                               ValueTally &tally);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_PLANARENGINE_H
