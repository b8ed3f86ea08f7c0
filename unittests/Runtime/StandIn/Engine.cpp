//===- Engine.cpp - AppleNeuralEngine.framework, played -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The daemon is ane-compile and the simulator, or what a test gives instead.
// Symbols are numbered from the last tensor to the first, so that whoever binds
// by position computes something else.
//
//===----------------------------------------------------------------------===//

#include "MiniObjC.h"

#include "ane/HW/Container.h"
#include "ane/Simulator/Simulator.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

namespace ane::standin {

namespace fs = std::filesystem;

namespace {
struct Model : Object {
  Model(std::string path, std::string key)
      : Object("_ANEModel"), path(std::move(path)), key(std::move(key)) {}
  std::string path, key;
  Compiled compiled;
  bool isCompiled = false, isLoaded = false, isOwn = false, isRealTime = false;
  Id chain = nullptr; ///< that is prepared
  bool hasInputs = false;
  ~Model() override {
    if (chain)
      release(chain);
  }
  /// A function by the number that requests have.
  const Compiled &function(uint64_t procedure) const {
    return procedure ? compiled.others.at(procedure - 1) : compiled;
  }
};

struct SurfaceObject : Object {
  SurfaceObject(IOSurface *surface)
      : Object("_ANEIOSurfaceObject"), surface(surface) {
    retain(surface);
  }
  ~SurfaceObject() override { release(surface); }
  IOSurface *surface;
};

/// As the public specification of blocks has it.
struct Block {
  const void *isa;
  int32_t flags, reserved;
  void (*invoke)(Block *, Bool, Id);
  const struct {
    uintptr_t reserved, size;
  } *descriptor;
};

/// Keeps others.
struct Holder : Object {
  Holder(const char *name, std::vector<Id> all)
      : Object(name), parts(std::move(all)) {
    for (Id part : parts)
      if (part)
        retain(part);
  }
  ~Holder() override {
    for (Id part : parts)
      if (part)
        release(part);
  }
  std::vector<Id> parts;
};

struct Request : Holder {
  Request(std::vector<Id> all, uint64_t procedure, Id events)
      : Holder("_ANERequest", std::move(all)), procedure(procedure),
        events(events) {
    if (events)
      retain(events);
  }
  ~Request() override {
    if (events)
      release(events);
  }
  // Its parts: inputs, their indices, outputs, their indices, perhaps
  // statistics.
  uint64_t procedure;
  Id events;
  std::vector<char> handler; ///< a copy of a block
};

/// The counter of an IOSurface.
struct Counter : Object {
  Counter() : Object("IOSurfaceSharedEvent") {}
  void set(uint64_t wanted) {
    std::lock_guard<std::mutex> hold(lock);
    value = wanted;
    changed.notify_all();
  }
  bool wait(uint64_t wanted, std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> hold(lock);
    return changed.wait_for(hold, time, [&] { return value >= wanted; });
  }
  std::mutex lock;
  std::condition_variable changed;
  uint64_t value = 0;
};

/// What waits or signals: a counter, and a value.
struct EventOf : Holder {
  EventOf(const char *name, Id counter, uint64_t value)
      : Holder(name, {counter}), value(value) {}
  uint64_t value;
};

/// A surface object, its symbol, and whether it is an output.
struct ChainBuffer : Holder {
  ChainBuffer(Id surface, Id symbol, bool isOutput)
      : Holder("_ANEBuffer", {surface, symbol}), isOutput(isOutput) {}
  bool isOutput;
};

/// The values of what makes a chain go on.
struct ChainStep : Holder {
  ChainStep(const char *name, std::vector<Id> parts, uint64_t signal)
      : Holder(name, std::move(parts)), signal(signal) {}
  uint64_t signal;
};

struct StatisticsSurface : Object {
  explicit StatisticsSurface(Id surface)
      : Object("_ANEPerformanceStatsIOSurface"), surface(surface) {
    retain(surface);
  }
  ~StatisticsSurface() override { release(surface); }
  Id surface;
};

/// What a run can be asked of a loaded program below the client.
struct LoadedProgram : Object {
  explicit LoadedProgram(Id model)
      : Object("_ANEProgramForEvaluation"), model(model) {}
  Id model;
};

} // namespace

static std::string entryOf(Id dictionary, const char *key) {
  auto *options = as<Dictionary>(dictionary, "options");
  if (!options || !options->entries.count(key))
    return "";
  Id value = options->entries[key];
  if (auto *number = dynamic_cast<Number *>(value))
    return std::to_string(number->value);
  return as<String>(value, key)->text;
}

static Bool fail(const std::string &text, Id *error) {
  if (!aneStandIn().failsWithoutError)
    *error = make<NSError>(text);
  return 0;
}

static std::string bytesOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A register program, run by the simulator.
static Compiled programIn(const fs::path &path) {
  std::string bytes = bytesOf(path);
  auto read = hw::readProgram(absl::MakeConstSpan(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  Compiled result;
  if (!read.ok()) {
    result.error = std::string(read.status().message());
    return result;
  }
  auto program = std::make_shared<hw::Program>(*std::move(read));
  result.tensors = program->tensors;
  result.run = [program](const std::vector<uint8_t *> &surfaces) {
    std::vector<absl::Span<uint8_t>> spans;
    spans.reserve(surfaces.size());
    for (size_t i = 0; i < surfaces.size(); ++i)
      spans.emplace_back(surfaces[i], program->tensors[i].bytes);
    sim::Options exact; // as tools do by default
    exact.mode = sim::Mode::Exact;
    return sim::run(*program, spans, exact).ok();
  };
  return result;
}

static Compiled compileFolder(const std::string &folder) {
  if (aneStandIn().compile)
    return aneStandIn().compile(folder);
  const char *compiler = std::getenv("ANE_STAND_IN_COMPILER");
  const std::string text = bytesOf(folder + "/model.mil");
  std::vector<Compiled> all;
  for (size_t at = text.find("func "); at != std::string::npos;
       at = text.find("func ", at + 1)) {
    const std::string name =
        text.substr(at + 5, text.find_first_of("<(", at) - at - 5);
    const std::string command =
        absl::StrCat("'", compiler ? compiler : "ane-compile", "' '", folder,
                     "/model.mil' --function=", name, " -o '", folder,
                     "/net.hwx' 2>'", folder, "/log'");
    // NOLINTNEXTLINE(bugprone-command-processor): the compiler is a tool.
    if (std::system(command.c_str()) != 0)
      return {"ANECCompile() FAILED: " + bytesOf(folder + "/log"), {}, nullptr};
    all.push_back(programIn(folder + "/net.hwx"));
    all.back().function = name;
  }
  if (all.empty())
    return {"ANECCompile() FAILED: no function", {}, nullptr};
  Compiled first = all.front();
  first.others.assign(all.begin() + 1, all.end());
  return first;
}

/// Where the daemon keeps what belongs to a key.
static fs::path cachedFile(const std::string &key) {
  const char *variable = std::getenv("ANE_STAND_IN_ROOT");
  const Control &control = aneStandIn();
  fs::path root = !control.root.empty() ? control.root
                  : variable            ? variable
                                        : "/nowhere";
  return root / "Library/Caches/com.apple.aned" / control.build /
         "InMemoryModelCache" / fs::read_symlink("/proc/self/exe").filename() /
         key / "model.hwx";
}

// ---- _ANEModel: attributes

static Id text(const std::string &value) { return make<String>(value); }
static Id number(uint64_t value) { return make<Number>(value); }

/// Leaves out and changes what a test says.
static Id dictionary(std::map<std::string, Id> entries) {
  const Control &control = aneStandIn();
  entries.erase(control.dropAttribute);
  for (auto &[key, entry] : entries) {
    if (auto found = control.textAttributes.find(key);
        found != control.textAttributes.end())
      entry = text(found->second);
    if (auto found = control.numberAttributes.find(key);
        found != control.numberAttributes.end())
      entry = number(found->second);
  }
  return make<Dictionary>(entries);
}

static Id describeTensor(const hw::Tensor &tensor) {
  const char *types[] = {"UInt8", "Int8", "Float16"};
  bool isOutput = tensor.kind == hw::TensorKind::Output;
  return dictionary({{"Name", text(tensor.name + (isOutput ? "@output" : ""))},
                     {"Type", text(types[static_cast<int>(tensor.type)])},
                     {"Batches", number(tensor.shape[0])},
                     {"Channels", number(tensor.shape[1])},
                     {"Height", number(tensor.shape[2])},
                     {"Width", number(tensor.shape[3])},
                     {"Depth", number(1)},
                     {"BatchStride", number(tensor.strides[0])},
                     {"PlaneStride", number(tensor.strides[1])},
                     {"RowStride", number(tensor.strides[2])}});
}

static Id attributesOf(Id self, Selector) {
  auto *model = as<Model>(self, "-modelAttributes");
  note("modelAttributes");
  if (!model->isLoaded)
    complain("attributes are asked for before loading");
  std::map<std::string, Id> description, numbers;
  std::vector<Id> networks, procedures, names[2];
  for (uint64_t p = 0; p <= model->compiled.others.size(); ++p) {
    const Compiled &function = model->function(p);
    std::map<std::string, Id> network, procedure;
    procedure["ANEFModelProcedureID"] = number(p);
    numbers[function.function] = number(p);
    for (bool isOutput : {false, true}) {
      std::vector<Id> live, own, indices;
      const size_t before = names[isOutput].size();
      for (const hw::Tensor &tensor : function.tensors)
        if ((tensor.kind == hw::TensorKind::Output) == isOutput) {
          live.push_back(describeTensor(tensor));
          own.insert(own.begin(),
                     text(tensor.name + (isOutput ? "@output" : "")));
          indices.push_back(number(before + indices.size()));
        }
      names[isOutput].insert(names[isOutput].end(), own.begin(), own.end());
      const char *kind = isOutput ? "Output" : "Input";
      network[std::string("Live") + kind + "List"] = make<Array>(live);
      procedure[std::string("ANEFModel") + kind + "SymbolIndexArray"] =
          make<Array>(indices);
    }
    if (aneStandIn().withStates)
      network["LiveStateList"] = make<Array>(std::vector<Id>{text("state")});
    networks.push_back(dictionary(network));
    procedures.push_back(dictionary(procedure));
  }
  description["kANEFModelInputSymbolsArrayKey"] = make<Array>(names[0]);
  description["kANEFModelOutputSymbolsArrayKey"] = make<Array>(names[1]);
  description["kANEFModelProcedureNameToIDMapKey"] = dictionary(numbers);
  description["ANEFModelProcedures"] = make<Array>(procedures);
  return dictionary({{"NetworkStatusList", make<Array>(networks)},
                     {"ANEFModelDescription", dictionary(description)}});
}

// ---- _ANEClient

static Model *modelOf(Id object, const char *selector) {
  {
    std::lock_guard<std::mutex> lock(standInLock());
    aneStandIn().messages.push_back(selector);
  }
  return as<Model>(object, selector);
}

static Bool compileModel(Id, Selector, Id object, Id options, uint32_t quality,
                         Id *error) {
  Control &control = aneStandIn();
  Model *model = modelOf(object, "compileModel");
  note("compileModel:options:qos:error:");
  fs::path path = model->path;
  if (path.filename() != "model.mil" || !fs::is_regular_file(path))
    complain("no model.mil is compiled, but " + path.string());
  if (entryOf(options, "kANEFModelType") != "kANEFModelMIL" || quality > 63)
    complain("options of compiling");
  ++control.compiled;
  control.folder = path.parent_path();
  model->compiled = compileFolder(control.folder);
  model->isCompiled = model->isOwn = model->compiled.error.empty();
  return model->isCompiled ? 1 : fail(model->compiled.error, error);
}

static Bool loadModel(Id, Selector, Id object, Id options, uint32_t,
                      Id *error) {
  Control &control = aneStandIn();
  Model *model = modelOf(object, "loadModel");
  note("loadModel:options:qos:error:");
  if (!model->isCompiled) {
    std::string key = entryOf(options, "kANEFIsInMemoryModelTypeKey");
    if (key != model->path || !model->key.empty() ||
        entryOf(options, "kANEFInMemoryModelIsCachedKey") != "1")
      complain("options of loading");
    auto &load = aneStandIn().load;
    model->compiled = load ? load(cachedFile(key)) : programIn(cachedFile(key));
  } else if (!fs::exists(model->path))
    complain("the folder is gone before loading");
  if (control.failingLoads > 0) {
    --control.failingLoads;
    return fail("Program load failure", error);
  }
  if (!model->compiled.error.empty())
    return fail(model->compiled.error, error);
  if (model->isLoaded)
    complain("loaded twice");
  model->isLoaded = true;
  ++control.loaded;
  // An error object that means nothing, as real ones were seen to give.
  *error = make<NSError>("none");
  return 1;
}

static Bool loadRealTime(Id self, Selector selector, Id object, Id options,
                         uint32_t quality, Id *error) {
  const Bool result =
      loadModel(self, selector, object, options, quality, error);
  aneStandIn().messages.back() = "loadRealTimeModel";
  as<Model>(object, "model")->isRealTime = result;
  return result;
}

static Bool unloadModel(Id, Selector, Id object, Id, uint32_t, Id *) {
  Model *model = modelOf(object, "unloadModel");
  if (!model->isLoaded)
    complain("unloaded without loading");
  if (model->isRealTime)
    complain("a real-time program is unloaded like others");
  if (model->isOwn && !fs::exists(model->path))
    complain("the folder is gone before unloading");
  model->isLoaded = false;
  --aneStandIn().loaded;
  return 1;
}

static Bool unloadRealTime(Id self, Selector selector, Id object, Id options,
                           uint32_t quality, Id *error) {
  Model *model = as<Model>(object, "model");
  if (!model->isRealTime)
    complain("a program is unloaded as real-time, but is none");
  model->isRealTime = false;
  const Bool result =
      unloadModel(self, selector, object, options, quality, error);
  aneStandIn().messages.back() = "unloadRealTimeModel";
  return result;
}

static void purgeModel(Id, Selector, Id object) {
  Model *model = modelOf(object, "purgeCompiledModel");
  if (!model->isOwn || model->isLoaded)
    complain("purged what is in use, or was not compiled");
  ++aneStandIn().purged;
}

/// Runs a function on the surfaces that `find` gives for kinds and symbols.
static std::string
runFunction(const Model &model, uint64_t procedure,
            const std::function<IOSurface *(size_t, size_t)> &find) {
  size_t counts[2] = {}, seen[2] = {}, before[2] = {};
  for (uint64_t p = 0; p < procedure; ++p)
    for (const hw::Tensor &tensor : model.function(p).tensors)
      ++before[static_cast<int>(tensor.kind)];
  const Compiled &function = model.function(procedure);
  for (const hw::Tensor &tensor : function.tensors)
    ++counts[static_cast<int>(tensor.kind)];
  std::vector<uint8_t *> surfaces;
  for (const hw::Tensor &tensor : function.tensors) {
    const auto kind = static_cast<size_t>(tensor.kind);
    size_t position = seen[kind]++;
    size_t symbol =
        before[kind] +
        (aneStandIn().symbolsInOrder ? position : counts[kind] - 1 - position);
    IOSurface *surface = find(kind, symbol);
    if (!surface)
      return "0x2: wrong indices";
    if (surface->locks || surface->bytes.size() < tensor.bytes)
      return "0x1d: a surface";
    surfaces.push_back(surface->bytes.data());
    if (aneStandIn().refusesShared && kind &&
        absl::c_count(surfaces, surfaces.back()) > 1)
      return "statusType=0x9";
  }
  std::this_thread::sleep_for(
      std::chrono::milliseconds(aneStandIn().runMilliseconds));
  return function.run(surfaces) ? "" : "the run";
}

static std::string runRequest(const Model &model, const Request &request) {
  aneStandIn().procedure = static_cast<int>(request.procedure);
  return runFunction(
      model, request.procedure, [&](size_t kind, size_t symbol) -> IOSurface * {
        auto &objects = as<Array>(request.parts[2 * kind], "surfaces")->objects;
        auto &indices =
            as<Array>(request.parts[2 * kind + 1], "indices")->objects;
        for (size_t i = 0; i < objects.size(); ++i)
          if (as<Number>(indices.at(i), "index")->value == symbol)
            return as<SurfaceObject>(objects[i], "surface")->surface;
        return nullptr;
      });
}

// NOLINTBEGIN(readability-identifier-naming): those of macOS
extern "C" void *objc_autoreleasePoolPush();
extern "C" void objc_autoreleasePoolPop(void *pool);
// NOLINTEND(readability-identifier-naming)

/// Waits, runs, raises and calls, while the message has returned long ago.
static void runWithEvents(Model *model, Request *request) {
  void *pool = objc_autoreleasePoolPush();
  auto &parts = as<Holder>(request->events, "events")->parts;
  for (Id wait : as<Array>(parts[1], "waits")->objects) {
    auto *event = as<EventOf>(wait, "wait");
    while (!as<Counter>(event->parts[0], "event")
                ->wait(event->value, std::chrono::seconds(1))) {
    }
  }
  const std::string error = aneStandIn().runError.empty()
                                ? runRequest(*model, *request)
                                : aneStandIn().runError;
  if (error.empty())
    for (Id signal : as<Array>(parts[0], "signals")->objects) {
      auto *event = as<EventOf>(signal, "signal");
      as<Counter>(event->parts[0], "event")->set(event->value);
    }
  std::vector<char> handler = request->handler;
  Id said = error.empty() ? nullptr : new NSError(error);
  auto *block = reinterpret_cast<Block *>(handler.data());
  block->invoke(block, error.empty(), said);
  if (said)
    release(said);
  release(request);
  release(model);
  objc_autoreleasePoolPop(pool);
}

/// What all messages that run a program do.
static Bool runProgram(Model *model, Id options, Id what, uint32_t quality,
                       Id *error) {
  auto *request = as<Request>(what, "request");
  aneStandIn().quality = quality;
  const bool asksTime = !entryOf(options, "kANEFPerformanceStatsMask").empty();
  if (asksTime != (request->parts.size() > 4))
    complain("statistics of a request without them, or the reverse");
  if (!model->isLoaded || !as<Dictionary>(options, "options"))
    complain("a run before loading, or without options");
  if (request->events) {
    if (request->handler.empty()) {
      complain("shared events without a completion handler");
      return 0;
    }
    retain(model);
    retain(request);
    std::thread(runWithEvents, model, request).detach();
    return 1;
  }
  if (!aneStandIn().runError.empty())
    return fail(aneStandIn().runError, error);
  const std::string said = runRequest(*model, *request);
  return said.empty() ? 1 : fail(said, error);
}

static Bool evaluate(Id, Selector, Id object, Id options, Id what,
                     uint32_t quality, Id *error) {
  Model *model = modelOf(object, "evaluateWithModel");
  note("evaluateWithModel:options:request:qos:error:");
  if (model->isRealTime)
    complain("a real-time program is run like others");
  return runProgram(model, options, what, quality, error);
}

static Bool evaluateDirect(Id, Selector, Id object, Id options, Id what,
                           uint32_t quality, Id *error) {
  return runProgram(modelOf(object, "doEvaluateDirectWithModel"), options, what,
                    quality, error);
}

static Bool evaluateRealTime(Id, Selector, Id object, Id options, Id what,
                             Id *error) {
  Model *model = modelOf(object, "evaluateRealTimeWithModel");
  if (!model->isRealTime)
    complain("a program is run as real-time, but was not loaded so");
  return runProgram(model, options, what, 0, error);
}

constexpr uint64_t kStringId = 0x1234;

static Bool processRequest(Id self, Selector, Id what, Id object,
                           uint32_t quality, uint64_t queue, uint64_t stringId,
                           Id options, uint32_t *value, Id *error) {
  Model *model = modelOf(object, "processRequest");
  if (as<LoadedProgram>(self, "program")->model != object || queue ||
      stringId != kStringId || !value)
    complain("arguments of processRequest");
  return runProgram(model, options, what, quality, error);
}

static void addPaths() {
  add("_ANEClient", false,
      "doEvaluateDirectWithModel:options:request:qos:error:", evaluateDirect);
  add("_ANEClient", false,
      "evaluateRealTimeWithModel:options:request:error:", evaluateRealTime);
  add("_ANEClient", false,
      "loadRealTimeModel:options:qos:error:", loadRealTime);
  add("_ANEClient", false,
      "unloadRealTimeModel:options:qos:error:", unloadRealTime);
  add(
      "_ANEModel", false, "program", +[](Id self, Selector) -> Id {
        if (!as<Model>(self, "model")->isLoaded)
          complain("the program of a model that is not loaded");
        return make<LoadedProgram>(self);
      });
  add(
      "_ANEModel", false, "string_id",
      +[](Id, Selector) -> unsigned long { return kStringId; });
  add("_ANEProgramForEvaluation", false,
      "processRequest:model:qos:qIndex:modelStringID:options:returnValue:"
      "error:",
      processRequest);
}

// ---- Events

// The class of blocks on a stack, under the name of macOS.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" __attribute__((visibility("default")))
const void *_NSConcreteStackBlock[32] = {};
// NOLINTEND(readability-identifier-naming)

static void addEvents() {
  add(
      "IOSurfaceSharedEvent", true, "alloc",
      +[](Id, Selector) -> Id { return new Counter; });
  add(
      "IOSurfaceSharedEvent", false, "init", +[](Id self, Selector) -> Id {
        if (!note("initSharedEvent"))
          return self;
        release(self);
        return nullptr;
      });
  add(
      "IOSurfaceSharedEvent", false, "signaledValue",
      +[](Id self, Selector) -> unsigned long {
        auto *counter = as<Counter>(self, "event");
        std::lock_guard<std::mutex> hold(counter->lock);
        return counter->value;
      });
  add(
      "IOSurfaceSharedEvent", false,
      "setSignaledValue:", +[](Id self, Selector, unsigned long value) {
        as<Counter>(self, "event")->set(value);
      });
  add(
      "IOSurfaceSharedEvent", false, "waitUntilSignaledValue:timeoutMS:",
      +[](Id self, Selector, unsigned long value,
          unsigned long milliseconds) -> Bool {
        return as<Counter>(self, "event")
            ->wait(value, std::chrono::milliseconds(milliseconds));
      });
  add(
      "_ANESharedWaitEvent", true, "waitEventWithValue:sharedEvent:eventType:",
      +[](Id, Selector, unsigned long value, Id event,
          unsigned long type) -> Id {
        if (!as<Counter>(event, "event") || type)
          complain("a wait for something else");
        return make<EventOf>("_ANESharedWaitEvent", event, value);
      });
  add(
      "_ANESharedSignalEvent", true,
      "signalEventWithValue:symbolIndex:eventType:sharedEvent:",
      +[](Id, Selector, unsigned long value, uint32_t symbol, long type,
          Id event) -> Id {
        if (!as<Counter>(event, "event") || symbol || type)
          complain("a signal of something else");
        return make<EventOf>("_ANESharedSignalEvent", event, value);
      });
  add(
      "_ANESharedEvents", true, "sharedEventsWithSignalEvents:waitEvents:",
      +[](Id, Selector, Id signals, Id waits) -> Id {
        return make<Holder>("_ANESharedEvents",
                            std::vector<Id>{signals, waits});
      });
  add(
      "_ANERequest", false,
      "setCompletionHandler:", +[](Id self, Selector, Id object) {
        auto *block = reinterpret_cast<Block *>(object);
        if (block->isa != static_cast<const void *>(_NSConcreteStackBlock) ||
            block->flags)
          complain("a block of another kind");
        const char *bytes = reinterpret_cast<const char *>(block);
        as<Request>(self, "request")
            ->handler.assign(bytes, bytes + block->descriptor->size);
      });
}

// ---- Chains

/// Whether a message of a chain is to fail.
static bool failsInChain(const char *selector) {
  std::lock_guard<std::mutex> lock(standInLock());
  aneStandIn().messages.push_back(selector);
  return aneStandIn().failingChains.count(selector);
}

static Bool prepareChain(Id, Selector, Id object, Id options, Id chain,
                         uint32_t, Id *) {
  auto *model = as<Model>(object, "model");
  if (!model->isLoaded || !as<Dictionary>(options, "options") ||
      !as<ChainStep>(chain, "chain"))
    complain("a chain of something else");
  if (failsInChain("prepareChainingWithModel"))
    return 0;
  if (model->chain)
    release(model->chain);
  model->chain = retain(chain);
  return 1;
}

static Bool buffersReady(Id, Selector, Id object, Id inputs, Id options,
                         uint32_t, Id *) {
  auto *model = as<Model>(object, "model");
  auto *step = as<ChainStep>(inputs, "inputs");
  if (!model->chain || model->hasInputs || !as<Dictionary>(options, "options"))
    complain("inputs of a chain that is not prepared, or twice");
  if (as<Array>(step->parts[0], "indices")->objects.size() !=
      as<Array>(step->parts[1], "values")->objects.size())
    complain("inputs of a chain without values");
  if (failsInChain("buffersReadyWithModel"))
    return 0;
  return model->hasInputs = true;
}

static Bool enqueueSets(Id, Selector, Id object, Id set, Id, uint32_t,
                        Id *error) {
  auto *model = as<Model>(object, "model");
  if (!model->hasInputs)
    complain("a chain goes on without inputs");
  if (failsInChain("enqueueSetsWithModel"))
    return 0;
  model->hasInputs = false;
  auto *chain = as<ChainStep>(model->chain, "chain");
  auto *outputs = as<Holder>(as<Array>(chain->parts[1], "sets")->objects.at(0),
                             "output set");
  const std::string said = runFunction(
      *model, chain->signal,
      [&](size_t isOutput, size_t symbol) -> IOSurface * {
        Id list = isOutput ? outputs->parts[0] : chain->parts[0];
        for (Id each : as<Array>(list, "buffers")->objects) {
          auto *buffer = as<ChainBuffer>(each, "buffer");
          if (buffer->isOutput != bool(isOutput))
            complain("a buffer of the other side");
          if (as<Number>(buffer->parts[1], "symbol")->value == symbol)
            return as<SurfaceObject>(buffer->parts[0], "surface")->surface;
        }
        return nullptr;
      });
  if (!said.empty())
    return fail(said, error);
  for (Id signal : as<Array>(chain->parts[2], "signals")->objects)
    as<Counter>(as<EventOf>(signal, "signal")->parts[0], "event")
        ->set(as<ChainStep>(set, "set")->signal);
  return 1;
}

static void addChains() {
  add(
      "_ANEBuffer", true, "bufferWithIOSurfaceObject:symbolIndex:source:",
      +[](Id, Selector, Id surface, Id symbol, long source) -> Id {
        return make<ChainBuffer>(surface, symbol, source == 1);
      });
  add(
      "_ANEIOSurfaceOutputSets", true, "objectWithstatsSurRef:outputBuffer:",
      +[](Id, Selector, void *surface, Id buffers) -> Id {
        if (!surface)
          complain("an output set without statistics");
        return make<Holder>("_ANEIOSurfaceOutputSets",
                            std::vector<Id>{buffers});
      });
  add(
      "_ANEChainingRequest", true,
      "chainingRequestWithInputs:outputSets:lbInputSymbolId:lbOutputSymbolId:"
      "procedureIndex:signalEvents:transactionHandle:fwEnqueueDelay:"
      "memoryPoolId:",
      +[](Id, Selector, Id inputs, Id sets, Id, Id, Id procedure, Id signals,
          Id, Id, Id) -> Id {
        return make<ChainStep>("_ANEChainingRequest",
                               std::vector<Id>{inputs, sets, signals},
                               as<Number>(procedure, "procedure")->value);
      });
  add(
      "_ANEChainingRequest", false, "validate", +[](Id self, Selector) -> Bool {
        return !failsInChain("validate") &&
               !as<Array>(as<ChainStep>(self, "chain")->parts[0], "inputs")
                    ->objects.empty();
      });
  add(
      "_ANEInputBuffersReady", true,
      "inputBuffersWithProcedureIndex:inputBufferInfoIndex:inputFreeValue:"
      "executionDelay:",
      +[](Id, Selector, uint32_t, Id indices, Id values, unsigned long) -> Id {
        return make<ChainStep>("_ANEInputBuffersReady",
                               std::vector<Id>{indices, values}, uint64_t(0));
      });
  add(
      "_ANEOutputSetEnqueue", true,
      "outputSetWithProcedureIndex:setIndex:signalValue:signalNotRequired:"
      "isOpenLoop:",
      +[](Id, Selector, uint32_t, uint32_t, unsigned long value, Bool,
          Bool) -> Id {
        return make<ChainStep>("_ANEOutputSetEnqueue", std::vector<Id>{},
                               uint64_t(value));
      });
  add("_ANEClient", false,
      "prepareChainingWithModel:options:chainingReq:qos:error:", prepareChain);
  add("_ANEClient", false,
      "buffersReadyWithModel:inputBuffers:options:qos:error:", buffersReady);
  add("_ANEClient", false,
      "enqueueSetsWithModel:outputSet:options:qos:error:", enqueueSets);
}

static void addStatistics() {
  add(
      "_ANEPerformanceStatsIOSurface", true, "objectWithIOSurface:statType:",
      +[](Id, Selector, Id surface, long type) -> Id {
        if (type || !as<SurfaceObject>(surface, "statistics"))
          complain("a surface of statistics of another kind");
        return note("objectWithIOSurface:statType:")
                   ? nullptr
                   : make<StatisticsSurface>(surface);
      });
  add(
      "_ANERequest", false, "perfStats", +[](Id self, Selector) -> Id {
        if (as<Request>(self, "request")->parts.size() < 5)
          complain("statistics of a request without them");
        return make<Object>("_ANEPerformanceStats");
      });
  add(
      "_ANEPerformanceStats", false, "hwExecutionTime",
      +[](Id, Selector) -> unsigned long {
        return aneStandIn().hardwareNanoseconds;
      });
}

static void addModel() {
  add(
      "_ANEModel", true,
      "modelAtURL:key:", +[](Id, Selector, Id url, Id key) -> Id {
        if (note("modelAtURL:key:"))
          return nullptr;
        return make<Model>(as<URL>(url, "url")->path,
                           as<String>(key, "key")->text);
      });
  add("_ANEModel", false, "modelAttributes", attributesOf);
  add(
      "_ANEModel", false, "programHandle",
      +[](Id self, Selector) -> unsigned long {
        return as<Model>(self, "handle")->isLoaded && !aneStandIn().noHandle;
      });
}

static Id makeRequest(std::vector<Id> parts, Id weights, Id statistics,
                      Id procedure, Id events) {
  if (weights)
    complain("a request of another kind");
  if (note("requestWithInputs"))
    return nullptr;
  if (statistics) {
    auto &all = as<Array>(statistics, "statistics")->objects;
    if (all.size() != 1 || !as<StatisticsSurface>(all[0], "statistics"))
      complain("statistics of another kind");
    parts.push_back(statistics);
  }
  return make<Request>(parts, as<Number>(procedure, "procedure")->value,
                       events);
}

static void addRequest() {
  add(
      "_ANEIOSurfaceObject", true,
      "objectWithIOSurface:", +[](Id, Selector, void *surface) -> Id {
        if (note("objectWithIOSurface:"))
          return nullptr;
        return make<SurfaceObject>(
            dynamic_cast<IOSurface *>(static_cast<Object *>(surface)));
      });
  add(
      "_ANERequest", true,
      "requestWithInputs:inputIndices:outputs:outputIndices:weightsBuffer:"
      "perfStats:procedureIndex:",
      +[](Id, Selector, Id inputs, Id inputIndices, Id outputs,
          Id outputIndices, Id weights, Id statistics, Id procedure) -> Id {
        return makeRequest({inputs, inputIndices, outputs, outputIndices},
                           weights, statistics, procedure, nullptr);
      });
  add(
      "_ANERequest", true,
      "requestWithInputs:inputIndices:outputs:outputIndices:weightsBuffer:"
      "perfStats:procedureIndex:sharedEvents:transactionHandle:",
      +[](Id, Selector, Id inputs, Id inputIndices, Id outputs,
          Id outputIndices, Id weights, Id statistics, Id procedure, Id events,
          Id transaction) -> Id {
        if (transaction || !as<Holder>(events, "events"))
          complain("events of another kind");
        return makeRequest({inputs, inputIndices, outputs, outputIndices},
                           weights, statistics, procedure, events);
      });
}

static void addClient() {
  add(
      "_ANEClient", true, "sharedConnection", +[](Id, Selector) -> Id {
        static Object *shared = [] {
          auto *connection = new Object("_ANEClient");
          --aneStandIn().alive;
          return connection;
        }();
        return note("sharedConnection") ? nullptr : shared;
      });
  add("_ANEClient", false, "compileModel:options:qos:error:", compileModel);
  add("_ANEClient", false, "loadModel:options:qos:error:", loadModel);
  add("_ANEClient", false, "unloadModel:options:qos:error:", unloadModel);
  add("_ANEClient", false, "purgeCompiledModel:", purgeModel);
  add("_ANEClient", false,
      "evaluateWithModel:options:request:qos:error:", evaluate);
  add(
      "_ANEClient", false,
      "compiledModelExistsMatchingHash:", +[](Id, Selector, Id key) -> Bool {
        return fs::exists(cachedFile(as<String>(key, "key")->text));
      });
}

void addEngine() {
  addModel();
  addPaths();
  addEvents();
  addChains();
  addStatistics();
  addRequest();
  addClient();
  add(
      "_ANEDeviceInfo", true, "hasANE",
      +[](Id, Selector) -> Bool { return aneStandIn().hasEngine; });
  add(
      "_ANEDeviceInfo", true, "isVirtualMachine",
      +[](Id, Selector) -> Bool { return aneStandIn().isVirtual; });
  add(
      "_ANEDeviceInfo", true, "aneArchitectureType", +[](Id, Selector) {
        note("aneArchitectureType");
        return make<String>(aneStandIn().architecture);
      });
}

} // namespace ane::standin
