//===- FuzzContext.h - Contexts of fuzzers of texts -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_FUZZ_FUZZCONTEXT_H
#define ANE_TEST_FUZZ_FUZZCONTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace mlir::ane {

/// A context with these dialects, which says nothing. Attributes live as long as
/// it; it is renewed from time to time.
template <typename... Dialects> MLIRContext &getRenewedContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses % 1000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<Dialects...>();
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
  }
  return *context;
}

} // namespace mlir::ane

#endif // ANE_TEST_FUZZ_FUZZCONTEXT_H
