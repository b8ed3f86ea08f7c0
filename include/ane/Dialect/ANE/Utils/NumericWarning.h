//===- NumericWarning.h - Warnings of numbers that are lost -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result that is not right to the precision of f16 is never silent. Such
// warnings carry a mark that is not printed, by which `--strict-numerics` tells
// them from others and makes them errors.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_NUMERICWARNING_H
#define ANE_DIALECT_ANE_UTILS_NUMERICWARNING_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::ane {

inline constexpr llvm::StringLiteral kNumericMark = "ane.numerics";

/// `warning` with the mark.
inline InFlightDiagnostic markNumeric(InFlightDiagnostic warning) {
  if (Diagnostic *diagnostic = warning.getUnderlyingDiagnostic())
    diagnostic->getMetadata().emplace_back(StringRef(kNumericMark));
  return warning;
}

inline bool isNumericWarning(Diagnostic &diagnostic) {
  return diagnostic.getSeverity() == DiagnosticSeverity::Warning &&
         llvm::any_of(
             diagnostic.getMetadata(), [](const DiagnosticArgument &argument) {
               return argument.getKind() ==
                          DiagnosticArgument::DiagnosticArgumentKind::String &&
                      argument.getAsString() == kNumericMark;
             });
}

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_NUMERICWARNING_H
