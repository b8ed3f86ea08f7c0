//===- FuzzEspresso.cpp - Any bytes as a compiled neural network ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is the list of layers, the shapes and the weights, with zeros
// between. It becomes a program that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/Models/Models.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::ane;

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<mil::MILDialect>();
    return made;
  }();
  return *context;
}

static StringRef shapes, weights;

static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openPart(StringRef path) {
  return llvm::MemoryBuffer::getMemBufferCopy(
      path.ends_with(".shape") ? shapes : weights);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool hasError = false;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  StringRef layers, rest;
  std::tie(layers, rest) =
      StringRef(reinterpret_cast<const char *>(data), size).split('\0');
  std::tie(shapes, weights) = rest.split('\0');
  models::ImportOptions options;
  options.file = "model.espresso.net";
  options.folder = "/nonexistent";
  OwningOpRef<ModuleOp> module =
      models::importEspresso(layers, &getContext(), options, openPart);
  if (!module && !hasError)
    std::abort();
  if (module && (hasError || failed(verify(*module))))
    std::abort();
  return 0;
}
