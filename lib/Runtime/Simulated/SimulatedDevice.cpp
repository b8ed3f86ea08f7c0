//===- SimulatedDevice.cpp - The simulator as a device --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Backends.h"

#include "absl/strings/str_join.h"

#include <algorithm>
#include <memory>

namespace ane::rt {
namespace {

class SimulatedExecutable : public Executable {
public:
  explicit SimulatedExecutable(const hw::Program &program) : program(program) {}

  absl::Span<const hw::Tensor> tensors() const override {
    return program.tensors;
  }

  /// The simulator ends, and works on the caller's program.
  bool outlivesCaller() const override { return false; }

private:
  using Memory = std::shared_ptr<std::vector<uint8_t>>;

  const hw::Program *words() const override { return &program; }
  absl::Status write(size_t tensor, absl::Span<const uint8_t> bytes) override {
    memory(tensor)->assign(bytes.begin(), bytes.end());
    return absl::OkStatus();
  }
  absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) override {
    std::copy(memory(tensor)->begin(), memory(tensor)->end(), bytes.begin());
    return absl::OkStatus();
  }
  absl::Status alias(size_t input, size_t output) override {
    memory(output) = memory(input);
    return absl::OkStatus();
  }
  absl::Status exchange(size_t input, size_t output) override {
    std::swap(memory(input), memory(output));
    return absl::OkStatus();
  }
  /// Made where a tensor is kept; others are where the caller has them.
  Memory &memory(size_t tensor) {
    memories.resize(program.tensors.size());
    if (!memories[tensor])
      memories[tensor] =
          std::make_shared<std::vector<uint8_t>>(program.tensors[tensor].bytes);
    return memories[tensor];
  }

  absl::StatusOr<RunResult> execute(const RunOptions &) override {
    return absl::InternalError("the simulator runs on the buffers of a run");
  }
  absl::StatusOr<RunResult> runOn(absl::Span<const absl::Span<uint8_t>> buffers,
                                  const RunOptions &options) override {
    std::vector<absl::Span<uint8_t>> surfaces(buffers.begin(), buffers.end());
    for (size_t i = 0; i < surfaces.size(); ++i) {
      if (!isKept(i))
        continue;
      if (!buffers[i].empty() && !isOutput(i))
        (void)write(i, buffers[i]);
      surfaces[i] = absl::MakeSpan(*memory(i));
    }
    absl::StatusOr<RunResult> result = simulate(surfaces, options);
    for (size_t i = 0; result.ok() && i < buffers.size(); ++i)
      if (isKept(i) && !buffers[i].empty() && isOutput(i))
        (void)read(i, buffers[i]);
    return result;
  }
  bool isOutput(size_t tensor) const {
    return program.tensors[tensor].kind == hw::TensorKind::Output;
  }

  absl::StatusOr<RunResult>
  simulate(absl::Span<const absl::Span<uint8_t>> buffers,
           const RunOptions &options) {
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

  /// What this run has of the first one (Assumptions.def).
  void playRerun(sim::assumed::Rerun rerun, bool outputs, bool isFirst,
                 absl::Span<const absl::Span<uint8_t>> buffers) {
    using sim::assumed::Rerun;
    first.resize(buffers.size());
    bool seesInput = false;
    for (size_t i = 0; i < buffers.size(); ++i) {
      const bool stays = isOutput(i) ? rerun == Rerun::Outputs
                                     : rerun == Rerun::Inputs && seesInput;
      seesInput |= !isOutput(i);
      if (isOutput(i) != outputs)
        continue;
      if (isFirst)
        first[i].assign(buffers[i].begin(), buffers[i].end());
      else if (stays)
        std::copy(first[i].begin(), first[i].end(), buffers[i].begin());
    }
  }

  const hw::Program &program;
  std::vector<Memory> memories;
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
