//===- StatsJson.cpp - Statistics for programs and pages ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatsJson.h"

#include <cmath>

using namespace llvm;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

namespace mlir::ane {

static json::Object traffic(const sim::Traffic &bytes) {
  return json::Object{{"weights", bytes.weights},
                      {"input", bytes.input},
                      {"output", bytes.output},
                      {"intermediate", bytes.intermediate}};
}

static json::Object bothWays(const sim::Traffic &read,
                             const sim::Traffic &written) {
  return json::Object{{"read", traffic(read)}, {"written", traffic(written)}};
}

static int64_t cycles(const hw::ChipInfo &chip, double ms) {
  return std::llround(ms * 1e-3 * chip.clockHertz);
}

double macUse(const hw::ChipInfo &chip, uint64_t macs, double ms) {
  double room = ms * 1e-3 * chip.clockHertz * chip.neCount * chip.macsPerCycle;
  return room > 0 ? double(macs) / room : 0;
}

std::string asUtf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static json::Object operandToJson(const sim::OperandStats &operand) {
  json::Array shape;
  for (uint32_t extent : operand.shape)
    shape.push_back(extent);
  json::Object object{{"role", operand.role},
                      {"place", operand.place},
                      {"shape", std::move(shape)}};
  if (!operand.tensor.empty())
    object["tensor"] = asUtf8(operand.tensor);
  if (operand.l2End > operand.l2Begin)
    object["l2"] = json::Array{operand.l2Begin, operand.l2End};
  return object;
}

json::Object valuesToJson(const sim::ValueCounts &values) {
  return json::Object{{"elements", values.elements},
                      {"infinities", values.infinities},
                      {"nans", values.nans},
                      {"underflows", values.underflows},
                      {"subnormals", values.subnormals},
                      {"largest", values.largest}};
}

static json::Object taskToJson(const hw::ChipInfo &chip,
                               const sim::TaskStats &task) {
  json::Array operands;
  for (const sim::OperandStats &operand : task.operands)
    operands.push_back(operandToJson(operand));
  json::Object object{
      {"index", task.index},
      {"unit", task.unit},
      {"op", task.op},
      {"operands", std::move(operands)},
      {"macs", task.macs},
      {"mac_use", macUse(chip, task.macs, task.predictedMs)},
      {"dram_bytes", task.read.total() + task.written.total()},
      {"dram_moved_bytes", task.read.moved + task.written.moved},
      {"dram_traffic", bothWays(task.read, task.written)},
      {"l2_bytes", task.l2Bytes},
      {"bound", task.bound},
      {"compute_ms", task.computeMs},
      {"weights_ms", task.weightMs},
      {"weights_ahead_ms", task.weightAheadMs},
      {"tiles_ms", task.tileMs},
      {"start_ms", task.startMs},
      {"predicted_ms", task.predictedMs},
      {"predicted_cycles", cycles(chip, task.predictedMs)}};
  if (task.values.elements)
    object["values"] = valuesToJson(task.values);
  return object;
}

static json::Object tensorToJson(const sim::TensorStats &tensor) {
  const bool isInput = tensor.kind == hw::TensorKind::Input;
  return json::Object{{"name", asUtf8(tensor.name)},
                      {"kind", isInput ? "input" : "output"},
                      {"values", valuesToJson(tensor.values)}};
}

json::Object statsToJson(const hw::ChipInfo &chip, const sim::Stats &stats) {
  json::Array perTask;
  for (const sim::TaskStats &task : stats.tasks)
    perTask.push_back(taskToJson(chip, task));
  json::Object rates{{"macs_per_second", chip.macsPerSecond()},
                     {"depthwise_macs_per_second", chip.depthwiseMacsPerSecond},
                     {"dram_bytes_per_second", chip.weightBytesPerSecond}};
  json::Object object{
      {"chip", chip.name},
      {"rates", std::move(rates)},
      {"tasks", stats.tasks.size()},
      {"macs", stats.macs},
      {"mac_use", macUse(chip, stats.macs, stats.predictedMs)},
      {"dram_bytes", stats.read.total() + stats.written.total()},
      {"dram_moved_bytes", stats.read.moved + stats.written.moved},
      {"dram_traffic", bothWays(stats.read, stats.written)},
      {"compulsory_bytes", stats.compulsoryBytes},
      {"l2_peak_bytes", stats.l2PeakBytes},
      {"dispatch_ms", stats.dispatchMs},
      {"predicted_ms", stats.predictedMs},
      {"predicted_cycles", cycles(chip, stats.predictedMs)},
      {"per_task", std::move(perTask)}};
  json::Array tensors;
  for (const sim::TensorStats &tensor : stats.tensors)
    tensors.push_back(tensorToJson(tensor));
  if (!tensors.empty())
    object["tensors"] = std::move(tensors);
  return object;
}

const char *laneName(Lane lane) {
  switch (lane) {
  case Lane::Neural:
    return "neural engines";
  case Lane::Planar:
    return "planar engine";
  case Lane::Weights:
    return "kernel DMA";
  case Lane::Sources:
    return "tile DMA, sources";
  case Lane::Results:
    break;
  }
  return "tile DMA, results";
}

std::vector<Slice> timeline(const sim::Stats &stats) {
  std::vector<Slice> slices;
  for (const sim::TaskStats &task : stats.tasks) {
    auto add = [&](Lane lane, double start, double ms, uint64_t bytes) {
      if (ms > 0)
        slices.push_back({lane, task.index, start, ms, bytes});
    };
    const double start = task.startMs;
    add(task.unit == "NE" ? Lane::Neural : Lane::Planar, start, task.computeMs,
        0);
    add(Lane::Weights, start - task.weightAheadMs, task.weightMs,
        task.read.weights);
    // Sources from the start of the task, the result up to its end.
    const uint64_t in = task.read.total() - task.read.weights,
                   out = task.written.total();
    if (!(in + out))
      continue;
    const double inMs = task.tileMs * in / (in + out);
    const double outMs = task.tileMs - inMs;
    add(Lane::Sources, start, inMs, in);
    add(Lane::Results, start + task.predictedMs - outMs, outMs, out);
  }
  return slices;
}

} // namespace mlir::ane
