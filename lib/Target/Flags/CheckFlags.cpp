//===- CheckFlags.cpp - Flags that a translation has no use for -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/CheckFlags.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

namespace {
struct FlagUse {
  StringLiteral flag;
  StringLiteral translations[2]; ///< the second may be empty
};
} // namespace

static constexpr FlagUse flagUses[] = {
    {"diff-with", {"diff-hwx", ""}},
    {"dump-format", {"dump-hwx", "diff-hwx"}},
    {"embed-weights", {"from-mil", "from-mlpackage"}},
    {"evaluate-constexpr", {"from-mil", "from-mlpackage"}},
    {"explain", {"dump-hwx", ""}},
    {"mil-root", {"from-mil", "to-mlpackage"}},
    {"mil-version", {"to-mil", "to-mlpackage"}},
    {"opset", {"to-mil", "to-mlpackage"}},
    {"shape", {"from-onnx", ""}},
    {"sources", {"dump-hwx", "extract-weights"}},
    {"verify-known", {"from-hwx", "from-anec"}},
    {"weights-dir", {"to-mil", ""}},
};

LogicalResult mlir::ane::checkFlags(Location loc, StringRef translation) {
  auto &options = llvm::cl::getRegisteredOptions();
  for (const FlagUse &use : flagUses) {
    const llvm::cl::Option *option = options.lookup(use.flag);
    if (!option || !option->getNumOccurrences() ||
        llvm::is_contained(use.translations, translation))
      continue;
    InFlightDiagnostic error = emitError(loc, "--")
                               << use.flag << " is of no use with --"
                               << translation << "; it is a flag of --"
                               << use.translations[0];
    if (!use.translations[1].empty())
      error << " and --" << use.translations[1];
    return error;
  }
  return success();
}

LogicalResult mlir::ane::checkFlags(Operation *op, StringRef translation) {
  op->getContext()->printOpOnDiagnostic(false);
  return checkFlags(op->getLoc(), translation);
}
