//===- Engine.cpp - Apple's private runtime -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"

#include "Chain.h"
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
      {"0x9", "a surface that is input and output is said to be refused: let "
              "them exchange theirs"},
  };
  for (const Hint &hint : hints)
    if (absl::StrContains(text, hint.part))
      return hint.hint;
  return nullptr;
}

absl::Status Engine::failure(const char *what, Id error) const {
  std::string reason = frameworks.describeError(error);
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
  case Path::Chained:
    return Chain::check(*this);
  }
  return absl::OkStatus();
}

absl::Status Engine::checkMachine() {
  if (!objcRuntime.sendClass(messages::HasEngine)) {
    bool isVirtual = objcRuntime.check(messages::IsVirtualMachine).ok() &&
                     objcRuntime.sendClass(messages::IsVirtualMachine);
    return absl::UnavailableError(
        isVirtual ? "this is a virtual machine, which has "
                    "no Neural Engine; use the host, or the "
                    "simulator (--device=sim)"
                  : "this machine has no Neural Engine; use "
                    "the simulator (--device=sim)");
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
      return failure("does not load the program", error);
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

absl::StatusOr<std::shared_ptr<LoadedModel>>
Engine::compileAndLoad(std::unique_ptr<ModelFolder> folder) {
  const std::string path = folder->modelPath();
  if (absl::Status status = connect(); !status.ok())
    return status;
  if (++usage.compiles > options.limits.compiles)
    return absl::ResourceExhaustedError(absl::StrFormat(
        "this process has compiled %d programs, the limit of Apple's runtime "
        "is near; go on in a new process, or open the device with 'worker' "
        "(apple:worker), which starts them",
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
    return failure("does not compile the network", error);
  std::shared_ptr<LoadedModel> result(
      new LoadedModel(shared_from_this(), model, compileOptions));
  result->folder = std::move(folder);
  result->isCompiled = true;
  if (absl::Status status = load(*result); !status.ok())
    return status;
  return result;
}

absl::StatusOr<std::shared_ptr<LoadedModel>>
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
  std::shared_ptr<LoadedModel> result(
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
    model = Ref();
    options = Ref();
    return absl::OkStatus();
  });
}

absl::StatusOr<Attributes>
LoadedModel::attributes(const std::string &function) const {
  return readAttributes(
      engine->foundation(),
      engine->objc().send(messages::ModelAttributes, model.get()), function);
}

static absl::StatusOr<Path> pathOf(absl::string_view name) {
  constexpr std::pair<absl::string_view, Path> paths[] = {
      {"standard", Path::Standard},
      {"direct", Path::Direct},
      {"realtime", Path::RealTime},
      {"program", Path::Program},
      {"chained", Path::Chained}};
  for (const auto &[known, path] : paths)
    if (known == name)
      return path;
  return absl::InvalidArgumentError(absl::StrFormat(
      "path '%s' is unknown; there are standard, direct, realtime, program and "
      "chained",
      name));
}

absl::Status parseOption(absl::string_view part, EngineOptions &options) {
  const std::pair<absl::string_view, absl::string_view> pair =
      absl::StrSplit(part, absl::MaxSplits('=', 1));
  const auto &[key, value] = pair;
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
        "device apple has no option '%s'; there are path=, qos=, stats, "
        "timeout= and worker",
        part));
  if (!absl::SimpleAtoi(value, &options.quality) ||
      options.quality > maxQuality)
    return absl::InvalidArgumentError(absl::StrFormat(
        "qos is '%s', expected a number from 0 to %d", value, maxQuality));
  return absl::OkStatus();
}

} // namespace ane::rt::apple
