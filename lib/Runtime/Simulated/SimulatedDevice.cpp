//===- SimulatedDevice.cpp - The simulator as a device --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Backends.h"

#include "absl/strings/str_join.h"

#include <algorithm>

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
    const bool isFirst = first.empty();
    if (options.simulator.assumptions)
      playRerun(options.simulator.assumptions->rerun, /*outputs=*/false,
                isFirst, buffers);
    auto stats = sim::run(program, buffers, options.simulator);
    if (!stats.ok())
      return stats.status();
    if (options.simulator.assumptions)
      playRerun(options.simulator.assumptions->rerun, /*outputs=*/true, isFirst,
                buffers);
    RunResult result;
    result.stats = *std::move(stats);
    return result;
  }

private:
  /// What this run has of the first one (Assumptions.def).
  void playRerun(sim::assumed::Rerun rerun, bool outputs, bool isFirst,
                 absl::Span<const absl::Span<uint8_t>> buffers) {
    using sim::assumed::Rerun;
    first.resize(buffers.size());
    bool seesInput = false;
    for (size_t i = 0; i < buffers.size(); ++i) {
      const bool isOutput = program.tensors[i].kind == hw::TensorKind::Output;
      const bool isKept = isOutput ? rerun == Rerun::Outputs
                                   : rerun == Rerun::Inputs && seesInput;
      seesInput |= !isOutput;
      if (isOutput != outputs)
        continue;
      if (isFirst)
        first[i].assign(buffers[i].begin(), buffers[i].end());
      else if (isKept)
        std::copy(first[i].begin(), first[i].end(), buffers[i].begin());
    }
  }

  const hw::Program &program;
  std::vector<std::vector<uint8_t>> first; ///< surfaces of the first run
};

class SimulatedDevice : public Device {
public:
  DeviceInfo info() const override {
    return {"sim", "functional simulator", names(), true, "ready"};
  }

  /// "h13, h14" and so on: those whose registers the simulator understands.
  static std::string names() {
    std::vector<std::string> names;
    for (const hw::GenerationInfo &generation : hw::generations())
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
