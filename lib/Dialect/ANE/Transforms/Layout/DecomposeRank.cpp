//===- DecomposeRank.cpp - Four dimensions for every tensor ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has N, C, H and W. Tensors of fewer dimensions get ones in front,
// which is a view: rows stay rows. Of more dimensions the leading ones merge.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

// Four dimensions with the same last ones: ones in front, or the leading ones
// merged. Rows stay rows, so the reshape is a view.
static FailureOr<SmallVector<int64_t>> rank4Shape(ArrayRef<int64_t> shape) {
  if (shape.size() <= 4) {
    SmallVector<int64_t> image(4 - shape.size(), 1);
    llvm::append_range(image, shape);
    return image;
  }
  SmallVector<int64_t> image(shape.take_back(4));
  for (int64_t dim : shape.drop_back(4))
    image.front() *= dim;
  return image;
}

static Value toRank4(OpBuilder &builder, Location loc, Value value) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 4)
    return value;
  auto shape = rank4Shape(type.getShape());
  return ReshapeOp::create(builder, loc,
                           RankedTensorType::get(*shape, type.getElementType()),
                           value);
}

namespace {

/// Ops that work element by element, at other ranks than 4.
template <typename OpT>
struct RankOfElementwise : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() == 4 || !type.getElementType().isF16())
      return failure();
    // Leading dimensions merge only where nothing is broadcast along them.
    if (type.getRank() > 4)
      for (Value operand : op->getOperands())
        if (typeOf(operand).getShape() != type.getShape() &&
            !getSplatValue(operand))
          return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (std::optional<float> value = getSplatValue(operand);
          value && typeOf(operand).getRank() > 4)
        operands.push_back(
            unroundedConstant(rewriter, op.getLoc(), {1, 1, 1, 1}, {*value}));
      else
        operands.push_back(
            constantReshaped(rewriter, op.getLoc(), operand,
                             *rank4Shape(typeOf(operand).getShape())));
    }
    auto shape = rank4Shape(type.getShape());
    Operation *image = rewriter.clone(*op);
    image->setOperands(operands);
    image->getResult(0).setType(
        RankedTensorType::get(*shape, type.getElementType()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image->getResult(0));
    return success();
  }
};

/// Bytes are only moved by the DMA and converted: what is done with them is
/// done to f16.
struct ComputeOnHalves : public RewritePattern {
  ComputeOnHalves(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto isBytes = [](Type type) {
      return getElementTypeOrSelf(type).isUnsignedInteger(8);
    };
    if (!isa<ActivationOp, CompareOp, ConcatOp, ElementwiseOp, SelectOp,
             SliceOp, TileOp, TransposeOp>(op) ||
        llvm::none_of(op->getOperandTypes(), isBytes))
      return failure();
    auto toHalf = [&](Type type) {
      return cast<RankedTensorType>(type).clone(rewriter.getF16Type());
    };
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (isBytes(operand.getType()))
        mapping.map(operand,
                    CastOp::create(rewriter, op->getLoc(),
                                   toHalf(operand.getType()), operand));
    Operation *half = rewriter.clone(*op, mapping);
    Type type = op->getResult(0).getType();
    Value result = half->getResult(0);
    if (isBytes(type)) {
      result.setType(cast<RankedTensorType>(toHalf(type)));
      result = CastOp::create(rewriter, op->getLoc(), type, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct RankOfCast : public OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    auto isElement = [](Type type) {
      return getElementTypeOrSelf(type).isF16() ||
             getElementTypeOrSelf(type).isUnsignedInteger(8);
    };
    if (type.getRank() == 4 || !isElement(type) ||
        !isElement(op.getInput().getType()))
      return failure();
    auto shape = rank4Shape(type.getShape());
    Value image =
        CastOp::create(rewriter, op.getLoc(),
                       RankedTensorType::get(*shape, type.getElementType()),
                       toRank4(rewriter, op.getLoc(), op.getInput()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
    return success();
  }
};

struct RankOfReduce : public OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getInput());
    if (type.getRank() >= 4 || !type.getElementType().isF16())
      return failure();
    SmallVector<int64_t> axes;
    for (int64_t axis : op.getAxes())
      axes.push_back(axis + 4 - type.getRank());
    auto shape = rank4Shape(typeOf(op.getResult()).getShape());
    Value image = ReduceOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(*shape, type.getElementType()), op.getKind(),
        toRank4(rewriter, op.getLoc(), op.getInput()), axes,
        op.getActivationAttr());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), image);
    return success();
  }
};

