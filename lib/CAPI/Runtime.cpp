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
#include "ane/Runtime/Session.h"
#include "ane/Support/Version.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
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
struct AneEvent {
  std::shared_ptr<rt::Event> event;
};
struct AneExecutable {
  std::unique_ptr<rt::Session> session;
  hw::Generation generation;
  std::optional<sim::Assumptions> assumptions;
  double hardwareMs = 0; ///< of the last run
  /// Of the last run: surfaces, then results of tasks.
  std::vector<sim::TensorStats> surfaces;
  std::vector<sim::TaskStats> tasks;
};
struct AneRequest {
  AneExecutable *executable;
  std::shared_ptr<rt::Request> request;
};

static int fail(const absl::Status &status, char **error) {
  if (error)
    *error = strdup(std::string(status.message()).c_str());
  return 1;
}

namespace {
struct KnownDevice {
  rt::DeviceInfo info;
  std::vector<rt::Permission> permissions;
};

} // namespace

static const std::vector<KnownDevice> &knownDevices() {
  static const auto *known = [] {
    auto *result = new std::vector<KnownDevice>;
    for (const std::unique_ptr<rt::Device> &device : rt::devices())
      result->push_back({device->info(), device->permissions()});
    return result;
  }();
  return *known;
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
  if (std::error_code none; std::filesystem::is_character_file(path, none))
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": it is a device, not a file"));
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

static absl::StatusOr<AneProgram>
readProgramFile(std::string path, const char *milRoot, const char *function) {
  // A compiled model, or any other folder with the text of a network.
  if (std::error_code none; std::filesystem::is_directory(path, none))
    path = (std::filesystem::path(path) / "model.mil").string();
  absl::StatusOr<std::string> file = readFile(path);
  if (!file.ok())
    return file.status();
  AneProgram result;
  if (absl::EndsWith(path, ".mil")) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    auto model = rt::readMILModel(*file, milRoot ? milRoot : folder, function);
    if (!model.ok())
      return model.status();
    result.mil = *std::move(model);
    result.program.tensors = result.mil->tensors;
    return result;
  }
  if (*function)
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is no MIL text, which alone has functions", path));
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

static absl::StatusOr<std::vector<uint8_t>> pack(const hw::Tensor &tensor,
                                                 const void *array) {
  if (absl::Status status = hw::checkSurface(tensor); !status.ok())
    return status;
  std::vector<uint8_t> surface(tensor.bytes);
  absl::Status status =
      hw::packSurface(tensor,
                      absl::MakeConstSpan(static_cast<const uint8_t *>(array),
                                          denseBytes(tensor)),
                      absl::MakeSpan(surface));
  if (!status.ok())
    return status;
  return surface;
}

static absl::Status unpack(const hw::Tensor &tensor,
                           absl::Span<const uint8_t> surface, void *array) {
  return hw::unpackSurface(
      tensor, surface,
      absl::MakeSpan(static_cast<uint8_t *>(array), denseBytes(tensor)));
}

/// The surfaces of all tensors, with the data of the inputs. What is kept in the
/// device has one only where it has an array.
static absl::Status packInputs(const rt::Executable &executable,
                               void *const *arrays, bool needsOutputs,
                               rt::Surfaces &surfaces) {
  const absl::Span<const hw::Tensor> tensors = executable.tensors();
  for (size_t i = 0; i < tensors.size(); ++i) {
    const hw::Tensor &tensor = tensors[i];
    const bool isInput = tensor.kind == hw::TensorKind::Input;
    const bool hasArray = arrays && arrays[i];
    if (!hasArray && executable.isKept(i)) {
      surfaces.emplace_back();
      continue;
    }
    if (!hasArray && !tensor.isLow && (isInput || needsOutputs))
      return absl::InvalidArgumentError(
          absl::StrFormat("no array for tensor '%s', number %d of %d",
                          tensor.name, i, tensors.size()));
    if (!isInput || !hasArray) {
      if (absl::Status status = hw::checkSurface(tensor); !status.ok())
        return status;
      surfaces.emplace_back(tensor.bytes);
      continue;
    }
    absl::StatusOr<std::vector<uint8_t>> surface = pack(tensor, arrays[i]);
    if (!surface.ok())
      return surface.status();
    surfaces.push_back(*std::move(surface));
  }
  return absl::OkStatus();
}

static absl::Status unpackOutputs(absl::Span<const hw::Tensor> tensors,
                                  void *const *arrays,
                                  const rt::Surfaces &surfaces) {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].kind == hw::TensorKind::Output && arrays && arrays[i] &&
        !surfaces[i].empty())
      if (absl::Status status = unpack(tensors[i], surfaces[i], arrays[i]);
          !status.ok())
        return status;
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
  absl::Span<const hw::Tensor> tensors = loaded.session->executable().tensors();
  for (size_t i = 0; i < tensors.size(); ++i)
    if (surfaces[i].empty()) // kept in the device
      loaded.surfaces.push_back({tensors[i].name, tensors[i].kind, {}, {}});
    else
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

