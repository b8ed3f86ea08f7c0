//===- AsahiDevice.cpp - Programs on the driver of Asahi Linux ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading makes a buffer for each base register of the program and fills those
// of tasks and coefficients; a run fills those of the inputs, submits, and
// copies the outputs back. What the kernel then does is known from the
// published driver only: no machine has run this.
//
//===----------------------------------------------------------------------===//

#include "AsahiDevice.h"

#include "../Backends.h"

#include "ane/HW/H13.h"
#include "ane/HW/Layout.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <array>
#include <cstring>

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
    return {"asahi", "ANE driver of Asahi Linux", "h13", driver.ok(),
            driver.ok() ? "ready" : notReady(driver.status())};
  }

  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) override;

private:
  static std::string notReady(const absl::Status &status) {
    return absl::StrCat("not ready: ", status.message());
  }

  System &system;
};

/// A program in buffers of the driver.
class Submission : public Executable {
public:
  Submission(Driver driver, const hw::Program &program)
      : driver(std::move(driver)), program(program) {}
  absl::Status prepare();
  absl::Span<const hw::Tensor> tensors() const override {
    return program.tensors;
  }
  absl::StatusOr<RunResult> run(absl::Span<const absl::Span<uint8_t>> surfaces,
                                const RunOptions &options) override;

private:
  absl::Status prepareTasks();
  absl::Status prepareFirst();
  absl::Status allocate(uint32_t channel, uint64_t size);

  Driver driver; // before the buffers, which it frees
  const hw::Program &program;
  std::array<Buffer, kChannels> channels;
  Buffer boot;
  Submit request = {};
};

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
      hw::writeTasks(program.generation, program.tasks, request.taskBytes);
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
  hw::Task first = program.tasks.front();
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

absl::StatusOr<RunResult>
Submission::run(absl::Span<const absl::Span<uint8_t>> surfaces,
                const RunOptions &) {
  if (surfaces.size() != program.tensors.size())
    return absl::InvalidArgumentError(absl::StrFormat(
        "%d buffers for %d tensors", surfaces.size(), program.tensors.size()));
  for (size_t i = 0; i < surfaces.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    if (surfaces[i].size() != tensor.bytes)
      return absl::InvalidArgumentError(
          absl::StrFormat("tensor '%s' has %d bytes, its buffer %d",
                          tensor.name, tensor.bytes, surfaces[i].size()));
    // Outputs too: what no task writes stays as the caller has it.
    std::memcpy(channels[tensor.base].data(), surfaces[i].data(), tensor.bytes);
  }
  if (absl::Status status = driver.submit(request); !status.ok())
    return status;
  for (size_t i = 0; i < surfaces.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    if (tensor.kind == hw::TensorKind::Output)
      std::memcpy(surfaces[i].data(), channels[tensor.base].data(),
                  tensor.bytes);
  }
  return RunResult();
}

absl::StatusOr<std::unique_ptr<Executable>>
AsahiDevice::load(const hw::Program &program) {
  absl::StatusOr<Driver> driver = Driver::open(system);
  if (!driver.ok())
    return absl::FailedPreconditionError(
        absl::StrCat("device asahi is ", notReady(driver.status())));
  if (program.generation != hw::Generation::H13)
    return absl::InvalidArgumentError(absl::StrFormat(
        "device asahi runs programs of h13, this is one of %s; the driver for "
        "that loads programs in a form that is not public",
        hw::info(program.generation).name));
  if (absl::Status status = checkProgram(program); !status.ok())
    return status;
  auto result = std::make_unique<Submission>(*std::move(driver), program);
  if (absl::Status status = result->prepare(); !status.ok())
    return status;
  return result;
}

} // namespace

std::unique_ptr<Device> makeDevice(System &system) {
  return std::make_unique<AsahiDevice>(system);
}

} // namespace asahi

std::unique_ptr<Device> makeAsahiDevice() {
  return asahi::makeDevice(asahi::linuxSystem());
}

} // namespace ane::rt
