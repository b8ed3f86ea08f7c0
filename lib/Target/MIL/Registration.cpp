//===- Registration.cpp - The flags --to-mil and --from-mil ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/Constexpr.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
// Options exist in tools that register the translation, and nowhere else.
struct Flags {
  llvm::cl::opt<std::string> version{
      "mil-version", llvm::cl::value_desc("1.0|1.3"),
      llvm::cl::desc(
          "Spelling of MIL text (default: that of the program, 1.3 for the ane "
          "dialect)")};
  llvm::cl::opt<std::string> opset{
      "opset", llvm::cl::value_desc("ios18"),
      llvm::cl::desc("Opset of MIL functions (default: that of the program; "
                     "for the ane dialect "
                     "ios18, with --mil-version=1.0 ios16)")};
  llvm::cl::opt<std::string> weightsDir{
      "weights-dir", llvm::cl::value_desc("DIR"),
      llvm::cl::desc("Write constants of MIL text to DIR/weights/weight.bin")};
};

struct FromFlags {
  llvm::cl::opt<std::string> root{
      "mil-root", llvm::cl::value_desc("DIR"),
      llvm::cl::desc("Look up what MIL text refers to as @model_path/... below "
                     "DIR (default: weight files are not opened)")};
  llvm::cl::opt<bool> embed{
      "embed-weights",
      llvm::cl::desc("With --mil-root: put the values of weight files into the "
                     "program instead of references")};
  llvm::cl::opt<bool> evaluate{
      "evaluate-constexpr",
      llvm::cl::desc("Put the values of compressed weights (constexpr_*) into "
                     "the program instead of the statements")};
};
} // namespace

static LogicalResult toMIL(ModuleOp module, raw_ostream &os, const Flags &flags,
                           const LowerToMILFn &lower) {
  if (!flags.version.empty() && flags.version != "1.0" &&
      flags.version != "1.3")
    return module.emitError("--mil-version is '")
           << flags.version << "', but must be 1.0 or 1.3";
  MILOptions options{flags.version, flags.opset, flags.weightsDir};
  if (module.getOps<ProgramOp>().empty()) {
    std::string opset = flags.opset;
    if (opset.empty() && flags.version == "1.0")
      opset = "ios16";
    if (failed(lower(module, opset)))
      return failure();
  }
  return translateToMIL(module, os, options);
}

void mlir::ane::mil::registerToMILTranslation(
    void (*registerDialects)(DialectRegistry &), LowerToMILFn lower) {
  static Flags flags;
  static LowerToMILFn lowerFn = std::move(lower);
  TranslateFromMLIRRegistration registration(
      "to-mil", "mil or ane dialect to MIL text",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError("expected a module");
        return toMIL(module, os, flags, lowerFn);
      },
      [registerDialects](DialectRegistry &registry) {
        registerDialects(registry);
      });
}

static OwningOpRef<ModuleOp> fromMIL(llvm::SourceMgr &sources,
                                     MLIRContext *context,
                                     const FromFlags &flags) {
  OwningOpRef<ModuleOp> module = translateFromMIL(sources, context);
  if (!module)
    return {};
  if (flags.root.empty() && flags.embed) {
    module->emitError("--embed-weights needs the folder of the weight files; "
                      "name it with --mil-root");
    return {};
  }
  BlobReader reader(flags.root);
  if (flags.evaluate && failed(evaluateConstexprs(
                            *module, flags.root.empty() ? nullptr : &reader)))
    return {};
  if (flags.root.empty())
    return module;
  if (failed(flags.embed ? resolveBlobReferences(*module, reader)
                         : checkBlobReferences(*module, reader)))
    return {};
  return module;
}

void mlir::ane::mil::registerFromMILTranslation() {
  static FromFlags flags;
  TranslateToMLIRRegistration registration(
      "from-mil", "MIL text to the mil dialect",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return OwningOpRef<Operation *>(
            fromMIL(sources, context, flags).release());
      },
      [](DialectRegistry &registry) { registry.insert<MILDialect>(); });
}