static std::chrono::milliseconds millisecondsOf(double seconds) {
  constexpr double most = 86400;
  return std::chrono::milliseconds(
      static_cast<int64_t>(std::min(std::max(seconds, 0.0), most) * 1e3));
}

static absl::StatusOr<rt::RunOptions> optionsOf(const AneExecutable &loaded,
                                                const AneRunOptions &options) {
  auto mode = simulatorMode(options.mode);
  if (!mode.ok())
    return mode.status();
  rt::RunOptions result;
  result.simulator.mode = *mode;
  result.simulator.threads = options.threads;
  result.simulator.assumptions = loaded.assumptions;
  if (options.timeoutSeconds < 0 || std::isnan(options.timeoutSeconds))
    return absl::InvalidArgumentError(absl::StrFormat(
        "timeoutSeconds is %g, expected seconds", options.timeoutSeconds));
  if (options.timeoutSeconds > 0)
    result.timeout = std::max(millisecondsOf(options.timeoutSeconds),
                              std::chrono::milliseconds(1));
  if (options.waitEvent)
    result.waits.push_back({options.waitEvent->event, options.waitValue});
  if (options.signalEvent)
    result.signals.push_back({options.signalEvent->event, options.signalValue});
  return result;
}

/// Notes what a run told, and writes its outputs.
static absl::StatusOr<AneStats>
finish(AneExecutable &loaded, const absl::StatusOr<rt::RunResult> &result,
       const rt::Surfaces &surfaces, void *const *arrays) {
  if (!result.ok())
    return result.status();
  keepValues(loaded, *result, surfaces);
  loaded.hardwareMs = result->hardwareSeconds.value_or(0) * 1e3;
  if (absl::Status status = unpackOutputs(
          loaded.session->executable().tensors(), arrays, surfaces);
      !status.ok())
    return status;
  return result->stats ? statsOf(*result->stats) : AneStats();
}

/// What a run takes: its options, and the surfaces with the inputs.
static absl::StatusOr<rt::RunOptions> prepare(const AneExecutable &loaded,
                                              void *const *arrays,
                                              const AneRunOptions *options,
                                              bool needsOutputs,
                                              rt::Surfaces &surfaces) {
  auto result = optionsOf(loaded, options ? *options : AneRunOptions());
  if (!result.ok())
    return result;
  if (absl::Status status = packInputs(loaded.session->executable(), arrays,
                                       needsOutputs, surfaces);
      !status.ok())
    return status;
  return result;
}

static absl::StatusOr<AneStats> run(AneExecutable &loaded, void *const *arrays,
                                    const AneRunOptions *options) {
  rt::Surfaces surfaces;
  auto prepared =
      prepare(loaded, arrays, options, /*needsOutputs=*/true, surfaces);
  if (!prepared.ok())
    return prepared.status();
  auto result = loaded.session->run(surfaces, *std::move(prepared));
  return finish(loaded, result, surfaces, arrays);
}

/// The number of a kept input; that of no tensor where there is none.
static size_t stateNamed(const rt::Executable &executable, const char *name) {
  const absl::Span<const hw::Tensor> tensors = executable.tensors();
  size_t index = 0;
  while (index < tensors.size() &&
         !(executable.isKept(index) && tensors[index].name == name &&
           tensors[index].kind == hw::TensorKind::Input))
    ++index;
  return index;
}

static absl::Status noState(const char *name) {
  return absl::InvalidArgumentError(
      absl::StrFormat("'%s' is no input that is kept", name));
}

static absl::StatusOr<std::unique_ptr<rt::Executable>>
loadOn(rt::Device &device, const AneProgram &program) {
  if (program.mil)
    return device.loadMIL(*program.mil);
  if (program.path.empty() || !device.needsFiles())
    return device.load(program.program);
  absl::StatusOr<std::string> file = readFile(program.path);
  if (!file.ok())
    return file.status();
  return device.loadFile(program.program, {program.path, bytesOf(*file)});
}

static absl::StatusOr<std::unique_ptr<rt::Session>>
load(const AneProgram &program, const char *kind) {
  auto device = rt::openDevice(kind ? kind : "sim");
  if (!device.ok())
    return device.status();
  auto executable = loadOn(**device, program);
  if (!executable.ok())
    return executable.status();
  return std::make_unique<rt::Session>(*std::move(executable),
                                       (*device)->timeout());
}

void aneRuntimeFree(void *memory) { std::free(memory); }

const char *aneRuntimeVersion(void) { return version(); }

size_t aneDeviceCount() { return knownDevices().size(); }

AneDevice aneDeviceGet(size_t index) {
  AneDevice result = {};
  if (index >= knownDevices().size())
    return result;
  const rt::DeviceInfo &info = knownDevices()[index].info;
  result.kind = info.kind.c_str();
  result.name = info.name.c_str();
  result.generation = info.generation.c_str();
  result.state = info.state.c_str();
  result.ready = info.ready;
  return result;
}

AnePermission aneDevicePermission(size_t device, size_t index) {
  if (device >= knownDevices().size() ||
      index >= knownDevices()[device].permissions.size())
    return {};
  const rt::Permission &found = knownDevices()[device].permissions[index];
  return {found.what.c_str(), found.held.c_str(), found.needed.c_str()};
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
  return aneProgramReadFunction(path, milRoot, "", error);
}

