//===- Engine.cpp - Apple's private runtime -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"

#include "Messages.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

#include <thread>
#include <unistd.h>

namespace ane::rt::apple {

static Usage &usageOfProcess() {
  static Usage usage;
  return usage;
}

/// What to do about an error that is known: all are *claims* of people who met
/// them. `text` is the description with its domain and code.
static const char *hintFor(absl::string_view text) {
  struct Hint {
    const char *part, *hint;
  };
  static constexpr Hint hints[] = {
      {"InvalidMILProgram",
       "the text is not what this compiler reads: ane-translate --from-mil "
       "checks it, and program(1.3) with ios18 needs macOS 15"},
      {"ANECCompile",
       "the compiler names no op: ane-compile names those that the engine "
       "cannot do"},
      {"0x1d", "the request does not fit the program"},
      {"Inference overflow", "too many runs are waiting"},
      {"0xe00002e2", "this program needs a permission that it has not"},
      {"ntitlement", "the path needs an entitlement (com.apple.aned.private."
                     "allow) that Apple gives to its own programs only: leave "
                     "out path="},
      {"ccess", "the daemon may not read the folder of the model: programs in "
                "a sandbox cannot compile"},
      {"imeout", "another program may hold the engine"},
  };
  for (const Hint &hint : hints)
    if (absl::StrContains(text, hint.part))
      return hint.hint;
  return nullptr;
}

static absl::Status failure(const Foundation &foundation, const char *what,
                            Id error) {
  std::string reason = foundation.describeError(error);
  const char *hint = hintFor(reason);
  return absl::InternalError(absl::StrFormat("Apple's runtime %s: %s%s%s", what,
                                             reason, hint ? "; " : "",
                                             hint ? hint : ""));
}

namespace {
/// Takes one of a limited number back unless it is kept.
class Slot {
public:
  explicit Slot(std::atomic<int> &used) : used(used), count(++used) {}
  ~Slot() {
    if (!isKept)
      --used;
  }
  void keep() { isKept = true; }
  bool exceeds(int limit) const { return count > limit; }

private:
  std::atomic<int> &used;
  int count;
  bool isKept = false;
};

} // namespace

Engine::Engine(const EngineOptions &options)
    : options(options),
      usage(options.usage ? *options.usage : usageOfProcess()),
      process(getpid()) {}

absl::Status Engine::resolve() {
  const Libraries &libraries = options.libraries;
  if (absl::Status status = objcRuntime.open(libraries); !status.ok())
    return status;
  if (absl::Status status = frameworks.open(libraries); !status.ok())
    return status;
  if (absl::Status status = surfaceApi.open(libraries); !status.ok())
    return status;
  Library engine;
  if (absl::Status status = engine.open(libraries.engine); !status.ok())
    return status;
#define ANE_MESSAGE(NAME, ...)                                                 \
  if (absl::Status status = objcRuntime.check(messages::NAME); !status.ok())   \
    return status;
#define ANE_OPTIONAL_MESSAGE(...)
#include "Messages.def"
  return absl::OkStatus();
}

absl::Status Engine::checkOptions() const {
  auto checkAll = [&](const auto &...all) {
    absl::Status status;
    ((status.ok() ? void(status = objcRuntime.check(all)) : void()), ...);
    return status;
  };
  if (options.statistics)
    if (absl::Status status =
            checkAll(messages::StatisticsSurface, messages::Statistics,
                     messages::HardwareTime);
        !status.ok())
      return status;
  switch (options.path) {
  case Path::Standard:
    break;
  case Path::Direct:
    return objcRuntime.check(messages::EvaluateDirect);
  case Path::RealTime:
    return checkAll(messages::LoadRealTime, messages::UnloadRealTime,
                    messages::EvaluateRealTime);
  case Path::Program:
    return checkAll(messages::ProgramOf, messages::StringId,
                    messages::ProcessRequest);
  }
  return absl::OkStatus();
}

absl::Status Engine::checkMachine() {
  if (!objcRuntime.sendClass(messages::HasEngine)) {
    bool isVirtual = objcRuntime.check(messages::IsVirtualMachine).ok() &&
                     objcRuntime.sendClass(messages::IsVirtualMachine);
    return absl::UnavailableError(isVirtual
                                      ? "this is a virtual machine, which has "
                                        "no Neural Engine"
                                      : "this machine has no Neural Engine");
  }
  architectureName = absl::AsciiStrToLower(
      frameworks.text(objcRuntime.sendClass(messages::Architecture)));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Engine>>
Engine::open(const EngineOptions &options) {
  std::shared_ptr<Engine> engine(new Engine(options));
  if (absl::Status status = engine->resolve(); !status.ok())
    return status;
  if (absl::Status status = engine->checkOptions(); !status.ok())
    return status;
  absl::Status status =
      engine->objcRuntime.guarded([&] { return engine->checkMachine(); });
  if (!status.ok())
    return status;
  return engine;
}

absl::Status Engine::checkProcess() const {
  if (process == getpid())
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      "Apple's runtime does not survive a fork; open the device in a process "
      "that was started anew (posix_spawn, 'spawn' of Python's "
      "multiprocessing)");
}

absl::Status Engine::load(LoadedModel &model) {
  Slot slot(usage.loaded);
  if (slot.exceeds(options.limits.loaded))
    return absl::ResourceExhaustedError(absl::StrFormat(
        "%d programs are loaded in this process, the limit of Apple's runtime "
        "is near; destroy one of them first",
        options.limits.loaded));
  Id error = nullptr;
  auto load = [&] {
    error = nullptr;
    return objcRuntime.send(options.path == Path::RealTime
                                ? messages::LoadRealTime
                                : messages::LoadModel,
                            client.get(), model.model.get(),
                            model.options.get(), options.quality, &error);
  };
  if (!load()) {
    std::this_thread::sleep_for(options.retryAfter);
    if (!load())
      return failure(frameworks, "does not load the program", error);
  }
  slot.keep();
  model.isLoaded = true;
  // *claim*: zero when nothing was loaded in spite of the answer.
  if (!objcRuntime.send(messages::ProgramHandle, model.model.get()))
    return absl::InternalError(
        "Apple's runtime says that it has loaded the program, but gives it no "
        "handle");
  return absl::OkStatus();
}

absl::Status Engine::connect() {
  std::lock_guard<std::mutex> lock(connecting);
  if (!client.get())
    client =
        Ref(objcRuntime, objcRuntime.sendClass(messages::SharedConnection));
  if (client.get())
    return absl::OkStatus();
  return absl::UnavailableError("Apple's runtime gives no connection to aned");
}

absl::StatusOr<std::unique_ptr<LoadedModel>>
Engine::compileAndLoad(const std::string &path) {
  if (absl::Status status = connect(); !status.ok())
    return status;
  if (++usage.compiles > options.limits.compiles)
    return absl::ResourceExhaustedError(absl::StrFormat(
        "this process has compiled %d programs, the limit of Apple's runtime "
        "is near; go on in a new process",
        options.limits.compiles));
  Id model =
      objcRuntime.sendClass(messages::ModelAtURL, frameworks.fileURL(path),
                            frameworks.string("mlir-ane"));
  if (!model)
    return absl::InternalError(
        absl::StrFormat("Apple's runtime makes no model of %s", path));
  Id compileOptions = frameworks.dictionary(
      {Foundation::Entry{frameworks.string("kANEFModelType"),
                         frameworks.string("kANEFModelMIL")}});
  Id error = nullptr;
  // Only the answer counts: *seen*: an error object may be there without error.
  if (!objcRuntime.send(messages::CompileModel, client.get(), model,
                        compileOptions, options.quality, &error))
    return failure(frameworks, "does not compile the network", error);
  std::unique_ptr<LoadedModel> result(
      new LoadedModel(shared_from_this(), model, compileOptions));
  result->isCompiled = true;
  if (absl::Status status = load(*result); !status.ok())
    return status;
  return result;
}

absl::StatusOr<std::unique_ptr<LoadedModel>>
Engine::loadCached(const std::string &key) {
  if (absl::Status status = objcRuntime.check(messages::ExistsMatchingHash);
      !status.ok())
    return absl::UnimplementedError(status.message());
  if (absl::Status status = connect(); !status.ok())
    return status;
  Id name = frameworks.string(key);
  if (!objcRuntime.send(messages::ExistsMatchingHash, client.get(), name))
    return absl::NotFoundError("the program is not in the cache of aned");
  Id model = objcRuntime.sendClass(
      messages::ModelAtURL, frameworks.fileURL(key), frameworks.string(""));
  if (!model)
    return absl::InternalError("Apple's runtime makes no model of a key");
  Id yes = frameworks.boolean(true);
  Id loadOptions = frameworks.dictionary(
      {{frameworks.string("kANEFInMemoryModelIsCachedKey"), yes},
       {frameworks.string("kANEFIsInMemoryModelTypeKey"), name},
       {frameworks.string("kANEFModelType"),
        frameworks.string("kANEFModelMIL")}});
  std::unique_ptr<LoadedModel> result(
      new LoadedModel(shared_from_this(), model, loadOptions));
  if (absl::Status status = load(*result); !status.ok())
    return status;
  return result;
}

LoadedModel::LoadedModel(std::shared_ptr<Engine> owner, Id model, Id options)
    : engine(std::move(owner)), model(engine->objc(), model),
      options(engine->objc(), options) {}

LoadedModel::~LoadedModel() {
  if (!engine->checkProcess().ok())
    return;
  const ObjC &objc = engine->objc();
  // Nobody is there to be told of a failure.
  (void)objc.guarded([&] {
    Id error = nullptr;
    Id client = engine->client.get();
    if (isLoaded) {
      --engine->usage.loaded;
      objc.send(
          engine->options.path == Path::RealTime ? messages::UnloadRealTime
                                                 : messages::UnloadModel,
          client, model.get(), options.get(), engine->options.quality, &error);
    }
    if (isCompiled && objc.check(messages::PurgeCompiledModel).ok())
      objc.send(messages::PurgeCompiledModel, client, model.get());
    // Here, where there is a pool for what they let go.
    surfaces.clear();
    request = Ref();
    model = Ref();
    options = Ref();
    return absl::OkStatus();
  });
}

absl::StatusOr<Attributes> LoadedModel::attributes() const {
  return readAttributes(
      engine->foundation(),
      engine->objc().send(messages::ModelAttributes, model.get()));
}

Id LoadedModel::makeRequest(absl::Span<const Binding> bindings,
                            absl::Span<const Id> objects, Id statistics) const {
  const Foundation &foundation = engine->foundation();
  std::array<std::vector<Id>, 2> surfacesOf, symbolsOf; // by kind
  for (size_t i = 0; i < bindings.size(); ++i) {
    auto kind = static_cast<size_t>(bindings[i].tensor.kind);
    surfacesOf[kind].push_back(objects[i]);
    symbolsOf[kind].push_back(foundation.number(bindings[i].symbol));
  }
  return engine->objc().sendClass(
      messages::MakeRequest, foundation.array(surfacesOf[0]),
      foundation.array(symbolsOf[0]), foundation.array(surfacesOf[1]),
      foundation.array(symbolsOf[1]), nullptr, statistics,
      foundation.number(0));
}

absl::StatusOr<Surface> LoadedModel::makeSurface(uint64_t bytes) const {
  return Surface::make(engine->surfaces(), engine->foundation(), bytes);
}

/// What a request takes to write the time of the engine to.
absl::StatusOr<Id> LoadedModel::makeStatistics() {
  constexpr uint64_t bytes = 1024; // *seen* in the program that does so
  absl::StatusOr<Surface> surface = makeSurface(bytes);
  if (!surface.ok())
    return surface.status();
  const ObjC &objc = engine->objc();
  Id object = objc.sendClass(
      messages::StatisticsSurface,
      objc.sendClass(messages::SurfaceObject, surface->get()), 0);
  if (!object)
    return absl::InternalError(
        "Apple's runtime makes nothing to write statistics to");
  surfaces.push_back(*std::move(surface));
  return engine->foundation().array({object});
}

absl::Status LoadedModel::bind(absl::Span<const Binding> bindings) {
  std::vector<Id> objects;
  for (const Binding &binding : bindings) {
    absl::StatusOr<Surface> surface = makeSurface(binding.surfaceBytes);
    if (!surface.ok())
      return surface.status();
    Id object =
        engine->objc().sendClass(messages::SurfaceObject, surface->get());
    if (!object)
      return absl::InternalError(
          absl::StrFormat("Apple's runtime does not take the IOSurface of '%s'",
                          binding.tensor.name));
    objects.push_back(object);
    surfaces.push_back(*std::move(surface));
  }
  absl::StatusOr<Id> statistics = nullptr;
  if (engine->options.statistics)
    statistics = makeStatistics();
  if (!statistics.ok())
    return statistics.status();
  request = Ref(engine->objc(), makeRequest(bindings, objects, *statistics));
  if (!request.get())
    return absl::InternalError(
        "Apple's runtime makes no request of the program's tensors");
  return absl::OkStatus();
}

Bool LoadedModel::evaluateBy(Path path, Id runOptions, Id *error) {
  const ObjC &objc = engine->objc();
  const uint32_t quality = engine->options.quality;
  Id client = engine->client.get(), program = model.get(), what = request.get();
  switch (path) {
  case Path::Standard:
    break;
  case Path::Direct:
    return objc.send(messages::EvaluateDirect, client, program, runOptions,
                     what, quality, error);
  case Path::RealTime:
    return objc.send(messages::EvaluateRealTime, client, program, runOptions,
                     what, error);
  case Path::Program: {
    uint32_t value = 0;
    return objc.send(
        messages::ProcessRequest, objc.send(messages::ProgramOf, program), what,
        program, quality, /*qIndex=*/0, objc.send(messages::StringId, program),
        runOptions, &value, error);
  }
  }
  return objc.send(messages::EvaluateWithModel, client, program, runOptions,
                   what, quality, error);
}

absl::Status LoadedModel::evaluate() {
  const Foundation &foundation = engine->foundation();
  // *seen*: the bits of the program that reads the time.
  constexpr uint64_t counters = 1 << 0 | 1 << 3 | 1 << 5 | 1 << 7;
  std::vector<Foundation::Entry> entries;
  if (engine->options.statistics)
    entries.emplace_back(foundation.string("kANEFPerformanceStatsMask"),
                         foundation.number(counters));
  Id error = nullptr;
  if (evaluateBy(engine->options.path, foundation.dictionary(entries), &error))
    return absl::OkStatus();
  return failure(foundation, "does not run the program", error);
}

std::optional<double> LoadedModel::hardwareSeconds() const {
  if (!engine->options.statistics)
    return std::nullopt;
  const ObjC &objc = engine->objc();
  const uint64_t nanoseconds = objc.send(
      messages::HardwareTime, objc.send(messages::Statistics, request.get()));
  if (!nanoseconds)
    return std::nullopt;
  return double(nanoseconds) * 1e-9;
}

static absl::StatusOr<Path> pathOf(absl::string_view name) {
  constexpr std::pair<absl::string_view, Path> paths[] = {
      {"standard", Path::Standard},
      {"direct", Path::Direct},
      {"realtime", Path::RealTime},
      {"program", Path::Program}};
  for (const auto &[known, path] : paths)
    if (known == name)
      return path;
  return absl::InvalidArgumentError(absl::StrFormat(
      "path '%s' is unknown; there are standard, direct, realtime and program",
      name));
}

static absl::Status parseTimeout(absl::string_view text,
                                 std::chrono::milliseconds &timeout) {
  constexpr double most = 86400;
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds > 0) || seconds > most)
    return absl::InvalidArgumentError(absl::StrFormat(
        "timeout is '%s', expected seconds, up to %g", text, most));
  timeout = std::chrono::milliseconds(
      std::max<int64_t>(1, static_cast<int64_t>(seconds * 1e3)));
  return absl::OkStatus();
}

