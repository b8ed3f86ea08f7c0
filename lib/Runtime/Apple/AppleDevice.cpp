//===- AppleDevice.cpp - Programs on Apple's private runtime --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL text is compiled by the daemon of the system. A register program of ours
// has to lie in the cache of that daemon, where only root can put it; an error
// says with which command. What then happens is known from publications only
// (docs/Devices.md): no machine has run this.
//
//===----------------------------------------------------------------------===//

#include "AppleDevice.h"

#include "../Backends.h"
#include "CacheKey.h"
#include "Permissions.h"
#include "Procedure.h"

#include "ane/HW/Float16.h"

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace ane::rt {
namespace apple {

namespace {
/// A program that is loaded, with surfaces. A run needs nothing of the caller, so
/// that it can go on when nobody waits for it.
class Execution : public Executable {
public:
  explicit Execution(std::shared_ptr<Engine> engine)
      : engine(std::move(engine)) {}

  absl::Status compile(const MILModel &mil);
  absl::Status loadCached(const std::string &key, const hw::Program &program);

  absl::Span<const hw::Tensor> tensors() const override { return ownTensors; }
  absl::StatusOr<std::unique_ptr<Executable>>
  procedure(const MILModel &mil) override;
  bool takesEvent(const Event &event) const override {
    const auto *shared = dynamic_cast<const SharedEvent *>(&event);
    return shared && shared->isOf(*engine) &&
           engine->wanted().path == Path::Standard;
  }

private:
  absl::Status bind(std::shared_ptr<LoadedModel> model, uint64_t index,
                    absl::StatusOr<std::vector<Binding>> bindings);
  absl::Status bindFunction(std::shared_ptr<LoadedModel> model,
                            const MILModel &mil);
  const hw::Program *words() const override { return program; }
  absl::Status write(size_t tensor, absl::Span<const uint8_t> bytes) override;
  absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) override;
  absl::StatusOr<RunResult> execute(const RunOptions &options) override;
  absl::StatusOr<RunResult> runOn(absl::Span<const absl::Span<uint8_t>> buffers,
                                  const RunOptions &options) override;
  absl::Status alias(size_t input, size_t output) override;
  absl::Status exchange(size_t input, size_t output) override;

  std::shared_ptr<Engine> engine;
  std::unique_ptr<Procedure> bound;
  std::string text;                     ///< of which the model was made
  const hw::Program *program = nullptr; ///< of a file; the caller's, for `keep`
  std::vector<hw::Tensor> ownTensors;
  std::vector<bool> isFloat32; ///< their surfaces
};

} // namespace

absl::Status Execution::bind(std::shared_ptr<LoadedModel> model, uint64_t index,
                             absl::StatusOr<std::vector<Binding>> bindings) {
  if (!bindings.ok())
    return bindings.status();
  for (const Binding &binding : *bindings) {
    ownTensors.push_back(binding.tensor);
    isFloat32.push_back(binding.isFloat32);
  }
  bound = std::make_unique<Procedure>(std::move(model), index);
  return bound->bind(*bindings);
}

absl::Status Execution::bindFunction(std::shared_ptr<LoadedModel> model,
                                     const MILModel &mil) {
  text = mil.text;
  absl::StatusOr<Attributes> attributes = model->attributes(mil.function);
  if (!attributes.ok())
    return attributes.status();
  return bind(std::move(model), attributes->procedure,
              bindTensors(mil, *attributes));
}

absl::Status Execution::compile(const MILModel &mil) {
  auto folder = std::make_unique<ModelFolder>();
  if (absl::Status status =
          folder->create(engine->foundation().temporaryFolder(), mil);
      !status.ok())
    return status;
  auto model = engine->compileAndLoad(std::move(folder));
  if (!model.ok())
    return model.status();
  return bindFunction(*std::move(model), mil);
}

absl::Status Execution::loadCached(const std::string &key,
                                   const hw::Program &cached) {
  auto model = engine->loadCached(key);
  if (!model.ok())
    return model.status();
  program = &cached;
  absl::StatusOr<Attributes> attributes = (*model)->attributes("");
  if (!attributes.ok())
    return attributes.status();
  return bind(*std::move(model), 0, bindSurfaces(cached.tensors, *attributes));
}

absl::StatusOr<std::unique_ptr<Executable>>
Execution::procedure(const MILModel &mil) {
  if (text.empty() || mil.text != text)
    return absl::InvalidArgumentError(
        "a procedure is another function of the text that was loaded");
  auto other = std::make_unique<Execution>(engine);
  absl::Status status = engine->objc().guarded(
      [&] { return other->bindFunction(bound->loaded(), mil); });
  if (!status.ok())
    return status;
  return other;
}

absl::Status Execution::write(size_t tensor, absl::Span<const uint8_t> bytes) {
  const Surface &surface = bound->surface(tensor);
  if (!isFloat32[tensor])
    return surface.write(bytes);
  std::vector<uint16_t> halves(bytes.size() / 2);
  std::memcpy(halves.data(), bytes.data(), bytes.size());
  std::vector<float> floats(halves.size());
  hw::convertFromHalf(halves.data(), floats.data(), halves.size());
  return surface.write(
      {reinterpret_cast<const uint8_t *>(floats.data()), 2 * bytes.size()});
}

absl::Status Execution::read(size_t tensor, absl::Span<uint8_t> bytes) {
  const Surface &surface = bound->surface(tensor);
  if (!isFloat32[tensor])
    return surface.read(bytes);
  std::vector<float> floats(bytes.size() / 2);
  absl::Status status = surface.read(
      {reinterpret_cast<uint8_t *>(floats.data()), 2 * bytes.size()});
  std::vector<uint16_t> halves(floats.size());
  hw::convertToHalf(floats.data(), halves.data(), floats.size());
  std::memcpy(bytes.data(), halves.data(), bytes.size());
  return status;
}

absl::StatusOr<RunResult> Execution::execute(const RunOptions &options) {
  if (absl::Status status = bound->evaluate(options); !status.ok())
    return status;
  RunResult result;
  result.hardwareSeconds = bound->hardwareSeconds();
  return result;
}

absl::StatusOr<RunResult>
Execution::runOn(absl::Span<const absl::Span<uint8_t>> buffers,
                 const RunOptions &options) {
  if (absl::Status status = engine->checkProcess(); !status.ok())
    return status;
  return engine->objc().guarded(
      [&] { return Executable::runOn(buffers, options); });
}

absl::Status Execution::alias(size_t input, size_t output) {
  return engine->objc().guarded([&] { return bound->alias(input, output); });
}

absl::Status Execution::exchange(size_t input, size_t output) {
  return engine->objc().guarded([&] { return bound->exchange(input, output); });
}

namespace {
class AppleDevice : public Device {
public:
  AppleDevice(const EngineOptions &options, const std::string &name)
      : options(options), name(name) {}

  DeviceInfo info() const override;
  std::vector<Permission> permissions() const override {
    return apple::permissions(options.libraries);
  }
  bool needsFiles() const override { return true; }
  bool compilesMIL() const override { return true; }
  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) override;
  absl::StatusOr<std::unique_ptr<Executable>>
  loadFile(const hw::Program &program, const ProgramFile &file) override;
  absl::StatusOr<std::unique_ptr<Executable>>
  loadMIL(const MILModel &model) override;
  absl::StatusOr<std::shared_ptr<Event>> makeEvent() override {
    absl::StatusOr<std::shared_ptr<Engine>> found = readyEngine();
    if (!found.ok())
      return found.status();
    return SharedEvent::make(*std::move(found));
  }

protected:
  absl::Status setOption(absl::string_view option) override {
    std::lock_guard<std::mutex> lock(opening);
    opened.reset();
    return parseOption(option, options);
  }

private:
  /// Opened when it is needed first.
  absl::StatusOr<std::shared_ptr<Engine>> engine() const;
  absl::StatusOr<std::shared_ptr<Engine>> readyEngine() const;

  EngineOptions options;
  std::string name;
  mutable std::mutex opening;
  mutable std::optional<absl::StatusOr<std::shared_ptr<Engine>>> opened;
};

} // namespace

