//===- Checks.h - The rules of single statements ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_CHECKS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_CHECKS_H

#include "ane/Dialect/MIL/Transforms/Rules.h"

namespace mlir::ane::mil {

// By theme; each looks at one statement.
void checkLiterals(const Statement &s, Checker &checker);
void checkShapes(const Statement &s, Checker &checker);
void checkReach(const Statement &s, Checker &checker);
void checkConvolution(const Statement &s, Checker &checker);
void checkMatmul(const Statement &s, Checker &checker);
void checkComposite(const Statement &s, Checker &checker);
void checkElementwise(const Statement &s, Checker &checker);
void checkReduction(const Statement &s, Checker &checker);
void checkMovement(const Statement &s, Checker &checker);

/// True for fp16 and fp32 elements below what masks need, and for -inf.
bool hasUnboundedMask(TypedAttr value);
/// A name that one author found to give zeros.
bool isSuspiciousName(StringRef name);

} // namespace mlir::ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_CHECKS_H
