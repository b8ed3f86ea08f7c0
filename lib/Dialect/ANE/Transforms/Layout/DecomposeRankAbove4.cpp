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

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Which dimensions become one: dimension d is in group[d], and there are four.
struct Merging {
  SmallVector<int64_t> group;

  SmallVector<int64_t> apply(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> merged(4, 1);
    for (auto [dim, size] : llvm::enumerate(shape))
      merged[group[dim]] *= size;
    return merged;
  }
  /// The groups of `axes`, each once.
  SmallVector<int64_t> applyToAxes(ArrayRef<int64_t> axes,
                                   ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> merged;
    for (int64_t axis : axes)
      if (shape[axis] != 1 && !llvm::is_contained(merged, group[axis]))
        merged.push_back(group[axis]);
    if (merged.empty())
      merged.push_back(group[axes.front()]);
    return merged;
  }
};

} // namespace

/// Neighbours become one until there are four dimensions, where `canMerge` says
/// so of two of those that are significant: any other has one element and goes
/// with either side, but does not join what is on its sides. Images stay images
/// and columns columns if possible.
static std::optional<Merging>
mergeDims(int64_t rank, llvm::function_ref<bool(int64_t)> isSignificant,
          llvm::function_ref<bool(int64_t, int64_t)> canMerge) {
  SmallVector<bool> merged(rank, false);
  auto mayMerge = [&](int64_t dim) {
    int64_t left = dim, right = dim + 1;
    while (!isSignificant(left) && left > 0 && merged[left - 1])
      --left;
    while (!isSignificant(right) && merged[right])
      ++right;
    return !isSignificant(left) || !isSignificant(right) ||
           canMerge(left, right);
  };
  int64_t groups = rank;
  for (int64_t i = 1; i < rank && groups > 4; ++i) {
    int64_t dim = i == rank - 1 ? 0 : i;
    merged[dim] = mayMerge(dim);
    groups -= merged[dim];
  }
  if (groups > 4)
    return std::nullopt;
  Merging merging;
  int64_t group = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    merging.group.push_back(group);
    group += !merged[dim];
  }
  return merging;
}

//===----------------------------------------------------------------------===//
// What may merge
//===----------------------------------------------------------------------===//

static bool isSignificant(Operation *op, int64_t dim) {
  return llvm::any_of(llvm::concat<Value>(op->getOperands(), op->getResults()),
                      [&](Value value) { return shapeOf(value)[dim] != 1; });
}

/// Of a reduction, where gamma and beta have other dimensions. An axis stays,
/// also if all of them have one element.
static bool isSignificantOf(ArrayRef<int64_t> axes, ArrayRef<int64_t> shape,
                            int64_t dim) {
  return shape[dim] != 1 ||
         (dim == axes.front() &&
          llvm::all_of(axes, [&](int64_t axis) { return shape[axis] == 1; }));
}

