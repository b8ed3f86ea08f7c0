//===- FuzzMIL.cpp - Any bytes as MIL text --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader takes any bytes or says where they are wrong. What it takes can be
// printed, and what is printed is read again and printed the same. The checks
// of the private paths look at every program that is read.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/MIL/Transforms/Rules.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane::mil;

// Attributes live as long as their context; it is renewed from time to time.
static MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses % 1000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
  }
  return *context;
}

static OwningOpRef<ModuleOp> read(StringRef text, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "text"),
                             SMLoc());
  OwningOpRef<ModuleOp> module = translateFromMIL(sources, &context);
  return module && succeeded(verify(*module)) ? std::move(module)
                                              : OwningOpRef<ModuleOp>();
}

static std::optional<std::string> print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(translateToMIL(module, os, {})))
    return std::nullopt;
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext &context = getContext();
  OwningOpRef<ModuleOp> module =
      read(StringRef(reinterpret_cast<const char *>(data), size), context);
  if (!module)
    return 0;
  Target target;
  target.paths = kAnyPath;
  Checker checker(target, [](const Violation &violation) {
    if (describe(violation).empty())
      std::abort();
  });
  module->walk([&](ProgramOp program) { checker.check(program); });
  OwningOpRef<ModuleOp> copy = module->clone();
  PassManager passes(&context);
  ANELegalizeMILOptions options;
  options.path = size % 2 ? "e5" : "im";
  passes.addPass(createANELegalizeMIL(options));
  if (failed(passes.run(*copy))) {
    llvm::errs() << "legalize fails\n";
    module->print(llvm::errs());
    std::abort();
  }
  std::optional<std::string> once = print(*module);
  if (!once)
    return 0; // says why
  module = read(*once, context);
  if (!module || print(*module) != once) {
    llvm::errs() << "not read as it was printed:\n" << *once << '\n';
    std::abort();
  }
  return 0;
}
