//===- Fuse.cpp - Use the epilogues of the engine -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Transforms/Fuse/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"
#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEFUSE
#include "ane/Dialect/ANE/Transforms/Fuse/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

static bool canTake(Operation *producer) {
  return isa_and_present<ConvOp, ConvTransposeOp, MatmulOp, ElementwiseOp>(
             producer) &&
         producer->hasOneUse() && !producer->hasAttr("activation");
}

/// act(op(x)) -> op(x) {activation = act}, also where the input is a concat of
/// such ops, if tokens are columns: planes of a volume, parts that were cut for
/// their size.
static LogicalResult activationIntoEpilogue(ActivationOp op,
                                            PatternRewriter &rewriter,
                                            const LoweringPolicy &policy) {
  SmallVector<Value> inputs = {op.getInput()};
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (concat && policy.sequences.tokensAreColumns && concat->hasOneUse())
    inputs = concat.getInputs();
  if (!llvm::all_of(inputs,
                    [](Value input) { return canTake(input.getDefiningOp()); }))
    return rewriter.notifyMatchFailure(
        op, "the input has no epilogue, other uses or an activation");
  for (Value input : inputs)
    rewriter.modifyOpInPlace(input.getDefiningOp(), [&] {
      input.getDefiningOp()->setAttr("activation", op.getFunction());
    });
  rewriter.replaceOp(op, op.getInput());
  return success();
}

/// f(x, y) * a + b -> f(x, y) {scale = a, bias = b}, for scalars a and b.
static LogicalResult scalarIntoEpilogue(ElementwiseOp op,
                                        PatternRewriter &rewriter) {
  std::optional<WithNumber> operand = withNumber(op);
  if (!operand)
    return rewriter.notifyMatchFailure(op, "no operand is a scalar");
  auto producer = operand->data.getDefiningOp<ElementwiseOp>();
  if (!producer || !producer->hasOneUse() || producer.getActivationAttr())
    return rewriter.notifyMatchFailure(op, "no elementwise op to extend");
  auto outer = affineOf(op, operand->number, operand->isNumberFirst);
  if (!outer)
    return rewriter.notifyMatchFailure(op, "not affine in its data");
  double factor = outer->factor;
  double scale = factor * producer.getScale().convertToFloat();
  double bias = factor * producer.getBias().convertToFloat() + outer->summand;
  // The engine has one factor and one summand, of f16, for these and for a
  // number in front.
  double whole = scale, summand = bias;
  if (std::optional<WithNumber> number = withNumber(producer))
    if (auto inner =
            affineOf(producer, number->number, number->isNumberFirst)) {
      whole = factor * inner->factor;
      summand = factor * inner->summand + outer->summand;
    }
  if (std::fabs(whole) > largestHalf || std::fabs(bias) > largestHalf ||
      std::fabs(summand) > largestHalf)
    return rewriter.notifyMatchFailure(op, "scale or bias overflows");
  if (whole != 0 && std::fabs(whole) < smallestNormalHalf &&
      std::fabs(factor) >= smallestNormalHalf)
    return rewriter.notifyMatchFailure(op, "scale would lose digits");
  rewriter.modifyOpInPlace(producer, [&] {
    producer.setScale(APFloat(static_cast<float>(scale)));
    producer.setBias(APFloat(static_cast<float>(bias)));
    producer.setActivationAttr(op.getActivationAttr());
  });
  rewriter.replaceOp(op, producer.getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct Fuse : public mlir::ane::impl::ANEFuseBase<Fuse> {
  using Base::Base;

  LogicalResult apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    return applyPatterns(getOperation(), std::move(patterns), getArgument());
  }

  LogicalResult run(const LoweringTarget &lowering) {
    const LoweringPolicy &policy = *lowering.policy;
    const bool areTokensColumns = policy.sequences.tokensAreColumns;
    BlobUses uses(getOperation());
    if (failed(apply([&](RewritePatternSet &patterns) {
          populateIdiomPatterns(patterns, policy, idioms);
          if (areTokensColumns)
            populatePlanePatterns(patterns);
        })))
      return failure();
    fuseAffineMaps(getOperation(), policy, uses, affineMaps);
    if (areTokensColumns) {
      if (failed(apply([&](RewritePatternSet &patterns) {
            populateSlicePatterns(patterns, slices);
          })))
        return failure();
      uses.releaseGone(getOperation());
      fuseAffineMaps(getOperation(), policy, uses, affineMaps);
    }
    if (failed(apply([&](RewritePatternSet &patterns) {
          populateWindowPatterns(patterns, windows);
          addPatterns<activationIntoEpilogue, scalarIntoEpilogue>(
              patterns, epilogues, policy);
        })))
      return failure();
    if (areTokensColumns && failed(apply(populatePixelPatterns)))
      return failure();
    if (policy.conv.fusesLayers &&
        failed(apply([&](RewritePatternSet &patterns) {
          populateLayerPatterns(
              patterns, ::ane::hw::chipOf(lowering.generation->id), layers);
        })))
      return failure();
    if (policy.conv.addsInProducts &&
        failed(apply([&](RewritePatternSet &patterns) {
          populateSumPatterns(patterns, sums);
        })))
      return failure();
    uses.releaseGone(getOperation());
    return success();
  }

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering) || failed(run(*lowering)))
      signalPassFailure();
  }
};
} // namespace
