//===- Compiler.cpp - Compile networks from C -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Compiler.h"

#include "ReadNetwork.h"

#include "ane/Accuracy/Accuracy.h"
#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/InitAll.h"
#include "ane/Pipelines/BindArguments.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Pipelines/SetShapes.h"
#include "ane/Support/Nesting.h"
#include "ane/Target/HWX/HWXTranslation.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Target/Models/Models.h"
#include "ane/Target/ONNX/ONNX.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::ane;

static std::string text(const char *chars, StringRef otherwise = "") {
  return chars ? chars : otherwise.str();
}

static std::vector<std::string> texts(const char *const *items, size_t count) {
  std::vector<std::string> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i)
    result.push_back(text(items[i]));
  return result;
}

// What a model of ONNX takes has been taken when it was read.
static LogicalResult bind(ModuleOp module, const AneCompileOptions &options,
                          bool isONNX) {
  std::string function = text(options.function);
  auto bindings = texts(options.bindings, options.bindingCount);
  if (isONNX)
    llvm::erase_if(bindings, onnx::isTakenByImport);
  return success((isONNX || succeeded(setShapes(
                                module, function,
                                texts(options.shapes, options.shapeCount)))) &&
                 succeeded(bindArguments(module, function, bindings)));
}

/// Options of a pipeline cannot be copied.
static void setOptions(PipelineOptions &pipeline,
                       const AneCompileOptions &options) {
  pipeline.target = text(options.target, ::ane::hw::defaultTarget().name);
  pipeline.function = text(options.function);
  pipeline.flavour = text(options.flavour, "clean");
  pipeline.tile = text(options.tile);
  pipeline.milRoot = text(options.milRoot, ".");
  pipeline.stopAfter = text(options.stopAfter, "emit");
  pipeline.allowUnproven = options.allowUnproven != 0;
  pipeline.accuracyGoal = text(options.accuracyGoal, defaultAccuracyGoal);
}

static LogicalResult runPipeline(ModuleOp module,
                                 const AneCompileOptions &options) {
  PassManager passes(module.getContext());
  PipelineOptions pipeline;
  setOptions(pipeline, options);
  if (failed(buildPipeline(passes, pipeline, [&] {
        return mlir::emitError(UnknownLoc::get(module.getContext()));
      })))
    return failure();
  return passes.run(module);
}

/// MLIR's parser would crash: it recurses.
static LogicalResult checkNesting(llvm::SourceMgr &sources,
                                  MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  StringRef text = buffer->getBuffer();
  size_t at = isBytecode(*buffer)
                  ? std::string::npos
                  : ::ane::findTooDeep({text.data(), text.size()});
  if (at == std::string::npos)
    return success();
  auto [line, column] = sources.getLineAndColumn(
      llvm::SMLoc::getFromPointer(text.data() + at), sources.getMainFileID());
  return mlir::emitError(FileLineColLoc::get(
             context, buffer->getBufferIdentifier(), line, column))
         << "nests more than " << ::ane::maxTextDepth << " levels deep";
}

OwningOpRef<ModuleOp> capi::readNetwork(llvm::SourceMgr &sources,
                                        MLIRContext *context) {
  StringRef network =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (mil::isMILText(network))
    return mil::translateFromMIL(sources, context);
  if (failed(checkNesting(sources, context)))
    return nullptr;
  return parseSourceFile<ModuleOp>(sources, context);
}

/// The network with its shapes and constants; null after an error.
static OwningOpRef<ModuleOp> read(llvm::SourceMgr &sources,
                                  MLIRContext *context,
                                  const AneCompileOptions &options) {
  StringRef network =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  bool isCoreML = models::isCoreMLModel(network);
  bool isONNX = onnx::isModel(network) && !isCoreML;
  OwningOpRef<ModuleOp> module;
  if (isONNX) {
    onnx::ImportOptions import;
    import.file = sources.getMemoryBuffer(sources.getMainFileID())
                      ->getBufferIdentifier()
                      .str();
    import.folder = text(options.milRoot, ".");
    import.shapes.assign(options.shapes, options.shapes + options.shapeCount);
    import.bindings.assign(options.bindings,
                           options.bindings + options.bindingCount);
    module = onnx::importModel(network, context, import);
  } else if (isCoreML || models::isPropertyList(network)) {
    models::ImportOptions import;
    import.file = sources.getMemoryBuffer(sources.getMainFileID())
                      ->getBufferIdentifier()
                      .str();
    import.folder = text(options.milRoot, ".");
    module = isCoreML ? models::importCoreMLModel(network, context, import)
                      : models::importNetPlist(network, context, import);
  } else {
    module = capi::readNetwork(sources, context);
  }
  if (!module || failed(bind(*module, options, isONNX)))
    return nullptr;
  return module;
}

