//===- Registration.cpp - --to-mlpackage and --from-mlpackage -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A translation gets and gives bytes, but a package is a folder. So the tool is
// told another input, the manifest of the package, and another output, none;
// `splitPackagePaths` rewrites its arguments.
//
//===----------------------------------------------------------------------===//

#include "../MIL/TranslationFlags.h"

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/CheckFlags.h"
#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <deque>

using namespace mlir;
using namespace mlir::ane::mil;

// Where --to-mlpackage writes.
static std::string &getOutput() {
  static std::string output;
  return output;
}

SmallVector<char *>
mlir::ane::mil::splitPackagePaths(ArrayRef<char *> arguments) {
  static std::deque<std::string> storage;
  static char nowhere[] = "-";
  auto asksFor = [&](StringRef flag) {
    return llvm::any_of(arguments, [&](const char *argument) {
      return argument && StringRef(argument).ltrim('-') == flag;
    });
  };
  bool writes = asksFor("to-mlpackage"), reads = asksFor("from-mlpackage");
  SmallVector<char *> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i] ? arguments[i] : "";
    StringRef output;
    if (writes && (argument == "-o" || argument == "--o") &&
        i + 1 < arguments.size() && arguments[i + 1])
      output = arguments[++i];
    else if (writes &&
             (argument.starts_with("-o=") || argument.starts_with("--o=")))
      output = argument.split('=').second;
    if (!output.empty()) {
      getOutput() = output.str();
      storage.push_back("-o");
      result.append({storage.back().data(), nowhere});
      continue;
    }
    SmallString<256> manifest(argument);
    llvm::sys::path::append(manifest, "Manifest.json");
    bool isPackage =
        reads && llvm::sys::fs::is_directory(argument) &&
        (argument.ends_with(".mlpackage") || llvm::sys::fs::exists(manifest));
    if (isPackage) {
      storage.push_back(manifest.str().str());
      result.push_back(storage.back().data());
      continue;
    }
    result.push_back(arguments[i]);
  }
  return result;
}

static LogicalResult toPackage(ModuleOp module, const LowerToMILFn &lower,
                               mlir::ane::OutputFiles *outputs) {
  if (getOutput().empty() || getOutput() == "-")
    return module.emitError("a package is a folder and needs a name: give -o "
                            "x.mlpackage");
  if (failed(lowerAsFlagsSay(module, lower)))
    return failure();
  const TranslationFlags &flags = getTranslationFlags();
  return writeMLPackage(module, getOutput(),
                        {flags.version, flags.opset, flags.root, outputs});
}

static OwningOpRef<ModuleOp> fromPackage(llvm::SourceMgr &sources,
                                         MLIRContext *context) {
  StringRef manifest =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  if (failed(mlir::ane::checkFlags(FileLineColLoc::get(context, manifest, 0, 0),
                                   "from-mlpackage")))
    return {};
  std::string root;
  SmallString<256> path(llvm::sys::path::parent_path(manifest));
  if (path.empty())
    path = ".";
  OwningOpRef<ModuleOp> module;
  if (llvm::sys::path::filename(manifest) != "Manifest.json") {
    emitError(FileLineColLoc::get(context, manifest, 0, 0),
              "is no package: name a folder with a Manifest.json");
    return {};
  }
  module = readMLPackage(path, context, root);
  if (!module || failed(readWeightsAsFlagsSay(*module, root)))
    return {};
  return module;
}

void mlir::ane::mil::registerMLPackageTranslations(
    void (*registerDialects)(DialectRegistry &), LowerToMILFn lower,
    OutputFiles *outputs) {
  (void)getTranslationFlags();
  static LowerToMILFn lowerFn = std::move(lower);
  TranslateFromMLIRRegistration to(
      "to-mlpackage", "mil or ane dialect to a Core ML package",
      [outputs](Operation *op, raw_ostream &) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError("expected a module");
        if (failed(checkFlags(op, "to-mlpackage")))
          return failure();
        return toPackage(module, lowerFn, outputs);
      },
      [registerDialects](DialectRegistry &registry) {
        registerDialects(registry);
      });
  TranslateToMLIRRegistration from(
      "from-mlpackage", "Core ML package to the mil dialect",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return OwningOpRef<Operation *>(
            fromPackage(sources, context).release());
      },
      [](DialectRegistry &registry) { registry.insert<MILDialect>(); });
}
