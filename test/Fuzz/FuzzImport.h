//===- FuzzImport.h - What fuzzers of importers share -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input becomes a program that the verifier takes, or there is an error, and
// not both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_FUZZ_FUZZIMPORT_H
#define ANE_TEST_FUZZ_FUZZIMPORT_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

namespace mlir::ane {

/// A context for all: what an input leaves in it does not matter here.
inline MLIRContext &getFuzzContext() {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<mil::MILDialect>();
    return made;
  }();
  return *context;
}

/// Calls `import(context)`; aborts where its result and its errors contradict
/// each other.
template <typename Import> void checkImport(Import import) {
  MLIRContext &context = getFuzzContext();
  bool hasError = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  OwningOpRef<ModuleOp> module = import(&context);
  if (!module && !hasError)
    std::abort();
  if (module && (hasError || failed(verify(*module))))
    std::abort();
}

} // namespace mlir::ane

#endif // ANE_TEST_FUZZ_FUZZIMPORT_H
