//===- Registration.cpp - --from-onnx -------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/CheckFlags.h"
#include "ane/Target/ONNX/ONNX.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane;

static llvm::cl::list<std::string> &getShapes() {
  static llvm::cl::list<std::string> shapes(
      "shape", llvm::cl::value_desc("NAME=1x3x224x224"),
      llvm::cl::desc("With --from-onnx: the shape of input NAME (or its "
                     "number), which has open dimensions. May be repeated"));
  return shapes;
}

void onnx::registerONNXTranslation() {
  (void)getShapes();
  TranslateToMLIRRegistration from(
      "from-onnx", "ONNX model to the mil dialect",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer =
            sources.getMemoryBuffer(sources.getMainFileID());
        ImportOptions options;
        options.file = buffer->getBufferIdentifier().str();
        if (failed(checkFlags(FileLineColLoc::get(context, options.file, 0, 0),
                              "from-onnx")))
          return {};
        options.folder = llvm::sys::path::parent_path(options.file).str();
        options.shapes.assign(getShapes().begin(), getShapes().end());
        return OwningOpRef<Operation *>(
            importModel(buffer->getBuffer(), context, options).release());
      },
      [](DialectRegistry &registry) { registry.insert<mil::MILDialect>(); });
}
