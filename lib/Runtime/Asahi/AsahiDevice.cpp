//===- AsahiDevice.cpp - Programs on the driver of Asahi Linux ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading makes a buffer for each base register of the program and fills those
// of tasks and coefficients, or, with interface 2, those of the sections; a run
// fills those of the inputs, submits, and copies the outputs back. What the
// kernel then does is known from the published driver only: no machine has run
// this.
//
//===----------------------------------------------------------------------===//

#include "AsahiDevice.h"

#include "../Backends.h"
#include "Sections.h"

#include "ane/HW/AnecFile.h"
#include "ane/HW/H13.h"
#include "ane/HW/Layout.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace ane::rt {
namespace asahi {

namespace {
/// The driver finds coefficients after the tasks at a multiple of this.
constexpr uint64_t kKernelAlign = 16;
/// The queue that the driver uses for all programs is known by this network id.
constexpr uint32_t kNetworkId = 0x40;

class AsahiDevice : public Device {
public:
  explicit AsahiDevice(System &system) : system(system) {}

  DeviceInfo info() const override {
    absl::StatusOr<Driver> driver = Driver::open(system);
    return {"asahi", "ANE driver of Asahi Linux",
            driver.ok() ? hw::info(driver->generation()).name : "h13, h14",
            driver.ok(), driver.ok() ? "ready" : notReady(driver.status())};
  }

  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) override;

private:
  static std::string notReady(const absl::Status &status) {
    return absl::StrCat("not ready: ", status.message());
  }

  System &system;
};

/// A program in buffers of the driver, by the interface that it has.
class Loaded : public Executable {
public:
  Loaded(Driver driver, const hw::Program &program)
      : driver(std::move(driver)), program(program) {}
  virtual absl::Status prepare() = 0;
  absl::Span<const hw::Tensor> tensors() const override { return ownTensors; }

protected:
  virtual Buffer &bufferOf(size_t tensor) = 0;
  virtual absl::Status submit(const RunOptions &options) = 0;
  const hw::Program *words() const override { return &program; }
  absl::Status write(size_t tensor, absl::Span<const uint8_t> bytes) override {
    std::memcpy(bufferOf(tensor).data(), bytes.data(), bytes.size());
    return absl::OkStatus();
  }
  absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) override {
    std::memcpy(bytes.data(), bufferOf(tensor).data(), bytes.size());
    return absl::OkStatus();
  }
  absl::StatusOr<RunResult> execute(const RunOptions &options) override {
    if (absl::Status status = submit(options); !status.ok())
      return status;
    return RunResult();
  }

  Driver driver;              // before the buffers, which it frees
  const hw::Program &program; ///< not in a run, which may outlive the caller
  std::vector<hw::Tensor> ownTensors = program.tensors;
};

/// Interfaces 0 and 1: tasks, and a buffer for each base.
class Submission : public Loaded {
public:
  using Loaded::Loaded;
  absl::Status prepare() override;

private:
  Buffer &bufferOf(size_t tensor) override {
    return channels[ownTensors[tensor].base];
  }
  absl::Status submit(const RunOptions &) override {
    return driver.submit(request);
  }
  absl::Status alias(size_t input, size_t output) override;
  absl::Status exchange(size_t input, size_t output) override;
  absl::Status prepareTasks();
  absl::Status prepareFirst();
  absl::Status allocate(uint32_t channel, uint64_t size);

  hw::Program cleaned; ///< its tasks, without what the driver does not take
  std::array<Buffer, kChannels> channels;
  Buffer boot;
  Submit request = {};
};

/// Interface 2: sections for the firmware, and a procedure.
class Procedure : public Loaded {
public:
  using Loaded::Loaded;
  absl::Status prepare() override;

private:
  Buffer &bufferOf(size_t tensor) override {
    return buffers[bufferOfTensor[tensor]];
  }
  absl::Status submit(const RunOptions &options) override;
  /// The driver has a time of its own.
  bool endsRuns() const override { return true; }
  absl::Status alias(size_t input, size_t output) override;
  absl::Status exchange(size_t input, size_t output) override;
  absl::StatusOr<Buffer> allocate(uint64_t size) const;

  std::vector<Buffer> sections, buffers;
  std::vector<size_t> bufferOfTensor, boundOfTensor;
  std::vector<ExecuteBuffer> bound;
  ProcedureCreate procedure = {};
};

} // namespace

