//===- Target.cpp - The generation that a module is for -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Target.h"

#include "ane/Dialect/ANE/IR/ANE.h"

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

const hw::GenerationInfo &mlir::ane::getTarget(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  for (; module; module = module->getParentOfType<ModuleOp>())
    if (auto name = module->getAttrOfType<StringAttr>(
            ANEDialect::getTargetAttrName())) {
      // Others are errors of the verifier.
      auto generation = hw::parseTarget({name.data(), name.size()});
      if (generation.ok())
        return hw::info(*generation);
    }
  return hw::defaultTarget();
}

void mlir::ane::setTarget(ModuleOp module,
                          const hw::GenerationInfo &generation) {
  module->setAttr(ANEDialect::getTargetAttrName(),
                  StringAttr::get(module.getContext(), generation.name));
}
