//===- Session.cpp - Runs of a program, in the background too -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Session.h"

#include "absl/strings/str_format.h"

#include <atomic>
#include <deque>
#include <future>

namespace ane::rt {

bool Request::waitFor(std::chrono::milliseconds time) const {
  std::unique_lock<std::mutex> hold(lock);
  return ended.wait_for(hold, time, [&] { return result.has_value(); });
}

absl::StatusOr<RunResult> Request::wait() const {
  std::unique_lock<std::mutex> hold(lock);
  ended.wait(hold, [&] { return result.has_value(); });
  return *result;
}

void Request::onCompletion(std::function<void()> then) {
  {
    std::lock_guard<std::mutex> hold(lock);
    if (!result) {
      callbacks.push_back(std::move(then));
      return;
    }
  }
  then();
}

bool Request::begin() {
  std::lock_guard<std::mutex> hold(lock);
  const bool isFirst = !hasBegun;
  hasBegun = true;
  return isFirst;
}

void Request::end(absl::StatusOr<RunResult> outcome) {
  std::vector<std::function<void()>> calls;
  {
    std::lock_guard<std::mutex> hold(lock);
    result = std::move(outcome);
    calls.swap(callbacks);
    ended.notify_all();
  }
  for (const std::function<void()> &call : calls)
    call();
}

bool Request::cancel() {
  if (!begin())
    return false;
  const absl::Status status =
      absl::CancelledError("the run was cancelled before it began");
  for (const EventValue &raised : options.signals)
    raised.event->fail(status);
  end(status);
  return true;
}

/// What the threads of a session use.
struct Session::Shared {
  std::shared_ptr<Executable> executable;
  std::chrono::milliseconds timeout;
  std::mutex running; ///< one run at a time
  std::mutex lock;    ///< of what follows
  std::condition_variable changed;
  std::deque<std::shared_ptr<Request>> queue;
  std::atomic<bool> isClosing{false};
  bool isLost = false; ///< a run has not ended in time; under `running`
  std::thread late;    ///< its thread

