//===- RangeReport.cpp - How far sums and values reach --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeReport.h"

#include "StatsJson.h"

#include "ane/HW/Sums.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

namespace mlir::ane {
namespace {

/// A task with the share of its limit that it takes: 1 is beyond. Near is what
/// inputs four times as large would bring there.
constexpr double near = 0.25;

struct Reach {
  double sum = 0, value = 0;

  Reach(double sumLimit, const sim::TaskStats &task)
      : sum(task.largestSum.value_or(0) / sumLimit),
        value(task.values.infinities ? 1
                                     : task.values.largest / hw::kLargestHalf) {
  }
  double most() const { return std::max(sum, value); }
};

struct Summary {
  size_t sumsBeyond = 0, valuesBeyond = 0, near = 0;
  double largestSum = 0, largestValue = 0;

  Summary(double sumLimit, const sim::Stats &stats) {
    for (const sim::TaskStats &task : stats.tasks) {
      const Reach reach(sumLimit, task);
      sumsBeyond += reach.sum >= 1;
      valuesBeyond += task.values.hasSpecial();
      near += reach.most() >= ::mlir::ane::near && reach.sum < 1 &&
              !task.values.hasSpecial();
      largestSum = std::max(largestSum, double(task.largestSum.value_or(0)));
      largestValue = std::max(largestValue, double(task.values.largest));
    }
  }
};

/// JSON has no infinity.
json::Value number(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

} // namespace

void writeRangesAsJson(raw_ostream &os, hw::SumArithmetic sums,
                       const sim::Stats &stats, const TaskSources &sources) {
  const double limit = hw::sumLimit(sums);
  json::Array tasks;
  for (const sim::TaskStats &task : stats.tasks) {
    json::Object object{{"index", task.index},
                        {"unit", task.unit},
                        {"op", task.op},
                        {"values", valuesToJson(task.values)},
                        {"sources", sources.toJson(task.index)}};
    if (task.largestSum) {
      object["largest_sum"] = number(*task.largestSum);
      object["sum_is_lost"] = *task.largestSum >= limit;
    }
    tasks.push_back(std::move(object));
  }
  const Summary summary(limit, stats);
  json::Object all{{"sum_limit", limit},
                   {"value_limit", hw::kLargestHalf},
                   {"sums_beyond", summary.sumsBeyond},
                   {"values_beyond", summary.valuesBeyond},
                   {"near", summary.near},
                   {"largest_sum", number(summary.largestSum)},
                   {"largest_value", number(summary.largestValue)},
                   {"tasks", std::move(tasks)}};
  os << formatv("{0:2}", json::Value(std::move(all))) << '\n';
}

void writeRanges(raw_ostream &os, hw::SumArithmetic sums,
                 const sim::Stats &stats, const TaskSources &sources) {
  const double limit = hw::sumLimit(sums);
  const Summary summary(limit, stats);
  if (summary.sumsBeyond + summary.valuesBeyond + summary.near)
    os << formatv("{0,4}  {1,12}  {2,6}  {3,13}  {4,9} {5,6} {6,9}  {7}\n",
                  "task", "largest sum", "%", "largest value", "infinite",
                  "NaN", "underflow", "operation");
  for (const sim::TaskStats &task : stats.tasks) {
    const Reach reach(limit, task);
    if (reach.most() < near && !task.values.hasSpecial())
      continue;
    std::string sum = "-", share = "-";
    if (task.largestSum) {
      sum = formatv("{0:f1}", *task.largestSum).str();
      share = formatv("{0:f1}", 100 * reach.sum).str();
    }
    std::string place = sources.describe(task.index);
    os << formatv(
        "{0,4}  {1,12}  {2,6}  {3,13:f1}  {4,9} {5,6} {6,9}  {7}{8}\n",
        task.index, sum, share, task.values.largest, task.values.infinities,
        task.values.nans, task.values.underflows, task.op,
        place.empty() ? "" : " at " + place);
  }
  os << formatv("{0} tasks: {1} with a running sum of {2} or more, where the "
                "engine loses it (largest {3:f1});\n{4} with values that "
                "halves do not hold (largest {5:f1} of {6}); {7} at a quarter "
                "of a limit or more\n",
                stats.tasks.size(), summary.sumsBeyond, int64_t(limit),
                summary.largestSum, summary.valuesBeyond, summary.largestValue,
                int64_t(hw::kLargestHalf), summary.near);
}

} // namespace mlir::ane
