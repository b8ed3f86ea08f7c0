//===- EncoderRules.h - The encoder's rules, as a table ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules/*.def declare once which field gets which value, when and why, as in
//
//     RULE(L2, L2Cfg_PaddingMode, isMax, "Seen exactly on maxima.")
//
// The encoder executes them (ExecuteRules.h); here they are a table for
// --explain and for docs/Registers/EncoderRules.md.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H
#define ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::ane {

/// A rule by which a field is set.
struct EncoderRule {
  std::string field;   ///< "Common.Cfg.TaskType"; "Header.TID" in the header
  std::string formula; ///< the expression
  /// Around it, outermost first: "if (...)", "else of if (...)", "for (...)".
  std::vector<std::string> conditions;
  /// Of the names in the formula that rules define: "bool last = ...".
  std::vector<std::string> definitions;
  std::string evidence; ///< empty where the names say enough
  std::string function; ///< of the encoder
  /// The compute op whose rule it is ("NeConvOp"), or "Ne", "Pe" for all ops
  /// of an engine; empty for every task.
  std::string op;
  llvm::StringRef file;
  unsigned line;
};

/// All rules, in the order in which a task is encoded.
std::vector<EncoderRule> getEncoderRules();

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H
