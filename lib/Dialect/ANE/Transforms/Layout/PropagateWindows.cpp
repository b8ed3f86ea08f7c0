//===- PropagateWindows.cpp - Means and windows as the engine has them ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources spell out a mean as a sum and a factor, and cut off what windows do
// not read because TOSA wants exact divisions. Here both become the window op
// that is meant, so that no slice or sum stands in the way of a transpose.
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

namespace {

/// One reduction over the dimensions of two.
struct MergeReductions : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReduceOp>();
    if (!inner || inner.getKind() != op.getKind() || !inner->hasOneUse() ||
        inner.getActivation() || op.getKind() == ReduceKind::SumSquare ||
        op.getKind() == ReduceKind::MeanSquare)
      return rewriter.notifyMatchFailure(op,
                                         "no reduction of a reduction alike");
    SmallVector<int64_t> axes(op.getAxes());
    llvm::append_range(axes, inner.getAxes());
    llvm::sort(axes);
    axes.erase(llvm::unique(axes), axes.end());
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(),
                                          inner.getInput(), axes,
                                          op.getActivationAttr());
    return success();
  }
};

/// Squares that are added up at once: f16 does not hold the squares of numbers
/// above 255.
struct SumOfSquares : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != ReduceKind::Sum && op.getKind() != ReduceKind::Mean)
      return rewriter.notifyMatchFailure(op, "adds up nothing");
    Value root;
    if (auto product = op.getInput().getDefiningOp<ElementwiseOp>()) {
      std::optional<double> exponent = scalarOf(product.getRhs());
      bool isSquare = product.getKind() == ElementwiseKind::Mul &&
                      product.getLhs() == product.getRhs();
      bool isPower = product.getKind() == ElementwiseKind::Pow && exponent &&
                     *exponent == 2 &&
                     product.getLhs().getType() == product.getType();
      if (product.isPlain() && (isSquare || isPower))
        root = product.getLhs();
    } else if (auto function = op.getInput().getDefiningOp<ActivationOp>()) {
      if (function.getFunction().getKind() == ActivationKind::Square)
        root = function.getInput();
    }
    if (!root)
      return rewriter.notifyMatchFailure(op, "adds up no squares");
    rewriter.replaceOpWithNewOp<ReduceOp>(
        op, op.getType(),
        op.getKind() == ReduceKind::Sum ? ReduceKind::SumSquare
                                        : ReduceKind::MeanSquare,
        root, op.getAxes(), op.getActivationAttr());
    return success();
  }
};

} // namespace

static int64_t countReduced(ReduceOp op) {
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    count *= shapeOf(op.getInput())[axis];
  return count;
}

namespace {

/// sum(x) * (1 / n) and sum(x) / n over n elements are a mean, whose sum is
/// never rounded.
struct SumToMean : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    Value sum = op.getLhs(), factor = op.getRhs();
    if (op.getKind() == ElementwiseKind::Mul && isConstant(sum))
      std::swap(sum, factor);
    else if (op.getKind() != ElementwiseKind::Mul &&
             op.getKind() != ElementwiseKind::Div)
      return rewriter.notifyMatchFailure(op, "is no quotient or product");
    auto reduce = sum.getDefiningOp<ReduceOp>();
    if (!reduce ||
        (reduce.getKind() != ReduceKind::Sum &&
         reduce.getKind() != ReduceKind::SumSquare) ||
        reduce.getActivation() || isConstant(sum) || !reduce->hasOneUse() ||
        shapeOf(sum) != shapeOf(op) || !op.isPlain())
      return rewriter.notifyMatchFailure(op, "divides no sum");
    std::optional<double> value = scalarOf(factor);
    if (!value)
      return rewriter.notifyMatchFailure(op, "no number divides it");
    // The exporter rounded 1/n to f32 at best, to f16 at worst.
    double count = countReduced(reduce);
    double one =
        op.getKind() == ElementwiseKind::Mul ? *value * count : *value / count;
    if (std::abs(one - 1) > 1.0 / 2048)
      return rewriter.notifyMatchFailure(
          op, "the number is not that of what is added up");
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(),
                                          reduce.getKind() == ReduceKind::Sum
                                              ? ReduceKind::Mean
                                              : ReduceKind::MeanSquare,
                                          reduce.getInput(), reduce.getAxes());
    return success();
  }
};

