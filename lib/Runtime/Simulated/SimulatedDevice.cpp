//===- SimulatedDevice.cpp - The simulator as a device --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Backends.h"

#include "absl/strings/str_join.h"

namespace ane::rt {
namespace {

class SimulatedExecutable : public Executable {
public:
  explicit SimulatedExecutable(const hw::Program &program) : program(program) {}

  absl::Span<const hw::Tensor> tensors() const override {
    return program.tensors;
  }

  absl::StatusOr<RunResult> run(absl::Span<const absl::Span<uint8_t>> buffers,
                                const RunOptions &options) override {
    auto stats = sim::run(program, buffers, options.simulator);
    if (!stats.ok())
      return stats.status();
    RunResult result;
    result.stats = *std::move(stats);
    return result;
  }

private:
  const hw::Program &program;
};

class SimulatedDevice : public Device {
public:
  DeviceInfo info() const override {
    return {"sim", "functional simulator", names(), true, "ready"};
  }

  /// "h13, h14": those whose registers the simulator understands.
  static std::string names() {
    std::vector<std::string> names;
    for (const hw::GenerationInfo &generation : hw::generations())
      if (generation.isTarget)
        names.push_back(generation.name);
    return absl::StrJoin(names, ", ");
  }

  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) override {
    return std::make_unique<SimulatedExecutable>(program);
  }
};

} // namespace

std::unique_ptr<Device> makeSimulatedDevice() {
  return std::make_unique<SimulatedDevice>();
}

} // namespace ane::rt
