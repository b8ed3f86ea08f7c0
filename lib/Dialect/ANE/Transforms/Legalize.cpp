//===- Legalize.cpp - Only ops that the target does in one pass -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "ane/Dialect/ANE/Transforms/Passes.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANELEGALIZE
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct Legalize : public mlir::ane::impl::ANELegalizeBase<Legalize> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), target, flavour);
    if (failed(lowering))
      return signalPassFailure();
    LegalizeOptions options = {::ane::hw::info(lowering->generation),
                               allowUnproven, *lowering->policy};
    FailureOr<RoundedConstants> rounded =
        roundConstants(getOperation(), options.info);
    if (failed(rounded))
      return signalPassFailure();
    roundedConstants += rounded->constants;
    subnormalElements += rounded->subnormals;

    // One error for each op, so that a user sees all of them at once.
    bool isLegal = true;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What becomes tasks as a whole was checked as a whole.
      if (op->hasAttr(ANEDialect::getSequenceAttrName()))
        return WalkResult::skip();
      if (isa<ANEDialect>(op->getDialect()))
        isLegal &= succeeded(checkLegal(op, options));
      return WalkResult::advance();
    });
    if (!isLegal)
      signalPassFailure();
  }
};
} // namespace
