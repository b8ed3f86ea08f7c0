//===- Convert.h - Programs for other opsets and spellings ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --opset and --mil-version ask for. A program means the same afterwards,
// or there is an error at the statement that cannot be said.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_CONVERT_H
#define ANE_TARGET_MIL_CONVERT_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace mlir::ane::mil {

/// Brings all functions to `opset`: arguments that it does not have yet are
/// dropped where they have their default; those of constexpr statements stand
/// among the attributes before ios18, and after the operation from then on.
LogicalResult convertOpset(ProgramOp program, StringRef opset);

/// Whether program(1.0) can say the types of a program in another spelling.
LogicalResult checkOldSpelling(ProgramOp program);

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_CONVERT_H