absl::Status Submission::allocate(uint32_t channel, uint64_t size) {
  absl::StatusOr<Buffer> buffer = driver.allocate(size);
  if (!buffer.ok())
    return buffer.status();
  channels[channel] = *std::move(buffer);
  request.handles[channel] = channels[channel].handle();
  return absl::OkStatus();
}

absl::Status Submission::prepareTasks() {
  static_assert(hw::BaseText == 0 && hw::BaseConst == 1,
                "the driver computes channel 1 from channel 0");
  // So that coefficients start where the kernel DMA can.
  uint64_t align = hw::info(program.generation).dmaAlign;
  static_assert(kKernelAlign <= 64, "a multiple of the DMA's is one of these");
  request.taskBytes = hw::alignTo(program.textBytes, align);
  request.taskCount = program.tasks.size();
  request.firstBytes = program.tasks.front().byteSize();
  absl::StatusOr<std::vector<uint8_t>> text =
      hw::writeTasks(program.generation, cleaned.tasks, request.taskBytes);
  if (!text.ok())
    return text.status();
  absl::Span<const uint8_t> constants = program.constantBytes();
  // The driver refuses a buffer that has nothing after the tasks.
  if (absl::Status status =
          allocate(hw::BaseText, text->size() + constants.size() + 1);
      !status.ok())
    return status;
  uint8_t *bytes = channels[hw::BaseText].data();
  std::memcpy(bytes, text->data(), text->size());
  if (!constants.empty())
    std::memcpy(bytes + text->size(), constants.data(), constants.size());
  return absl::OkStatus();
}

/// The queue starts with a copy of the first task that names the network.
absl::Status Submission::prepareFirst() {
  hw::Task first = cleaned.tasks.front();
  first.offset = 0;
  if (absl::Status status = first.set(hw::h13::Header::NID, kNetworkId);
      !status.ok())
    return status;
  absl::StatusOr<std::vector<uint8_t>> bytes = hw::writeTasks(
      program.generation, absl::MakeConstSpan(&first, 1), first.byteSize());
  if (!bytes.ok())
    return bytes.status();
  absl::StatusOr<Buffer> buffer = driver.allocate(bytes->size());
  if (!buffer.ok())
    return buffer.status();
  boot = *std::move(buffer);
  std::memcpy(boot.data(), bytes->data(), bytes->size());
  request.bootHandle = boot.handle();
  return absl::OkStatus();
}

