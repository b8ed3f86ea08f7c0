//===- TaskOrder.cpp - Tasks of a function one after the other ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/TaskOrder.h"

#include "ane/Dialect/ANE/IR/ANE.h"

using namespace mlir;
using namespace mlir::ane;

LogicalResult mlir::ane::checkTaskOrder(func::FuncOp func) {
  if (func.isExternal())
    return success();
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("has ")
           << func.getBody().getBlocks().size()
           << " blocks, but tasks run one after the other";
  WalkResult result = func.walk([&](TaskOp task) {
    if (task->getParentOp() == func)
      return WalkResult::advance();
    task.emitOpError("is inside of '")
        << task->getParentOp()->getName()
        << "', but tasks run one after the other; unroll or inline that first";
    return WalkResult::interrupt();
  });
  return success(!result.wasInterrupted());
}