struct RankOfConcat : public OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() >= 4 || !type.getElementType().isF16())
      return failure();
    SmallVector<Value> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(toRank4(rewriter, op.getLoc(), input));
    Value image = concatDim(rewriter, op.getLoc(), inputs,
                            op.getAxis() + 4 - type.getRank());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
    return success();
  }
};

struct RankOfSlice : public OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() >= 4 || !type.getElementType().isF16())
      return failure();
    auto widen = [&](ArrayRef<int64_t> values, int64_t front) {
      SmallVector<int64_t> wide(4 - values.size(), front);
      llvm::append_range(wide, values);
      return wide;
    };
    SmallVector<int64_t> sizes = widen(op.getSizes(), 1);
    Value image = SliceOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(sizes, type.getElementType()),
        toRank4(rewriter, op.getLoc(), op.getInput()),
        widen(op.getOffsets(), 0), sizes, widen(op.getStrides(), 1));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
    return success();
  }
};

struct RankOfPad : public OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() >= 4 || !type.getElementType().isF16())
      return failure();
    auto widen = [](ArrayRef<int64_t> values) {
      SmallVector<int64_t> wide(4 - values.size(), 0);
      llvm::append_range(wide, values);
      return wide;
    };
    auto shape = rank4Shape(type.getShape());
    Value image =
        PadOp::create(rewriter, op.getLoc(),
                      RankedTensorType::get(*shape, type.getElementType()),
                      toRank4(rewriter, op.getLoc(), op.getInput()),
                      widen(op.getLow()), widen(op.getHigh()), op.getValue());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
    return success();
  }
};

/// A reshape of a reshape is one; one to its own shape is none.
struct MergeReshapes : public OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInput().getType() == op.getType()) {
      rewriter.replaceOp(op, op.getInput());
      return success();
    }
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getInput());
    return success();
  }
};

/// An op over axes at rank 3 and below, with ones in front.
template <typename OpT> struct RankOfNorm : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    int64_t added = 4 - type.getRank();
    if (added <= 0 || !type.getElementType().isF16())
      return failure();
    SmallVector<int64_t> shape(added, 1);
    llvm::append_range(shape, type.getShape());
    IRMapping mapping;
    mapping.map(op.getInput(),
                reshaped(rewriter, op.getLoc(), op.getInput(), shape));
    auto image = cast<OpT>(rewriter.clone(*op, mapping));
    shiftAxes(image, added);
    image.getResult().setType(
        RankedTensorType::get(shape, type.getElementType()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image.getResult());
    return success();
  }

private:
  static void shiftAxes(SoftmaxOp op, int64_t by) {
    op.setAxis(op.getAxis() + by);
  }
  template <typename NormT> static void shiftAxes(NormT op, int64_t by) {
    SmallVector<int64_t> axes(op.getAxes());
    for (int64_t &axis : axes)
      axis += by;
    op.setAxes(axes);
  }
};