/// (x * a) * b and (x * a) / b for numbers whose product is 1: a pooling that
/// sums and the division after it.
struct CancelFactors : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getLhs().getDefiningOp<ElementwiseOp>();
    if (!inner || !op.isPlain() || !inner.isPlain() ||
        inner.getKind() != ElementwiseKind::Mul ||
        inner.getLhs().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "no product of a product");
    std::optional<double> first = scalarOf(inner.getRhs());
    std::optional<double> second = scalarOf(op.getRhs());
    if (!first || !second)
      return rewriter.notifyMatchFailure(op, "the factors are no numbers");
    bool cancel = op.getKind() == ElementwiseKind::Div
                      ? *first == *second
                      : op.getKind() == ElementwiseKind::Mul &&
                            std::abs(*first * *second - 1) < 1e-6;
    if (!cancel)
      return rewriter.notifyMatchFailure(op, "the factors do not cancel");
    rewriter.replaceOp(op, inner.getLhs());
    return success();
  }
};

/// The mean of every plane is an average pooling, which has more ways down.
struct PlaneMeanToPool : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(op.getInput());
    if (op.getKind() != ReduceKind::Mean || shape.size() != 4 ||
        op.getAxes() != ArrayRef<int64_t>{2, 3} || isConstant(op))
      return rewriter.notifyMatchFailure(op, "is no mean of planes");
    rewriter.replaceOpWithNewOp<PoolOp>(
        op, op.getType(), PoolKind::Average, op.getInput(), shape.drop_front(2),
        ArrayRef<int64_t>{1, 1}, ArrayRef<int64_t>{0, 0, 0, 0},
        /*count_include_pad=*/false);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Slices that windows do not notice
//===----------------------------------------------------------------------===//

/// TOSA wants windows that end at the border, so exporters cut off the rows and
/// columns after the last window. Ours may leave a rest: conv(slice(x)) is
/// conv(x) if the windows read nothing of what was cut off or of the padding
/// there, and give the same size.
template <typename OpTy> struct DropUnreadSlice : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getInput().template getDefiningOp<SliceOp>();
    if (!slice || isConstant(slice))
      return rewriter.notifyMatchFailure(op, "cuts nothing off");
    ArrayRef<int64_t> whole = shapeOf(slice.getInput());
    ArrayRef<int64_t> cut = shapeOf(slice);
    auto isZero = [](int64_t offset) { return offset == 0; };
    if (whole.take_front(2) != cut.take_front(2) || !slice.hasUnitStrides() ||
        !llvm::all_of(slice.getOffsets(), isZero))
      return rewriter.notifyMatchFailure(
          op, "cuts off more than ends of rows and columns");
    SmallVector<int64_t, 4> pad(op.getPad());
    for (int axis : {0, 1}) {
      if (whole[2 + axis] == cut[2 + axis])
        continue;
      DimMap map = getDimMap(op, 0, 2 + axis);
      int64_t unread = map.before - map.getSpan(), out = shapeOf(op)[2 + axis];
      bool readsBehind = (out - 1) * map.stride - unread > cut[2 + axis];
      if (readsBehind || (whole[2 + axis] + unread) / map.stride + 1 != out)
        return rewriter.notifyMatchFailure(op, "windows read it");
      pad[2 * axis + 1] = 0;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(slice.getInput());
      op.setPad(pad);
    });
    return success();
  }
};

} // namespace

void layout::addWindowPatterns(RewritePatternSet &patterns,
                               const LoweringPolicy &policy) {
  patterns.add<CancelFactors, SumOfSquares, DropUnreadSlice<ConvOp>,
               DropUnreadSlice<PoolOp>, MergeReductions, SumToMean>(
      patterns.getContext());
  if (!policy.conv.leavesPlaneMeans)
    patterns.add<PlaneMeanToPool>(patterns.getContext());
}
