//===- PlanReport.cpp - What a program does with time and L2 --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No word of a program says how long something in L2 is needed. It is here from
// the task that puts it there to the last one that reads a byte of it. A reader
// means what was written last; channels of a place that lie between those of
// another task are told apart by where their first bytes are.
//
//===----------------------------------------------------------------------===//

#include "PlanReport.h"

#include "Page.h"
#include "StatsJson.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/Simulator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

namespace {

struct Range {
  uint64_t begin, end;
};

enum Kind { Result, Kept, Tile };

struct L2Buffer {
  Range range;
  uint32_t first, last; ///< tasks
  Kind kind;
};

/// Bytes in at least one range.
uint64_t unionBytes(SmallVector<Range> ranges) {
  llvm::sort(ranges,
             [](const Range &a, const Range &b) { return a.begin < b.begin; });
  uint64_t total = 0, reached = 0;
  for (const Range &range : ranges) {
    uint64_t begin = std::max(range.begin, reached);
    total += range.end > begin ? range.end - begin : 0;
    reached = std::max(reached, range.end);
  }
  return total;
}

/// Finds from when to when something lies in L2.
class Lifetimes {
public:
  explicit Lifetimes(const sim::Stats &stats);

  std::vector<L2Buffer> buffers; ///< in the order of their first tasks
  std::vector<uint64_t> liveBytes() const;

private:
  void read(const Range &range, uint32_t task);
  void write(const Range &range, uint32_t task, Kind kind);

  const sim::Stats &stats;
  /// Numbers of the buffers that may still be read, oldest first.
  std::vector<size_t> live;
};

Lifetimes::Lifetimes(const sim::Stats &stats) : stats(stats) {
  for (const sim::TaskStats &task : stats.tasks) {
    for (const sim::OperandStats &operand : task.operands)
      if (operand.place == "l2" && operand.role != "result")
        read({operand.l2Begin, operand.l2End}, task.index);
    for (const sim::OperandStats &operand : task.operands) {
      if (operand.l2End <= operand.l2Begin)
        continue;
      Range range = {operand.l2Begin, operand.l2End};
      if (operand.place == "dram")
        write(range, task.index, Tile);
      else if (operand.place == "kept")
        write(range, task.index, Kept);
      else if (operand.place == "l2" && operand.role == "result")
        write(range, task.index, Result);
    }
  }
}

void Lifetimes::read(const Range &range, uint32_t task) {
  SmallVector<Range> missing(1, range);
  for (size_t number : llvm::reverse(live)) {
    if (missing.empty())
      return;
    L2Buffer &buffer = buffers[number];
    SmallVector<Range> rest;
    for (const Range &part : missing) {
      const Range both = {std::max(part.begin, buffer.range.begin),
                          std::min(part.end, buffer.range.end)};
      if (both.begin >= both.end) {
        rest.push_back(part);
        continue;
      }
      buffer.last = task;
      if (part.begin < both.begin)
        rest.push_back({part.begin, both.begin});
      if (both.end < part.end)
        rest.push_back({both.end, part.end});
    }
    missing = std::move(rest);
  }
}

void Lifetimes::write(const Range &range, uint32_t task, Kind kind) {
  llvm::erase_if(live, [&](size_t number) {
    const Range &old = buffers[number].range;
    return range.begin <= old.begin && old.end <= range.end;
  });
  if (kind != Tile) // nobody reads a tile but its task
    live.push_back(buffers.size());
  buffers.push_back({range, task, task, kind});
}

std::vector<uint64_t> Lifetimes::liveBytes() const {
  std::vector<uint64_t> result;
  SmallVector<const L2Buffer *> active;
  size_t next = 0;
  for (uint32_t task = 0; task < stats.tasks.size(); ++task) {
    llvm::erase_if(active, [&](const L2Buffer *b) { return b->last < task; });
    for (; next < buffers.size() && buffers[next].first == task; ++next)
      active.push_back(&buffers[next]);
    SmallVector<Range> ranges;
    for (const L2Buffer *buffer : active)
      ranges.push_back(buffer->range);
    result.push_back(unionBytes(std::move(ranges)));
  }
  return result;
}

} // namespace

json::Object mlir::ane::planToJson(const hw::Program &program) {
  std::vector<absl::Span<uint8_t>> surfaces;
  for (const hw::Tensor &tensor : program.tensors)
    surfaces.emplace_back(nullptr, tensor.bytes);
  sim::Options options;
  options.mode = sim::Mode::Count;
  absl::StatusOr<sim::Stats> stats = sim::run(program, surfaces, options);
  if (!stats.ok())
    return json::Object{
        {"error", asUtf8(std::string(stats.status().message()))}};
  const hw::ChipInfo &chip = hw::chipOf(program.generation);

  json::Array lanes, slices, buffers;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    lanes.push_back(laneName(static_cast<Lane>(lane)));
  for (const Slice &slice : timeline(*stats))
    slices.push_back(json::Array{static_cast<int>(slice.lane), slice.task,
                                 slice.startMs, slice.ms, slice.bytes});
  Lifetimes lifetimes(*stats);
  for (const L2Buffer &buffer : lifetimes.buffers)
    buffers.push_back(json::Array{buffer.range.begin, buffer.range.end,
                                  buffer.first, buffer.last,
                                  static_cast<int>(buffer.kind)});
  json::Array live;
  for (uint64_t bytes : lifetimes.liveBytes())
    live.push_back(bytes);
  return json::Object{
      {"chip", json::Object{{"name", chip.name},
                            {"description", chip.description},
                            {"l2_bytes", chip.l2Bytes}}},
      {"stats", statsToJson(chip, *stats)},
      {"lanes", std::move(lanes)},
      {"slices", std::move(slices)},
      {"buffer_kinds", json::Array{"result", "kept source", "tile"}},
      {"buffers", std::move(buffers)},
      {"l2_live_bytes", std::move(live)}};
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

static const unsigned char page[] = {
#include "PlanPage.inc"
};

void mlir::ane::writePlanPage(raw_ostream &os, json::Object report) {
  writePage(os, {reinterpret_cast<const char *>(page), sizeof(page)},
            std::move(report));
}
