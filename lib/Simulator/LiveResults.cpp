//===- LiveResults.cpp - Results in L2 that may still be read -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveResults.h"

#include "absl/strings/str_format.h"

namespace ane::sim {

/// Calls `visit(begin, end)` for the runs of `pattern` inside [first, last),
/// counted from `first`.
template <typename Visit>
static void forEachPart(const Pattern &pattern, uint64_t first, uint64_t last,
                        Visit visit) {
  const uint64_t size = hw::elementBytes(pattern.type);
  forEachRun(pattern, [&](const Run &run) {
    uint64_t begin = std::max(run.offset, first);
    uint64_t end = std::min(run.offset + run.count * size, last);
    if (begin < end)
      visit(begin - first, end - first);
    return true;
  });
}

static bool overlap(const Pattern &pattern, uint64_t first, uint64_t end) {
  return pattern.base < end && first < pattern.end();
}

absl::Status LiveResults::read(const Pattern &pattern, uint32_t task,
                               absl::string_view name) {
  if (task != reader)
    sources.clear();
  reader = task;
  sources.push_back(pattern);
  for (const Result &result : results) {
    if (!result.isTorn || !overlap(pattern, result.first, result.end))
      continue;
    bool touched = false;
    uint64_t torn = ~uint64_t(0);
    forEachPart(
        pattern, result.first, result.end, [&](uint64_t begin, uint64_t end) {
          touched |= result.held.intersects(begin, end);
          if (torn == ~uint64_t(0) && result.torn.intersects(begin, end))
            torn = begin;
        });
    if (touched && torn != ~uint64_t(0))
      return absl::FailedPreconditionError(absl::StrFormat(
          "%s reads the result of task %d in L2, but task %d wrote over a part "
          "of it, at byte 0x%x",
          name, result.task, result.tornBy, result.first + torn));
  }
  return absl::OkStatus();
}

void LiveResults::tear(Result &result, const Pattern &pattern, uint32_t task) {
  ByteSet consumed;
  if (task == reader && !sources.empty()) {
    consumed = ByteSet(result.end - result.first);
    for (const Pattern &source : sources)
      forEachPart(
          source, result.first, result.end,
          [&](uint64_t begin, uint64_t end) { consumed.insert(begin, end); });
  }
  forEachPart(pattern, result.first, result.end,
              [&](uint64_t begin, uint64_t end) {
                if (consumed.empty() || !consumed.contains(begin, end))
                  if (result.held.intersects(begin, end)) {
                    result.torn.insert(begin, end);
                    result.isTorn = true;
                    result.tornBy = task;
                  }
                result.held.erase(begin, end);
              });
}

void LiveResults::write(const Pattern &pattern, uint32_t task) {
  for (Result &result : results)
    if (overlap(pattern, result.first, result.end))
      tear(result, pattern, task);
  results.erase(std::remove_if(results.begin(), results.end(),
                               [](const Result &result) {
                                 return !result.held.intersects(
                                     0, result.end - result.first);
                               }),
                results.end());
  Result result;
  result.task = task;
  result.first = pattern.base;
  result.end = pattern.end();
  result.held = ByteSet(result.end - result.first);
  result.torn = ByteSet(result.end - result.first);
  forEachPart(
      pattern, result.first, result.end,
      [&](uint64_t begin, uint64_t end) { result.held.insert(begin, end); });
  results.push_back(std::move(result));
}

} // namespace ane::sim
