//===- Registration.cpp - --from-plist ------------------------------------===//
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

void models::registerModelTranslations() {
  TranslateToMLIRRegistration from(
      "from-plist", "net.plist to the mil dialect",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer =
            sources.getMemoryBuffer(sources.getMainFileID());
        ImportOptions options;
        options.file = buffer->getBufferIdentifier().str();
        if (failed(checkFlags(FileLineColLoc::get(context, options.file, 0, 0),
                              "from-plist")))
          return {};
        options.folder = llvm::sys::path::parent_path(options.file).str();
        return OwningOpRef<Operation *>(
            importNetPlist(buffer->getBuffer(), context, options).release());
      },
      [](DialectRegistry &registry) { registry.insert<mil::MILDialect>(); });
}
