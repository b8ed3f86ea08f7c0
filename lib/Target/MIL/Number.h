//===- Number.h - Numbers of MIL text ---------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_NUMBER_H
#define ANE_LIB_TARGET_MIL_NUMBER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::ane::mil {

/// A number, and the double that is nearest to what was written; that of the
/// number where rounding such a double would give another.
struct WrittenFloat {
  llvm::APFloat value;
  double written;
};

/// Decimal, C99 hexadecimal, `inf` or `nan`, with or without a sign, rounded
/// once to nearest even. Nothing for what is no number.
std::optional<WrittenFloat> parseFloat(StringRef text,
                                       const llvm::fltSemantics &semantics);

/// `value` in fp64, which holds all formats of MIL.
double toDouble(llvm::APFloat value);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_NUMBER_H
