//===- Runtime.cpp - Run register programs from C -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Runtime.h"

#include "ane/HW/AnecFile.h"
#include "ane/HW/Arrays.h"
#include "ane/HW/Container.h"
#include "ane/HW/Layout.h"
#include "ane/HW/Verifier.h"
#include "ane/Runtime/Device.h"
#include "ane/Support/Version.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace ane;

/// What the opaque pointers of the interface point to.
struct AneProgram {
  hw::Program program; ///< of MIL text, the tensors only
  std::optional<rt::MILModel> mil;
  std::string path; ///< empty: not read from a file
  /// Of the tensors, as arrays have them.
  std::vector<std::vector<uint64_t>> shapes;
};
struct AneExecutable {
  std::unique_ptr<rt::Executable> executable;
  hw::Generation generation;
  std::optional<sim::Assumptions> assumptions;
  double hardwareMs = 0; ///< of the last run
  /// Of the last run: surfaces, then results of tasks.
  std::vector<sim::TensorStats> surfaces;
  std::vector<sim::TaskStats> tasks;
};

static int fail(const absl::Status &status, char **error) {
  if (error)
    *error = strdup(std::string(status.message()).c_str());
  return 1;
}

static const std::vector<rt::DeviceInfo> &deviceInfos() {
  static const auto *infos = [] {
    auto *result = new std::vector<rt::DeviceInfo>;
    for (const std::unique_ptr<rt::Device> &device : rt::devices())
      result->push_back(device->info());
    return result;
  }();
  return *infos;
}

/// An .anec file has no magic; a .hwx file says more of what is wrong with it.
static absl::StatusOr<hw::Program> readProgram(absl::Span<const uint8_t> file) {
  auto program = hw::readProgram(file);
  if (program.ok())
    return program;
  auto anec = hw::readAnec(file);
  return anec.ok() ? anec : program;
}

static absl::StatusOr<std::string> readFile(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty())
    return absl::NotFoundError(absl::StrFormat(
        "cannot read %s: %s", path, errno ? std::strerror(errno) : "no bytes"));
  return bytes;
}

static absl::Span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

static absl::StatusOr<AneProgram> readProgramFile(std::string path,
                                                  const char *milRoot) {
  // A compiled model, or any other folder with the text of a network.
  if (std::error_code none; std::filesystem::is_directory(path, none))
    path = (std::filesystem::path(path) / "model.mil").string();
  absl::StatusOr<std::string> file = readFile(path);
  if (!file.ok())
    return file.status();
  AneProgram result;
  if (absl::EndsWith(path, ".mil")) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    auto model = rt::readMILModel(*file, milRoot ? milRoot : folder);
    if (!model.ok())
      return model.status();
    result.mil = *std::move(model);
    result.program.tensors = result.mil->tensors;
    return result;
  }
  auto program = readProgram(bytesOf(*file));
  // A network, most of the time.
  constexpr char magic[] = "\xce\xfa\xef\xbe";
  if (!program.ok() && !absl::StartsWith(*file, magic) &&
      !absl::EndsWith(path, ".anec") && !absl::EndsWith(path, ".ane"))
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s is no program: it neither starts with the bytes of 0xbeefface, as "
        "a .hwx file does, nor is it an .anec file or named .mil; compile a "
        "network first",
        path));
  if (!program.ok())
    return absl::Status(
        program.status().code(),
        absl::StrFormat("%s: %s", path, program.status().message()));
  result.program = *std::move(program);
  result.path = path;
  return result;
}

/// What the caller owns from now on.
static AneProgram *handOver(AneProgram program) {
  auto *result = new AneProgram(std::move(program));
  for (const hw::Tensor &tensor : result->program.tensors)
    result->shapes.push_back(tensor.denseShape());
  return result;
}

static uint64_t denseBytes(const hw::Tensor &tensor) {
  return tensor.elementCount() * hw::elementBytes(tensor.type);
}

static absl::StatusOr<sim::Mode> simulatorMode(AneMode mode) {
  switch (mode) {
  case ANE_MODE_EXACT:
    return sim::Mode::Exact;
  case ANE_MODE_FAST:
    return sim::Mode::Fast;
  case ANE_MODE_COUNT:
    return sim::Mode::Count;
  case ANE_MODE_ENGINE:
    return sim::Mode::Engine;
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("there is no mode %d, expected %d (exact) to %d (engine)",
                      static_cast<int>(mode), ANE_MODE_EXACT, ANE_MODE_ENGINE));
}

