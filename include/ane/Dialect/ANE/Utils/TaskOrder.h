//===- TaskOrder.h - Tasks of a function one after the other ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_TASKORDER_H
#define ANE_DIALECT_ANE_UTILS_TASKORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Fails with an error where a function has several blocks, or a task in the
/// region of another op: the engine has neither branches nor loops.
LogicalResult checkTaskOrder(func::FuncOp func);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_TASKORDER_H
