//===- Registration.cpp - The flags --to-mil and --from-mil ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TranslationFlags.h"

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/CheckFlags.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/Constexpr.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane::mil;

TranslationFlags &mlir::ane::mil::getTranslationFlags() {
  static TranslationFlags flags;
  return flags;
}

LogicalResult mlir::ane::mil::lowerAsFlagsSay(ModuleOp module,
                                              const LowerToMILFn &lower) {
  const TranslationFlags &flags = getTranslationFlags();
  if (!flags.version.empty() && flags.version != "1.0" &&
      flags.version != "1.3")
    return module.emitError("--mil-version is '")
           << flags.version << "', but must be 1.0 or 1.3";
  if (!module.getOps<ProgramOp>().empty())
    return success();
  std::string opset = flags.opset;
  if (opset.empty() && flags.version == "1.0")
    opset = "ios16";
  return lower(module, opset);
}

LogicalResult mlir::ane::mil::readWeightsAsFlagsSay(ModuleOp module,
                                                    StringRef root) {
  const TranslationFlags &flags = getTranslationFlags();
  if (root.empty() && flags.embed)
    return module.emitError("--embed-weights needs the folder of the weight "
                            "files; name it with --mil-root");
  BlobReader reader(root);
  if (flags.evaluate &&
      failed(evaluateConstexprs(module, root.empty() ? nullptr : &reader)))
    return failure();
  if (root.empty())
    return success();
  return flags.embed ? resolveBlobReferences(module, reader)
                     : checkBlobReferences(module, reader);
}

void mlir::ane::mil::registerToMILTranslation(
    void (*registerDialects)(DialectRegistry &), LowerToMILFn lower,
    OutputFiles *outputs) {
  (void)getTranslationFlags();
  static LowerToMILFn lowerFn = std::move(lower);
  TranslateFromMLIRRegistration registration(
      "to-mil", "mil or ane dialect to MIL text",
      [outputs](Operation *op, raw_ostream &os) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError("expected a module");
        if (failed(checkFlags(op, "to-mil")) ||
            failed(lowerAsFlagsSay(module, lowerFn)))
          return failure();
        const TranslationFlags &flags = getTranslationFlags();
        return translateToMIL(
            module, os,
            {flags.version, flags.opset, flags.weightsDir, outputs});
      },
      [registerDialects](DialectRegistry &registry) {
        registerDialects(registry);
      });
}

void mlir::ane::mil::registerFromMILTranslation() {
  (void)getTranslationFlags();
  TranslateToMLIRRegistration registration(
      "from-mil", "MIL text to the mil dialect",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        StringRef file = sources.getMemoryBuffer(sources.getMainFileID())
                             ->getBufferIdentifier();
        if (failed(checkFlags(FileLineColLoc::get(context, file, 0, 0),
                              "from-mil")))
          return {};
        OwningOpRef<ModuleOp> module = translateFromMIL(sources, context);
        if (!module ||
            failed(readWeightsAsFlagsSay(*module, getTranslationFlags().root)))
          return {};
        return OwningOpRef<Operation *>(module.release());
      },
      [](DialectRegistry &registry) { registry.insert<MILDialect>(); });
}