/// The surfaces of all tensors, with the data of the inputs.
static absl::Status packInputs(absl::Span<const hw::Tensor> tensors,
                               void *const *arrays,
                               std::vector<std::vector<uint8_t>> &surfaces) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const hw::Tensor &tensor = tensors[i];
    if (!arrays || (!arrays[i] && !tensor.isLow))
      return absl::InvalidArgumentError(
          absl::StrFormat("no array for tensor '%s', number %d of %d",
                          tensor.name, i, tensors.size()));
    if (absl::Status status = hw::checkSurface(tensor); !status.ok())
      return status;
    surfaces.emplace_back(tensor.bytes);
    if (tensor.kind != hw::TensorKind::Input || !arrays[i])
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

static absl::Status
unpackOutputs(absl::Span<const hw::Tensor> tensors, void *const *arrays,
              const std::vector<std::vector<uint8_t>> &surfaces) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const hw::Tensor &tensor = tensors[i];
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

static AneStats statsOf(const sim::Stats &all) {
  AneStats stats = {};
  stats.tasks = all.tasks.size();
  stats.macs = all.macs;
  stats.dramBytes = all.read.total() + all.written.total();
  stats.compulsoryBytes = all.compulsoryBytes;
  stats.l2PeakBytes = all.l2PeakBytes;
  stats.predictedMs = all.predictedMs;
  return stats;
}

/// Devices say nothing of their values; the surfaces do.
static void keepValues(AneExecutable &loaded, const rt::RunResult &result,
                       const std::vector<std::vector<uint8_t>> &surfaces) {
  loaded.surfaces.clear();
  loaded.tasks.clear();
  if (result.stats) {
    loaded.surfaces = result.stats->tensors;
    if (!loaded.surfaces.empty())
      loaded.tasks = result.stats->tasks;
    return;
  }
  absl::Span<const hw::Tensor> tensors = loaded.executable->tensors();
  for (size_t i = 0; i < tensors.size(); ++i)
    loaded.surfaces.push_back({tensors[i].name,
                               tensors[i].kind,
                               sim::countValues(tensors[i], surfaces[i]),
                               {}});
}

static AneValues valuesOf(const std::string &name, int64_t task,
                          const sim::ValueCounts &counts,
                          bool inheritsSpecial) {
  AneValues values = {};
  values.name = name.c_str();
  values.task = task;
  values.elements = counts.elements;
  values.infinities = counts.infinities;
  values.nans = counts.nans;
  values.underflows = counts.underflows;
  values.subnormals = counts.subnormals;
  values.largest = counts.largest;
  values.inheritsSpecial = inheritsSpecial;
  return values;
}

static absl::StatusOr<AneStats> run(AneExecutable &loaded, void *const *arrays,
                                    const AneRunOptions &options) {
  auto mode = simulatorMode(options.mode);
  if (!mode.ok())
    return mode.status();
  absl::Span<const hw::Tensor> tensors = loaded.executable->tensors();
  std::vector<std::vector<uint8_t>> surfaces;
  if (absl::Status status = packInputs(tensors, arrays, surfaces); !status.ok())
    return status;
  std::vector<absl::Span<uint8_t>> buffers;
  buffers.reserve(surfaces.size());
  for (std::vector<uint8_t> &surface : surfaces)
    buffers.push_back(absl::MakeSpan(surface));
  rt::RunOptions runOptions;
  runOptions.simulator.mode = *mode;
  runOptions.simulator.threads = options.threads;
  runOptions.simulator.assumptions = loaded.assumptions;
  auto result = loaded.executable->run(buffers, runOptions);
  if (!result.ok())
    return result.status();
  keepValues(loaded, *result, surfaces);
  loaded.hardwareMs = result->hardwareSeconds.value_or(0) * 1e3;
  if (absl::Status status = unpackOutputs(tensors, arrays, surfaces);
      !status.ok())
    return status;
  return result->stats ? statsOf(*result->stats) : AneStats();
}

static absl::StatusOr<std::unique_ptr<rt::Executable>>
load(const AneProgram &program, const char *kind) {
  auto device = rt::openDevice(kind ? kind : "sim");
  if (!device.ok())
    return device.status();
  if (program.mil)
    return (*device)->loadMIL(*program.mil);
  if (program.path.empty() || !(*device)->needsFiles())
    return (*device)->load(program.program);
  absl::StatusOr<std::string> file = readFile(program.path);
  if (!file.ok())
    return file.status();
  return (*device)->loadFile(program.program, {program.path, bytesOf(*file)});
}

