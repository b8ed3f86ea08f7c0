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
//   op(M(x), const)   ->  M(op'(x, M'(const)))     M a transpose or reshape
//   matmul(R(x), W)   ->  R(conv(x, R'(W)))        R flattens one image
//   matmul(R(T(x)),W) ->  R(T(conv(x, R'(W))))     rows are pixels, NHWC
//   T(R(T(x)))        ->  R(x), or R(T(x))
//   R(T(x))           ->  T(R(x))                  heads of T(x) are of x
//
// Motion.h says which ops M sinks below, and what op' is.
//
// Nothing is hoisted, so every step makes progress. A reshape that only adds or
// drops dimensions of size 1 is "trivial": broadcast operands can follow it.
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"
#include "Motion.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPROPAGATELAYOUT
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h.inc"
} // namespace mlir::ane

//===----------------------------------------------------------------------===//
// Movements through ops
//===----------------------------------------------------------------------===//

// Nothing to meet: a convolution in front stores what is transposed.
static bool isBorder(Operation *user) {
  return isa<CastOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
}

namespace {

/// op(M(x), ..) -> M(op'(x, ..)), where the other operands are moved alike, or
/// can be moved back for nothing.
struct Sink : RewritePattern {
  Sink(MLIRContext *context, StringRef name, bool heads, bool reshapes)
      : RewritePattern(name, /*benefit=*/1, context), heads(heads),
        reshapes(reshapes) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    const char *reason = "nothing is moved";
    for (Value operand : dataOf(op)) {
      std::optional<Motion> motion = Motion::of(operand);
      if (!motion)
        continue;
      reason = motion->whyNot(op);
      if (!reason)
        reason = whyNotWorth(op, *motion);
      if (!reason && succeeded(sink(op, operand, *motion, rewriter)))
        return success();
      // All of a concat are alike.
      if (isa<ConcatOp>(op))
        break;
    }
    return rewriter.notifyMatchFailure(
        op, reason ? reason : "other operands are not moved like that");
  }

private:
  /// Operands but for gamma and beta, which have axes alone.
  static OperandRange dataOf(Operation *op) {
    return op->getOperands().take_front(
        isa<LayerNormOp, RmsNormOp>(op) ? 1 : op->getNumOperands());
  }

  static bool isPointwise(Operation *op) {
    return isa<ActivationOp, CompareOp, ElementwiseOp, SelectOp>(op);
  }

  /// Whether no user is a movement or can be in front of one.
  static bool endsBelow(Operation *op, const Motion &motion) {
    return llvm::none_of(op->getUsers(), [&](Operation *user) {
      return isa<ReshapeOp, TransposeOp>(user) || !motion.whyNot(user);
    });
  }

  /// Transposes gain wherever they go. Reshapes are free, but movements meet
  /// beyond them, and what they sink below has the dimensions of an image then.
  const char *whyNotWorth(Operation *op, const Motion &motion) const {
    bool isOfMatrices = isa<MatmulOp, SoftmaxOp>(op);
    size_t rank = motion.getSource().size();
    if (!motion.isTransposed() && !isPointwise(op) &&
        (isOfMatrices ? !heads || rank < 4
                      : !reshapes || rank != 4 || !motion.keepsDims()))
      return "the op is better off with the reshaped dimensions";
    if (isa<MatmulOp>(op) &&
        (!heads || llvm::any_of(op->getOperands(), isConstant)))
      return "a product with weights is a convolution";
    if (motion.isTransposed() &&
        llvm::all_of(dataOf(op),
                     [&](Value value) {
                       return isConstant(value) ||
                              (!value.hasOneUse() &&
                               Motion::of(value) == motion);
                     }) &&
        endsBelow(op, motion))
      return "others need the movement, too, and no user goes on with it";
    auto isOfChannels = [](auto norm) {
      return norm.getAxes() == ArrayRef<int64_t>{1};
    };
    if (heads && llvm::TypeSwitch<Operation *, bool>(op)
                     .Case<LayerNormOp, RmsNormOp>(isOfChannels)
                     .Default(false))
      return "it is a norm of channels";
    return nullptr;
  }