absl::Status Submission::prepare() {
  cleaned.generation = program.generation;
  cleaned.tasks = program.tasks;
  hw::clearIdleWords(cleaned);
  if (program.tasks.empty() || program.tasks.front().offset != 0)
    return absl::InvalidArgumentError(
        "the driver starts at the first byte of the tasks, and there is none");
  if (absl::Status status = prepareTasks(); !status.ok())
    return status;
  if (absl::Status status = prepareFirst(); !status.ok())
    return status;
  if (program.scratchBytes)
    if (absl::Status status = allocate(hw::BaseScratch, program.scratchBytes);
        !status.ok())
      return status;
  for (const hw::Tensor &tensor : program.tensors) {
    if (tensor.base < hw::BaseFirstTensor || tensor.base >= kChannels ||
        request.handles[tensor.base])
      return absl::InvalidArgumentError(absl::StrFormat(
          "tensor '%s' has base %d; it needs one of its own from %d to %d",
          tensor.name, tensor.base, uint32_t(hw::BaseFirstTensor),
          kChannels - 1));
    if (absl::Status status = allocate(tensor.base, tensor.bytes); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// The bases of both name one buffer.
absl::Status Submission::alias(size_t input, size_t output) {
  const uint32_t from = ownTensors[output].base, to = ownTensors[input].base;
  request.handles[from] = request.handles[to];
  channels[from] = Buffer();
  ownTensors[output].base = to;
  return absl::OkStatus();
}

absl::Status Submission::exchange(size_t input, size_t output) {
  const uint32_t from = ownTensors[output].base, to = ownTensors[input].base;
  std::swap(request.handles[from], request.handles[to]);
  std::swap(channels[from], channels[to]);
  return absl::OkStatus();
}

/// The engine reads and writes a little past the end of surfaces (measured on an
/// M2 Max, at most 0x100 bytes; omarchy-ane, libane/ane_m2.c): a page more keeps
/// that in the buffer.
absl::StatusOr<Buffer> Procedure::allocate(uint64_t size) const {
  constexpr uint64_t guardBytes = 0x4000;
  return driver.allocate(size + guardBytes);
}

absl::Status Procedure::prepare() {
  absl::StatusOr<Sections> made = makeSections(program);
  if (!made.ok())
    return made.status();
  std::vector<Section> loaded;
  for (const auto &[id, bytes] : made->sections) {
    absl::StatusOr<Buffer> buffer = allocate(bytes.size());
    if (!buffer.ok())
      return buffer.status();
    std::memcpy(buffer->data(), bytes.data(), bytes.size());
    loaded.push_back({id, buffer->handle(), bytes.size(), 0});
    sections.push_back(*std::move(buffer));
  }
  std::vector<Bind> binds;
  bufferOfTensor.resize(program.tensors.size());
  boundOfTensor.resize(program.tensors.size());
  for (const ProgramBuffer &wanted : made->buffers) {
    absl::StatusOr<Buffer> buffer = allocate(wanted.size);
    if (!buffer.ok())
      return buffer.status();
    const uint32_t type = wanted.isOutput;
    binds.push_back({wanted.id, buffer->handle(), type, 0, wanted.size});
    if (wanted.tensor)
      boundOfTensor[*wanted.tensor] = bound.size();
    bound.push_back({wanted.id, buffer->handle(), type, 0, 0, wanted.size});
    if (wanted.tensor)
      bufferOfTensor[*wanted.tensor] = buffers.size();
    buffers.push_back(*std::move(buffer));
  }
  ProgramLoad request = {};
  request.sections = reinterpret_cast<uintptr_t>(loaded.data());
  request.binds = reinterpret_cast<uintptr_t>(binds.data());
  request.sectionCount = loaded.size();
  request.bindCount = binds.size();
  if (absl::Status status = driver.load(request); !status.ok())
    return status;
  procedure.program = request.program;
  return driver.create(procedure);
}

/// A buffer that several channels name is bound to each of them.
absl::Status Procedure::alias(size_t input, size_t output) {
  bufferOfTensor[output] = bufferOfTensor[input];
  bound[boundOfTensor[output]].handle = bufferOf(input).handle();
  return absl::OkStatus();
}

absl::Status Procedure::exchange(size_t input, size_t output) {
  std::swap(bufferOfTensor[input], bufferOfTensor[output]);
  std::swap(bound[boundOfTensor[input]].handle,
            bound[boundOfTensor[output]].handle);
  return absl::OkStatus();
}

absl::Status Procedure::submit(const RunOptions &options) {
  constexpr uint32_t priority = 2;
  constexpr std::chrono::milliseconds usual(30000);
  Execute request = {};
  request.program = procedure.program;
  request.procedure = procedure.procedure;
  request.priority = priority;
  request.timeout = options.timeout.value_or(usual).count();
  request.count = bound.size();
  request.buffers = reinterpret_cast<uintptr_t>(bound.data());
  return driver.execute(request);
}

absl::StatusOr<std::unique_ptr<Executable>>
AsahiDevice::load(const hw::Program &program) {
  absl::StatusOr<Driver> driver = Driver::open(system);
  if (!driver.ok())
    return absl::FailedPreconditionError(
        absl::StrCat("device asahi is ", notReady(driver.status())));
  if (program.generation != driver->generation())
    return absl::FailedPreconditionError(absl::StrFormat(
        "the program is for %s, but this driver's interface, version %d, runs "
        "programs of %s; compile the network for that (--target=%s)",
        hw::info(program.generation).name, driver->interface(),
        hw::info(driver->generation()).name,
        hw::info(driver->generation()).name));
  if (absl::Status status = checkProgram(program); !status.ok())
    return status;
  std::unique_ptr<Loaded> result;
  if (driver->interface() == 2)
    result = std::make_unique<Procedure>(*std::move(driver), program);
  else
    result = std::make_unique<Submission>(*std::move(driver), program);
  if (absl::Status status = result->prepare(); !status.ok())
    return status;
  return result;
}

std::unique_ptr<Device> makeDevice(System &system) {
  return std::make_unique<AsahiDevice>(system);
}

} // namespace asahi

/// For tests: what a library plays in place of the kernel.
static asahi::System *standIn(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  auto make = reinterpret_cast<asahi::System *(*)()>(
      library ? dlsym(library, "aneAsahiStandIn") : nullptr);
  return make ? make() : nullptr;
}

std::unique_ptr<Device> makeAsahiDevice() {
  if (const char *path = std::getenv("ANE_ASAHI_STAND_IN"))
    if (asahi::System *system = standIn(path))
      return asahi::makeDevice(*system);
  return asahi::makeDevice(asahi::linuxSystem());
}

} // namespace ane::rt
