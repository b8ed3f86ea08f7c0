//===- Compiler.cpp - Compile networks from C -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane-c/Compiler.h"

#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/InitAll.h"
#include "ane/Pipelines/BindArguments.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Pipelines/SetShapes.h"
#include "ane/Support/Nesting.h"
#include "ane/Target/HWX/HWXTranslation.h"
#include "ane/Target/MIL/MILTranslation.h"

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

static std::string text(const char *chars, const char *otherwise = "") {
  return chars ? chars : otherwise;
}

static std::vector<std::string> texts(const char *const *items, size_t count) {
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back(text(items[i]));
  return result;
}

static LogicalResult runPipeline(ModuleOp module,
                                 const AneCompileOptions &options) {
  std::string function = text(options.function);
  if (failed(setShapes(module, function,
                       texts(options.shapes, options.shapeCount))) ||
      failed(bindArguments(module, function,
                           texts(options.bindings, options.bindingCount))))
    return failure();

  PipelineOptions pipeline;
  pipeline.target = text(options.target, "h13");
  pipeline.function = function;
  pipeline.flavour = text(options.flavour, "clean");
  pipeline.tile = text(options.tile);
  pipeline.milRoot = text(options.milRoot, ".");
  pipeline.stopAfter = text(options.stopAfter, "emit");
  pipeline.allowUnproven = options.allowUnproven != 0;
  PassManager passes(module.getContext());
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

static LogicalResult compile(llvm::SourceMgr &sources, MLIRContext *context,
                             const AneCompileOptions &options,
                             llvm::raw_ostream &os) {
  StringRef network =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  bool isMIL = mil::isMILText(network);
  if (!isMIL && failed(checkNesting(sources, context)))
    return failure();
  OwningOpRef<ModuleOp> module =
      isMIL ? mil::translateFromMIL(sources, context)
            : parseSourceFile<ModuleOp>(sources, context);
  if (!module || failed(runPipeline(*module, options)))
    return failure();
  if (options.stopAfter) {
    module->print(os);
    os << '\n';
    return success();
  }
  return hwx::translateToHWX(*module, os);
}

/// A copy that free() takes.
static char *copyOf(StringRef bytes) {
  char *result = static_cast<char *>(std::malloc(bytes.size() + 1));
  if (!result)
    return nullptr;
  std::memcpy(result, bytes.data(), bytes.size());
  result[bytes.size()] = 0;
  return result;
}

void aneCompilerFree(void *memory) { std::free(memory); }

static void *compileNetwork(const void *network, size_t networkSize,
                            const char *name, const AneCompileOptions *options,
                            size_t *size, char **diagnostics) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // it may hold a whole network

  std::string messages;
  llvm::raw_string_ostream messageStream(messages);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, messageStream);
  // The parser of MLIR wants a zero behind the text.
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(static_cast<const char *>(network), networkSize),
          name ? name : "network"),
      llvm::SMLoc());

  std::string result;
  llvm::raw_string_ostream os(result);
  bool isCompiled = succeeded(
      compile(sources, &context, options ? *options : AneCompileOptions(), os));
  if (diagnostics)
    *diagnostics = messages.empty() ? nullptr : copyOf(messages);
  if (size)
    *size = isCompiled ? result.size() : 0;
  return isCompiled ? copyOf(result) : nullptr;
}

void *aneCompile(const void *network, size_t networkSize, const char *name,
                 const AneCompileOptions *options, size_t *size,
                 char **diagnostics) {
  // What the deepest text that is let through needs, whatever the caller has.
  constexpr unsigned stackBytes = 64u << 20;
  void *result = nullptr;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] {
    result =
        compileNetwork(network, networkSize, name, options, size, diagnostics);
  });
  worker.join();
  return result;
}