absl::StatusOr<std::shared_ptr<Engine>> AppleDevice::engine() const {
  std::lock_guard<std::mutex> lock(opening);
  if (!opened)
    opened = Engine::open(options);
  return *opened;
}

absl::StatusOr<std::shared_ptr<Engine>> AppleDevice::readyEngine() const {
  absl::StatusOr<std::shared_ptr<Engine>> result = engine();
  if (!result.ok())
    return absl::FailedPreconditionError(
        absl::StrCat("device apple is not ready: ", result.status().message()));
  if (absl::Status status = (*result)->checkProcess(); !status.ok())
    return status;
  return result;
}

DeviceInfo AppleDevice::info() const {
  absl::StatusOr<std::shared_ptr<Engine>> found = engine();
  if (!found.ok())
    return {"apple", name, "any", false,
            absl::StrCat("not ready: ", found.status().message())};
  return {"apple", name, (*found)->architecture(), true, "ready"};
}

absl::StatusOr<std::unique_ptr<Executable>>
AppleDevice::loadMIL(const MILModel &model) {
  absl::StatusOr<std::shared_ptr<Engine>> found = readyEngine();
  if (!found.ok())
    return found.status();
  auto execution = std::make_unique<Execution>(*found);
  absl::Status status =
      (*found)->objc().guarded([&] { return execution->compile(model); });
  if (!status.ok())
    return status;
  return execution;
}

