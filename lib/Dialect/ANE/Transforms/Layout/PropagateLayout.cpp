//===- PropagateLayout.cpp - Data movement towards the border -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources in NHWC are full of transposes, and fully connected layers of
// reshapes. All of them sink: through every op that does not care for the order
// of the elements, towards the results, until they meet their inverse and
// cancel or reach the border of the function. Constants on the way are moved
// the other way; they are folded later and cost nothing.
//
//   act(T(x))         ->  T(act(x))
//   add(T(x), const)  ->  T(add(x, T'(const)))
//   concat(T(x), ...) ->  T(concat(x, ...))
//   matmul(R(x), W)   ->  R(conv(x, R'(W)))        R flattens one image
//   matmul(R(T(x)),W) ->  R(T(conv(x, R'(W))))     rows are pixels, NHWC
//
// Nothing is hoisted, so every step makes progress. A reshape that only adds or
// drops dimensions of size 1 is "trivial": broadcast operands can follow it.
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPROPAGATELAYOUT
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h.inc"
} // namespace mlir::ane

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// A copy of `op` with other operands and another result shape.
static Value cloneWith(PatternRewriter &rewriter, Operation *op,
                       ValueRange operands, ArrayRef<int64_t> shape) {
  Operation *copy = rewriter.clone(*op);
  rewriter.modifyOpInPlace(copy, [&] {
    copy->setOperands(operands);
    copy->getResult(0).setType(withShape(op->getResult(0), shape));
  });
  return copy->getResult(0);
}

/// The movement `like` of another value.
static Value moveLike(OpBuilder &builder, Operation *like, Value value,
                      ArrayRef<int64_t> shape) {
  if (auto op = dyn_cast<TransposeOp>(like))
    return permuted(builder, like->getLoc(), value, op.getPerm());
  return reshaped(builder, like->getLoc(), value, shape);
}

//===----------------------------------------------------------------------===//
// Through elementwise ops
//===----------------------------------------------------------------------===//

namespace {
struct SinkBelowActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    Operation *movement = movementOf(op.getInput());
    if (!movement)
      return failure();
    Value source = movement->getOperand(0);
    Value result = cloneWith(rewriter, op, source, shapeOf(source));
    rewriter.replaceOp(op, moveLike(rewriter, movement, result, shapeOf(op)));
    return success();
  }
};

struct SinkBelowElementwise : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (Operation *movement = movementOf(operand))
        if (succeeded(sink(op, movement, rewriter)))
          return success();
    return failure();
  }

private:
  static LogicalResult sink(ElementwiseOp op, Operation *movement,
                            PatternRewriter &rewriter) {
    Value source = movement->getOperand(0);
    // A reshape can only come last if no operand broadcasts what it made.
    if (isa<ReshapeOp>(movement) &&
        shapeOf(movement->getResult(0)) != shapeOf(op))
      return failure();
    SmallVector<Value, 2> operands;
    for (Value operand : op->getOperands()) {
      Value moved = moveBack(rewriter, movement, operand);
      if (!moved)
        return failure();
      operands.push_back(moved);
    }
    SmallVector<int64_t> shape(shapeOf(source));
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      for (auto [to, from] : llvm::enumerate(transposed.getPerm()))
        shape[from] = shapeOf(op)[to];
    Value result = cloneWith(rewriter, op, operands, shape);
    rewriter.replaceOp(op, moveLike(rewriter, movement, result, shapeOf(op)));
    return success();
  }

  /// What stands for `operand` in front of `movement`, or null.
  static Value moveBack(PatternRewriter &rewriter, Operation *movement,
                        Value operand) {
    if (isConstant(operand))
      return moveConstantBack(rewriter, movement, operand);
    if (Value small = moveSmallBack(rewriter, movement, operand))
      return small;
    Operation *other = movementOf(operand);
    if (!other || other->getName() != movement->getName())
      return {};
    Value source = other->getOperand(0);
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      return cast<TransposeOp>(other).getPerm() == transposed.getPerm()
                 ? source
                 : Value();
    // Reshapes agree when both sides do.
    bool agree = shapeOf(source) == shapeOf(movement->getOperand(0)) &&
                 shapeOf(operand) == shapeOf(movement->getResult(0));
    return agree ? source : Value();
  }

  /// What is broadcast, such as a factor for each channel, keeps its elements
  /// in order where a transpose moves its dimensions of 1 only.
  static Value moveSmallBack(PatternRewriter &rewriter, Operation *movement,
                             Value operand) {
    auto transposed = dyn_cast<TransposeOp>(movement);
    if (!transposed || operand == movement->getResult(0))
      return {};
    SmallVector<int64_t> perm = inverse(transposed.getPerm());
    IndexMap map(shapeOf(operand), perm);
    if (!map.isInOrder())
      return {};
    return reshaped(rewriter, movement->getLoc(), operand, map.getShape());
  }

  static Value moveConstantBack(PatternRewriter &rewriter, Operation *movement,
                                Value constant) {
    Location loc = movement->getLoc();
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      return permuted(rewriter, loc, constant, inverse(transposed.getPerm()));
    ArrayRef<int64_t> from = shapeOf(movement->getOperand(0));
    ArrayRef<int64_t> to = shapeOf(movement->getResult(0));
    if (typeOf(constant).getNumElements() == 1)
      return reshaped(rewriter, loc, constant,
                      SmallVector<int64_t>(from.size(), 1));
    if (shapeOf(constant) == to)
      return reshaped(rewriter, loc, constant, from);
    // The same for all that the reshape takes apart or merges.
    size_t behind = 0, most = std::min(from.size(), to.size());
    while (behind < most &&
           from[from.size() - 1 - behind] == to[to.size() - 1 - behind])
      ++behind;
    if (llvm::all_of(shapeOf(constant).drop_back(behind),
                     [](int64_t size) { return size == 1; })) {
      SmallVector<int64_t> shape(from.size() - behind, 1);
      llvm::append_range(shape, shapeOf(constant).take_back(behind));
      return reshaped(rewriter, loc, constant, shape);
    }
    // Trivial: dimensions other than 1 keep their order, so the constant can
    // follow even if it is broadcast.
    auto dims = matchDims(from, to);
    if (!dims)
      return {};
    SmallVector<int64_t> shape;
    for (int64_t dim : *dims)
      shape.push_back(dim < 0 ? 1 : shapeOf(constant)[dim]);
    return reshaped(rewriter, loc, constant, shape);
  }
};

