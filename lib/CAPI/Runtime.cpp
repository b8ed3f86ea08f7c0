//===- Runtime.cpp - Run register programs from C -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Runtime.h"

#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"
#include "ane/HW/Layout.h"
#include "ane/Runtime/Device.h"

#include "absl/strings/str_format.h"

#include <cstdlib>
#include <cstring>

using namespace ane;

/// What the opaque pointers of the interface point to.
struct AneProgram {
  hw::Program program;
};
struct AneExecutable {
  const hw::Program &program;
  std::unique_ptr<rt::Executable> executable;
};

namespace {

int fail(const absl::Status &status, char **error) {
  if (error)
    *error = strdup(std::string(status.message()).c_str());
  return 1;
}

const std::vector<rt::DeviceInfo> &deviceInfos() {
  static const auto *infos = [] {
    auto *result = new std::vector<rt::DeviceInfo>;
    for (const std::unique_ptr<rt::Device> &device : rt::devices())
      result->push_back(device->info());
    return result;
  }();
  return *infos;
}

/// An .anec file has no magic; a .hwx file says more of what is wrong with it.
absl::StatusOr<hw::Program> readProgram(absl::Span<const uint8_t> file) {
  auto container = hw::readContainer(file);
  if (container.ok())
    return std::move(container->program);
  auto program = hw::readAnec(file);
  return program.ok() ? program : container.status();
}

uint64_t denseBytes(const hw::Tensor &tensor) {
  return tensor.elementCount() * hw::elementBytes(tensor.type);
}

absl::StatusOr<sim::Mode> simulatorMode(AneMode mode) {
  switch (mode) {
  case ANE_MODE_EXACT:
    return sim::Mode::Exact;
  case ANE_MODE_FAST:
    return sim::Mode::Fast;
  case ANE_MODE_COUNT:
    return sim::Mode::Count;
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("there is no mode %d", static_cast<int>(mode)));
}

/// The surfaces of all tensors, with the data of the inputs.
absl::Status packInputs(const hw::Program &program, void *const *arrays,
                        std::vector<std::vector<uint8_t>> &surfaces) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    if (!arrays || !arrays[i])
      return absl::InvalidArgumentError(
          absl::StrFormat("no array for tensor '%s'", tensor.name));
    if (absl::Status status = hw::checkSurface(tensor); !status.ok())
      return status;
    surfaces.emplace_back(tensor.bytes);
    if (tensor.kind != hw::TensorKind::Input)
      continue;
    auto dense = absl::MakeConstSpan(static_cast<const uint8_t *>(arrays[i]),
                                     denseBytes(tensor));
    if (absl::Status status =
            hw::packSurface(tensor, dense, absl::MakeSpan(surfaces.back()));
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status unpackOutputs(const hw::Program &program, void *const *arrays,
                           const std::vector<std::vector<uint8_t>> &surfaces) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    if (tensor.kind != hw::TensorKind::Output)
      continue;
    auto dense =
        absl::MakeSpan(static_cast<uint8_t *>(arrays[i]), denseBytes(tensor));
    if (absl::Status status = hw::unpackSurface(tensor, surfaces[i], dense);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

AneStats statsOf(const sim::Stats &all) {
  AneStats stats = {};
  stats.tasks = all.tasks.size();
  stats.macs = all.macs;
  stats.dramBytes = all.read.total() + all.written.total();
  stats.compulsoryBytes = all.compulsoryBytes;
  stats.l2PeakBytes = all.l2PeakBytes;
  stats.predictedMs = all.predictedMs;
  return stats;
}

absl::StatusOr<AneStats> run(AneExecutable &loaded, void *const *arrays,
                             const AneRunOptions &options) {
  auto mode = simulatorMode(options.mode);
  if (!mode.ok())
    return mode.status();
  std::vector<std::vector<uint8_t>> surfaces;
  if (absl::Status status = packInputs(loaded.program, arrays, surfaces);
      !status.ok())
    return status;
  std::vector<absl::Span<uint8_t>> buffers;
  for (std::vector<uint8_t> &surface : surfaces)
    buffers.push_back(absl::MakeSpan(surface));
  rt::RunOptions runOptions;
  runOptions.simulator.mode = *mode;
  runOptions.simulator.threads = options.threads;
  auto result = loaded.executable->run(buffers, runOptions);
  if (!result.ok())
    return result.status();
  if (absl::Status status = unpackOutputs(loaded.program, arrays, surfaces);
      !status.ok())
    return status;
  return result->stats ? statsOf(*result->stats) : AneStats();
}

absl::StatusOr<std::unique_ptr<rt::Executable>> load(const hw::Program &program,
                                                     const char *kind) {
  auto device = rt::openDevice(kind ? kind : "sim");
  if (!device.ok())
    return device.status();
  return (*device)->load(program);
}

} // namespace

void aneRuntimeFree(void *memory) { std::free(memory); }

size_t aneDeviceCount() { return deviceInfos().size(); }

AneDevice aneDeviceGet(size_t index) {
  AneDevice result = {};
  if (index >= deviceInfos().size())
    return result;
  const rt::DeviceInfo &info = deviceInfos()[index];
  result.kind = info.kind.c_str();
  result.name = info.name.c_str();
  result.generation = info.generation.c_str();
  result.state = info.state.c_str();
  result.ready = info.ready;
  return result;
}

AneProgram *aneProgramRead(const void *bytes, size_t size, char **error) {
  auto file = absl::MakeConstSpan(static_cast<const uint8_t *>(bytes), size);
  absl::StatusOr<hw::Program> program = readProgram(file);
  if (program.ok())
    return new AneProgram{*std::move(program)};
  fail(program.status(), error);
  return nullptr;
}

void aneProgramDestroy(AneProgram *program) { delete program; }

size_t aneProgramTensorCount(const AneProgram *program) {
  return program->program.tensors.size();
}

AneTensor aneProgramTensor(const AneProgram *program, size_t index) {
  AneTensor result = {};
  if (index >= program->program.tensors.size())
    return result;
  const hw::Tensor &tensor = program->program.tensors[index];
  result.name = tensor.name.c_str();
  result.isOutput = tensor.kind == hw::TensorKind::Output;
  result.type = static_cast<AneElementType>(tensor.type);
  std::copy(tensor.shape.begin(), tensor.shape.end(), result.shape);
  result.denseBytes = denseBytes(tensor);
  return result;
}

AneExecutable *aneProgramLoad(const AneProgram *program, const char *device,
                              char **error) {
  auto executable = load(program->program, device);
  if (executable.ok())
    return new AneExecutable{program->program, *std::move(executable)};
  fail(executable.status(), error);
  return nullptr;
}

void aneExecutableDestroy(AneExecutable *executable) { delete executable; }

int aneExecutableRun(AneExecutable *executable, void *const *arrays,
                     const AneRunOptions *options, AneStats *stats,
                     char **error) {
  auto result = run(*executable, arrays, options ? *options : AneRunOptions());
  if (!result.ok())
    return fail(result.status(), error);
  if (stats)
    *stats = *result;
  return 0;
}
