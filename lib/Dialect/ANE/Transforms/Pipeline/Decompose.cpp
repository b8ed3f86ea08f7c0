//===- Decompose.cpp - Take apart what the engine cannot do ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trials.h"
#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Constants/ShareConstants.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"
#include "ane/Dialect/ANE/Utils/TensorSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEDECOMPOSE
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// Patterns of the flavour for the families of ops.
static void populateFlavourPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options) {
  for (const LoweringHooks *hooks : options.policy.hooks())
    if (hooks->populatePatterns)
      hooks->populatePatterns(patterns, options);
}

namespace {
struct Decompose : public mlir::ane::impl::ANEDecomposeBase<Decompose> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), target, flavour);
    if (failed(lowering))
      return signalPassFailure();
    DecomposeOptions options = {::ane::hw::info(lowering->generation),
                                allowUnproven, *lowering->policy};
    if (failed(check(options.policy)))
      return signalPassFailure();
    if (leavesWhole(*lowering))
      return;
    reduceAngles(getOperation(), options);
    separateGates(getOperation(), options);
    if (cutLongRows(getOperation(), options) || haveWeightsInCommon())
      sharer.emplace(getOperation());
    // Windows first, since their blocks have more than four dimensions. Four
    // dimensions then, the ops, and parts of what is too large last:
    // taking apart makes new ops that may not fit.
    if (failed(rewrite(options,
                       {populateRuntimeEpiloguePatterns,
                        populateRuntimeConvPatterns, populateLargePoolPatterns,
                        populateDecomposePhasesPatterns,
                        populateDecomposeTransposedPatterns,
                        populateDecomposeWindowPatterns})) ||
        failed(rewrite(options, {populateRankPatterns})) ||
        failed(rewrite(options,
                       {populateGroupNormPatterns, populateNormFactorPatterns,
                        populateDecomposeAttentionPatterns,
                        populateFewQueriesPatterns, populateRotaryPatterns,
                        populateDecomposeColumnsPatterns,
                        populateDecomposeFeedForwardPatterns})) ||
        failed(splitLongLayers(getOperation(), options)) ||
        failed(splitLongRows(getOperation(), options)) ||
        failed(rewrite(
            options,
            {populateFlavourPatterns, populateDecomposeConvPatterns,
             populateDecomposeElementwisePatterns,
             populateDecomposeLayoutPatterns, populateDecomposeLogicPatterns,
             populateDecomposeNormPatterns, populateDecomposePoolPatterns,
             populateDecomposeResizePatterns,
             populateDecomposeShapePatterns})) ||
        failed(rewrite(options, {populateShufflePatterns})) ||
        failed(rewrite(options, {populateSplitForStripsPatterns})) ||
        failed(rewrite(options, {populateMovedStripsPatterns})) ||
        failed(rewrite(options, {populateFewOutputsPatterns})) ||
        failed(rewrite(options, {populateSplitPatterns})))
      return signalPassFailure();
    stretchTables(getOperation(), options);
  }

private:
  // One error for each op, so that a user sees all of them at once.
  LogicalResult check(const LoweringPolicy &policy) {
    bool isAccepted = succeeded(checkTensorSizes(getOperation())) &&
                      succeeded(checkAddresses(getOperation()));
    for (const LoweringHooks *hooks : policy.hooks())
      if (hooks->check)
        getOperation()->walk(
            [&](Operation *op) { isAccepted &= succeeded(hooks->check(op)); });
    return success(isAccepted);
  }

  // A module whose functions the flavour turns into tasks as a whole; those
  // that are marked already are being tried.
  bool leavesWhole(const LoweringTarget &lowering) {
    const SequenceChoices &choices = lowering.policy->sequences;
    if (!choices.takes)
      return false;
    SmallVector<func::FuncOp> funcs;
    getOperation()->walk([&](func::FuncOp func) {
      if (!func.isExternal())
        funcs.push_back(func);
    });
    LoweringOptions trial;
    trial.target = target;
    trial.flavour = flavour;
    trial.allowUnproven = allowUnproven;
    bool isWhole = llvm::all_of(funcs, [&](func::FuncOp func) {
      if (func->hasAttr(ANEDialect::getSequenceAttrName()))
        return true;
      return sequences &&
             choices.takes(func, ::ane::hw::info(lowering.generation)) &&
             !(choices.onlyWhereLess && hasLongRows(func)) &&
             (!choices.onlyWhereLess || needsLessAsSequence(func, trial));
    });
    if (isWhole)
      for (func::FuncOp func : funcs)
        func->setAttr(ANEDialect::getSequenceAttrName(),
                      UnitAttr::get(&getContext()));
    return isWhole;
  }

  // Of which a sequence would be one task.
  static bool hasLongRows(func::FuncOp func) {
    return func
        ->walk([](Operation *op) {
          return llvm::any_of(op->getOperandTypes(),
                              [](Type type) {
                                auto tensor = dyn_cast<RankedTensorType>(type);
                                return tensor &&
                                       isTooLong(
                                           tensor.getShape().take_back(1));
                              })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // As the groups of a batch have (GroupImages.cpp).
  bool haveWeightsInCommon() {
    return getOperation()
        ->walk([](ConstantOp constant) {
          return isa<DenseResourceElementsAttr>(constant.getValue()) &&
                         llvm::count_if(constant->getUsers(),
                                        llvm::IsaPred<ConvOp>) > 1
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  using Populate = void (*)(RewritePatternSet &, const DecomposeOptions &);

  LogicalResult rewrite(const DecomposeOptions &options,
                        ArrayRef<Populate> populates) {
    RewritePatternSet patterns(&getContext());
    for (Populate populate : populates)
      populate(patterns, options);
    GreedyRewriteConfig config;
    // Top-down: a pool whose input is a pool sees what became of it.
    config.setUseTopDownTraversal(true);
    if (sharer)
      config.setListener(&*sharer);
    if (succeeded(applyPatternsGreedily(getOperation(), std::move(patterns),
                                        config))) {
      if (sharer)
        sharer->merge(getOperation());
      return success();
    }
    return emitError(getOperation()->getLoc(),
                     "rewriting did not come to an end after ")
           << config.getMaxIterations() << " rounds";
  }

  /// Where ops have become many of the same weights.
  std::optional<ConstantSharer> sharer;
};
} // namespace
