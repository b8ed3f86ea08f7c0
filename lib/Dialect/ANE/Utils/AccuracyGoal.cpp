//===- AccuracyGoal.cpp - How exact results have to be --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/AccuracyGoal.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::ane;

AccuracyGoal mlir::ane::getAccuracyGoal(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto name = module ? module->getAttrOfType<StringAttr>(kAccuracyGoalAttrName)
                     : StringAttr();
  return parseAccuracyGoal(name ? name.getValue()
                                : StringRef(defaultAccuracyGoal))
      .value_or(AccuracyGoal::Balanced);
}