absl::StatusOr<std::unique_ptr<Executable>>
AppleDevice::load(const hw::Program &program) {
  if (absl::Status status = readyEngine().status(); !status.ok())
    return status;
  return absl::InvalidArgumentError(
      "device apple runs register programs from the cache of aned, which takes "
      "whole .hwx files; write the program to one (ane-compile -o net.hwx, "
      "ane-translate --to-hwx) and run that, or run the network as MIL text "
      "(ane-compile -o net.mil)");
}

absl::StatusOr<std::unique_ptr<Executable>>
AppleDevice::loadFile(const hw::Program &program, const ProgramFile &file) {
  absl::StatusOr<std::shared_ptr<Engine>> found = readyEngine();
  if (!found.ok())
    return found.status();
  // "h13g" is a kind of h13.
  const hw::GenerationInfo &generation = hw::info(program.generation);
  if (!absl::StartsWith((*found)->architecture(), generation.name))
    return absl::FailedPreconditionError(absl::StrFormat(
        "the program is for %s, but the engine of this machine is %s; compile "
        "the network for that (--target), or run it as MIL text",
        generation.name, (*found)->architecture()));
  if (absl::Status status = checkProgram(program); !status.ok())
    return status;
  absl::StatusOr<std::string> key = cacheKey(options.libraries, file.bytes);
  if (!key.ok())
    return key.status();
  auto execution = std::make_unique<Execution>(*found);
  absl::Status status = (*found)->objc().guarded(
      [&] { return execution->loadCached(*key, program); });
  if (status.ok())
    return execution;
  if (!absl::IsNotFound(status))
    return status;
  absl::StatusOr<std::string> command =
      provisionCommand(options.libraries, *key, file.path);
  if (!command.ok())
    return command.status();
  return absl::FailedPreconditionError(absl::StrCat(
      status.message(),
      ", where it has to be put once (from macOS 26.6.2 on that takes System "
      "Integrity Protection off): ",
      *command));
}

std::unique_ptr<Device> makeDevice(const EngineOptions &options,
                                   const std::string &name) {
  return std::make_unique<AppleDevice>(options, name);
}

#if !defined(__APPLE__)

namespace {
/// Where there is no such runtime.
class AbsentDevice : public Device {
public:
  DeviceInfo info() const override {
    return {"apple", "Apple's runtime", "any", false,
            "not ready: needs macOS, this is another system"};
  }
  absl::Status setOption(absl::string_view option) override {
    EngineOptions options;
    return parseOption(option, options);
  }
  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &) override {
    return absl::FailedPreconditionError("device apple is " + info().state);
  }
  bool compilesMIL() const override { return true; }
  absl::StatusOr<std::unique_ptr<Executable>>
  loadMIL(const MILModel &) override {
    return load({});
  }
};

} // namespace
#endif
} // namespace apple

std::unique_ptr<Device> makeAppleDevice() {
  apple::EngineOptions options;
  // For tests: one library that plays all those of macOS.
  if (const char *path = std::getenv("ANE_APPLE_STAND_IN")) {
    options.libraries = apple::Libraries::allIn(path);
    return apple::makeDevice(options, "stand-in for Apple's");
  }
#if defined(__APPLE__)
  return apple::makeDevice(options);
#else
  return std::make_unique<apple::AbsentDevice>();
#endif
}

} // namespace ane::rt
