//===- AneRunReport.cpp - Statistics and traces ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AneRunReport.h"

#include "llvm/Support/FormatVariadic.h"
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

static int64_t cycles(const hw::ChipInfo &chip, double ms) {
  return static_cast<int64_t>(ms * 1e-3 * chip.clockHertz + 0.5);
}

/// Share of the chip's products that the time would have room for.
static double macUse(const hw::ChipInfo &chip, uint64_t macs, double ms) {
  double room = ms * 1e-3 * chip.clockHertz * chip.neCount * chip.macsPerCycle;
  return room > 0 ? double(macs) / room : 0;
}

void writeStats(raw_ostream &os, const hw::ChipInfo &chip,
                const sim::Stats &stats) {
  json::Array perTask;
  for (const sim::TaskStats &task : stats.tasks)
    perTask.push_back(
        json::Object{{"index", task.index},
                     {"unit", task.unit},
                     {"macs", task.macs},
                     {"mac_use", macUse(chip, task.macs, task.predictedMs)},
                     {"dram_bytes", task.read.total() + task.written.total()},
                     {"dram_moved_bytes", task.read.moved + task.written.moved},
                     {"dram_traffic", bothWays(task.read, task.written)},
                     {"l2_bytes", task.l2Bytes},
                     {"bound", task.bound},
                     {"compute_ms", task.computeMs},
                     {"weights_ms", task.weightMs},
                     {"tiles_ms", task.tileMs},
                     {"predicted_ms", task.predictedMs},
                     {"predicted_cycles", cycles(chip, task.predictedMs)}});
  json::Object rates{{"macs_per_second", chip.neCount * chip.macsPerCycle *
                                             chip.clockHertz * chip.sustained},
                     {"depthwise_macs_per_second", chip.depthwiseMacsPerSecond},
                     {"dram_bytes_per_second", chip.weightBytesPerSecond}};
  json::Object all{{"chip", chip.name},
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
  os << formatv("{0:2}", json::Value(std::move(all))) << '\n';
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static double kib(uint64_t bytes) { return double(bytes) / 1024; }

static void writeTraffic(raw_ostream &os, StringRef title,
                         const sim::Traffic &bytes) {
  os << left_justify(title, 8)
     << formatv(" {0,12:f1} {1,12:f1} {2,12:f1} {3,12:f1} {4,12:f1}\n",
                kib(bytes.weights), kib(bytes.input), kib(bytes.output),
                kib(bytes.intermediate), kib(bytes.moved));
}

void writeProfile(raw_ostream &os, const hw::ChipInfo &chip,
                  const sim::Stats &stats) {
  const uint64_t bytes = stats.read.total() + stats.written.total();
  os << formatv("predicted for {0}: {1:f3} ms = dispatch {2:f3} + {3} tasks "
                "{4:f3}\n",
                chip.description, stats.predictedMs, stats.dispatchMs,
                stats.tasks.size(), stats.predictedMs - stats.dispatchMs)
     << formatv("{0:f3} GMAC, {1:f1} % of the engines' products; L2 up to "
                "{2:f1} KiB of {3:f1}\n",
                stats.macs * 1e-9,
                100 * macUse(chip, stats.macs, stats.predictedMs),
                kib(stats.l2PeakBytes), kib(chip.l2Bytes))
     << formatv("DRAM {0:f1} KiB, {1:f2} times the {2:f1} that no plan can "
                "avoid\n\n",
                kib(bytes),
                stats.compulsoryBytes ? double(bytes) / stats.compulsoryBytes
                                      : 0.0,
                kib(stats.compulsoryBytes));
  os << "DRAM KiB      weights        input       output intermediate   with "
        "bursts\n";
  writeTraffic(os, "read", stats.read);
  writeTraffic(os, "written", stats.written);
  os << "\ntask  unit  bound         ms  share  MAC use     compute     "
        "weights "
        "      tiles    L2 KiB  DRAM KiB\n";
  for (const sim::TaskStats &task : stats.tasks)
    os << formatv("{0,4}  {1,-4}  {2,-7}  {3,7:f4} {4,5:f1}%  {5,6:f1}%  "
                  "{6,10:f4}  {7,10:f4}  {8,10:f4}  {9,8:f1}  {10,8:f1}\n",
                  task.index, task.unit, task.bound, task.predictedMs,
                  100 * task.predictedMs / stats.predictedMs,
                  100 * macUse(chip, task.macs, task.predictedMs),
                  task.computeMs, task.weightMs, task.tileMs, kib(task.l2Bytes),
                  kib(task.read.total() + task.written.total()));
}

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

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

enum Lane {
  Dispatch = 1,
  NeuralLane,
  PlanarLane,
  WeightLane,
  SourceLane,
  ResultLane
};

} // namespace

void writeTrace(raw_ostream &os, const sim::Stats &stats) {
  Trace trace;
  trace.lane(Dispatch, "dispatch");
  trace.lane(NeuralLane, "neural engines");
  trace.lane(PlanarLane, "planar engine");
  trace.lane(WeightLane, "kernel DMA");
  trace.lane(SourceLane, "tile DMA, sources");
  trace.lane(ResultLane, "tile DMA, results");
  double now = stats.dispatchMs;
  trace.slice(Dispatch, "dispatch", 0, now, {});
  for (const sim::TaskStats &task : stats.tasks) {
    std::string name = "task " + std::to_string(task.index);
    trace.slice(task.unit == "NE" ? NeuralLane : PlanarLane, name, now,
                task.computeMs,
                json::Object{{"macs", task.macs}, {"bound", task.bound}});
    trace.slice(WeightLane, name, now, task.weightMs,
                json::Object{{"bytes", task.read.weights}});
    // Sources from the start of the task, the result up to its end.
    const uint64_t in = task.read.total() - task.read.weights,
                   out = task.written.total();
    if (in + out) {
      const double inMs = task.tileMs * in / (in + out);
      const double outMs = task.tileMs - inMs;
      trace.slice(SourceLane, name, now, inMs, json::Object{{"bytes", in}});
      trace.slice(ResultLane, name, now + task.predictedMs - outMs, outMs,
                  json::Object{{"bytes", out}});
    }
    trace.counter("L2", now, task.l2Bytes);
    now += task.predictedMs;
  }
  trace.counter("L2", now, 0);
  json::Object all{{"displayTimeUnit", "ns"},
                   {"traceEvents", std::move(trace.events)}};
  os << json::Value(std::move(all)) << '\n';
}

} // namespace mlir::ane
