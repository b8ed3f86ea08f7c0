//===- Arguments.h - Arguments by name or number ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_PIPELINES_ARGUMENTS_H
#define ANE_LIB_PIPELINES_ARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::ane {

/// The index of the argument that `name` means: its number or its `ane.name`.
std::optional<unsigned> findArgument(func::FuncOp function, StringRef name);

} // namespace mlir::ane

#endif // ANE_LIB_PIPELINES_ARGUMENTS_H
