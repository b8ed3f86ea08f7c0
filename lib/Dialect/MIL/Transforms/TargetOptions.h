//===- TargetOptions.h - The options that name a target ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_TARGETOPTIONS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_TARGETOPTIONS_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Rules.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::ane::mil {

/// `macos15,m4 path=e5` means `target=macos15,m4 path=e5`.
inline std::string spellTargetOptions(StringRef options) {
  StringRef first = options.ltrim().take_until([](char c) { return c == ' '; });
  bool isBare = !first.empty() && !first.contains('=');
  return (isBare ? "target=" : "") + options.ltrim().str();
}

/// A check of no program would be taken for a check of one.
inline LogicalResult expectProgram(ModuleOp module, StringRef pass) {
  if (!module.getOps<ProgramOp>().empty())
    return success();
  return module.emitError() << pass
                            << ": there is no mil.program; convert-ane-to-mil "
                               "makes one of ane ops, ane-translate --from-mil "
                               "of MIL text";
}

} // namespace mlir::ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_TARGETOPTIONS_H
