//===- Chain.cpp - Runs that are prepared as a chain ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "Messages.h"
#include "SharedEvent.h"

namespace ane::rt::apple {

absl::Status Chain::check(const Engine &engine) {
  return engine.checkAll(messages::MakeBuffer, messages::MakeOutputSet,
                         messages::MakeChain, messages::ValidateChain,
                         messages::PrepareChain, messages::MakeInputsReady,
                         messages::BuffersReady, messages::MakeEnqueue,
                         messages::EnqueueSets);
}

absl::Status Chain::prepare(absl::Span<const Binding> bindings,
                            absl::Span<const Id> objects) {
  const ObjC &objc = engine.objc();
  const Foundation &foundation = engine.foundation();
  auto event = SharedEvent::make(model.owner());
  if (!event.ok())
    return event.status();
  done = *std::move(event);
  std::vector<Id> buffers[2]; // by kind
  for (size_t i = 0; i < bindings.size(); ++i) {
    const auto kind = static_cast<int64_t>(bindings[i].tensor.kind);
    buffers[kind].push_back(
        objc.sendClass(messages::MakeBuffer, objects[i],
                       foundation.number(bindings[i].symbol), kind));
  }
  inputs = buffers[0].size();
  constexpr uint64_t bytes = 1024; // as statistics of a request
  absl::StatusOr<Surface> surface =
      Surface::make(engine.surfaces(), foundation, bytes);
  if (!surface.ok())
    return surface.status();
  statistics = *std::move(surface);
  Id set = objc.sendClass(messages::MakeOutputSet, statistics.get(),
                          foundation.array(buffers[1]));
  Id none = foundation.array({}), zero = foundation.number(0);
  Id signal = describeSignal(engine, static_cast<SharedEvent &>(*done).get(),
                             /*value=*/1);
  request = Ref(
      objc, objc.sendClass(messages::MakeChain, foundation.array(buffers[0]),
                           foundation.array({set}), none, none,
                           foundation.number(procedure),
                           foundation.array({signal}), zero, zero, zero));
  if (!request.get())
    return absl::InternalError("Apple's runtime makes no chain of the program");
  // *seen* in a decompiled system: what the answer depends on.
  if (!objc.send(messages::ValidateChain, request.get()))
    return absl::InvalidArgumentError(
        "the chain is not valid: it may have up to 255 inputs and 256 outputs, "
        "with symbols up to 254");
  Id error = nullptr;
  if (objc.send(messages::PrepareChain, engine.connection(), model.get(),
                foundation.dictionary({}), request.get(),
                engine.wanted().quality, &error))
    return absl::OkStatus();
  return engine.failure("does not prepare the chain (leave out path=chained)",
                        error);
}

absl::Status Chain::run() {
  const ObjC &objc = engine.objc();
  const Foundation &foundation = engine.foundation();
  const uint32_t quality = engine.wanted().quality;
  std::vector<Id> indices, free;
  for (size_t i = 0; i < inputs; ++i) {
    indices.push_back(foundation.number(i));
    free.push_back(foundation.number(0));
  }
  Id ready = objc.sendClass(messages::MakeInputsReady, procedure,
                            foundation.array(indices), foundation.array(free),
                            /*executionDelay=*/0);
  Id options = foundation.dictionary({}), error = nullptr;
  if (!objc.send(messages::BuffersReady, engine.connection(), model.get(),
                 ready, options, quality, &error))
    return engine.failure(
        "prepares the chain but does not take its inputs, as all who tried say "
        "(leave out path=chained)",
        error);
  ++runs;
  Id enqueue = objc.sendClass(messages::MakeEnqueue, procedure, /*setIndex=*/0,
                              runs, /*signalNotRequired=*/0, /*isOpenLoop=*/0);
  if (!objc.send(messages::EnqueueSets, engine.connection(), model.get(),
                 enqueue, options, quality, &error))
    return engine.failure(
        "takes the inputs of the chain but does not run it (leave out "
        "path=chained)",
        error);
  return done->wait(runs);
}

} // namespace ane::rt::apple