/// More rows than a tensor may have, of one image: they are channels, and
/// channels are images. Nothing moves, since only a 1 does:
///
///   1 x C x H x W  ->  C x H x 1 x W
///
/// Of ops that do the same to all rows, or join or take some.
struct TallToChannels : public RewritePattern {
  TallToChannels(MLIRContext *context, const DecomposeOptions &options)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        info(options.generation) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ActivationOp, CompareOp, ConcatOp, ElementwiseOp, PadOp, ReduceOp,
             SelectOp, SliceOp, SoftmaxOp>(op) ||
        !keepsRows(op))
      return failure();
    bool isTall = false;
    auto look = [&](Value value) {
      RankedTensorType type = typeOf(value);
      isTall |= type.getRank() == 4 && type.getDimSize(2) > info.maxHeight;
      return type.getRank() == 4 && type.getElementType().isF16() &&
             type.getDimSize(0) == 1 && type.getDimSize(2) <= info.maxChannels;
    };
    if (!llvm::all_of(op->getOperands(), look) || !look(op->getResult(0)) ||
        !isTall)
      return failure();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand,
                  constantReshaped(rewriter, op->getLoc(), operand,
                                   rotated(typeOf(operand).getShape())));
    Operation *turned = rewriter.clone(*op, mapping);
    RankedTensorType type = typeOf(op->getResult(0));
    turned->getResult(0).setType(type.clone(rotated(type.getShape())));
    if (auto concat = dyn_cast<ConcatOp>(turned))
      concat.setAxis((concat.getAxis() + 2) % 3);
    if (auto slice = dyn_cast<SliceOp>(turned)) {
      slice.setOffsets(rotated(slice.getOffsets()));
      slice.setSizes(rotated(slice.getSizes()));
      slice.setStrides(rotated(slice.getStrides()));
    }
    if (auto pad = dyn_cast<PadOp>(turned)) {
      pad.setLow(rotated(pad.getLow()));
      pad.setHigh(rotated(pad.getHigh()));
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, turned->getResult(0));
    return success();
  }

private:
  static SmallVector<int64_t> rotated(ArrayRef<int64_t> of) {
    return {of[1], of[2], of[0], of[3]};
  }

  // Axes other than columns would be others.
  static bool keepsRows(Operation *op) {
    if (auto concat = dyn_cast<ConcatOp>(op))
      return concat.getAxis() == 1 || concat.getAxis() == 2;
    if (auto reduce = dyn_cast<ReduceOp>(op))
      return reduce.getAxes() == ArrayRef<int64_t>{3};
    if (auto softmax = dyn_cast<SoftmaxOp>(op))
      return softmax.getAxis() == 3;
    return true;
  }

  const ::ane::hw::GenerationInfo &info;
};

/// Windows over more rows than a tensor may have: rows of the result in parts,
/// each with the rows around it that its windows see. What is joined of them is
/// tall again, see above.
struct CutTallWindows : public RewritePattern {
  CutTallWindows(MLIRContext *context, const DecomposeOptions &options)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        maxHeight(options.generation.maxHeight) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ConvOp, PoolOp>(op) || !isImage(op->getResult(0)))
      return failure();
    RankedTensorType type = typeOf(op->getResult(0));
    int64_t rows = type.getDimSize(2);
    int64_t tallest = std::max(rows, typeOf(op->getOperand(0)).getDimSize(2));
    if (tallest <= maxHeight || rows == 1)
      return failure();
    // Half of what a tensor may have leaves room for what windows see.
    int64_t size =
        llvm::divideCeil(rows, llvm::divideCeil(tallest, maxHeight / 2));
    Value cut = createCut(rewriter, op, 2, size);
    if (!cut)
      return rewriter.notifyMatchFailure(op, "rows see padding alone");
    rewriter.replaceOp(op, cut);
    return success();
  }

  int64_t maxHeight;
};

} // namespace

void mlir::ane::populateRankPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options) {
  populateLayoutRankPatterns(patterns, options);
  populateRankAbove4Patterns(patterns, options);
  patterns.add<CutTallWindows, TallToChannels>(patterns.getContext(), options);
  patterns.add<RankOfNorm<SoftmaxOp>, RankOfNorm<LayerNormOp>,
               RankOfNorm<RmsNormOp>>(patterns.getContext());
  patterns.add<ComputeOnHalves, MergeReshapes, RankOfCast, RankOfConcat,
               RankOfElementwise<ActivationOp>, RankOfElementwise<CompareOp>,
               RankOfElementwise<ElementwiseOp>, RankOfElementwise<SelectOp>,
               RankOfPad, RankOfReduce, RankOfSlice>(patterns.getContext());
}
