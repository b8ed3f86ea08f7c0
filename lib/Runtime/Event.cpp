//===- Event.cpp - A counter that runs wait for and raise -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Event.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::rt {

uint64_t Event::value() const {
  std::lock_guard<std::mutex> hold(lock);
  return reached;
}

void Event::signal(uint64_t value) {
  std::lock_guard<std::mutex> hold(lock);
  reached = std::max(reached, value);
  changed.notify_all();
}

void Event::fail(absl::Status why) {
  const uint64_t now = value();
  std::lock_guard<std::mutex> hold(lock);
  if (failure.ok()) {
    failure = std::move(why);
    reached = std::max(reached, now);
  }
  changed.notify_all();
}

absl::Status Event::status() const {
  std::lock_guard<std::mutex> hold(lock);
  return failure;
}

bool Event::wasReached(uint64_t value) const {
  std::lock_guard<std::mutex> hold(lock);
  return reached >= value;
}

bool Event::waitSome(uint64_t value, std::chrono::milliseconds time) const {
  std::unique_lock<std::mutex> hold(lock);
  return changed.wait_for(hold, time,
                          [&] { return reached >= value || !failure.ok(); });
}

absl::Status Event::wait(uint64_t wanted,
                         std::optional<std::chrono::milliseconds> time) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds slice(1000);
  const Clock::time_point start = Clock::now();
  for (;;) {
    std::chrono::milliseconds rest = slice;
    if (time)
      rest = std::min(
          rest, *time - std::chrono::duration_cast<std::chrono::milliseconds>(
                            Clock::now() - start));
    const bool isOver = rest.count() <= 0;
    if (waitSome(wanted, std::max(rest, std::chrono::milliseconds(0)))) {
      const absl::Status failed = status();
      if (failed.ok() || wasReached(wanted))
        return absl::OkStatus();
      return absl::Status(
          failed.code(),
          absl::StrFormat(
              "the run that was to raise the event to %d failed: %s", wanted,
              failed.message()));
    }
    if (isOver)
      return absl::DeadlineExceededError(
          absl::StrFormat("the event did not reach %d in %d ms, it is at %d",
                          wanted, time->count(), value()));
  }
}

} // namespace ane::rt
