//===- Procedure.cpp - A function of a loaded model, with surfaces --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"

#include "Messages.h"

#include "absl/strings/str_format.h"

#include <array>

namespace ane::rt::apple {

Procedure::Procedure(std::shared_ptr<LoadedModel> loaded, uint64_t index)
    : model(std::move(loaded)), engine(*model->owner()), index(index) {}

Procedure::~Procedure() {
  if (!engine.checkProcess().ok())
    return;
  // Here, where there is a pool for what they let go.
  (void)engine.objc().guarded([&] {
    chain.reset();
    request = Ref();
    objects.clear();
    surfaces.clear();
    model.reset();
    return absl::OkStatus();
  });
}

/// Of the surfaces as they are; with events where there are some.
Id Procedure::describe(const NativeEvents *events) const {
  const Foundation &foundation = engine.foundation();
  const ObjC &objc = engine.objc();
  std::array<std::vector<Id>, 2> surfacesOf, symbolsOf; // by kind
  for (size_t i = 0; i < bindings.size(); ++i) {
    auto kind = static_cast<size_t>(bindings[i].tensor.kind);
    surfacesOf[kind].push_back(objects[places[i]].get());
    symbolsOf[kind].push_back(foundation.number(bindings[i].symbol));
  }
  Id statistics = nullptr;
  if (engine.wanted().statistics)
    statistics = foundation.array({objects.back().get()});
  Id parts[] = {foundation.array(surfacesOf[0]), foundation.array(symbolsOf[0]),
                foundation.array(surfacesOf[1]),
                foundation.array(symbolsOf[1])};
  Id number = foundation.number(index);
  if (!events)
    return objc.sendClass(messages::MakeRequest, parts[0], parts[1], parts[2],
                          parts[3], nullptr, statistics, number);
  return objc.sendClass(messages::MakeEventRequest, parts[0], parts[1],
                        parts[2], parts[3], nullptr, statistics, number,
                        events->describe(engine), nullptr);
}

absl::Status Procedure::makeRequest() {
  const bool isChained = engine.wanted().path == Path::Chained;
  if (isChained) {
    std::vector<Id> all;
    all.reserve(places.size());
    for (size_t place : places)
      all.push_back(objects[place].get());
    chain = std::make_unique<Chain>(*model, index);
    return chain->prepare(bindings, all);
  }
  request = Ref(engine.objc(), describe(nullptr));
  if (request.get())
    return absl::OkStatus();
  return absl::InternalError(
      "Apple's runtime makes no request of the program's tensors");
}

absl::Status Procedure::alias(size_t input, size_t output) {
  places[output] = places[input];
  return makeRequest();
}

absl::Status Procedure::exchange(size_t input, size_t output) {
  std::swap(places[input], places[output]);
  return makeRequest();
}

absl::Status Procedure::addSurface(uint64_t bytes, const std::string &name) {
  absl::StatusOr<Surface> surface =
      Surface::make(engine.surfaces(), engine.foundation(), bytes);
  if (!surface.ok())
    return surface.status();
  const ObjC &objc = engine.objc();
  objects.emplace_back(objc,
                       objc.sendClass(messages::SurfaceObject, surface->get()));
  surfaces.push_back(*std::move(surface));
  if (objects.back().get())
    return absl::OkStatus();
  return absl::InternalError(absl::StrFormat(
      "Apple's runtime does not take the IOSurface of '%s'", name));
}

/// What a request takes to write the time of the engine to.
absl::Status Procedure::addStatistics() {
  constexpr uint64_t bytes = 1024; // *seen* in the program that does so
  if (absl::Status status = addSurface(bytes, "statistics"); !status.ok())
    return status;
  const ObjC &objc = engine.objc();
  objects.back() = Ref(objc, objc.sendClass(messages::StatisticsSurface,
                                            objects.back().get(), 0));
  if (objects.back().get())
    return absl::OkStatus();
  return absl::InternalError(
      "Apple's runtime makes nothing to write statistics to");
}

absl::Status Procedure::bind(absl::Span<const Binding> all) {
  bindings.assign(all.begin(), all.end());
  for (const Binding &binding : bindings) {
    places.push_back(places.size());
    if (absl::Status status =
            addSurface(binding.surfaceBytes, binding.tensor.name);
        !status.ok())
      return status;
  }
  if (engine.wanted().statistics)
    if (absl::Status status = addStatistics(); !status.ok())
      return status;
  return makeRequest();
}

Bool Procedure::evaluateBy(Path path, Id what, Id runOptions, Id *error) {
  const ObjC &objc = engine.objc();
  const uint32_t quality = engine.wanted().quality;
  Id client = engine.connection(), program = model->get();
  switch (path) {
  case Path::Standard:
  case Path::Chained:
    break;
  case Path::Direct:
    return objc.send(messages::EvaluateDirect, client, program, runOptions,
                     what, quality, error);
  case Path::RealTime:
    return objc.send(messages::EvaluateRealTime, client, program, runOptions,
                     what, error);
  case Path::Program: {
    uint32_t value = 0;
    return objc.send(
        messages::ProcessRequest, objc.send(messages::ProgramOf, program), what,
        program, quality, /*qIndex=*/0, objc.send(messages::StringId, program),
        runOptions, &value, error);
  }
  }
  return objc.send(messages::EvaluateWithModel, client, program, runOptions,
                   what, quality, error);
}

Id Procedure::makeOptions() const {
  const Foundation &foundation = engine.foundation();
  // *seen*: the bits of the program that reads the time.
  constexpr uint64_t counters = 1 << 0 | 1 << 3 | 1 << 5 | 1 << 7;
  std::vector<Foundation::Entry> entries;
  if (engine.wanted().statistics)
    entries.emplace_back(foundation.string("kANEFPerformanceStatsMask"),
                         foundation.number(counters));
  return foundation.dictionary(entries);
}

absl::Status Procedure::evaluate(const RunOptions &options) {
  // On other paths the session waits and raises.
  if (engine.wanted().path == Path::Standard)
    if (const NativeEvents events(engine, options); !events.empty())
      return evaluateWith(events);
  if (chain)
    return chain->run();
  Id error = nullptr;
  if (evaluateBy(engine.wanted().path, request.get(), makeOptions(), &error))
    return absl::OkStatus();
  return engine.failure("does not run the program", error);
}

/// A request of its own, which returns at once and calls back.
absl::Status Procedure::evaluateWith(const NativeEvents &events) {
  if (!completion) {
    completion =
        std::make_unique<Completion>(engine.objc(), engine.foundation());
    if (absl::Status status = completion->open(engine.wanted().libraries);
        !status.ok())
      return status;
  }
  const ObjC &objc = engine.objc();
  request = Ref(objc, describe(&events));
  if (!request.get())
    return absl::InternalError(
        "Apple's runtime makes no request with shared events");
  objc.send(messages::SetCompletionHandler, request.get(), completion->block());
  // *claim*: it is written after the call has returned.
  lateError = nullptr;
  if (!evaluateBy(Path::Standard, request.get(), makeOptions(), &lateError))
    return engine.failure("does not run the program", lateError);
  if (std::string error = completion->wait(); !error.empty())
    return absl::InternalError(
        absl::StrCat("Apple's runtime does not run the program: ", error));
  return events.status();
}

std::optional<double> Procedure::hardwareSeconds() const {
  if (!engine.wanted().statistics)
    return std::nullopt;
  const ObjC &objc = engine.objc();
  const uint64_t nanoseconds = objc.send(
      messages::HardwareTime, objc.send(messages::Statistics, request.get()));
  if (!nanoseconds)
    return std::nullopt;
  return double(nanoseconds) * 1e-9;
}

} // namespace ane::rt::apple