AneProgram *aneProgramReadFunction(const char *path, const char *milRoot,
                                   const char *function, char **error) {
  absl::StatusOr<AneProgram> program = readProgramFile(path, milRoot, function);
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
  auto session = load(*program, device);
  if (session.ok())
    return new AneExecutable{
        *std::move(session), program->program.generation, {}, 0, {}, {}};
  fail(session.status(), error);
  return nullptr;
}

AneExecutable *aneExecutableProcedure(AneExecutable *executable,
                                      const AneProgram *function,
                                      char **error) {
  auto procedure = executable->session->executable().procedure(
      function->mil ? *function->mil : rt::MILModel());
  if (procedure.ok())
    return new AneExecutable{
        std::make_unique<rt::Session>(*std::move(procedure),
                                      executable->session->timeout()),
        executable->generation,
        {},
        0,
        {},
        {}};
  fail(procedure.status(), error);
  return nullptr;
}

void aneExecutableDestroy(AneExecutable *executable) { delete executable; }

int aneExecutableRun(AneExecutable *executable, void *const *arrays,
                     const AneRunOptions *options, AneStats *stats,
                     char **error) {
  auto result = run(*executable, arrays, options);
  if (!result.ok())
    return fail(result.status(), error);
  if (stats)
    *stats = *result;
  return 0;
}

AneRequest *aneExecutableSubmit(AneExecutable *executable, void *const *arrays,
                                const AneRunOptions *options, char **error) {
  rt::Surfaces surfaces;
  auto prepared =
      prepare(*executable, arrays, options, /*needsOutputs=*/false, surfaces);
  if (prepared.ok())
    return new AneRequest{
        executable,
        executable->session->submit(std::move(surfaces), *std::move(prepared))};
  fail(prepared.status(), error);
  return nullptr;
}

int aneRequestWait(const AneRequest *request, double seconds) {
  if (seconds >= 0)
    return request->request->waitFor(millisecondsOf(seconds));
  (void)request->request->wait();
  return 1;
}

void aneRequestOnCompletion(AneRequest *request, void (*then)(void *),
                            void *context) {
  request->request->onCompletion([=] { then(context); });
}

int aneRequestCancel(AneRequest *request) { return request->request->cancel(); }

int aneRequestFinish(AneRequest *request, void *const *arrays, AneStats *stats,
                     char **error) {
  auto result = finish(*request->executable, request->request->wait(),
                       request->request->surfaces(), arrays);
  if (!result.ok())
    return fail(result.status(), error);
  if (stats)
    *stats = *result;
  return 0;
}

void aneRequestDestroy(AneRequest *request) { delete request; }

AneEvent *aneEventCreate(const char *kind, char **error) {
  auto device = rt::openDevice(kind ? kind : "sim");
  if (!device.ok()) {
    fail(device.status(), error);
    return nullptr;
  }
  auto event = (*device)->makeEvent();
  if (event.ok())
    return new AneEvent{*std::move(event)};
  fail(event.status(), error);
  return nullptr;
}

void aneEventDestroy(AneEvent *event) { delete event; }

uint64_t aneEventValue(const AneEvent *event) { return event->event->value(); }

void aneEventSignal(AneEvent *event, uint64_t value) {
  event->event->signal(value);
}

int aneEventWait(const AneEvent *event, uint64_t value, double seconds,
                 char **error) {
  std::optional<std::chrono::milliseconds> time;
  if (seconds >= 0)
    time = millisecondsOf(seconds);
  absl::Status status = event->event->wait(value, time);
  return status.ok() ? 0 : fail(status, error);
}

int aneExecutableKeep(AneExecutable *executable, const char *input,
                      const char *output, AneKeeping how, char **error) {
  absl::Status status = executable->session->executable().keep(
      input, output,
      how == ANE_KEEP_ALIAS ? rt::Keeping::Alias : rt::Keeping::Exchange);
  return status.ok() ? 0 : fail(status, error);
}

int aneExecutableWriteState(AneExecutable *executable, const char *input,
                            const void *array, char **error) {
  rt::Executable &loaded = executable->session->executable();
  const size_t index = stateNamed(loaded, input);
  if (index == loaded.tensors().size())
    return fail(noState(input), error);
  auto surface = pack(loaded.tensors()[index], array);
  absl::Status status =
      surface.ok() ? loaded.writeState(index, *surface) : surface.status();
  return status.ok() ? 0 : fail(status, error);
}

int aneExecutableReadState(AneExecutable *executable, const char *input,
                           void *array, char **error) {
  rt::Executable &loaded = executable->session->executable();
  const size_t index = stateNamed(loaded, input);
  if (index == loaded.tensors().size())
    return fail(noState(input), error);
  const hw::Tensor &tensor = loaded.tensors()[index];
  std::vector<uint8_t> surface(tensor.bytes);
  absl::Status status = loaded.readState(index, absl::MakeSpan(surface));
  if (status.ok())
    status = unpack(tensor, surface, array);
  return status.ok() ? 0 : fail(status, error);
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