static absl::Status parseOption(absl::string_view part,
                                EngineOptions &options) {
  const std::pair<absl::string_view, absl::string_view> pair =
      absl::StrSplit(part, absl::MaxSplits('=', 1));
  const auto &[key, value] = pair;
  if (key == "timeout")
    return parseTimeout(value, options.timeout);
  if (part == "stats") {
    options.statistics = true;
    return absl::OkStatus();
  }
  if (key == "path") {
    absl::StatusOr<Path> path = pathOf(value);
    if (path.ok())
      options.path = *path;
    return path.status();
  }
  constexpr uint32_t maxQuality = 63;
  if (key != "qos")
    return absl::InvalidArgumentError(absl::StrFormat(
        "device apple has no option '%s'; there are path=, qos=, timeout= and "
        "stats",
        part));
  if (!absl::SimpleAtoi(value, &options.quality) ||
      options.quality > maxQuality)
    return absl::InvalidArgumentError(absl::StrFormat(
        "qos is '%s', expected a number from 0 to %d", value, maxQuality));
  return absl::OkStatus();
}

absl::Status parseOptions(absl::string_view text, EngineOptions &options) {
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty()))
    if (absl::Status status = parseOption(part, options); !status.ok())
      return status;
  return absl::OkStatus();
}

} // namespace ane::rt::apple