//===----------------------------------------------------------------------===//
// Transposes through ops that name dimensions
//===----------------------------------------------------------------------===//

/// A value whose dimensions are those of another one in another order, or with
/// other dimensions of 1 between them.
struct Moved {
  Value source;
  DimGroups dims; ///< of the value, in the source
  bool isTransposed;

  /// `result`, computed from the source, as what is computed from the value.
  Value behind(OpBuilder &builder, Location loc, Value result,
               ArrayRef<int64_t> shape) const {
    return isTransposed ? permuted(builder, loc, result, dims.to)
                        : reshaped(builder, loc, result, shape);
  }
};

} // namespace

/// What a transpose of data, or a reshape of an image that only moves
/// dimensions of 1, is made of.
static std::optional<Moved> movedOf(Value value, bool reshapes) {
  Operation *movement = movementOf(value);
  if (auto transposed = dyn_cast_or_null<TransposeOp>(movement)) {
    ArrayRef<int64_t> perm = transposed.getPerm();
    return Moved{transposed.getInput(),
                 {SmallVector<int64_t>(perm), int64_t(perm.size())},
                 /*isTransposed=*/true};
  }
  auto reshape = dyn_cast_or_null<ReshapeOp>(movement);
  if (!reshape || !reshapes || typeOf(reshape.getInput()).getRank() != 4)
    return std::nullopt;
  auto dims = matchDims(shapeOf(value), shapeOf(reshape.getInput()));
  if (!dims)
    return std::nullopt;
  return Moved{reshape.getInput(), {*dims}, /*isTransposed=*/false};
}

