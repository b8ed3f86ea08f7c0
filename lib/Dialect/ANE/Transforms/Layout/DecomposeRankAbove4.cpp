//===- DecomposeRankAbove4.cpp - Fewer dimensions by merging --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources have tensors of five and more dimensions where they split one to
// repeat, slice or normalize a part of it: heads that share a key, groups of
// channels. Most of these dimensions are neighbours that an op treats alike, so
// they can be one: N x 2 x 1 x 40 x 128 repeated to N x 2 x 6 x 40 x 128 is
// 2 x 1 x 5120 repeated to 2 x 6 x 5120.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

using namespace mlir;
using namespace mlir::ane;

static bool isAbove4(Operation *op) {
  RankedTensorType type = typeOf(op->getResult(0));
  return type.getRank() > 4 && type.getElementType().isF16();
}

//===----------------------------------------------------------------------===//
// What may merge
//===----------------------------------------------------------------------===//

/// Neighbours become one until there are four dimensions, where that is possible
/// for two significant ones: any other has one element and goes with either
/// side, but does not join what is on its sides. Images stay images and columns
/// columns if possible.
static std::optional<DimGroups> mergeDims(Operation *op) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  SmallVector<bool> merged(rank, false);
  auto mayMerge = [&](int64_t dim) {
    int64_t left = dim, right = dim + 1;
    while (!isSignificantDim(op, left) && left > 0 && merged[left - 1])
      --left;
    while (!isSignificantDim(op, right) && merged[right])
      ++right;
    return !isSignificantDim(op, left) || !isSignificantDim(op, right) ||
           canMergeDims(op, left, right);
  };
  int64_t groups = rank;
  for (int64_t i = 1; i < rank && groups > 4; ++i) {
    int64_t dim = i == rank - 1 ? 0 : i;
    merged[dim] = mayMerge(dim);
    groups -= merged[dim];
  }
  if (groups > 4)
    return std::nullopt;
  DimGroups dims;
  int64_t group = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    dims.to.push_back(group);
    group += !merged[dim];
  }
  return dims;
}

namespace {

struct MergeDims : public RewritePattern {
  MergeDims(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!canRegroup(op) || isa<CastOp>(op) || !isAbove4(op))
      return failure();
    std::optional<DimGroups> groups = mergeDims(op);
    if (!groups)
      return rewriter.notifyMatchFailure(op, "more than four kinds of dims");
    Value merged = createRegrouped(rewriter, op, *groups);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResultTypes()[0], merged);
    return success();
  }
};

/// Of attention to windows, [1, windows, heads, queries, keys]: all steps keep
/// windows and heads apart, so that it is found.
template <typename OpT> struct DropLeadingOne : public OpRewritePattern<OpT> {
  DropLeadingOne(MLIRContext *context)
      : OpRewritePattern<OpT>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() != 5 || type.getDimSize(0) != 1 ||
        !type.getElementType().isF16() || !feedsProduct(op))
      return failure();
    Value image = createRegrouped(rewriter, op, DimGroups{{-1, 0, 1, 2, 3}});
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image);
    return success();
  }

private:
  // A softmax in front of a product, and what is added in front of that.
  static bool feedsProduct(Operation *op) {
    for (int step = 0; step < 4 && op->hasOneUse(); ++step) {
      Operation *user = *op->user_begin();
      if (isa<SoftmaxOp>(op) && isa<MatmulOp>(user))
        return true;
      if (!isa<ElementwiseOp, ReshapeOp, SoftmaxOp>(user))
        return false;
      op = user;
    }
    return false;
  }
};

/// Leading dimensions of a product are its batches: as many as those of the
/// result, or one for all of them.
struct MergeBatches : public OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (type.getRank() <= 4 || !type.getElementType().isF16())
      return failure();
    ArrayRef<int64_t> batches = type.getShape().drop_back(2);
    auto merge = [&](ArrayRef<int64_t> shape) {
      SmallVector<int64_t> merged = {1, 1};
      for (int64_t size : shape.drop_back(2))
        merged[1] *= size;
      llvm::append_range(merged, shape.take_back(2));
      return merged;
    };
    auto matrices = [&](Value value) {
      ArrayRef<int64_t> shape = shapeOf(value);
      bool isOne = llvm::all_of(shape.drop_back(2),
                                [](int64_t size) { return size == 1; });
      if (!isOne && shape.drop_back(2) != batches) {
        SmallVector<int64_t> wanted(batches);
        llvm::append_range(wanted, shape.take_back(2));
        value = repeated(rewriter, op.getLoc(), value, wanted);
      }
      return constantReshaped(rewriter, op.getLoc(), value,
                              merge(shapeOf(value)));
    };
    Value lhs = matrices(op.getLhs()), rhs = matrices(op.getRhs());
    Value product = MatmulOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(merge(type.getShape()), type.getElementType()),
        lhs, rhs, op.getTransposeLhs(), op.getTransposeRhs(),
        op.getActivationAttr());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, product);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Where no four are enough
//===----------------------------------------------------------------------===//

// One dimension at a time, between all of those in front and all after: at
// four dimensions at once, since two such ops after each other fold to one.

/// A tensor as an image of which `dim` is one dimension.
struct Around {
  SmallVector<int64_t> shape;
  int64_t dim;

  /// `value` at that dimension, `rest` at the others.
  SmallVector<int64_t> at(int64_t value, int64_t rest) const {
    SmallVector<int64_t> values(4, rest);
    values[dim] = value;
    return values;
  }
};

} // namespace

