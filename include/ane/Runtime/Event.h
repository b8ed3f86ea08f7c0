//===- Event.h - A counter that runs wait for and raise ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders runs of several programs and what else happens, without a thread that
// waits in between: a run may wait until an event has reached a value, and
// raises others when it has ended. A run that fails, fails the events that it
// would have raised, and with them everybody who waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_EVENT_H
#define ANE_RUNTIME_EVENT_H

#include "absl/status/status.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace ane::rt {

class Event {
public:
  virtual ~Event() = default;
  virtual uint64_t value() const;
  /// Never lowers the value.
  virtual void signal(uint64_t value);
  /// Fails after the time, and with what the event failed.
  absl::Status wait(uint64_t value,
                    std::optional<std::chrono::milliseconds> time = {}) const;
  /// From now on everybody fails who waits for a value that is not reached.
  virtual void fail(absl::Status why);
  /// With what it failed.
  absl::Status status() const;

protected:
  /// Waits a little; whether the value is reached, or the event has failed.
  virtual bool waitSome(uint64_t value, std::chrono::milliseconds time) const;

private:
  /// Before it failed.
  bool wasReached(uint64_t value) const;

  mutable std::mutex lock;
  mutable std::condition_variable changed;
  uint64_t reached = 0; ///< where others count, only what it was at its failure
  absl::Status failure;
};

} // namespace ane::rt

#endif // ANE_RUNTIME_EVENT_H
