//===- TaskReader.cpp - Tasks and their weights, for people ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/TaskReader.h"

#include "CoefficientStreams.h"

#include "ane/HW/H13Form.h"
#include "ane/HW/LookupTable.h"
#include "ane/HW/RegisterFile.h"
#include "ane/Simulator/TaskConfig.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace ane::sim {

static bool hasTable(const TaskConfig &task) {
  return task.neural.function == h13::NE::NonlinearMode::LUT;
}

static TaskSummary summarize(const hw::Program &program, const hw::Task &task,
                             hw::RegisterFile &registers) {
  TaskSummary summary;
  auto formed = hw::inH13Form(program.generation, {&task, 1},
                              hw::constantPlaces(program));
  if (!formed.ok()) {
    // There is no other task in the span.
    absl::string_view message = formed.status().message();
    absl::ConsumePrefix(&message, "task 0: ");
    summary.status = absl::Status(formed.status().code(), message);
    return summary;
  }
  auto config =
      decodeTask(program.generation, registers.execute(formed->front()));
  if (!config.ok()) {
    summary.status = absl::Status(
        config.status().code(),
        hw::inFieldsOf(program.generation, config.status().message()));
    return summary;
  }
  summary.unit = config->isNeural ? "NE" : "PE";
  summary.op = describeOperation(*config);
  summary.hasWeights = config->isNeural &&
                       config->kernel.base == hw::BaseConst &&
                       (config->neural.hasKernel || hasTable(*config));
  summary.config = std::make_shared<const TaskConfig>(*std::move(config));
  return summary;
}

std::vector<TaskSummary> summarizeTasks(const hw::Program &program) {
  std::vector<TaskSummary> result;
  result.reserve(program.tasks.size());
  hw::RegisterFile registers;
  for (const hw::Task &task : program.tasks)
    result.push_back(summarize(program, task, registers));
  return result;
}

std::string TaskSummary::weightsKey() const {
  if (!hasWeights)
    return "";
  const StreamShape shape(*config);
  const KernelConfig &kernel = config->kernel;
  std::string key = absl::StrJoin(
      {shape.groups, shape.channels, shape.inputs, shape.kh, shape.kw,
       shape.engines, shape.lanes, uint32_t(shape.depthwise),
       uint32_t(shape.hasBias), uint32_t(shape.hasTable),
       uint32_t(shape.skipsZeros), shape.leastEntries,
       uint32_t(config->neural.hasKernel), kernel.passStride},
      ",");
  absl::StrAppend(&key, ":", absl::StrJoin(kernel.offsets, ","), ":",
                  absl::StrJoin(kernel.sizes, ","), ":", config->neural.accBias,
                  ",", config->neural.postScale);
  return key;
}

absl::StatusOr<TaskWeights>
TaskSummary::readWeights(const hw::Program &program) const {
  if (!hasWeights)
    return absl::FailedPreconditionError(
        status.ok() ? "the task has no constants" : status.message());
  const StreamShape shape(*config);
  const absl::Span<const uint8_t> section = program.constantBytes();
  TaskWeights result;
  result.groups = shape.groups;
  result.accBias = config->neural.accBias;
  result.postScale = config->neural.postScale;
  if (hasTable(*config)) {
    // Every stream has the same one; the simulator checks that.
    const std::vector<uint32_t> &offsets = config->kernel.offsets;
    if (offsets.empty() || offsets[0] > section.size() ||
        hw::tableBytes > section.size() - offsets[0])
      return absl::OutOfRangeError(
          absl::StrFormat("the table leaves the constant section of 0x%x bytes",
                          section.size()));
    auto bytes = section.subspan(offsets[0], hw::tableBytes);
    result.table.assign(bytes.begin(), bytes.end());
  }
  if (!config->neural.hasKernel)
    return result;
  // No bigger than the streams, so a wrong size cannot take all memory.
  if (shape.weights() > 64 * uint64_t(section.size()) + 4096)
    return absl::OutOfRangeError(absl::StrFormat(
        "%d weights do not fit the constant section of 0x%x bytes",
        shape.weights(), section.size()));
  result.shape = {shape.outputs(), shape.inputs, shape.kh, shape.kw};
  result.weights.resize(shape.weights());
  result.bias.resize(shape.hasBias ? shape.outputs() : 0);
  if (absl::Status status = readCoefficients(
          hw::info(program.generation), *config, section,
          absl::MakeSpan(result.weights), absl::MakeSpan(result.bias));
      !status.ok())
    return status;
  return result;
}

} // namespace ane::sim