namespace {

/// Ops with numbers for each dimension, or axes. What is 1 and not of the source
/// stays 1.
template <typename OpT> struct SinkBelowDims : OpRewritePattern<OpT> {
  SinkBelowDims(MLIRContext *context, bool reshapes = false)
      : OpRewritePattern<OpT>(context), reshapes(reshapes) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    std::optional<Moved> moved = movedOf(op.getInput(), reshapes);
    if (!moved || !canSink(op, moved->dims))
      return failure();
    for (auto [to, size] : llvm::zip_equal(moved->dims.to, shapeOf(op)))
      if (to < 0 && size != 1)
        return failure();
    SmallVector<Value> operands(op->getOperands());
    operands[0] = moved->source;
    Value result = createRegrouped(rewriter, op, operands, moved->dims);
    rewriter.replaceOp(
        op, moved->behind(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }

  virtual bool canSink(OpT /*op*/, const DimGroups & /*dims*/) const {
    return true;
  }

  bool reshapes;
};

/// A norm; gamma and beta have one dimension for each axis, so the axes must
/// keep their order. Norms of channels are better than others.
template <typename OpT> struct SinkBelowNorm : SinkBelowDims<OpT> {
  SinkBelowNorm(MLIRContext *context, bool keepsChannels, bool reshapes)
      : SinkBelowDims<OpT>(context, reshapes), keepsChannels(keepsChannels) {}

  bool canSink(OpT op, const DimGroups &dims) const override {
    SmallVector<int64_t> axes;
    for (int64_t axis : op.getAxes())
      if (dims.to[axis] >= 0)
        axes.push_back(dims.to[axis]);
    bool hasFactors = op->getNumOperands() > 1;
    return !axes.empty() &&
           (!hasFactors || axes.size() == op.getAxes().size()) &&
           llvm::is_sorted(axes) &&
           !(keepsChannels && op.getAxes() == ArrayRef<int64_t>{1});
  }

  bool keepsChannels;
};

struct SinkBelowConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp first;
    for (Value input : op.getInputs()) {
      first = dataTransposeOf(input);
      if (first)
        break;
    }
    if (!first)
      return failure();
    ArrayRef<int64_t> perm = first.getPerm();
    for (Value input : op.getInputs()) {
      TransposeOp transposed = dataTransposeOf(input);
      if (!isConstant(input) && (!transposed || transposed.getPerm() != perm))
        return failure();
    }
    SmallVector<Value> sources;
    for (Value input : op.getInputs()) {
      TransposeOp transposed = dataTransposeOf(input);
      sources.push_back(
          transposed ? Value(transposed.getInput())
                     : permuted(rewriter, op.getLoc(), input, inverse(perm)));
    }
    DimGroups dims{SmallVector<int64_t>(perm), int64_t(perm.size())};
    Value result = createRegrouped(rewriter, op, sources, dims);
    rewriter.replaceOp(op, permuted(rewriter, op.getLoc(), result, perm));
    return success();
  }
};

/// Channels of several values in turn, as a shuffle of channels makes them, are
/// a concat along a dimension of its own: each value goes to its places at once.
struct ShuffleToConcat : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto split = op.getInput().getDefiningOp<ReshapeOp>();
    auto concat =
        split ? split.getInput().getDefiningOp<ConcatOp>() : ConcatOp();
    if (!concat || !split->hasOneUse() || !concat->hasOneUse())
      return rewriter.notifyMatchFailure(op, "moves no values of a concat");
    size_t axis = concat.getAxis();
    int64_t count = concat.getInputs().size();
    SmallVector<int64_t> expected(typeOf(concat.getResult()).getShape());
    expected[axis] /= count;
    auto isPart = [&](Value part) {
      return typeOf(part).getShape() == ArrayRef<int64_t>(expected);
    };
    expected.insert(expected.begin() + axis, count);
    if (typeOf(split).getShape() != ArrayRef<int64_t>(expected))
      return rewriter.notifyMatchFailure(op, "the values are not taken apart");
    expected.erase(expected.begin() + axis);
    if (!llvm::all_of(concat.getInputs(), isPart))
      return rewriter.notifyMatchFailure(op, "the values have several sizes");
    SmallVector<int64_t> others(op.getPerm());
    const auto *found = llvm::find(others, int64_t(axis));
    size_t to = found - others.begin();
    others.erase(found);
    if (!llvm::is_sorted(others))
      return rewriter.notifyMatchFailure(op, "the values themselves move");
    expected.insert(expected.begin() + to, 1);
    SmallVector<Value> parts;
    for (Value part : concat.getInputs())
      parts.push_back(reshaped(rewriter, op.getLoc(), part, expected));
    rewriter.replaceOp(op, concatDim(rewriter, op.getLoc(), parts, to));
    return success();
  }
};

/// Several movements that together keep the elements in order, as between the
/// pixels of an image and tokens, are one reshape.
struct MovementsToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto between = op.getInput().getDefiningOp<ReshapeOp>();
    TransposeOp first =
        between ? dataTransposeOf(between.getInput()) : TransposeOp();
    if (!first)
      return failure();
    IndexMap map(shapeOf(first.getInput()), first.getPerm());
    if (!map.apply(between) || !map.apply(op) || !map.isInOrder())
      return failure();
    rewriter.replaceOp(
        op, reshaped(rewriter, op.getLoc(), first.getInput(), shapeOf(op)));
    return success();
  }
};

/// A norm of the features of a sequence is one of channels.
template <typename OpT> struct FeaturesToChannels : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(op);
    if (shape.size() != 3 || op.getAxes() != ArrayRef<int64_t>{1})
      return failure();
    Location loc = op.getLoc();
    Value image = reshaped(rewriter, loc, op.getInput(),
                           {shape[0], shape[1], 1, shape[2]});
    Operation *copy = rewriter.clone(*op);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperand(0, image);
      copy->getResult(0).setType(image.getType());
    });
    rewriter.replaceOp(op, reshaped(rewriter, loc, copy->getResult(0), shape));
    return success();
  }
};

} // namespace

