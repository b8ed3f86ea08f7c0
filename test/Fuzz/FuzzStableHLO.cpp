//===- FuzzStableHLO.cpp - Any text as a network in StableHLO -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text is no module, or it is one of our dialect alone after the import, or
// there is an error.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"

#include "ane/Conversion/StableHLOToANE/StableHLOToANE.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/StableHLO/IR/StableHLO.h"
#include "ane/Support/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::ane;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext &context =
      getRenewedContext<ANEDialect, func::FuncDialect,
                        stablehlo::StableHLODialect, chlo::CHLODialect>();
  std::string text(reinterpret_cast<const char *>(data), size);
  // How deep text nests is bounded before it.
  if (StringRef(text).contains("dense_resource") ||
      isBytecode(llvm::MemoryBufferRef(text, "text")) ||
      ::ane::findTooDeep({text.data(), text.size()}) != StringRef::npos)
    return 0;
  bool hasError = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return 0;
  PassManager passes(&context);
  passes.addPass(createConvertStableHLOToANE());
  bool isImported = succeeded(passes.run(*module));
  if (isImported == hasError || (isImported && failed(verify(*module))))
    std::abort();
  return 0;
}
