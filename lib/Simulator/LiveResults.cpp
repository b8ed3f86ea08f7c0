//===- LiveResults.cpp - Results in L2 that may still be read -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/LiveResults.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::sim {

/// Calls `visit(begin, end)` for the runs of `bytes` inside [first, last),
/// counted from `first`.
template <typename Visit>
static void forEachPart(const hw::Footprint &bytes, uint64_t first,
                        uint64_t last, Visit visit) {
  bytes.forEachRange([&](uint64_t begin, uint64_t end) {
    begin = std::max(begin, first);
    end = std::min(end, last);
    if (begin < end)
      visit(begin - first, end - first);
    return true;
  });
}

static bool overlap(const hw::Footprint &bytes, uint64_t first, uint64_t end) {
  return bytes.base < end && first < bytes.end();
}

absl::Status LiveResults::read(const hw::Footprint &bytes, uint32_t task,
                               absl::string_view name) {
  if (task != reader)
    sources.clear();
  reader = task;
  sources.push_back(bytes);
  for (const Result &result : results) {
    if (!result.isTorn || !overlap(bytes, result.first, result.end))
      continue;
    bool touched = false;
    uint64_t torn = ~uint64_t(0);
    forEachPart(
        bytes, result.first, result.end, [&](uint64_t begin, uint64_t end) {
          touched |= result.held.intersects(begin, end);
          if (torn == ~uint64_t(0) && result.torn.intersects(begin, end))
            torn = result.torn.firstPresent(begin, end);
        });
    if (touched && torn != ~uint64_t(0))
      return absl::FailedPreconditionError(absl::StrFormat(
          "%s reads the result of task %d in L2, but task %d wrote over a part "
          "of it, at byte 0x%x",
          name, result.task, result.tornBy, result.first + torn));
  }
  return absl::OkStatus();
}

void LiveResults::tear(Result &result, const hw::Footprint &bytes,
                       uint32_t task) {
  hw::ByteSet consumed;
  if (task == reader && !sources.empty()) {
    consumed = hw::ByteSet(result.end - result.first);
    for (const hw::Footprint &source : sources)
      forEachPart(
          source, result.first, result.end,
          [&](uint64_t begin, uint64_t end) { consumed.insert(begin, end); });
  }
  forEachPart(
      bytes, result.first, result.end, [&](uint64_t begin, uint64_t end) {
        if (!result.held.intersects(begin, end))
          return;
        if (result.torn.insertDifference(begin, end, result.held, consumed)) {
          result.isTorn = true;
          result.tornBy = task;
        }
        result.held.erase(begin, end);
      });
}

void LiveResults::write(const hw::Footprint &bytes, uint32_t task) {
  for (Result &result : results)
    if (overlap(bytes, result.first, result.end))
      tear(result, bytes, task);
  results.erase(std::remove_if(results.begin(), results.end(),
                               [](const Result &result) {
                                 return !result.held.intersects(
                                     0, result.end - result.first);
                               }),
                results.end());
  Result result;
  result.task = task;
  result.first = bytes.base;
  result.end = bytes.end();
  result.held = hw::ByteSet(result.end - result.first);
  result.torn = hw::ByteSet(result.end - result.first);
  forEachPart(
      bytes, result.first, result.end,
      [&](uint64_t begin, uint64_t end) { result.held.insert(begin, end); });
  results.push_back(std::move(result));
}

} // namespace ane::sim
