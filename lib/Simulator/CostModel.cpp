//===- CostModel.cpp - How long a task takes ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/CostModel.h"

#include <algorithm>

namespace ane::sim {

double TaskTime::total() const { return std::max({compute, weights, tiles}); }

TaskTime predict(const hw::GenerationInfo &generation, const TaskWork &work) {
  TaskTime time;
  time.weights = work.weightBytes / generation.weightBytesPerSecond;
  time.tiles = work.tileBytes / generation.tileBytesPerSecond;
  if (!work.macs) { // copies and tables run at the speed of elementwise work
    time.compute = work.elementBytes / generation.planarBytesPerSecond;
    return time;
  }
  // The channels are dealt out to the engines in rounds; the last may be short.
  uint64_t engines = generation.neCount;
  uint64_t rounds = std::max<uint64_t>(1, (work.cout + engines - 1) / engines);
  double use = double(work.cout) / double(engines * rounds);
  time.compute = work.macs / (generation.macsPerSecond * use);
  return time;
}

} // namespace ane::sim
