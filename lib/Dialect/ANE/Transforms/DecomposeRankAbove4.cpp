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

#include "Decompose.h"

using namespace mlir;
using namespace mlir::ane;

static ArrayRef<int64_t> shapeOf(Value value) {
  return typeOf(value).getShape();
}

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

/// Neighbours d and d + 1 become one where `canMerge` says so, until there are
/// four. Images stay images and columns columns if possible.
static std::optional<Merging>
mergeDims(int64_t rank, llvm::function_ref<bool(int64_t)> canMerge) {
  SmallVector<bool> merged(rank, false);
  int64_t groups = rank;
  for (int64_t i = 1; i < rank && groups > 4; ++i) {
    int64_t dim = i == rank - 1 ? 0 : i;
    merged[dim] = canMerge(dim);
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

/// Ops that work element by element, operands repeated.
template <typename OpT> static bool canMerge(OpT op, int64_t dim) {
  ArrayRef<int64_t> result = shapeOf(op.getResult());
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    bool firstFull = shape[dim] == result[dim];
    bool secondFull = shape[dim + 1] == result[dim + 1];
    bool firstOne = shape[dim] == 1, secondOne = shape[dim + 1] == 1;
    return (firstFull && secondFull) || (firstOne && secondOne);
  });
}

static bool canMergeAxes(ArrayRef<int64_t> axes, ArrayRef<int64_t> shape,
                         int64_t dim) {
  bool first = llvm::is_contained(axes, dim);
  bool second = llvm::is_contained(axes, dim + 1);
  return first == second || shape[dim] == 1 || shape[dim + 1] == 1;
}

static bool canMerge(ReduceOp op, int64_t dim) {
  return canMergeAxes(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool canMerge(LayerNormOp op, int64_t dim) {
  return canMergeAxes(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool canMerge(RmsNormOp op, int64_t dim) {
  return canMergeAxes(op.getAxes(), shapeOf(op.getInput()), dim);
}

static bool canMerge(SoftmaxOp op, int64_t dim) {
  return canMergeAxes(static_cast<int64_t>(op.getAxis()),
                      shapeOf(op.getInput()), dim);
}

// Copies of a whole are copies of its first part's whole.
static bool canMerge(TileOp op, int64_t dim) {
  return op.getRepeats()[dim + 1] == 1 || shapeOf(op.getInput())[dim] == 1;
}

static bool canMerge(SliceOp op, int64_t dim) {
  bool takesAll = op.getSizes()[dim + 1] == shapeOf(op.getInput())[dim + 1] &&
                  op.getStrides()[dim + 1] == 1;
  return (takesAll && op.getStrides()[dim] == 1) ||
         shapeOf(op.getInput())[dim] == 1;
}

static bool canMerge(ConcatOp op, int64_t dim) {
  int64_t axis = op.getAxis();
  return dim + 1 != axis || shapeOf(op.getResult())[dim] == 1;
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
  return LayerNormOp::create(
      rewriter, op.getLoc(), type, mergedInput(rewriter, op, merging),
      vector(op.getGamma()), vector(op.getBeta()), axes, op.getEpsilon());
}

static Value rebuild(PatternRewriter &rewriter, RmsNormOp op,
                     const Merging &merging) {
  RankedTensorType type = mergedType(op, merging);
  auto axes = merging.applyToAxes(op.getAxes(), shapeOf(op.getInput()));
  return RmsNormOp::create(
      rewriter, op.getLoc(), type, mergedInput(rewriter, op, merging),
      mergedVector(rewriter, op.getLoc(), op.getGamma(), axes, type.getShape()),
      axes, op.getEpsilon());
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

static Value rebuild(PatternRewriter &rewriter, ConcatOp op,
                     const Merging &merging) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(constantReshaped(rewriter, op.getLoc(), input,
                                      merging.apply(shapeOf(input))));
  return ConcatOp::create(rewriter, op.getLoc(), mergedType(op, merging),
                          inputs, merging.group[op.getAxis()]);
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
        type.getRank(), [&](int64_t dim) { return canMerge(op, dim); });
    if (!merging)
      return rewriter.notifyMatchFailure(op, "more than four kinds of dims");
    Value merged = rebuild(rewriter, op, *merging);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, merged);
    return success();
  }
};

/// Leading dimensions of a product are its batches.
struct MergeBatches : public OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    int64_t rank = type.getRank();
    if (rank <= 4 || !type.getElementType().isF16() ||
        shapeOf(op.getLhs()).drop_back(2) != type.getShape().drop_back(2) ||
        shapeOf(op.getRhs()).drop_back(2) != type.getShape().drop_back(2))
      return failure();
    auto merge = [&](ArrayRef<int64_t> shape) {
      SmallVector<int64_t> merged = {1, 1};
      for (int64_t size : shape.drop_back(2))
        merged[1] *= size;
      llvm::append_range(merged, shape.take_back(2));
      return merged;
    };
    auto matrix = [&](Value value) {
      return constantReshaped(rewriter, op.getLoc(), value,
                              merge(shapeOf(value)));
    };
    Value product = MatmulOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(merge(type.getShape()), type.getElementType()),
        matrix(op.getLhs()), matrix(op.getRhs()), op.getTransposeLhs(),
        op.getTransposeRhs(), op.getActivationAttr());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, product);
    return success();
  }
};

} // namespace

void mlir::ane::populateRankAbove4Patterns(RewritePatternSet &patterns) {
  patterns.add<MergeBatches, MergeDims<ActivationOp>, MergeDims<CompareOp>,
               MergeDims<ConcatOp>, MergeDims<ElementwiseOp>,
               MergeDims<LayerNormOp>, MergeDims<ReduceOp>,
               MergeDims<RmsNormOp>, MergeDims<SelectOp>, MergeDims<SliceOp>,
               MergeDims<SoftmaxOp>, MergeDims<TileOp>>(patterns.getContext());
}
