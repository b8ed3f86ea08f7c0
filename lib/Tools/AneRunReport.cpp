//===- AneRunReport.cpp - Statistics and traces as JSON -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AneRunReport.h"

#include "llvm/Support/JSON.h"

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

static int64_t cycles(const hw::GenerationInfo &generation, double ms) {
  return static_cast<int64_t>(ms * 1e-3 * generation.clockHertz + 0.5);
}

void writeStats(raw_ostream &os, const hw::GenerationInfo &generation,
                const sim::Stats &stats) {
  json::Array perTask;
  for (const sim::TaskStats &task : stats.tasks)
    perTask.push_back(json::Object{
        {"index", task.index},
        {"unit", task.unit},
        {"macs", task.macs},
        {"dram_bytes", task.read.total() + task.written.total()},
        {"dram_traffic", bothWays(task.read, task.written)},
        {"l2_bytes", task.l2Bytes},
        {"compute_ms", task.computeMs},
        {"weights_ms", task.weightMs},
        {"tiles_ms", task.tileMs},
        {"predicted_ms", task.predictedMs},
        {"predicted_cycles", cycles(generation, task.predictedMs)}});
  json::Object all{{"tasks", stats.tasks.size()},
                   {"macs", stats.macs},
                   {"dram_bytes", stats.read.total() + stats.written.total()},
                   {"dram_traffic", bothWays(stats.read, stats.written)},
                   {"compulsory_bytes", stats.compulsoryBytes},
                   {"l2_peak_bytes", stats.l2PeakBytes},
                   {"predicted_ms", stats.predictedMs},
                   {"predicted_cycles", cycles(generation, stats.predictedMs)},
                   {"per_task", std::move(perTask)}};
  os << formatv("{0:2}", json::Value(std::move(all))) << '\n';
}

namespace {

/// Collects events; times are microseconds, as the format wants them.
class Trace {
public:
  void lane(int id, StringRef name) {
    events.push_back(json::Object{{"ph", "M"},
                                  {"pid", 1},
                                  {"tid", id},
                                  {"name", "thread_name"},
                                  {"args", json::Object{{"name", name}}}});
  }
  void slice(int lane, const Twine &name, double startMs, double ms,
             json::Object args) {
    if (ms <= 0)
      return;
    events.push_back(json::Object{{"ph", "X"},
                                  {"pid", 1},
                                  {"tid", lane},
                                  {"name", name.str()},
                                  {"ts", startMs * 1e3},
                                  {"dur", ms * 1e3},
                                  {"args", std::move(args)}});
  }
  void counter(StringRef name, double ms, uint64_t value) {
    events.push_back(json::Object{{"ph", "C"},
                                  {"pid", 1},
                                  {"name", name},
                                  {"ts", ms * 1e3},
                                  {"args", json::Object{{"bytes", value}}}});
  }

  json::Array events;
};

enum Lane { Dispatch = 1, NeuralLane, PlanarLane, WeightLane, TileLane };

} // namespace

void writeTrace(raw_ostream &os, const hw::GenerationInfo &generation,
                const sim::Stats &stats) {
  Trace trace;
  trace.lane(Dispatch, "dispatch");
  trace.lane(NeuralLane, "neural engines");
  trace.lane(PlanarLane, "planar engine");
  trace.lane(WeightLane, "kernel DMA");
  trace.lane(TileLane, "tile DMA");
  double now = generation.dispatchSeconds * 1e3;
  trace.slice(Dispatch, "dispatch", 0, now, {});
  for (const sim::TaskStats &task : stats.tasks) {
    std::string name = "task " + std::to_string(task.index);
    trace.slice(task.unit == "NE" ? NeuralLane : PlanarLane, name, now,
                task.computeMs, json::Object{{"macs", task.macs}});
    trace.slice(WeightLane, name, now, task.weightMs,
                json::Object{{"bytes", task.read.weights}});
    trace.slice(TileLane, name, now, task.tileMs,
                json::Object{{"bytes", task.read.total() - task.read.weights +
                                           task.written.total()}});
    trace.counter("L2", now, task.l2Bytes);
    now += task.predictedMs;
  }
  trace.counter("L2", now, 0);
  json::Object all{{"displayTimeUnit", "ns"},
                   {"traceEvents", std::move(trace.events)}};
  os << json::Value(std::move(all)) << '\n';
}

} // namespace mlir::ane
