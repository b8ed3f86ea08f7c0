//===- EncoderRules.h - What the encoder's own text says --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The encoder sets every register field by a statement
//
//     // Seen exactly on maxima.
//     set(h13::L2::L2Cfg_PaddingMode, isMax);
//
// which is the one place where field, formula and evidence are declared. Its
// source is built into the program; the rules are read from it when somebody
// asks, so that no second list can fall behind the first.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H
#define ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::ane {

/// A source file of the encoder.
struct EncoderSource {
  llvm::StringRef file, text;
};

/// A statement that sets a field.
struct EncoderRule {
  std::string field;   ///< "Common.Cfg.TaskType"; "Header.TID" in the header
  std::string formula; ///< the expression
  /// Of the statements around it, outermost first: "if (...)", "case ...:".
  std::vector<std::string> conditions;
  /// Of the names in the formula, as far as they are local: "bool last = ...".
  std::vector<std::string> definitions;
  std::string evidence; ///< the comment in front of it, else of its function
  std::string function;
  /// What the function encodes: the compute op that it takes ("NeConvOp"), or
  /// "Ne", "Pe" where its name has an engine; empty for every task.
  std::string op;
  llvm::StringRef file;
  unsigned line;
};

/// The rules in a text, in its order.
std::vector<EncoderRule> readEncoderRules(EncoderSource source);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_ENCODERRULES_H