static bool isSignificant(ReduceOp op, int64_t dim) {
  return isSignificantOf(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool isSignificant(LayerNormOp op, int64_t dim) {
  return isSignificantOf(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool isSignificant(RmsNormOp op, int64_t dim) {
  return isSignificantOf(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool isSignificant(SoftmaxOp op, int64_t dim) {
  return isSignificantOf(static_cast<int64_t>(op.getAxis()),
                         shapeOf(op.getInput()), dim);
}

/// Ops that work element by element, operands repeated.
template <typename OpT>
static bool canMerge(OpT op, int64_t first, int64_t second) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    return (shape[first] == 1) == (shape[second] == 1);
  });
}

static bool areAlike(ArrayRef<int64_t> axes, int64_t first, int64_t second) {
  return llvm::is_contained(axes, first) == llvm::is_contained(axes, second);
}

static bool canMerge(ReduceOp op, int64_t first, int64_t second) {
  return areAlike(op.getAxes(), first, second);
}

static bool canMerge(LayerNormOp op, int64_t first, int64_t second) {
  return areAlike(op.getAxes(), first, second);
}

static bool canMerge(RmsNormOp op, int64_t first, int64_t second) {
  return areAlike(op.getAxes(), first, second);
}

static bool canMerge(SoftmaxOp op, int64_t first, int64_t second) {
  return areAlike(static_cast<int64_t>(op.getAxis()), first, second);
}

// Copies of a whole are copies of its first part's whole.
static bool canMerge(TileOp op, int64_t first, int64_t second) {
  return op.getRepeats()[second] == 1 || shapeOf(op.getInput())[first] == 1;
}

// A border around some of the blocks of another dimension is none of one.
static bool canMerge(PadOp op, int64_t first, int64_t second) {
  return op.getLow()[second] == 0 && op.getHigh()[second] == 0;
}

static bool canMerge(SliceOp op, int64_t first, int64_t second) {
  bool takesAll = op.getSizes()[second] == shapeOf(op.getInput())[second] &&
                  op.getStrides()[second] == 1;
  return takesAll && op.getStrides()[first] == 1;
}

static bool canMerge(ConcatOp op, int64_t first, int64_t second) {
  return second != int64_t(op.getAxis());
}

//===----------------------------------------------------------------------===//
// The merged ops
//===----------------------------------------------------------------------===//

template <typename OpT>
static Value rebuild(PatternRewriter &rewriter, OpT op,
                     const Merging &merging) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(constantReshaped(rewriter, op.getLoc(), operand,
                                        merging.apply(shapeOf(operand))));
  Operation *merged = rewriter.clone(*op);
  merged->setOperands(operands);
  merged->getResult(0).setType(
      RankedTensorType::get(merging.apply(shapeOf(op.getResult())),
                            typeOf(op.getResult()).getElementType()));
  return merged->getResult(0);
}

static Value mergedInput(PatternRewriter &rewriter, Operation *op,
                         const Merging &merging) {
  Value input = op->getOperand(0);
  return constantReshaped(rewriter, op->getLoc(), input,
                          merging.apply(shapeOf(input)));
}

static RankedTensorType mergedType(Operation *op, const Merging &merging) {
  RankedTensorType type = typeOf(op->getResult(0));
  return RankedTensorType::get(merging.apply(type.getShape()),
                               type.getElementType());
}

static Value rebuild(PatternRewriter &rewriter, ReduceOp op,
                     const Merging &merging) {
  return ReduceOp::create(
      rewriter, op.getLoc(), mergedType(op, merging), op.getKind(),
      mergedInput(rewriter, op, merging),
      merging.applyToAxes(op.getAxes(), shapeOf(op.getInput())),
      op.getActivationAttr());
}

static Value rebuild(PatternRewriter &rewriter, SoftmaxOp op,
                     const Merging &merging) {
  return SoftmaxOp::create(rewriter, op.getLoc(), mergedType(op, merging),
                           mergedInput(rewriter, op, merging),
                           merging.group[op.getAxis()]);
}

/// gamma or beta for the merged axes.
static Value mergedVector(PatternRewriter &rewriter, Location loc, Value vector,
                          ArrayRef<int64_t> axes, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes;
  for (int64_t axis : axes)
    sizes.push_back(shape[axis]);
  return vector ? constantReshaped(rewriter, loc, vector, sizes) : Value();
}

static Value rebuild(PatternRewriter &rewriter, LayerNormOp op,
                     const Merging &merging) {
  RankedTensorType type = mergedType(op, merging);
  auto axes = merging.applyToAxes(op.getAxes(), shapeOf(op.getInput()));
  auto vector = [&](Value value) {
    return mergedVector(rewriter, op.getLoc(), value, axes, type.getShape());
  };
  Value input = mergedInput(rewriter, op, merging);
  Value gamma = vector(op.getGamma()), beta = vector(op.getBeta());
  return LayerNormOp::create(rewriter, op.getLoc(), type, input, gamma, beta,
                             axes, op.getEpsilon());
}

static Value rebuild(PatternRewriter &rewriter, RmsNormOp op,
                     const Merging &merging) {
  RankedTensorType type = mergedType(op, merging);
  auto axes = merging.applyToAxes(op.getAxes(), shapeOf(op.getInput()));
  Value input = mergedInput(rewriter, op, merging);
  Value gamma =
      mergedVector(rewriter, op.getLoc(), op.getGamma(), axes, type.getShape());
  return RmsNormOp::create(rewriter, op.getLoc(), type, input, gamma, axes,
                           op.getEpsilon());
}

static Value rebuild(PatternRewriter &rewriter, TileOp op,
                     const Merging &merging) {
  return TileOp::create(rewriter, op.getLoc(), mergedType(op, merging),
                        mergedInput(rewriter, op, merging),
                        merging.apply(op.getRepeats()));
}

static Value rebuild(PatternRewriter &rewriter, SliceOp op,
                     const Merging &merging) {
  SmallVector<int64_t> offsets(4, 0), strides(4, 1);
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  for (auto [dim, group] : llvm::enumerate(merging.group)) {
    offsets[group] = offsets[group] * shape[dim] + op.getOffsets()[dim];
    if (op.getStrides()[dim] != 1 && op.getSizes()[dim] != 1)
      strides[group] = op.getStrides()[dim];
  }
  RankedTensorType type = mergedType(op, merging);
  return SliceOp::create(rewriter, op.getLoc(), type,
                         mergedInput(rewriter, op, merging), offsets,
                         type.getShape(), strides);
}

static Value rebuild(PatternRewriter &rewriter, PadOp op,
                     const Merging &merging) {
  SmallVector<int64_t> low(4, 0), high(4, 0);
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  for (auto [dim, group] : llvm::enumerate(merging.group)) {
    low[group] = low[group] * shape[dim] + op.getLow()[dim];
    high[group] = high[group] * shape[dim] + op.getHigh()[dim];
  }
  return PadOp::create(rewriter, op.getLoc(), mergedType(op, merging),
                       mergedInput(rewriter, op, merging), low, high,
                       op.getValue());
}

static Value rebuild(PatternRewriter &rewriter, ConcatOp op,
                     const Merging &merging) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(constantReshaped(rewriter, op.getLoc(), input,
                                      merging.apply(shapeOf(input))));
  return ConcatOp::create(rewriter, op.getLoc(), mergedType(op, merging),
                          inputs, merging.group[op.getAxis()]);
}

// `value` with dimensions of 1 repeated; of a constant the elements are.
static Value repeatOperand(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (value.getDefiningOp<ConstantOp>())
    if (FailureOr<ConstantView> view = ConstantView::get(value);
        succeeded(view) && view->isReadable())
      return unroundedConstant(builder, loc, shape,
                               view->broadcast(shape).readFloats());
  SmallVector<int64_t> repeats;
  for (auto [size, extent] : llvm::zip(type.getShape(), shape))
    repeats.push_back(extent / size);
  return TileOp::create(builder, loc, type.clone(shape), value, repeats);
}

namespace {

template <typename OpT> struct MergeDims : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (type.getRank() <= 4 || !type.getElementType().isF16())
      return failure();
    std::optional<Merging> merging = mergeDims(
        type.getRank(), [&](int64_t dim) { return isSignificant(op, dim); },
        [&](int64_t first, int64_t second) {
          return canMerge(op, first, second);
        });
    if (!merging)
      return rewriter.notifyMatchFailure(op, "more than four kinds of dims");
    Value merged = rebuild(rewriter, op, *merging);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, merged);
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
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (typeOf(operand).getRank() == 5)
        mapping.map(operand, constantReshaped(rewriter, op.getLoc(), operand,
                                              shapeOf(operand).drop_front()));
    auto image = cast<OpT>(rewriter.clone(*op, mapping));
    if constexpr (std::is_same_v<OpT, SoftmaxOp>)
      image.setAxis(op.getAxis() - 1);
    image.getResult().setType(type.clone(type.getShape().drop_front()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, image.getResult());
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
        SmallVector<int64_t> repeated(batches);
        llvm::append_range(repeated, shape.take_back(2));
        value = repeatOperand(rewriter, op.getLoc(), value, repeated);
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

static bool isAbove4(Operation *op) {
  RankedTensorType type = typeOf(op->getResult(0));
  return type.getRank() > 4 && type.getElementType().isF16();
}

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
        operand = repeatOperand(rewriter, op.getLoc(), operand, result);
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
               MergeBatches, MergeDims<ActivationOp>, MergeDims<CompareOp>,
               MergeDims<ConcatOp>, MergeDims<ElementwiseOp>,
               MergeDims<LayerNormOp>, MergeDims<PadOp>, MergeDims<ReduceOp>,
               MergeDims<RmsNormOp>, MergeDims<SelectOp>, MergeDims<SliceOp>,
               MergeDims<SoftmaxOp>, MergeDims<TileOp>,
               RepeatOperands<CompareOp>, RepeatOperands<ElementwiseOp>,
               RepeatOperands<SelectOp>, SplitReduce>(patterns.getContext());
  patterns.add<SplitPad, SplitSlice, SplitTile>(patterns.getContext(),
                                                options.generation);
}