void aneRuntimeFree(void *memory) { std::free(memory); }

const char *aneRuntimeVersion(void) { return version(); }

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
    return handOver({*std::move(program), {}, {}, {}});
  fail(program.status(), error);
  return nullptr;
}

AneProgram *aneProgramReadFile(const char *path, const char *milRoot,
                               char **error) {
  absl::StatusOr<AneProgram> program = readProgramFile(path, milRoot);
  if (program.ok())
    return handOver(*std::move(program));
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
  absl::c_copy(tensor.shape, result.shape);
  result.denseBytes = denseBytes(tensor);
  result.sizes = program->shapes[index].data();
  result.rank = program->shapes[index].size();
  result.isLow = tensor.isLow;
  return result;
}

int aneProgramConvert(const AneProgram *program, size_t index,
                      const float *numbers, void *dense, void *low,
                      char **error) {
  const std::vector<hw::Tensor> &tensors = program->program.tensors;
  if (index >= tensors.size() || tensors[index].kind != hw::TensorKind::Input)
    return fail(absl::InvalidArgumentError(
                    absl::StrFormat("tensor %d is no input", index)),
                error);
  const hw::Tensor &tensor = tensors[index];
  const bool isPair = hw::lowOf(tensors, index).has_value();
  if (!numbers || !dense || (low != nullptr) != isPair)
    return fail(absl::InvalidArgumentError(absl::StrFormat(
                    "input '%s' takes numbers, an array and %s array of low "
                    "halves",
                    tensor.name, isPair ? "an" : "no")),
                error);
  const hw::Elements elements =
      hw::narrow(tensor.type,
                 absl::MakeConstSpan(reinterpret_cast<const uint8_t *>(numbers),
                                     tensor.elementCount() * sizeof(float)),
                 isPair);
  std::memcpy(dense, elements.dense.data(), elements.dense.size());
  if (isPair)
    std::memcpy(low, elements.low.data(), elements.low.size());
  return 0;
}

int aneProgramVerify(const AneProgram *program, char **error) {
  if (program->mil)
    return fail(absl::InvalidArgumentError(
                    "MIL text has no words to verify; compile it first"),
                error);
  std::string lines;
  for (const hw::VerifyFault &fault : hw::verify(program->program).faults)
    absl::StrAppend(&lines, lines.empty() ? "" : "\n",
                    fault.task ? absl::StrCat("task ", *fault.task, ": ") : "",
                    fault.message);
  return lines.empty() ? 0 : fail(absl::InvalidArgumentError(lines), error);
}

AneExecutable *aneProgramLoad(const AneProgram *program, const char *device,
                              char **error) {
  auto executable = load(*program, device);
  if (executable.ok())
    return new AneExecutable{
        *std::move(executable), program->program.generation, {}, 0, {}, {}};
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

AneAssumption aneAssumptionGet(size_t index) {
  const std::vector<sim::AssumedValue> &values = sim::assumedValues();
  if (index >= values.size())
    return {};
  const sim::AssumedValue &value = values[index];
  return {value.fact, value.question, value.value, value.meaning};
}

int aneExecutableAssume(AneExecutable *executable, const char *assumptions,
                        char **error) {
  auto parsed = sim::parseAssumptions(
      assumptions, sim::assumptionsOf(hw::info(executable->generation).sums));
  if (!parsed.ok())
    return fail(parsed.status(), error);
  executable->assumptions = *parsed;
  return 0;
}

double aneExecutableHardwareMs(const AneExecutable *executable) {
  return executable->hardwareMs;
}

size_t aneExecutableValueCount(const AneExecutable *executable) {
  return executable->surfaces.size() + executable->tasks.size();
}

AneValues aneExecutableValues(const AneExecutable *executable, size_t index) {
  if (index < executable->surfaces.size()) {
    const sim::TensorStats &tensor = executable->surfaces[index];
    return valuesOf(tensor.name, -1, tensor.values, false);
  }
  index -= executable->surfaces.size();
  if (index >= executable->tasks.size())
    return {};
  const sim::TaskStats &task = executable->tasks[index];
  return valuesOf(task.op, task.index, task.values, task.inheritsSpecial);
}
