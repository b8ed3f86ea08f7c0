//===- FuzzMLModel.cpp - Any bytes as a .mlmodel --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model becomes a program that the verifier takes, or there is an error.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/Models/Models.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::ane;

// A context for all: what an input leaves in it does not matter here.
static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<mil::MILDialect>();
    return made;
  }();
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool hasError = false;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  models::ImportOptions options;
  options.file = "net.mlmodel";
  options.folder = "/nonexistent";
  OwningOpRef<ModuleOp> module = models::importCoreMLModel(
      StringRef(reinterpret_cast<const char *>(data), size), &getContext(),
      options);
  if (!module && !hasError)
    std::abort();
  if (module && (hasError || failed(verify(*module))))
    std::abort();
  return 0;
}
