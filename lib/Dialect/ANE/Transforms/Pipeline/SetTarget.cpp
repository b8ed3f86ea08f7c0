//===- SetTarget.cpp - The generation that a module is for ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESETTARGET
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct SetTarget : mlir::ane::impl::ANESetTargetBase<SetTarget> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto generation = ::ane::hw::parseTarget(target.getValue());
    if (!generation.ok()) {
      module.emitError(std::string(generation.status().message()));
      return signalPassFailure();
    }
    if (module->hasAttr(ANEDialect::getTargetAttrName()) &&
        getTarget(module).id != *generation) {
      module.emitError("is for ")
          << getTarget(module).name << " (" << ANEDialect::getTargetAttrName()
          << "), but is compiled for " << target.getValue()
          << "; give one target only";
      return signalPassFailure();
    }
    setTarget(module, ::ane::hw::info(*generation));
  }
};
} // namespace
