//===- CostModel.h - How long a task takes ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one model of time: the simulator's clock, the report and the tiler ask
// it. A program takes one dispatch and then, for each task, the longest of
// computing, streaming weights and moving tiles. The rates are those of the
// generation.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_COSTMODEL_H
#define ANE_SIMULATOR_COSTMODEL_H

#include "ane/HW/Generation.h"

namespace ane::sim {

/// What a task does, as far as time depends on it.
struct TaskWork {
  bool isNeural = true;
  uint64_t macs = 0;
  uint32_t cout = 1;         ///< output channels of a group
  uint64_t weightBytes = 0;  ///< coefficient streams
  uint64_t tileBytes = 0;    ///< sources and result by tile DMA
  uint64_t elementBytes = 0; ///< sources and result wherever they are
};

struct TaskTime {
  double compute = 0, weights = 0, tiles = 0; ///< seconds
  double total() const;
};

TaskTime predict(const hw::GenerationInfo &generation, const TaskWork &work);

} // namespace ane::sim

#endif // ANE_SIMULATOR_COSTMODEL_H
