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
#include "absl/strings/str_format.h"

#include <thread>
#include <unistd.h>

namespace ane::rt::apple {
namespace {

/// *seen*: the value of three published programs, and the quality of service
/// that is the default elsewhere. Others run at the same speed.
constexpr uint32_t kQuality = 21;

Usage &usageOfProcess() {
  static Usage usage;
  return usage;
}

/// What to do about an error that is known: all are *claims* of people who met
/// them. `text` is the description with its domain and code.
const char *hintFor(absl::string_view text) {
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
      {"ccess", "the daemon may not read the folder of the model: programs in "
                "a sandbox cannot compile"},
      {"imeout", "another program may hold the engine"},
  };
  for (const Hint &hint : hints)
    if (absl::StrContains(text, hint.part))
      return hint.hint;
  return nullptr;
}

absl::Status failure(const Foundation &foundation, const char *what, Id error) {
  std::string reason = foundation.describeError(error);
  const char *hint = hintFor(reason);
  return absl::InternalError(absl::StrFormat("Apple's runtime %s: %s%s%s", what,
                                             reason, hint ? "; " : "",
                                             hint ? hint : ""));
}

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
    return objcRuntime.send(messages::LoadModel, client.get(),
                            model.model.get(), model.options.get(), kQuality,
                            &error);
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
                        compileOptions, kQuality, &error))
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
      objc.send(messages::UnloadModel, client, model.get(), options.get(),
                kQuality, &error);
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
                            absl::Span<const Id> objects) const {
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
      foundation.array(symbolsOf[1]), nullptr, nullptr, foundation.number(0));
}

absl::Status LoadedModel::bind(absl::Span<const Binding> bindings) {
  std::vector<Id> objects;
  for (const Binding &binding : bindings) {
    absl::StatusOr<Surface> surface = Surface::make(
        engine->surfaces(), engine->foundation(), binding.surfaceBytes);
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
  request = Ref(engine->objc(), makeRequest(bindings, objects));
  if (!request.get())
    return absl::InternalError(
        "Apple's runtime makes no request of the program's tensors");
  return absl::OkStatus();
}

absl::Status LoadedModel::evaluate() {
  Id error = nullptr;
  Id none = engine->foundation().dictionary({});
  if (engine->objc().send(messages::EvaluateWithModel, engine->client.get(),
                          model.get(), none, request.get(), kQuality, &error))
    return absl::OkStatus();
  return failure(engine->foundation(), "does not run the program", error);
}

} // namespace ane::rt::apple
