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

#include <chrono>
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
};

struct SurfaceObject : Object {
  SurfaceObject(IOSurface *surface)
      : Object("_ANEIOSurfaceObject"), surface(surface) {
    retain(surface);
  }
  ~SurfaceObject() override { release(surface); }
  IOSurface *surface;
};

struct Request : Object {
  Request(std::vector<Id> all) : Object("_ANERequest"), parts(std::move(all)) {
    for (Id part : parts)
      retain(part);
  }
  ~Request() override {
    for (Id part : parts)
      release(part);
  }
  /// Inputs, their indices, outputs, their indices, perhaps statistics.
  std::vector<Id> parts;
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
    return sim::run(*program, spans, {}).ok();
  };
  return result;
}

static Compiled compileFolder(const std::string &folder) {
  if (aneStandIn().compile)
    return aneStandIn().compile(folder);
  const char *compiler = std::getenv("ANE_STAND_IN_COMPILER");
  std::string command =
      std::string("'") + (compiler ? compiler : "ane-compile") + "' '" +
      folder + "/model.mil' -o '" + folder + "/net.hwx' 2>'" + folder + "/log'";
  // NOLINTNEXTLINE(bugprone-command-processor): the compiler is a tool.
  if (std::system(command.c_str()) == 0)
    return programIn(folder + "/net.hwx");
  return {"ANECCompile() FAILED: " + bytesOf(folder + "/log"), {}, nullptr};
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
  std::map<std::string, Id> network, description, procedure;
  for (bool isOutput : {false, true}) {
    std::vector<Id> live, names, indices;
    for (const hw::Tensor &tensor : model->compiled.tensors)
      if ((tensor.kind == hw::TensorKind::Output) == isOutput) {
        live.push_back(describeTensor(tensor));
        names.insert(names.begin(),
                     text(tensor.name + (isOutput ? "@output" : "")));
        indices.push_back(number(indices.size()));
      }
    const char *kind = isOutput ? "Output" : "Input";
    network[std::string("Live") + kind + "List"] = make<Array>(live);
    description[std::string("kANEFModel") + kind + "SymbolsArrayKey"] =
        make<Array>(names);
    procedure[std::string("ANEFModel") + kind + "SymbolIndexArray"] =
        make<Array>(indices);
  }
  if (aneStandIn().withStates)
    network["LiveStateList"] = make<Array>(std::vector<Id>{text("state")});
  std::vector<Id> procedures(aneStandIn().procedures, dictionary(procedure));
  description["ANEFModelProcedures"] = make<Array>(procedures);
  return dictionary(
      {{"NetworkStatusList", make<Array>(std::vector<Id>{dictionary(network)})},
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

/// What all messages that run a program do.
static Bool runProgram(Model *model, Id options, Id what, uint32_t quality,
                       Id *error) {
  auto *request = as<Request>(what, "request");
  aneStandIn().quality = quality;
  const bool asksTime = !entryOf(options, "kANEFPerformanceStatsMask").empty();
  if (asksTime != (request->parts.size() > 4))
    complain("statistics of a request without them, or the reverse");
  std::this_thread::sleep_for(
      std::chrono::milliseconds(aneStandIn().runMilliseconds));
  if (!model->isLoaded || !as<Dictionary>(options, "options"))
    complain("a run before loading, or without options");
  if (!aneStandIn().runError.empty())
    return fail(aneStandIn().runError, error);
  std::vector<uint8_t *> surfaces;
  size_t counts[2] = {}, seen[2] = {};
  for (const hw::Tensor &tensor : model->compiled.tensors)
    ++counts[static_cast<int>(tensor.kind)];
  for (const hw::Tensor &tensor : model->compiled.tensors) {
    const auto kind = static_cast<size_t>(tensor.kind);
    auto &objects = as<Array>(request->parts[2 * kind], "surfaces")->objects;
    auto &indices = as<Array>(request->parts[2 * kind + 1], "indices")->objects;
    size_t position = seen[kind]++;
    size_t symbol =
        aneStandIn().symbolsInOrder ? position : counts[kind] - 1 - position;
    IOSurface *surface = nullptr;
    for (size_t i = 0; i < objects.size(); ++i)
      if (as<Number>(indices.at(i), "index")->value == symbol)
        surface = as<SurfaceObject>(objects[i], "surface")->surface;
    if (!surface)
      return fail("0x2: wrong indices", error);
    if (surface->locks || surface->bytes.size() < tensor.bytes)
      return fail("0x1d: a surface", error);
    surfaces.push_back(surface->bytes.data());
  }
  return model->compiled.run(surfaces) ? 1 : fail("the run", error);
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
        if (weights || as<Number>(procedure, "procedure")->value)
          complain("a request of another kind");
        if (note("requestWithInputs"))
          return nullptr;
        std::vector<Id> parts = {inputs, inputIndices, outputs, outputIndices};
        if (statistics) {
          auto &all = as<Array>(statistics, "statistics")->objects;
          if (all.size() != 1 || !as<StatisticsSurface>(all[0], "statistics"))
            complain("statistics of another kind");
          parts.push_back(statistics);
        }
        return make<Request>(parts);
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