  /// Whether a sum or the like takes the result and what is moved alike: one
  /// movement is left of two, which is worth that of a smaller operand.
  static bool joinsBelow(Operation *op, const Motion &motion) {
    auto isMoved = [&](Value value) { return Motion::of(value) == motion; };
    auto willBeMoved = [&](Value value) {
      Operation *from = value.getDefiningOp();
      return from && from != op &&
             (isMoved(value) || (isPointwise(from) &&
                                 llvm::any_of(from->getOperands(), isMoved)));
    };
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return isPointwise(user) &&
             llvm::any_of(user->getOperands(), willBeMoved);
    });
  }

  static LogicalResult sink(Operation *op, Value moved, const Motion &motion,
                            PatternRewriter &rewriter) {
    // What is broadcast follows what is not, never the other way round.
    auto countOf = [](Value value) { return typeOf(value).getNumElements(); };
    int64_t full = countOf(op->getResult(0));
    bool leads = !isa<ConcatOp, MatmulOp>(op) && countOf(moved) == full;
    SmallVector<Value> operands;
    for (Value operand : dataOf(op)) {
      bool isSmall = leads && countOf(operand) < full;
      if (operand == moved || Motion::of(operand) == motion) {
        operands.push_back(operand.getDefiningOp()->getOperand(0));
      } else if (((isConstant(operand) || isSmall) &&
                  motion.canUndo(operand)) ||
                 (isSmall && motion.shapeBack(shapeOf(operand)) &&
                  joinsBelow(op, motion))) {
        operands.push_back({});
      } else {
        return failure();
      }
    }
    for (auto [operand, before] : llvm::zip(op->getOperands(), operands))
      if (!before)
        before = motion.undo(rewriter, op->getLoc(), operand);
    llvm::append_range(operands, op->getOperands().drop_front(operands.size()));
    Value result = motion.createBefore(rewriter, op, operands);
    rewriter.replaceOp(op, motion.apply(rewriter, op->getLoc(), result,
                                        shapeOf(op->getResult(0))));
    return success();
  }

  bool heads, reshapes;
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
/// pixels of an image and tokens, are one reshape. Where a reshape merges what
/// the transpose in front of it brings together, the transpose after it moves
/// the parts.
struct Meet : OpRewritePattern<TransposeOp> {
  Meet(MLIRContext *context, bool heads)
      : OpRewritePattern(context), heads(heads) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto merge = op.getInput().getDefiningOp<ReshapeOp>();
    TransposeOp first = merge ? dataTransposeOf(merge.getInput()) : nullptr;
    if (!first)
      return rewriter.notifyMatchFailure(op, "no transposes to meet");
    Value source = first.getInput();
    IndexMap moved(shapeOf(source), first.getPerm()), map = moved;
    if (!map.apply(merge) || !map.apply(op))
      return rewriter.notifyMatchFailure(op, "takes parts of what moved");
    Value result = source;
    if (!map.isInOrder()) {
      // The engine would take more than four blocks apart again, and know less
      // of where to.
      constexpr size_t most = 4;
      if (!heads || !merge->hasOneUse() ||
          (map.getBlocks().size() > most && moved.getBlocks().size() <= most))
        return rewriter.notifyMatchFailure(op, "is no better as one");
      std::optional<SmallVector<int64_t>> perm = wholeDims(map, first);
      if (!perm)
        return rewriter.notifyMatchFailure(op, "moves parts of dimensions");
      result = permuted(rewriter, op.getLoc(), source, *perm);
    }
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }

private:
  /// The dimensions of the source in their order after all movements. Dimensions
  /// of 1 stay after what the first transpose has them after.
  static std::optional<SmallVector<int64_t>> wholeDims(const IndexMap &map,
                                                       TransposeOp first) {
    SmallVector<int64_t> perm, places = inverse(first.getPerm());
    auto takeOnes = [&](size_t at) {
      for (; at < places.size() && shapeOf(first)[at] == 1; ++at)
        perm.push_back(first.getPerm()[at]);
    };
    takeOnes(0);
    for (int64_t dim = 0; dim < map.getRank(); ++dim) {
      auto digits = map.getSourceDigits(dim);
      if (!digits)
        return std::nullopt;
      for (auto [of, step, size] : *digits) {
        if (size != map.getSource()[of])
          return std::nullopt;
        perm.push_back(of);
        takeOnes(places[of] + 1);
      }
    }
    return perm;
  }

  bool heads;
};