  absl::StatusOr<RunResult> run(Surfaces &surfaces, const RunOptions &options,
                                const std::shared_ptr<Request> &owner);
  absl::StatusOr<RunResult> runInTime(Surfaces &surfaces,
                                      const RunOptions &options,
                                      const std::shared_ptr<Request> &owner);
  absl::Status waitFor(const RunOptions &options) const;
  std::chrono::milliseconds timeOf(const RunOptions &options) const {
    return options.timeout.value_or(timeout);
  }
};

/// Waits for the events that the device does not wait for itself.
absl::Status Session::Shared::waitFor(const RunOptions &options) const {
  constexpr std::chrono::milliseconds slice(20);
  const std::chrono::milliseconds most = timeOf(options);
  for (const EventValue &wanted : options.waits) {
    if (executable->takesEvent(*wanted.event))
      continue;
    std::chrono::milliseconds waited(0);
    absl::Status status;
    do {
      if (isClosing)
        return absl::CancelledError("the session ended before the event");
      waited += slice;
      status = wanted.event->wait(wanted.value, slice);
    } while (absl::IsDeadlineExceeded(status) &&
             (!most.count() || waited < most));
    if (!status.ok())
      return status;
  }
  return absl::OkStatus();
}

std::vector<absl::Span<uint8_t>> spansOf(Surfaces &surfaces) {
  std::vector<absl::Span<uint8_t>> spans;
  spans.reserve(surfaces.size());
  for (std::vector<uint8_t> &surface : surfaces)
    spans.push_back(absl::MakeSpan(surface));
  return spans;
}

static absl::StatusOr<RunResult>
runOn(Executable &executable, Surfaces &surfaces, const RunOptions &options) {
  return executable.run(spansOf(surfaces), options);
}

/// Nothing takes a run back: it goes on, with what it needs, when nobody waits
/// any more.
absl::StatusOr<RunResult>
Session::Shared::runInTime(Surfaces &surfaces, const RunOptions &options,
                           const std::shared_ptr<Request> &owner) {
  const std::chrono::milliseconds most = timeOf(options);
  if (!most.count())
    return runOn(*executable, surfaces, options);
  if (executable->endsRuns()) {
    RunOptions timed = options;
    timed.timeout = most;
    return runOn(*executable, surfaces, timed);
  }
  std::promise<absl::StatusOr<RunResult>> promise;
  std::future<absl::StatusOr<RunResult>> ended = promise.get_future();
  std::thread run([owner, options, what = executable, surfaces = &surfaces,
                   promise = std::move(promise)]() mutable {
    promise.set_value(runOn(*what, *surfaces, options));
  });
  if (ended.wait_for(most) == std::future_status::ready) {
    run.join();
    return ended.get();
  }
  isLost = true;
  late = std::move(run);
  return absl::DeadlineExceededError(absl::StrFormat(
      "the engine did not finish in %d ms; another program may hold it",
      most.count()));
}

absl::StatusOr<RunResult>
Session::Shared::run(Surfaces &surfaces, const RunOptions &options,
                     const std::shared_ptr<Request> &owner) {
  const auto result = [&]() -> absl::StatusOr<RunResult> {
    if (absl::Status status = waitFor(options); !status.ok())
      return status;
    std::lock_guard<std::mutex> hold(running);
    if (isLost)
      return absl::FailedPreconditionError(
          "a run of this program did not end in time; load it again");
    return runInTime(surfaces, options, owner);
  }();
  for (const EventValue &raised : options.signals)
    if (!result.ok())
      raised.event->fail(result.status());
    else if (!executable->takesEvent(*raised.event))
      raised.event->signal(raised.value);
  return result;
}

void Session::work(const std::shared_ptr<Shared> &shared) {
  for (;;) {
    std::shared_ptr<Request> request;
    {
      std::unique_lock<std::mutex> hold(shared->lock);
      shared->changed.wait(
          hold, [&] { return shared->isClosing || !shared->queue.empty(); });
      if (shared->queue.empty())
        return;
      request = std::move(shared->queue.front());
      shared->queue.pop_front();
    }
    if (request->begin())
      request->end(
          shared->run(request->ownSurfaces, request->options, request));
  }
}

Session::Session(std::unique_ptr<Executable> executable,
                 std::chrono::milliseconds timeout)
    : shared(std::make_shared<Shared>()) {
  shared->executable = std::move(executable);
  shared->timeout = timeout;
}

Session::~Session() {
  std::deque<std::shared_ptr<Request>> left;
  {
    std::lock_guard<std::mutex> hold(shared->lock);
    shared->isClosing = true;
    left.swap(shared->queue);
    shared->changed.notify_all();
  }
  for (const std::shared_ptr<Request> &request : left)
    request->cancel();
  if (worker.joinable())
    worker.join();
  if (!shared->late.joinable())
    return;
  if (shared->executable->outlivesCaller())
    shared->late.detach();
  else
    shared->late.join();
}

Executable &Session::executable() { return *shared->executable; }

std::chrono::milliseconds Session::timeout() const { return shared->timeout; }

std::shared_ptr<Request> Session::submit(Surfaces surfaces,
                                         RunOptions options) {
  auto request =
      std::make_shared<Request>(std::move(surfaces), std::move(options));
  std::lock_guard<std::mutex> hold(shared->lock);
  if (!worker.joinable())
    worker = std::thread([shared = shared] { work(shared); });
  shared->queue.push_back(request);
  shared->changed.notify_all();
  return request;
}

absl::StatusOr<RunResult> Session::run(Surfaces &surfaces, RunOptions options) {
  const bool isTimed =
      shared->timeOf(options).count() && !shared->executable->endsRuns();
  bool isBusy;
  {
    std::lock_guard<std::mutex> hold(shared->lock);
    isBusy = worker.joinable();
  }
  if (!isTimed && !isBusy)
    return shared->run(surfaces, options, nullptr);
  std::shared_ptr<Request> request =
      submit(std::move(surfaces), std::move(options));
  absl::StatusOr<RunResult> result = request->wait();
  surfaces.clear();
  if (!absl::IsDeadlineExceeded(result.status()))
    surfaces = std::move(request->surfaces());
  return result;
}

} // namespace ane::rt