// What is after is a row; where that is too long, an image.
static Around aroundDim(ArrayRef<int64_t> shape, int64_t dim,
                        const ::ane::hw::GenerationInfo &info) {
  int64_t front = 1, behind = 1, columns = 1;
  for (int64_t size : shape.take_front(dim))
    front *= size;
  for (int64_t size : shape.drop_front(dim + 1))
    behind *= size;
  if (behind <= int64_t(info.maxWidth))
    return {{1, front, shape[dim], behind}, 2};
  for (int64_t size : llvm::reverse(shape.drop_front(dim + 1))) {
    if (columns * size > int64_t(info.maxWidth))
      break;
    columns *= size;
  }
  return {{front, shape[dim], behind / columns, columns}, 1};
}

/// `value` with what `make` makes of it as an image.
static Value changeDim(
    OpBuilder &builder, Location loc, Value value, int64_t dim, int64_t size,
    const ::ane::hw::GenerationInfo &info,
    llvm::function_ref<Value(Value, const Around &, RankedTensorType)> make) {
  RankedTensorType type = withDim(typeOf(value), dim, size);
  Around around = aroundDim(shapeOf(value), dim, info);
  Value image = reshaped(builder, loc, value, around.shape);
  image = make(image, around, withDim(typeOf(image), around.dim, size));
  return reshaped(builder, loc, image, type.getShape());
}

namespace {

template <typename OpT> struct SplitDims : public OpRewritePattern<OpT> {
  SplitDims(MLIRContext *context, const ::ane::hw::GenerationInfo &info)
      : OpRewritePattern<OpT>(context, /*benefit=*/0), info(info) {}

  const ::ane::hw::GenerationInfo &info;
};

struct SplitPad : public SplitDims<PadOp> {
  using SplitDims::SplitDims;

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isAbove4(op))
      return failure();
    Value value = op.getInput();
    for (auto [dim, low, high] : llvm::enumerate(op.getLow(), op.getHigh())) {
      if (!low && !high)
        continue;
      value = changeDim(
          rewriter, op.getLoc(), value, dim, shapeOf(op.getResult())[dim], info,
          [&, low = low, high = high](Value image, const Around &around,
                                      RankedTensorType type) {
            return PadOp::create(rewriter, op.getLoc(), type, image,
                                 around.at(low, 0), around.at(high, 0),
                                 op.getValue());
          });
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct SplitSlice : public SplitDims<SliceOp> {
  using SplitDims::SplitDims;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isAbove4(op))
      return failure();
    Value value = op.getInput();
    for (auto [dim, size] : llvm::enumerate(op.getSizes())) {
      if (size == shapeOf(value)[dim])
        continue;
      int64_t offset = op.getOffsets()[dim];
      int64_t stride = size == 1 ? 1 : op.getStrides()[dim];
      value = changeDim(
          rewriter, op.getLoc(), value, dim, size, info,
          [&](Value image, const Around &around, RankedTensorType type) {
            return SliceOp::create(rewriter, op.getLoc(), type, image,
                                   around.at(offset, 0), type.getShape(),
                                   around.at(stride, 1));
          });
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct SplitTile : public SplitDims<TileOp> {
  using SplitDims::SplitDims;

  LogicalResult matchAndRewrite(TileOp op,
                                PatternRewriter &rewriter) const override {
    if (!isAbove4(op))
      return failure();
    Value value = op.getInput();
    for (auto [dim, count] : llvm::enumerate(op.getRepeats())) {
      if (count == 1)
        continue;
      value = changeDim(rewriter, op.getLoc(), value, dim,
                        shapeOf(op.getResult())[dim], info,
                        [&, count = count](Value image, const Around &around,
                                           RankedTensorType type) {
                          return TileOp::create(rewriter, op.getLoc(), type,
                                                image, around.at(count, 1));
                        });
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct SplitReduce : public OpRewritePattern<ReduceOp> {
  SplitReduce(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/0) {}

  // Of results of the same kind: squares are taken once.
  static ReduceKind afterFirst(ReduceKind kind) {
    if (kind == ReduceKind::SumSquare)
      return ReduceKind::Sum;
    return kind == ReduceKind::MeanSquare ? ReduceKind::Mean : kind;
  }

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> axes = op.getAxes();
    if (!isAbove4(op) || axes.size() < 2)
      return failure();
    int64_t last = axes.back();
    Value inner = ReduceOp::create(
        rewriter, op.getLoc(), withDim(typeOf(op.getInput()), last, 1),
        op.getKind(), op.getInput(), ArrayRef<int64_t>{last});
    rewriter.replaceOpWithNewOp<ReduceOp>(
        op, op.getType(), afterFirst(op.getKind()), inner, axes.drop_back(),
        op.getActivationAttr());
    return success();
  }
};

/// Operands that are repeated along other dimensions than others are.
template <typename OpT> struct RepeatOperands : public OpRewritePattern<OpT> {
  RepeatOperands(MLIRContext *context)
      : OpRewritePattern<OpT>(context, /*benefit=*/0) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isAbove4(op))
      return failure();
    ArrayRef<int64_t> result = shapeOf(op.getResult());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      RankedTensorType type = typeOf(operand);
      if (type.getNumElements() != 1 && type.getShape() != result)
        operand = repeated(rewriter, op.getLoc(), operand, result);
      operands.push_back(operand);
    }
    if (llvm::equal(operands, op->getOperands()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
    return success();
  }
};

} // namespace

void mlir::ane::populateRankAbove4Patterns(RewritePatternSet &patterns,
                                           const DecomposeOptions &options) {
  patterns.add<DropLeadingOne<ElementwiseOp>, DropLeadingOne<SoftmaxOp>,
               MergeBatches, MergeDims, RepeatOperands<CompareOp>,
               RepeatOperands<ElementwiseOp>, RepeatOperands<SelectOp>,
               SplitReduce>(patterns.getContext());
  patterns.add<SplitPad, SplitSlice, SplitTile>(patterns.getContext(),
                                                options.generation);
}