/// Reshapes that keep the columns cost nothing, so none becomes one that does
/// not.
struct SinkBelowReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transposed = dataTransposeOf(op.getInput());
    if (!transposed || llvm::all_of(op->getUsers(), isBorder))
      return rewriter.notifyMatchFailure(op, "no transpose to meet others");
    Value source = transposed.getInput();
    IndexMap map(shapeOf(source), transposed.getPerm());
    if (!map.reshape(shapeOf(op)))
      return rewriter.notifyMatchFailure(op, "takes parts of what moved");
    SmallVector<int64_t> order = map.getSourceOrder();
    map.transpose(order);
    if (!map.isInOrder())
      return rewriter.notifyMatchFailure(op, "merges what moved apart");
    SmallVector<int64_t> shape = map.getShape();
    if (shapeOf(transposed).back() == shapeOf(op).back() &&
        shapeOf(source).back() != shape.back())
      return rewriter.notifyMatchFailure(op, "columns would move");
    Value result = reshaped(rewriter, op.getLoc(), source, shape);
    rewriter.replaceOp(op,
                       permuted(rewriter, op.getLoc(), result, inverse(order)));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Sequences as images
//===----------------------------------------------------------------------===//

/// A norm of the features of a sequence is one of channels, and products of one
/// image have heads as channels.
struct AsImage : RewritePattern {
  AsImage(MLIRContext *context, StringRef name, ArrayRef<int64_t> dims)
      : RewritePattern(name, /*benefit=*/1, context),
        groups{SmallVector<int64_t>(dims)} {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    if (shape.size() != 3)
      return rewriter.notifyMatchFailure(op, "does not have three dimensions");
    bool fits = llvm::TypeSwitch<Operation *, bool>(op)
                    .Case<LayerNormOp, RmsNormOp>([](auto norm) {
                      return norm.getAxes() == ArrayRef<int64_t>{1};
                    })
                    .Default([](Operation *op) {
                      return llvm::none_of(op->getOperands(), isConstant);
                    });
    if (!fits)
      return rewriter.notifyMatchFailure(
          op, "normalizes no features, or has weights");
    Value image = createRegrouped(rewriter, op, groups);
    rewriter.replaceOp(op, reshaped(rewriter, op->getLoc(), image, shape));
    return success();
  }

  DimGroups groups;
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

// A convolution with fewer results than pixels that takes these last, as a
// layer of queries does, comes next to what takes them before: they need not be
// kept for it.
static void computeEarly(ConvOp conv) {
  auto countOf = [](Value value) { return typeOf(value).getNumElements(); };
  Value input = conv.getInput();
  Operation *last = input.getDefiningOp();
  if (!last || isConstant(input) || countOf(conv) >= countOf(input) ||
      !isConstant(conv.getWeight()))
    return;
  for (Operation *user : input.getUsers()) {
    if (user->getBlock() != conv->getBlock() ||
        (user != conv && conv->isBeforeInBlock(user)))
      return;
    if (user != conv && last->isBeforeInBlock(user))
      last = user;
  }
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == last->getBlock() && last->isBeforeInBlock(op);
  };
  if (failed(getBackwardSlice(conv.getOperation(), &slice, options)))
    return;
  for (Operation *op : llvm::reverse(slice))
    op->moveAfter(last);
}

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
    getOperation()->walk(computeEarly);
  }

private:
  template <typename... OpTs>
  static void addSinks(RewritePatternSet &patterns, bool heads, bool reshapes) {
    (patterns.add<Sink>(patterns.getContext(), OpTs::getOperationName(), heads,
                        reshapes),
     ...);
  }

  void propagate(const LoweringTarget &lowering, bool heads) {
    const LoweringPolicy &policy = *lowering.policy;
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ShuffleToConcat>(context);
    patterns.add<Meet>(context, heads);
    addSinks<ActivationOp, CompareOp, ConcatOp, ElementwiseOp, LayerNormOp,
             MatmulOp, PadOp, ReduceOp, RmsNormOp, SelectOp, SliceOp, SoftmaxOp,
             TileOp>(patterns, heads, policy.sequences.tokensAreColumns);
    addMatmulPatterns(patterns, policy, *lowering.generation, heads);
    if (policy.sequences.tokensAreColumns) {
      patterns.add<RowsToColumns<ConvOp>, RowsToColumns<ConvTransposeOp>>(
          context);
      for (StringRef norm :
           {LayerNormOp::getOperationName(), RmsNormOp::getOperationName()})
        patterns.add<AsImage>(context, norm, ArrayRef<int64_t>{0, 1, 3});
    }
    addWindowPatterns(patterns, policy);
    if (heads) {
      patterns.add<SinkBelowReshape>(context);
      patterns.add<AsImage>(context, MatmulOp::getOperationName(),
                            ArrayRef<int64_t>{1, 2, 3});
    }
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