/// Whether one row after the other is taken from `value`, or from what has one
/// for each of its rows, as in recurrent layers: columns lie at any address,
/// and a slice of them is a task of its own.
static bool isCutIntoRows(Value value) {
  auto isOfRows = [](Operation *op) {
    return isa<ActivationOp>(op) ||
           (isa<ElementwiseOp>(op) &&
            llvm::any_of(op->getOperands(), isConstant));
  };
  while (value.hasOneUse() && isOfRows(*value.user_begin()))
    value = value.user_begin()->getResult(0);
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           return isa<SliceOp>(user) && shapeOf(user->getResult(0))[2] == 1;
         });
}

namespace {

/// A convolution along a sequence, one element in each row: a row of L2 or DRAM
/// is many elements long. Also a transposed one.
template <typename OpT> struct RowsToColumns : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = shapeOf(op.getInput()), result = shapeOf(op),
                      weight = shapeOf(op.getWeight());
    if (result.size() != 4 || weight.size() != 4 || input[3] != 1 ||
        result[3] != 1 || weight[3] != 1 || result[2] == 1 || isCutIntoRows(op))
      return failure();
    Location loc = op.getLoc();
    auto swapped = [](ArrayRef<int64_t> values) {
      return SmallVector<int64_t>{values[1], values[0]};
    };
    ArrayRef<int64_t> pad = op.getPad();
    Value image = reshaped(rewriter, loc, op.getInput(),
                           {input[0], input[1], 1, input[2]});
    Value filter = reshaped(rewriter, loc, op.getWeight(),
                            {weight[0], weight[1], 1, weight[2]});
    Value conv = OpT::create(
        rewriter, loc, withShape(op, {result[0], result[1], 1, result[2]}),
        image, filter, op.getBias(), op.getScale(), swapped(op.getStrides()),
        ArrayRef<int64_t>{pad[2], pad[3], pad[0], pad[1]},
        swapped(op.getDilations()), op.getGroups(), op.getActivationAttr());
    rewriter.replaceOp(op, reshaped(rewriter, loc, conv, result));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ANEPropagateLayoutPass
    : public mlir::ane::impl::ANEPropagateLayoutBase<ANEPropagateLayoutPass> {
  using ANEPropagateLayoutBase::ANEPropagateLayoutBase;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering))
      return signalPassFailure();
    propagate(*lowering, /*heads=*/false);
    if (!lowering->policy->sequences.tokensAreColumns)
      return;
    // After the rest, which has images of more than one row.
    turnTokensToColumns(getOperation(), lowering->generation->maxWidth);
    propagate(*lowering, /*heads=*/true);
  }

private:
  void propagate(const LoweringTarget &lowering, bool heads) {
    const LoweringPolicy &policy = *lowering.policy;
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    bool reshapes = policy.sequences.tokensAreColumns;
    patterns.add<SinkBelowActivation, SinkBelowConcat, SinkBelowElementwise,
                 SinkBelowDims<ReduceOp>, SinkBelowDims<SoftmaxOp>,
                 MovementsToReshape, ShuffleToConcat>(context);
    patterns.add<SinkBelowDims<PadOp>, SinkBelowDims<SliceOp>>(context,
                                                               reshapes);
    patterns.add<SinkBelowNorm<LayerNormOp>, SinkBelowNorm<RmsNormOp>>(
        context, /*keepsChannels=*/heads, reshapes);
    addMatmulPatterns(patterns, policy, *lowering.generation);
    if (policy.sequences.tokensAreColumns)
      patterns
          .add<RowsToColumns<ConvOp>, RowsToColumns<ConvTransposeOp>,
               FeaturesToChannels<LayerNormOp>, FeaturesToChannels<RmsNormOp>>(
              context);
    addWindowPatterns(patterns, policy);
    if (heads)
      addHeadPatterns(patterns);
    // They let movements meet and cancel.
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    // From the arguments on: else what sinks from the end first goes all the
    // way for each op before it.
    config.setUseTopDownTraversal(true);
    // No two patterns may undo each other; the function still computes the same
    // where some do, whichever came last.
    if (failed(applyPatterns(getOperation(), std::move(patterns), getArgument(),
                             config)))
      getOperation()->emitWarning(
          "patterns of ane-propagate-layout undo each other after ")
          << config.getMaxIterations()
          << " rounds: the program is right but may move more data than it "
             "has to; please report the network";
  }
};

} // namespace
