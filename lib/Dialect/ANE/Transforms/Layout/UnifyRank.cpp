//===- UnifyRank.cpp - Tensors of four dimensions -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has N, C, H and W. Tensors of fewer dimensions get ones in front,
// which is a view: rows stay rows. Sources have more where they split one to
// repeat, slice or normalize a part of it: heads that share a key, groups of
// channels. Most of these are neighbours that an op treats alike (DimMap.h), so
// they can be one: N x 2 x 1 x 40 x 128 repeated to N x 2 x 6 x 40 x 128 is
// 2 x 1 x 5120 repeated to 2 x 6 x 5120. An op that treats more than four
// differently is several ops, each along one of them.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEUNIFYRANK
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h.inc"
} // namespace mlir::ane

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

/// Of products and, in front of them, a softmax and what is added in front of
/// that: attention to windows, [1, windows, heads, queries, keys], is found where
/// windows and heads stay apart, as images and channels.
static bool isOfAttention(Operation *op) {
  if (isa<MatmulOp>(op))
    return true;
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

/// The dimensions of `op` as four. Fewer get ones in front. Of more, neighbours
/// become one where that is possible for two significant ones: any other has one
/// element and goes with either side, but does not join what is on its sides,
/// and goes first. Images stay images, and columns columns if possible; matrices
/// of a product always.
static FailureOr<DimGroups> groupDims(Operation *op,
                                      const ::ane::hw::GenerationInfo &info) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  if (rank <= 4 || isa<CastOp>(op))
    return DimGroups::lastFour(rank);
  int64_t others = isa<MatmulOp>(op) ? rank - 2 : rank;
  SmallVector<bool> merged(rank, false);
  auto isTooWide = [&](int64_t first) {
    auto isLonger = [&](Value value) {
      ArrayRef<int64_t> shape = shapeOf(value);
      return int64_t(shape.size()) == rank &&
             shape[first] * shape.back() > int64_t(info.maxWidth);
    };
    return llvm::any_of(op->getOperands(), isLonger) ||
           isLonger(op->getResult(0));
  };
  auto mayMerge = [&](int64_t dim) {
    int64_t left = dim, right = dim + 1;
    if (right == rank - 1 && isTooWide(dim))
      return false;
    while (!isSignificantDim(op, left) && left > 0 && merged[left - 1])
      --left;
    while (!isSignificantDim(op, right) && merged[right])
      ++right;
    return !isSignificantDim(op, left) || !isSignificantDim(op, right) ||
           canMergeDims(op, left, right);
  };
  int64_t groups = rank;
  for (bool ones : {true, false})
    for (int64_t i = 1; i < others && groups > 4; ++i) {
      int64_t dim = i == others - 1 ? 0 : i;
      if (merged[dim] || (ones && dim == 0 && !isOfAttention(op)) ||
          (ones && isSignificantDim(op, dim) && isSignificantDim(op, dim + 1)))
        continue;
      merged[dim] = mayMerge(dim);
      groups -= merged[dim];
    }
  if (groups > 4)
    return failure();
  DimGroups dims;
  int64_t group = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    dims.to.push_back(group);
    group += !merged[dim];
  }
  return dims;
}

namespace {

struct FourDims : public RewritePattern {
  FourDims(MLIRContext *context, const DecomposeOptions &options)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        info(options.generation) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!(canRegroup(op) || isa<MatmulOp>(op)) || !isOfEngine(op) ||
        typeOf(op->getResult(0)).getRank() == 4)
      return failure();
    FailureOr<DimGroups> groups = groupDims(op, info);
    if (failed(groups))
      return rewriter.notifyMatchFailure(op, "more than four kinds of dims");
    Value image = createRegrouped(rewriter, op, *groups);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResultTypes()[0], image);
    return success();
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where no four are enough
//===----------------------------------------------------------------------===//

/// The dimensions along which a border, a slice, a repetition or a reduction does
/// something.
static SmallVector<int64_t> changedDims(Operation *op) {
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)),
                    to = shapeOf(op->getResult(0));
  return llvm::filter_to_vector(
      llvm::seq<int64_t>(0, to.size()), [&](int64_t dim) {
        return from[dim] != to[dim] || !getDimMap(op, 0, dim).isPlain();
      });
}

