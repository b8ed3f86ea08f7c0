//===- SharedEvent.cpp - Events that the engine itself raises -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedEvent.h"

#include "Messages.h"

#include <algorithm>
#include <limits>

namespace ane::rt::apple {

absl::StatusOr<std::shared_ptr<Event>>
SharedEvent::make(std::shared_ptr<Engine> engine) {
  if (absl::Status status = engine->checkAll(
          messages::AllocEvent, messages::InitEvent, messages::ValueOfEvent,
          messages::SetValueOfEvent, messages::WaitForEvent,
          messages::MakeWaitEvent, messages::MakeSignalEvent,
          messages::MakeSharedEvents, messages::MakeEventRequest,
          messages::SetCompletionHandler);
      !status.ok())
    return status;
  const ObjC &objc = engine->objc();
  Ref object;
  absl::Status status = objc.guarded([&] {
    object = Ref::adopt(objc, objc.send(messages::InitEvent,
                                        objc.sendClass(messages::AllocEvent)));
    return object.get() ? absl::OkStatus()
                        : absl::UnavailableError("macOS gives no shared event");
  });
  if (!status.ok())
    return status;
  return std::shared_ptr<Event>(
      new SharedEvent(std::move(engine), std::move(object)));
}

SharedEvent::~SharedEvent() {
  (void)engine->objc().guarded([&] {
    object = Ref();
    return absl::OkStatus();
  });
}

uint64_t SharedEvent::value() const {
  uint64_t result = 0;
  (void)engine->objc().guarded([&] {
    result = engine->objc().send(messages::ValueOfEvent, object.get());
    return absl::OkStatus();
  });
  return result;
}

void SharedEvent::signal(uint64_t wanted) {
  (void)engine->objc().guarded([&] {
    const ObjC &objc = engine->objc();
    if (objc.send(messages::ValueOfEvent, object.get()) < wanted)
      objc.send(messages::SetValueOfEvent, object.get(), wanted);
    return absl::OkStatus();
  });
}

void SharedEvent::fail(absl::Status why) {
  Event::fail(std::move(why));
  signal(std::numeric_limits<uint64_t>::max());
}

bool SharedEvent::waitSome(uint64_t wanted,
                           std::chrono::milliseconds time) const {
  bool isReached = false;
  (void)engine->objc().guarded([&] {
    isReached = engine->objc().send(messages::WaitForEvent, object.get(),
                                    wanted, time.count());
    return absl::OkStatus();
  });
  return isReached;
}

NativeEvents::NativeEvents(const Engine &engine, const RunOptions &options) {
  auto take = [&](const std::vector<EventValue> &from, auto &to) {
    for (const EventValue &each : from)
      if (auto event = std::dynamic_pointer_cast<SharedEvent>(each.event);
          event && event->isOf(engine))
        to.emplace_back(std::move(event), each.value);
  };
  take(options.waits, waits);
  take(options.signals, signals);
}

Id describeSignal(const Engine &engine, Id event, uint64_t value) {
  return engine.objc().sendClass(messages::MakeSignalEvent, value,
                                 /*symbolIndex=*/0, /*eventType=*/0, event);
}

Id NativeEvents::describe(const Engine &engine) const {
  std::vector<Id> waited, raised;
  for (const auto &[event, value] : waits)
    waited.push_back(engine.objc().sendClass(messages::MakeWaitEvent, value,
                                             event->get(), /*eventType=*/0));
  for (const auto &[event, value] : signals)
    raised.push_back(describeSignal(engine, event->get(), value));
  return engine.objc().sendClass(messages::MakeSharedEvents,
                                 engine.foundation().array(raised),
                                 engine.foundation().array(waited));
}

absl::Status NativeEvents::status() const {
  for (const auto &[event, value] : waits)
    if (absl::Status status = event->status(); !status.ok())
      return status;
  return absl::OkStatus();
}

} // namespace ane::rt::apple
