//===- AneRunReport.cpp - Statistics and traces ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AneRunReport.h"

#include "StatsJson.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

namespace mlir::ane {

void writeStats(raw_ostream &os, const hw::ChipInfo &chip,
                const sim::Stats &stats) {
  os << formatv("{0:2}", json::Value(statsToJson(chip, stats))) << '\n';
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
// Values that are no numbers
//===----------------------------------------------------------------------===//

static std::string describe(const sim::ValueCounts &values) {
  SmallVector<std::string> parts;
  if (values.infinities)
    parts.push_back(formatv("{0} infinite", values.infinities));
  if (values.nans)
    parts.push_back(formatv("{0} NaN", values.nans));
  if (values.underflows)
    parts.push_back(formatv("{0} 0 that were below 2^-25", values.underflows));
  return formatv("of {0} elements {1}", values.elements, join(parts, ", "));
}

void writeSpecialValues(raw_ostream &os, StringRef place, StringRef tensor,
                        const sim::ValueCounts &values) {
  if (values.hasSpecial() || values.underflows)
    os << place << tensor << ": " << describe(values) << '\n';
}

void writeSpecialValues(raw_ostream &os, StringRef place,
                        const sim::Stats &stats, const TaskSources &sources) {
  BitVector isOutput(stats.tasks.size());
  for (const sim::TensorStats &tensor : stats.tensors)
    for (uint32_t task : tensor.tasks)
      isOutput.set(task);
  // What is no number in the inputs is not lost here.
  bool makesSpecial = false;
  constexpr unsigned maxLines = 10;
  unsigned count = 0;
  for (const sim::TaskStats &task : stats.tasks) {
    sim::ValueCounts values = task.values;
    if (task.inheritsSpecial)
      values.infinities = values.nans = 0;
    makesSpecial |= values.hasSpecial();
    if (isOutput[task.index] || (!values.hasSpecial() && !values.underflows) ||
        count++ >= maxLines)
      continue;
    std::string from = sources.describe(task.index);
    writeSpecialValues(os, place,
                       formatv("result of task {0} ({1}{2})", task.index,
                               task.op, from.empty() ? "" : ", " + from)
                           .str(),
                       values);
  }
  if (count > maxLines)
    os << place << "and results of " << count - maxLines
       << " more tasks; --stats=s.json lists them\n";
  for (const sim::TensorStats &tensor : stats.tensors) {
    sim::ValueCounts values = tensor.values;
    if (tensor.tasks.empty())
      continue;
    if (!makesSpecial)
      values.infinities = values.nans = 0;
    const sim::TaskStats &last = stats.tasks[tensor.tasks.back()];
    std::string tasks =
        tensor.tasks.size() == 1
            ? formatv("task {0}, {1}", last.index, last.op).str()
            : formatv("tasks {0} to {1}", tensor.tasks.front(), last.index)
                  .str();
    writeSpecialValues(os, place,
                       formatv("output '{0}' ({1})", tensor.name, tasks).str(),
                       values);
  }
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

} // namespace

void writeTrace(raw_ostream &os, const sim::Stats &stats) {
  Trace trace;
  constexpr int dispatch = 1, firstLane = 2;
  trace.lane(dispatch, "dispatch");
  for (unsigned lane = 0; lane < laneCount; ++lane)
    trace.lane(firstLane + lane, laneName(static_cast<Lane>(lane)));
  trace.slice(dispatch, "dispatch", 0, stats.dispatchMs, {});
  for (const Slice &slice : timeline(stats)) {
    const sim::TaskStats &task = stats.tasks[slice.task];
    json::Object args{{"op", task.op}};
    if (slice.bytes) {
      args["bytes"] = slice.bytes;
    } else {
      args["macs"] = task.macs;
      args["bound"] = task.bound;
    }
    trace.slice(firstLane + static_cast<int>(slice.lane),
                "task " + Twine(slice.task), slice.startMs, slice.ms,
                std::move(args));
  }
  for (const sim::TaskStats &task : stats.tasks)
    trace.counter("L2", task.startMs, task.l2Bytes);
  trace.counter("L2", stats.predictedMs, 0);
  json::Object all{{"displayTimeUnit", "ns"},
                   {"traceEvents", std::move(trace.events)}};
  os << json::Value(std::move(all)) << '\n';
}

} // namespace mlir::ane
