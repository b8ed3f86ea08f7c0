//===- SharedEvent.h - Events that the engine itself raises -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counter of an IOSurface, which the daemon, graphics processors and this
// process share (docs/Devices.md, "Events").
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_SHAREDEVENT_H
#define ANE_LIB_RUNTIME_APPLE_SHAREDEVENT_H

#include "Engine.h"

#include "ane/Runtime/Device.h"
#include "ane/Runtime/Event.h"

namespace ane::rt::apple {

class SharedEvent : public Event {
public:
  static absl::StatusOr<std::shared_ptr<Event>>
  make(std::shared_ptr<Engine> engine);
  ~SharedEvent() override;

  uint64_t value() const override;
  void signal(uint64_t value) override;
  /// Everybody goes on who waits for it, and looks at the status.
  void fail(absl::Status why) override;
  Id get() const { return object.get(); }
  bool isOf(const Engine &other) const { return engine.get() == &other; }

protected:
  bool waitSome(uint64_t value, std::chrono::milliseconds time) const override;

private:
  SharedEvent(std::shared_ptr<Engine> engine, Ref object)
      : engine(std::move(engine)), object(std::move(object)) {}

  std::shared_ptr<Engine> engine; // before what it owns
  Ref object;
};

/// What the daemon is to wait for and to raise itself. Inside ObjC::guarded.
struct NativeEvents {
  /// Those of the options that are of `engine`.
  NativeEvents(const Engine &engine, const RunOptions &options);
  bool empty() const { return waits.empty() && signals.empty(); }
  /// For a request.
  Id describe(const Engine &engine) const;
  /// Fails where an event has that was waited for.
  absl::Status status() const;

  std::vector<std::pair<std::shared_ptr<SharedEvent>, uint64_t>> waits, signals;
};

/// One that is raised; inside ObjC::guarded.
Id describeSignal(const Engine &engine, Id event, uint64_t value);

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_SHAREDEVENT_H
