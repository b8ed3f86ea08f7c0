//===- StatsJson.h - Statistics for programs and pages ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_STATSJSON_H
#define ANE_LIB_TOOLS_STATSJSON_H

#include "ane/HW/Chip.h"
#include "ane/Simulator/Simulator.h"

#include "llvm/Support/JSON.h"

namespace mlir::ane {

/// What the simulator counted and predicts: the object of `ane-run --stats`.
llvm::json::Object statsToJson(const ::ane::hw::ChipInfo &chip,
                               const ::ane::sim::Stats &stats);

llvm::json::Object valuesToJson(const ::ane::sim::ValueCounts &values);

/// Share of the chip's products that the time would have room for.
double macUse(const ::ane::hw::ChipInfo &chip, uint64_t macs, double ms);

/// What works on its own; slices of a lane never overlap.
enum class Lane { Neural, Planar, Weights, Sources, Results };
constexpr unsigned laneCount = 5;
/// "neural engines", ...
const char *laneName(Lane lane);

/// A part of a task.
struct Slice {
  Lane lane;
  uint32_t task;
  double startMs, ms;
  uint64_t bytes; ///< moved; 0 where the lane computes
};

/// When each part of each task runs by the model of time, in the order of the
/// tasks. Times are from the call; parts that take no time are left out.
std::vector<Slice> timeline(const ::ane::sim::Stats &stats);

/// A copy that any JSON writer takes, whatever bytes a file or tensor is named
/// with.
std::string asUtf8(llvm::StringRef text);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_STATSJSON_H
