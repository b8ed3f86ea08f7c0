//===- Registration.cpp - --from-plist and --from-mlmodel -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/CheckFlags.h"
#include "ane/Target/Models/Models.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane;

using ImportFn = OwningOpRef<ModuleOp> (*)(StringRef, MLIRContext *,
                                           const models::ImportOptions &);

static void registerImport(StringRef name, StringRef description,
                           ImportFn import) {
  TranslateToMLIRRegistration from(
      name, description,
      [name, import](llvm::SourceMgr &sources,
                     MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer =
            sources.getMemoryBuffer(sources.getMainFileID());
        models::ImportOptions options;
        options.file = buffer->getBufferIdentifier().str();
        if (failed(checkFlags(FileLineColLoc::get(context, options.file, 0, 0),
                              name)))
          return {};
        options.folder = llvm::sys::path::parent_path(options.file).str();
        return OwningOpRef<Operation *>(
            import(buffer->getBuffer(), context, options).release());
      },
      [](DialectRegistry &registry) { registry.insert<mil::MILDialect>(); });
}

void models::registerModelTranslations() {
  registerImport("from-plist", "net.plist to the mil dialect", importNetPlist);
  registerImport("from-mlmodel", "Core ML model in one file to the mil dialect",
                 importCoreMLModel);
  registerImport(
      "from-espresso",
      "compiled neural network of Core ML (model.espresso.net) to "
      "the mil dialect",
      [](StringRef bytes, MLIRContext *context, const ImportOptions &options) {
        return importEspresso(bytes, context, options);
      });
}
