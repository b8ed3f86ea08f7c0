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
#include "ModelFolder.h"

#include "ane/HW/Float16.h"

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"

#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

namespace ane::rt {
namespace apple {

namespace {
/// What a run needs until it has ended, also where nobody waits for it any more.
struct Loaded {
  std::shared_ptr<Engine> engine;
  ModelFolder folder;
  std::unique_ptr<LoadedModel> model; // before the folder
};

/// A program that is loaded, with surfaces.
class Execution : public Executable {
public:
  explicit Execution(std::shared_ptr<Engine> engine)
      : engine(engine), loaded(std::make_shared<Loaded>()) {
    loaded->engine = std::move(engine);
  }

  absl::Status compile(const MILModel &mil);
  absl::Status loadCached(const std::string &key, const hw::Program &program);

  absl::Span<const hw::Tensor> tensors() const override { return ownTensors; }
  absl::StatusOr<RunResult> run(absl::Span<const absl::Span<uint8_t>> buffers,
                                const RunOptions &options) override;

private:
  absl::Status bind(absl::StatusOr<std::vector<Binding>> bindings);
  absl::Status write(size_t index, absl::Span<const uint8_t> buffer) const;
  absl::Status read(size_t index, absl::Span<uint8_t> buffer) const;
  absl::Status runOnce(absl::Span<const absl::Span<uint8_t>> buffers);
  absl::Status evaluate();

  std::shared_ptr<Engine> engine;
  std::shared_ptr<Loaded> loaded;
  bool isLost = false;                   ///< a run has not ended in time
  std::optional<double> hardwareSeconds; ///< of the last run
  std::vector<hw::Tensor> ownTensors;
  std::vector<bool> isFloat32; ///< their surfaces
};

} // namespace

absl::Status Execution::bind(absl::StatusOr<std::vector<Binding>> bindings) {
  if (!bindings.ok())
    return bindings.status();
  for (const Binding &binding : *bindings) {
    ownTensors.push_back(binding.tensor);
    isFloat32.push_back(binding.isFloat32);
  }
  return loaded->model->bind(*bindings);
}

absl::Status Execution::compile(const MILModel &mil) {
  if (absl::Status status =
          loaded->folder.create(engine->foundation().temporaryFolder(), mil);
      !status.ok())
    return status;
  auto model = engine->compileAndLoad(loaded->folder.modelPath());
  if (!model.ok())
    return model.status();
  loaded->model = *std::move(model);
  absl::StatusOr<Attributes> attributes = loaded->model->attributes();
  if (!attributes.ok())
    return attributes.status();
  return bind(bindTensors(mil, *attributes));
}

absl::Status Execution::loadCached(const std::string &key,
                                   const hw::Program &program) {
  auto model = engine->loadCached(key);
  if (!model.ok())
    return model.status();
  loaded->model = *std::move(model);
  absl::StatusOr<Attributes> attributes = loaded->model->attributes();
  if (!attributes.ok())
    return attributes.status();
  return bind(bindSurfaces(program.tensors, *attributes));
}

absl::Status Execution::write(size_t index,
                              absl::Span<const uint8_t> buffer) const {
  if (!isFloat32[index])
    return loaded->model->surface(index).write(buffer);
  std::vector<uint16_t> halves(buffer.size() / 2);
  std::memcpy(halves.data(), buffer.data(), buffer.size());
  std::vector<float> floats(halves.size());
  hw::convertFromHalf(halves.data(), floats.data(), halves.size());
  return loaded->model->surface(index).write(
      {reinterpret_cast<const uint8_t *>(floats.data()), 2 * buffer.size()});
}

absl::Status Execution::read(size_t index, absl::Span<uint8_t> buffer) const {
  if (!isFloat32[index])
    return loaded->model->surface(index).read(buffer);
  std::vector<float> floats(buffer.size() / 2);
  absl::Status status = loaded->model->surface(index).read(
      {reinterpret_cast<uint8_t *>(floats.data()), 2 * buffer.size()});
  std::vector<uint16_t> halves(floats.size());
  hw::convertToHalf(floats.data(), halves.data(), floats.size());
  std::memcpy(buffer.data(), halves.data(), buffer.size());
  return status;
}

/// Runs, for as long as the options allow. Nothing takes a run back: it goes on,
/// with its surfaces, when nobody waits any more.
absl::Status Execution::evaluate() {
  const std::chrono::milliseconds timeout = engine->wanted().timeout;
  if (!timeout.count())
    return loaded->model->evaluate();
  std::promise<absl::Status> promise;
  std::future<absl::Status> ended = promise.get_future();
  std::thread worker([run = loaded, promise = std::move(promise)]() mutable {
    promise.set_value(
        run->engine->objc().guarded([&] { return run->model->evaluate(); }));
    run.reset();
  });
  if (ended.wait_for(timeout) == std::future_status::ready) {
    worker.join();
    return ended.get();
  }
  worker.detach();
  isLost = true;
  return absl::DeadlineExceededError(absl::StrFormat(
      "the engine did not finish in %d ms; another program may hold it",
      timeout.count()));
}

absl::Status Execution::runOnce(absl::Span<const absl::Span<uint8_t>> buffers) {
  // Outputs too: what the engine does not write stays as the caller has it.
  for (size_t i = 0; i < buffers.size(); ++i)
    if (absl::Status status = write(i, buffers[i]); !status.ok())
      return status;
  if (absl::Status status = evaluate(); !status.ok())
    return status;
  hardwareSeconds = loaded->model->hardwareSeconds();
  for (size_t i = 0; i < buffers.size(); ++i)
    if (ownTensors[i].kind == hw::TensorKind::Output)
      if (absl::Status status = read(i, buffers[i]); !status.ok())
        return status;
  return absl::OkStatus();
}

absl::StatusOr<RunResult>
Execution::run(absl::Span<const absl::Span<uint8_t>> buffers,
               const RunOptions &) {
  if (absl::Status status = engine->checkProcess(); !status.ok())
    return status;
  if (isLost)
    return absl::FailedPreconditionError(
        "a run of this program did not end in time; load it again");
  if (buffers.size() != ownTensors.size())
    return absl::InvalidArgumentError(absl::StrFormat(
        "%d buffers for %d tensors", buffers.size(), ownTensors.size()));
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size() != ownTensors[i].bytes)
      return absl::InvalidArgumentError(absl::StrFormat(
          "tensor '%s' has %d bytes, its buffer %d", ownTensors[i].name,
          ownTensors[i].bytes, buffers[i].size()));
  if (absl::Status status =
          engine->objc().guarded([&] { return runOnce(buffers); });
      !status.ok())
    return status;
  RunResult result;
  result.hardwareSeconds = hardwareSeconds;
  return result;
}

namespace {
class AppleDevice : public Device {
public:
  AppleDevice(const EngineOptions &options, const std::string &name)
      : options(options), name(name) {}

  DeviceInfo info() const override;
  absl::Status configure(absl::string_view text) override {
    std::lock_guard<std::mutex> lock(opening);
    opened.reset();
    return parseOptions(text, options);
  }
  bool needsFiles() const override { return true; }
  bool compilesMIL() const override { return true; }
  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) override;
  absl::StatusOr<std::unique_ptr<Executable>>
  loadFile(const hw::Program &program, const ProgramFile &file) override;
  absl::StatusOr<std::unique_ptr<Executable>>
  loadMIL(const MILModel &model) override;

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
  absl::Status configure(absl::string_view text) override {
    EngineOptions options;
    return parseOptions(text, options);
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
