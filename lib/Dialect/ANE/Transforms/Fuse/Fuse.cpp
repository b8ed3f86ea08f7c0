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
// What the parts share
//===----------------------------------------------------------------------===//

std::optional<ScalarOperand> mlir::ane::matchScalarOperand(ElementwiseOp op) {
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  for (bool left : {false, true}) {
    Value data = left ? op.getRhs() : op.getLhs();
    std::optional<float> scalar =
        getConstantSplat(left ? op.getLhs() : op.getRhs());
    if (scalar && shapeOf(data) == shapeOf(op.getResult()))
      return ScalarOperand{data, *scalar, left};
  }
  return std::nullopt;
}

static bool isNeverNegative(ActivationAttr act) {
  return act && act.isNeverNegative();
}

bool mlir::ane::isNeverNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto activation = dyn_cast_if_present<ActivationOp>(op))
    return ::isNeverNegative(activation.getFunction());
  if (isa_and_present<ConvOp, ConvTransposeOp, MatmulOp, ElementwiseOp>(op))
    return ::isNeverNegative(op->getAttrOfType<ActivationAttr>("activation"));
  if (isa_and_present<PoolOp, SliceOp, TransposeOp, ReshapeOp>(op))
    return isNeverNegative(op->getOperand(0));
  return false;
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

namespace {
/// act(op(x)) -> op(x) {activation = act}, also where the input is a concat of
/// such ops: planes of a volume, parts that were cut for their size.
struct ActivationIntoEpilogue : OpRewritePattern<ActivationOp> {
  ActivationIntoEpilogue(MLIRContext *context, bool throughConcat,
                         FuseCounts &counts)
      : OpRewritePattern(context), throughConcat(throughConcat),
        counts(counts) {}

  static bool canTake(Operation *producer) {
    return isa_and_present<ConvOp, ConvTransposeOp, MatmulOp, ElementwiseOp>(
               producer) &&
           producer->hasOneUse() && !producer->hasAttr("activation");
  }

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs = {op.getInput()};
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (concat && throughConcat && concat->hasOneUse())
      inputs = concat.getInputs();
    if (!llvm::all_of(
            inputs, [](Value input) { return canTake(input.getDefiningOp()); }))
      return rewriter.notifyMatchFailure(
          op, "the input has no epilogue, other uses or an activation");
    for (Value input : inputs)
      rewriter.modifyOpInPlace(input.getDefiningOp(), [&] {
        input.getDefiningOp()->setAttr("activation", op.getFunction());
      });
    rewriter.replaceOp(op, op.getInput());
    counts.epilogues += inputs.size();
    return success();
  }
  bool throughConcat;
  FuseCounts &counts;
};

/// f(x, y) * a + b -> f(x, y) {scale = a, bias = b}, for scalars a and b.
struct ScalarIntoEpilogue : CountedPattern<ElementwiseOp> {
  using CountedPattern::CountedPattern;

  /// factor and summand of `op` as a function of its data operand.
  static std::optional<std::pair<double, double>>
  getAffine(ElementwiseOp op, const ScalarOperand &operand) {
    double c = operand.scalar;
    switch (op.getKind()) {
    case ElementwiseKind::Add:
      return std::make_pair(1.0, c);
    case ElementwiseKind::Sub:
      return operand.scalarIsLhs ? std::make_pair(-1.0, c)
                                 : std::make_pair(1.0, -c);
    case ElementwiseKind::Mul:
      return std::make_pair(c, 0.0);
    case ElementwiseKind::Div:
      if (operand.scalarIsLhs || c == 0)
        return std::nullopt;
      return std::make_pair(1.0 / c, 0.0);
    default:
      return std::nullopt;
    }
  }

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<ScalarOperand> operand = matchScalarOperand(op);
    if (!operand)
      return rewriter.notifyMatchFailure(op, "no operand is a scalar");
    auto producer = operand->data.getDefiningOp<ElementwiseOp>();
    if (!producer || !producer->hasOneUse() || producer.getActivationAttr())
      return rewriter.notifyMatchFailure(op, "no elementwise op to extend");
    auto affine = getAffine(op, *operand);
    if (!affine)
      return rewriter.notifyMatchFailure(op, "not affine in its data");
    // op: s2 * (a * (s1 * f + b1) + c) + b2
    double outer = op.getScale().convertToFloat();
    double factor = outer * affine->first;
    double scale = factor * producer.getScale().convertToFloat();
    double bias = factor * producer.getBias().convertToFloat() +
                  outer * affine->second + op.getBias().convertToFloat();
    // The engine has one factor and one summand, of f16, for these and for a
    // number in front.
    double whole = scale, summand = bias;
    if (std::optional<ScalarOperand> inner = matchScalarOperand(producer)) {
      if (auto first = getAffine(producer, *inner)) {
        whole *= first->first;
        summand += scale * first->second;
      }
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
    ++counts.epilogues;
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct Fuse : public mlir::ane::impl::ANEFuseBase<Fuse> {
  using Base::Base;

  LogicalResult
  applyPatterns(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    return mlir::ane::applyPatterns(getOperation(), std::move(patterns),
                                    getArgument());
  }

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering))
      return signalPassFailure();
    FuseCounts counts;
    BlobUses uses(getOperation());
    if (failed(applyPatterns([&](RewritePatternSet &patterns) {
          populateIdiomPatterns(patterns, *lowering->policy, counts);
          if (lowering->policy->sequences.tokensAreColumns)
            populatePlanePatterns(patterns);
        })))
      return signalPassFailure();
    fuseAffineMaps(getOperation(), *lowering->policy, uses, counts);
    if (lowering->policy->sequences.tokensAreColumns) {
      if (failed(applyPatterns([&](RewritePatternSet &patterns) {
            populateSlicePatterns(patterns, counts);
          })))
        return signalPassFailure();
      uses.releaseGone(getOperation());
      fuseAffineMaps(getOperation(), *lowering->policy, uses, counts);
    }
    if (failed(applyPatterns([&](RewritePatternSet &patterns) {
          populateWindowPatterns(patterns, counts);
          patterns.add<ActivationIntoEpilogue>(
              &getContext(), lowering->policy->sequences.tokensAreColumns,
              counts);
          patterns.add<ScalarIntoEpilogue>(&getContext(), counts);
        })))
      return signalPassFailure();
    if (lowering->policy->sequences.tokensAreColumns &&
        failed(applyPatterns(populatePixelPatterns)))
      return signalPassFailure();
    if (lowering->policy->conv.fusesLayers &&
        failed(applyPatterns([&](RewritePatternSet &patterns) {
          populateLayerPatterns(
              patterns, ::ane::hw::chipOf(lowering->generation->id), counts);
        })))
      return signalPassFailure();
    if (lowering->policy->conv.addsInProducts &&
        failed(applyPatterns([&](RewritePatternSet &patterns) {
          populateSumPatterns(patterns, counts);
        })))
      return signalPassFailure();
    uses.releaseGone(getOperation());
    idioms += counts.idioms;
    affineMaps += counts.affine;
    windows += counts.windows;
    epilogues += counts.epilogues;
    sums += counts.sums;
    slices += counts.slices;
    layers += counts.layers;
  }
};
} // namespace
