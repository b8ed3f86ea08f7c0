//===- FuzzSimulator.cpp - Any bytes as a program to run ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the readers take, the simulator runs or says why not. Counting and
// computing agree: on whether a program runs and on what it costs. Its data flow
// is found or refused.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"
#include "ane/Simulator/DataFlow.h"
#include "ane/Simulator/Simulator.h"

#include <cstdio>
#include <cstdlib>

using namespace ane;

/// What a run may take. A small file can ask for more, which is for
/// ane-run --memory-limit to refuse.
constexpr uint64_t maxBytes = uint64_t(64) << 20;
constexpr uint64_t maxMacs = uint64_t(1) << 22;
constexpr uint64_t maxTraffic = uint64_t(16) << 20;

static bool isWithinLimits(const hw::Program &program) {
  uint64_t bytes = program.scratchBytes;
  for (const hw::Tensor &tensor : program.tensors) {
    if (bytes > maxBytes || tensor.bytes > maxBytes)
      return false;
    bytes += tensor.bytes;
  }
  return bytes <= maxBytes;
}

static absl::StatusOr<sim::Stats> run(const hw::Program &program,
                                      sim::Mode mode) {
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<absl::Span<uint8_t>> surfaces;
  for (const hw::Tensor &tensor : program.tensors) {
    // What only counts needs no memory, so a read of it would crash.
    if (mode == sim::Mode::Count) {
      surfaces.emplace_back(static_cast<uint8_t *>(nullptr), tensor.bytes);
      continue;
    }
    buffers.emplace_back(tensor.bytes);
    // Small halves, none of them NaN.
    for (size_t i = 0; i < buffers.back().size(); ++i)
      buffers.back()[i] = i & 1 ? 0x3c : i & 0x7f;
    surfaces.push_back(absl::MakeSpan(buffers.back()));
  }
  sim::Options options;
  options.mode = mode;
  options.threads = 1;
  absl::StatusOr<sim::Stats> stats = sim::run(program, surfaces, options);
  if (!stats.ok() && stats.status().message().empty())
    std::abort();
  return stats;
}

static void check(bool agree, const char *what) {
  if (agree)
    return;
  std::fprintf(stderr, "counting and computing differ: %s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::Span<const uint8_t> bytes(data, size);
  absl::StatusOr<hw::Program> program;
  absl::StatusOr<hw::Container> container = hw::readContainer(bytes);
  if (container.ok())
    program = std::move(container->program);
  else
    program = hw::readAnec(bytes);
  if (!program.ok() || !isWithinLimits(*program))
    return 0;
  absl::StatusOr<sim::Stats> counted = run(*program, sim::Mode::Count);
  if (!counted.ok() || counted->macs > maxMacs ||
      counted->read.moved + counted->written.moved > maxTraffic)
    return 0;
  absl::StatusOr<sim::Stats> computed = run(*program, sim::Mode::Exact);
  check(computed.ok(), std::string(computed.status().message()).c_str());
  check(counted->macs == computed->macs, "products");
  check(counted->read.total() == computed->read.total() &&
            counted->written.total() == computed->written.total(),
        "bytes of DRAM");
  check(counted->l2PeakBytes == computed->l2PeakBytes, "bytes of L2");
  // Whether its data flow has a form is no matter here.
  if (auto flow = sim::traceDataFlow(*program);
      !flow.ok() && flow.status().message().empty())
    std::abort();
  return 0;
}
