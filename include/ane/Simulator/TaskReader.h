//===- TaskReader.h - Tasks and their weights, for people -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what the simulator would execute without running anything: what each
// task computes, and the coefficients that its streams hold. Unlike sim::run it
// goes on after a task that is not understood; its `status` says why.
//
//   for (const sim::TaskSummary &task : sim::summarizeTasks(program))
//     if (task.hasWeights)
//       absl::StatusOr<sim::TaskWeights> weights = task.readWeights(program);
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_TASKREADER_H
#define ANE_SIMULATOR_TASKREADER_H

#include "ane/HW/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace ane::sim {

struct TaskConfig;

/// The constants of a task, out of the streams of its engines.
struct TaskWeights {
  /// Output channels, input channels of one group, kernel rows and columns;
  /// empty where the task has a table only.
  std::vector<uint64_t> shape;
  std::vector<uint16_t> weights; ///< bits of halves, in the order of `shape`
  std::vector<uint16_t> bias;    ///< one for each output channel, or none
  /// The activation table as it is stored, 128 bytes, or none.
  std::vector<uint8_t> table;
  uint32_t groups = 1;
  /// What the registers do to each sum: result = (sum + accBias) * postScale.
  float accBias = 0, postScale = 1;
};

/// A task in a line.
struct TaskSummary {
  std::string unit; ///< "NE" or "PE"; empty where the task is not understood
  std::string op;   ///< "conv 3x3, relu"
  /// Why the task is not understood; names the register and its value.
  absl::Status status;
  /// Whether the task reads constants: a kernel or a table.
  bool hasWeights = false;

  /// Fails where a stream leaves the constant section or does not fit the
  /// kernel.
  absl::StatusOr<TaskWeights> readWeights(const hw::Program &program) const;
  /// Names the constants: tasks with equal keys read the same.
  std::string weightsKey() const;

  std::shared_ptr<const TaskConfig> config;
};

/// One for each task, in order.
std::vector<TaskSummary> summarizeTasks(const hw::Program &program);

} // namespace ane::sim

#endif // ANE_SIMULATOR_TASKREADER_H