static LogicalResult compile(ModuleOp module, const AneCompileOptions &options,
                             llvm::raw_ostream &os) {
  if (failed(runPipeline(module, options)))
    return failure();
  if (options.stopAfter) {
    module->print(os);
    os << '\n';
    return success();
  }
  return hwx::translateToHWX(module, os);
}

static FailureOr<::ane::sim::Mode> simulatorMode(ModuleOp module, int mode) {
  switch (mode) {
  case 0:
    return ::ane::sim::Mode::Exact;
  case 1:
    return ::ane::sim::Mode::Fast;
  case 3:
    return ::ane::sim::Mode::Engine;
  default:
    return mlir::emitError(UnknownLoc::get(module.getContext()), "mode ")
           << mode
           << " computes nothing, expected 0 (exact), 1 (fast) or 3 (engine)";
  }
}

static LogicalResult measure(ModuleOp module, const AneCompileOptions &options,
                             const AneAccuracyOptions &wanted,
                             llvm::raw_ostream &os) {
  FailureOr<::ane::sim::Mode> mode = simulatorMode(module, wanted.mode);
  if (failed(mode))
    return failure();
  AccuracyOptions accuracy;
  accuracy.mode = *mode;
  accuracy.seed = wanted.seed;
  for (size_t i = 0; i < wanted.inputCount; ++i) {
    const AneAccuracyInput &input = wanted.inputs[i];
    NamedArray array;
    array.name = text(input.name);
    array.data.assign(input.elements, input.elements + input.elementCount);
    accuracy.inputs.push_back(std::move(array));
  }
  PipelineOptions pipeline;
  setOptions(pipeline, options);
  FailureOr<AccuracyReport> report =
      measureAccuracy(module, pipeline, accuracy);
  if (failed(report))
    return failure();
  os << llvm::json::Value(accuracyToJson(*report));
  return success();
}

char *capi::copyOf(StringRef bytes) {
  char *result = static_cast<char *>(std::malloc(bytes.size() + 1));
  if (!result)
    return nullptr;
  std::memcpy(result, bytes.data(), bytes.size());
  result[bytes.size()] = 0;
  return result;
}

void aneCompilerFree(void *memory) { std::free(memory); }

void capi::runOnThread(llvm::function_ref<void()> work) {
  constexpr unsigned stackBytes = 64u << 20;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] { work(); });
  worker.join();
}

using Work = llvm::function_ref<LogicalResult(
    ModuleOp, const AneCompileOptions &, llvm::raw_ostream &)>;

/// What `work` writes of a network.
static void *workOnNetwork(const void *network, size_t networkSize,
                           const char *name, const AneCompileOptions *options,
                           size_t *size, char **diagnostics, Work work) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // it may hold a whole network

  std::string messages;
  llvm::raw_string_ostream messageStream(messages);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, messageStream);
  // The parser of MLIR wants a zero after the text.
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(static_cast<const char *>(network), networkSize),
          name ? name : "network"),
      llvm::SMLoc());

  std::string result;
  llvm::raw_string_ostream os(result);
  const AneCompileOptions given = options ? *options : AneCompileOptions();
  OwningOpRef<ModuleOp> module = read(sources, &context, given);
  const bool isDone = module && succeeded(work(*module, given, os));
  if (diagnostics)
    *diagnostics = messages.empty() ? nullptr : capi::copyOf(messages);
  if (size)
    *size = isDone ? result.size() : 0;
  return isDone ? capi::copyOf(result) : nullptr;
}

static void *workOnThread(const void *network, size_t networkSize,
                          const char *name, const AneCompileOptions *options,
                          size_t *size, char **diagnostics, Work work) {
  void *result = nullptr;
  capi::runOnThread([&] {
    result = workOnNetwork(network, networkSize, name, options, size,
                           diagnostics, work);
  });
  return result;
}

void *aneCompile(const void *network, size_t networkSize, const char *name,
                 const AneCompileOptions *options, size_t *size,
                 char **diagnostics) {
  return workOnThread(network, networkSize, name, options, size, diagnostics,
                      compile);
}

char *aneMeasureAccuracy(const void *network, size_t networkSize,
                         const char *name, const AneCompileOptions *options,
                         const AneAccuracyOptions *accuracy,
                         char **diagnostics) {
  const AneAccuracyOptions wanted = accuracy ? *accuracy : AneAccuracyOptions();
  return static_cast<char *>(
      workOnThread(network, networkSize, name, options, nullptr, diagnostics,
                   [&](ModuleOp module, const AneCompileOptions &given,
                       llvm::raw_ostream &os) {
                     return measure(module, given, wanted, os);
                   }));
}
