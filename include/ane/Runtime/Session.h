//===- Session.h - Runs of a program, in the background too -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way to run asynchronously, with a time-out, or after events, on all
// devices. A request owns its surfaces, so that a run that nobody waits for any
// more has what it needs:
//
//   rt::Session session(std::move(executable));
//   std::shared_ptr<rt::Request> request = session.submit(std::move(surfaces));
//   ...
//   if (absl::StatusOr<rt::RunResult> result = request->wait(); result.ok())
//     use(request->surfaces());
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_SESSION_H
#define ANE_RUNTIME_SESSION_H

#include "ane/Runtime/Device.h"
#include "ane/Runtime/Event.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace ane::rt {

/// A surface for each tensor of a program; those of kept tensors may be empty.
using Surfaces = std::vector<std::vector<uint8_t>>;

/// As a run takes them; they are the bytes of `surfaces`.
std::vector<absl::Span<uint8_t>> spansOf(Surfaces &surfaces);

/// A run that was submitted. It ends once: with a result, an error, or
/// because it was cancelled.
class Request {
public:
  Request(Surfaces surfaces, RunOptions options)
      : ownSurfaces(std::move(surfaces)), options(std::move(options)) {}

  /// Whether it has ended, at the latest after the time.
  bool waitFor(std::chrono::milliseconds time) const;
  /// Waits until it has ended. Every request ends if the device or a time-out
  /// ends it.
  absl::StatusOr<RunResult> wait() const;
  /// Calls `then` when it has ended: at once if it has, else from the thread
  /// that runs it. `then` must not wait for requests of the same session.
  void onCompletion(std::function<void()> then);
  /// Ends it if it has not begun; whether it has ended so.
  bool cancel();
  /// Of a request that has ended well: inputs as they were, and outputs.
  Surfaces &surfaces() { return ownSurfaces; }

private:
  friend class Session;
  bool begin();
  void end(absl::StatusOr<RunResult> outcome);

  Surfaces ownSurfaces;
  RunOptions options;
  mutable std::mutex lock;
  mutable std::condition_variable ended;
  bool hasBegun = false;
  std::optional<absl::StatusOr<RunResult>> result;
  std::vector<std::function<void()>> callbacks;
};

/// A program on a device with its requests, which run in the order in which they
/// are submitted. From several threads, too.
class Session {
public:
  /// `timeout` is for runs whose options have none; 0: as long as it takes.
  explicit Session(std::unique_ptr<Executable> executable,
                   std::chrono::milliseconds timeout = {});
  /// Cancels what has not begun and waits for what runs, unless that has not
  /// ended in time.
  ~Session();

  /// Not while a request is under way.
  Executable &executable();
  std::chrono::milliseconds timeout() const;
  std::shared_ptr<Request> submit(Surfaces surfaces, RunOptions options = {});
  /// Waits for it, too; in the caller's thread where nothing was submitted and
  /// nothing has to be timed. After a time-out `surfaces` is empty.
  absl::StatusOr<RunResult> run(Surfaces &surfaces, RunOptions options = {});

private:
  struct Shared;
  static void work(const std::shared_ptr<Shared> &shared);

  std::shared_ptr<Shared> shared;
  std::thread worker;
};

} // namespace ane::rt

#endif // ANE_RUNTIME_SESSION_H