/// The same of `value`, along `dims` alone.
static Operation *createAlong(OpBuilder &builder, Operation *op, Value value,
                              ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape(shapeOf(value));
  auto choose = [&](ArrayRef<int64_t> values, int64_t other) {
    SmallVector<int64_t> chosen(shape.size(), other);
    for (int64_t dim : dims)
      chosen[dim] = values[dim];
    return chosen;
  };
  for (int64_t dim : dims)
    shape[dim] = shapeOf(op->getResult(0))[dim];
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, value);
  copy->getResult(0).setType(withShape(op->getResult(0), shape));
  llvm::TypeSwitch<Operation *>(copy)
      .Case([&](PadOp pad) {
        pad.setLow(choose(pad.getLow(), 0));
        pad.setHigh(choose(pad.getHigh(), 0));
      })
      .Case([&](SliceOp slice) {
        slice.setOffsets(choose(slice.getOffsets(), 0));
        slice.setStrides(choose(slice.getStrides(), 1));
        slice.setSizes(shape);
      })
      .Case([&](TileOp tile) { tile.setRepeats(choose(tile.getRepeats(), 1)); })
      .Case([&](ReduceOp reduce) { reduce.setAxes(dims); });
  return copy;
}

namespace {

/// One dimension at a time, each with those in front and those after it merged:
/// at four dimensions at once, since two slices after each other fold to one.
/// Reductions begin with the last, and take squares once.
struct OneDimAtATime : public RewritePattern {
  OneDimAtATime(MLIRContext *context, const DecomposeOptions &options)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/0, context),
        info(options.generation) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<PadOp, ReduceOp, SliceOp, TileOp>(op) || !isOfEngine(op) ||
        typeOf(op->getResult(0)).getRank() <= 4)
      return failure();
    SmallVector<int64_t> dims = changedDims(op);
    if (dims.size() < 2)
      return rewriter.notifyMatchFailure(op, "changes one dimension alone");
    auto reduce = dyn_cast<ReduceOp>(op);
    int64_t first = reduce ? dims.pop_back_val() : dims.front();
    if (!reduce)
      dims.erase(dims.begin());
    Operation *inner = createAlong(rewriter, op, op->getOperand(0), {first});
    if (reduce)
      cast<ReduceOp>(inner).removeActivationAttr();
    Value image = createRegrouped(rewriter, inner, *groupDims(inner, info));
    image =
        reshaped(rewriter, op->getLoc(), image, shapeOf(inner->getResult(0)));
    rewriter.eraseOp(inner);
    Operation *outer = createAlong(rewriter, op, image, dims);
    if (reduce)
      cast<ReduceOp>(outer).setKind(afterFirst(reduce.getKind()));
    rewriter.replaceOp(op, outer);
    return success();
  }

private:
  static ReduceKind afterFirst(ReduceKind kind) {
    if (kind == ReduceKind::SumSquare)
      return ReduceKind::Sum;
    return kind == ReduceKind::MeanSquare ? ReduceKind::Mean : kind;
  }

  const ::ane::hw::GenerationInfo &info;
};

/// Operands that are repeated along other dimensions than others are; of
/// products the matrices.
struct RepeatOperands : public RewritePattern {
  RepeatOperands(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/0, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<CompareOp, ElementwiseOp, MatmulOp, SelectOp>(op) ||
        !isOfEngine(op) || typeOf(op->getResult(0)).getRank() <= 4)
      return failure();
    size_t matrix = isa<MatmulOp>(op) ? 2 : 0;
    ArrayRef<int64_t> result = shapeOf(op->getResult(0)).drop_back(matrix);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      ArrayRef<int64_t> own = shapeOf(operand).drop_back(matrix);
      if (own != result && ShapedType::getNumElements(own) != 1) {
        SmallVector<int64_t> shape(result);
        llvm::append_range(shape, shapeOf(operand).take_back(matrix));
        operand = repeated(rewriter, op->getLoc(), operand, shape);
      }
      operands.push_back(operand);
    }
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "nothing is repeated");
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// What no dimension can be
//===----------------------------------------------------------------------===//

namespace {

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

void mlir::ane::populateUnifyRankPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options) {
  populateLayoutRankPatterns(patterns, options);
  patterns.add<CutTallWindows, FourDims, OneDimAtATime, TallToChannels>(
      patterns.getContext(), options);
  patterns.add<ComputeOnHalves, RepeatOperands>(patterns.getContext());
}

namespace {
struct UnifyRank
    : DecomposePass<UnifyRank, mlir::ane::impl::ANEUnifyRankBase<UnifyRank>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    return rewrite(options, {populateUnifyRankPatterns});
  }
};
} // namespace
