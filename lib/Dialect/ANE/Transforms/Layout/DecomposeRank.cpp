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
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

/// Whether `op` computes f16, or a cast converts only what the engine has.
static bool isOfEngine(Operation *op) {
  auto isElement = [&](Type type) {
    return getElementTypeOrSelf(type).isF16() ||
           (isa<CastOp>(op) && isBytes(type));
  };
  return isElement(op->getResult(0).getType()) &&
         (!isa<CastOp>(op) || isElement(op->getOperand(0).getType()));
}

namespace {

/// Rows stay rows: fewer than four dimensions get ones in front, and of more the
/// leading ones merge where nothing is broadcast along them.
struct LastFourDims : public RewritePattern {
  LastFourDims(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!canRegroup(op) || !isOfEngine(op))
      return failure();
    RankedTensorType type = typeOf(op->getResult(0));
    bool isOne = isa<ActivationOp, CastOp>(op);
    if (type.getRank() == 4 || (type.getRank() > 4 && !isOne &&
                                !isa<CompareOp, ElementwiseOp, SelectOp>(op)))
      return failure();
    DimGroups groups = DimGroups::lastFour(type.getRank());
    if (type.getRank() < 4) {
      Value image = createRegrouped(rewriter, op, groups);
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
      return success();
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      std::optional<float> value;
      if (!isOne)
        value = getSplatValue(operand);
      if (!value && shapeOf(operand) != type.getShape())
        return failure();
      SmallVector<int64_t> shape(4, 1);
      operands.push_back(
          value ? unroundedConstant(rewriter, op->getLoc(), shape, {*value})
                : constantReshaped(rewriter, op->getLoc(), operand,
                                   groups.apply(type.getShape())));
    }
    Value image = createRegrouped(rewriter, op, operands, groups);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
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
    Value turned = createRegrouped(rewriter, op, DimGroups{{2, 0, 1, 3}});
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResult(0).getType(),
                                           turned);
    return success();
  }

private:
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
  patterns.add<ComputeOnHalves, LastFourDims, MergeReshapes>(
      patterns.getContext());
}
