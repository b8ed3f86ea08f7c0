//===- TableFunction.h - Which table computes a function --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_TABLEFUNCTION_H
#define ANE_DIALECT_ANE_UTILS_TABLEFUNCTION_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/LookupTable.h"

namespace mlir::ane {

/// The table that computes a function in one pass, if one does.
std::optional<::ane::hw::TableFunction> tableFunctionOf(ActivationKind kind);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_TABLEFUNCTION_H
