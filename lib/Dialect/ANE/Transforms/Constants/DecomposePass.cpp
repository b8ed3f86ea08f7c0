//===- DecomposePass.cpp - Parts of ane-decompose -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/Constants/ShareConstants.h"
#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::ane;

FailureOr<DecomposeOptions> mlir::ane::getDecomposeOptions(Operation *op,
                                                           StringRef flavour,
                                                           bool allowUnproven) {
  FailureOr<LoweringTarget> lowering = getLoweringTarget(op, flavour);
  if (failed(lowering))
    return failure();
  return DecomposeOptions{*lowering->generation, allowUnproven,
                          *lowering->policy};
}

bool mlir::ane::areSequences(Operation *scope) {
  bool isAny = false;
  WalkResult walk = scope->walk([&](func::FuncOp func) {
    if (func.isExternal())
      return WalkResult::advance();
    isAny = true;
    return func->hasAttr(ANEDialect::getSequenceAttrName())
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return isAny && !walk.wasInterrupted();
}

namespace {
/// Counts what is rewritten, and lets constants share their bytes where ops
/// have become many of the same weights.
struct Watcher : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (sharer)
      sharer->notifyOperationInserted(op, previous);
  }
  void notifyPatternEnd(const Pattern &, LogicalResult status) override {
    count += succeeded(status);
  }

  std::optional<ConstantSharer> sharer;
  int64_t count = 0;
};
} // namespace

// As parts of a batch or of a long row have: the same rewrites of each make the
// same constants again.
static bool haveWeightsInCommon(Operation *scope) {
  return scope
      ->walk([](ConstantOp constant) {
        return llvm::count_if(constant->getUses(),
                              [](OpOperand &use) {
                                auto conv = dyn_cast<ConvOp>(use.getOwner());
                                return conv && &use == &conv.getWeightMutable();
                              }) > 1
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<int64_t> mlir::ane::rewriteOps(Operation *scope,
                                         const DecomposeOptions &options,
                                         ArrayRef<PopulatePatterns> populates,
                                         StringRef pass) {
  RewritePatternSet patterns(scope->getContext());
  for (PopulatePatterns populate : populates)
    populate(patterns, options);
  Watcher watcher;
  if (haveWeightsInCommon(scope))
    watcher.sharer.emplace(scope);
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true);
  config.setListener(&watcher);
  if (failed(applyPatterns(scope, std::move(patterns), pass, config)))
    return emitError(scope->getLoc(), "rewriting did not come to an end after ")
           << config.getMaxIterations() << " rounds";
  if (watcher.sharer)
    watcher.sharer->merge(scope);
  return watcher.count;
}
