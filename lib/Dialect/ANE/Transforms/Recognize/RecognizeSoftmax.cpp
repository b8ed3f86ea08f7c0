//===- RecognizeSoftmax.cpp - Softmax and what is added to it -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp(x) / sum(exp(x)), with or without the maximum that keeps the powers
// small. It does not change when one number is added to everything along its
// axis, which is what makes masks representable: of a constant that is added to
// the scores, the maximum along the axis is taken away, and what is then far
// below 0 is a weight of 0 as well.
//
//===----------------------------------------------------------------------===//

#include "Recognize.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::recognize;

static ReduceOp reductionOf(Value value, ReduceKind kind) {
  auto op = value.getDefiningOp<ReduceOp>();
  return op && op.getKind() == kind && !op.getActivationAttr() &&
                 op.getAxes().size() == 1
             ? op
             : ReduceOp();
}

/// x of x - max(x) with the maximum along `axis`; `value` itself otherwise:
/// the maximum is there for the range only.
static Value withoutMaximum(Value value, int64_t axis) {
  ElementwiseOp difference = binaryOf(value, ElementwiseKind::Sub);
  if (!difference)
    return value;
  Value subtrahend = withoutBroadcast(difference.getRhs());
  // Some sources keep the maximum from being below some number.
  ReduceOp maximum = reductionOf(subtrahend, ReduceKind::Max);
  if (!maximum || maximum.getAxes()[0] != axis ||
      shapeOf(difference.getLhs()) != shapeOf(value))
    return value;
  return maximum.getInput() == difference.getLhs() ? difference.getLhs()
                                                   : value;
}

/// What is masked, also if heads and batch are one dimension after it.
static Value withoutReshape(Value value, int64_t &axis) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  int64_t last = cast<RankedTensorType>(value.getType()).getRank() - 1;
  if (reshape && axis == last &&
      shapeOf(value).back() == shapeOf(reshape.getInput()).back()) {
    value = reshape.getInput();
    axis = cast<RankedTensorType>(value.getType()).getRank() - 1;
  }
  return value;
}

/// Has `op` work on scores and a mask that is added to them.
static void addMask(PatternRewriter &rewriter, Location loc, SoftmaxOp op,
                    Value scores, Value mask) {
  Value masked = binary(rewriter, loc, ElementwiseKind::Add, scores, mask);
  if (masked.getType() != op.getType())
    masked = ReshapeOp::create(rewriter, loc, op.getType(), masked);
  rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(masked); });
}

/// `scores` and ln(c), along `axis`: c is one more power.
static Value withScoreOf(const AneBuilder &steps, Value scores, int64_t axis,
                         double c) {
  RankedTensorType type = withDim(typeOf(scores), axis, 1);
  return steps.concat({scores, splatConstant(steps.builder, steps.loc,
                                             type.getShape(), std::log(c))},
                      axis);
}

namespace {
/// sum(e^x), mean(e^x) or c + sum(e^x)
struct PowersSum {
  Value exponents;
  int64_t axis;
  double count = 1; ///< what the sum is divided by
  double summand = 0;
};
} // namespace

static std::optional<PowersSum> sumOfPowers(Value value) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Mean})
    if (ReduceOp op = reductionOf(value, kind)) {
      Value exponents = inputOf(op.getInput(), ActivationKind::Exp);
      if (!exponents || !getElementTypeOrSelf(exponents).isF16())
        return std::nullopt;
      int64_t axis = op.getAxes()[0];
      return PowersSum{
          exponents, axis,
          kind == ReduceKind::Mean ? double(shapeOf(exponents)[axis]) : 1.0};
    }
  if (ElementwiseOp add = binaryOf(value, ElementwiseKind::Add))
    for (unsigned place : {1, 0}) {
      std::optional<double> number = scalarOf(add->getOperand(place));
      if (!number || *number <= 0)
        continue;
      auto sum = sumOfPowers(add->getOperand(!place));
      if (sum && sum->count == 1) {
        sum->summand += *number;
        return sum;
      }
    }
  return std::nullopt;
}

/// e^x / sum(e^x), e^x / mean(e^x) and e^x / (c + sum(e^x)), in which no power
/// is beyond f16.
static LogicalResult quotientToSoftmax(ElementwiseOp op,
                                       PatternRewriter &rewriter) {
  for (Quotient quotient : quotientsOf(op.getResult())) {
    Value powers = quotient.numerator;
    auto sum = sumOfPowers(quotient.denominator);
    if (!sum || inputOf(powers, ActivationKind::Exp) != sum->exponents ||
        powers.getType() != op.getType())
      continue;
    AneBuilder steps(rewriter, op.getLoc());
    Value scores = sum->summand ? withScoreOf(steps, sum->exponents, sum->axis,
                                              sum->summand)
                                : withoutMaximum(sum->exponents, sum->axis);
    Value weights = SoftmaxOp::create(rewriter, op.getLoc(), scores.getType(),
                                      scores, sum->axis);
    if (sum->summand)
      weights = steps.slice(weights, sum->axis, 0,
                            shapeOf(sum->exponents)[sum->axis]);
    if (sum->count != 1)
      weights = steps.mul(weights, sum->count);
    rewriter.replaceOp(op, weights);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no quotient of powers");
}

/// log(c + sum(e^x)) as log(sum(e^x)) with one more power.
static LogicalResult numberToPower(ActivationOp op, PatternRewriter &rewriter) {
  Value above1 = inputOf(op.getResult(), ActivationKind::Log1p);
  Value argument =
      above1 ? above1 : inputOf(op.getResult(), ActivationKind::Log);
  auto sum = argument ? sumOfPowers(argument) : std::nullopt;
  if (sum && above1)
    sum->summand += 1;
  if (!sum || sum->count != 1 || !sum->summand)
    return rewriter.notifyMatchFailure(op, "no number beside powers");
  AneBuilder steps(rewriter, op.getLoc());
  Value powers = steps.activate(
      withScoreOf(steps, sum->exponents, sum->axis, sum->summand),
      ActivationKind::Exp);
  rewriter.replaceOp(
      op, steps.activate(steps.reduce(ReduceKind::Sum, powers, sum->axis),
                         ActivationKind::Log));
  return success();
}

/// log(softmax(x)): x - max(x) less the logarithm of the sum of its powers,
/// which is from 0 on. Of a weight that is below f16 it is the score that
/// counts.
static LogicalResult logOfSoftmax(ActivationOp op, PatternRewriter &rewriter) {
  Value weights = inputOf(op.getResult(), ActivationKind::Log);
  auto softmax = weights ? weights.getDefiningOp<SoftmaxOp>() : SoftmaxOp();
  if (!softmax || !softmax.getType().getElementType().isF16())
    return rewriter.notifyMatchFailure(op, "no logarithm of a softmax");
  Location loc = op.getLoc();
  int64_t axis = softmax.getAxis();
  auto apply = [&](ActivationKind kind, Value value) -> Value {
    return ActivationOp::create(rewriter, loc, value.getType(), value,
                                ActivationAttr::get(op.getContext(), kind));
  };
  Value x = softmax.getInput();
  Value most =
      ReduceOp::create(rewriter, loc, ReduceKind::Max, x, ArrayRef(axis));
  Value scores = binary(rewriter, loc, ElementwiseKind::Sub, x, most);
  Value sum =
      ReduceOp::create(rewriter, loc, ReduceKind::Sum,
                       apply(ActivationKind::Exp, scores), ArrayRef(axis));
  rewriter.replaceOp(op, binary(rewriter, loc, ElementwiseKind::Sub, scores,
                                apply(ActivationKind::Log, sum)));
  return success();
}

static bool isShifted(Value mask) {
  ElementwiseOp clamped = binaryOf(mask, ElementwiseKind::Max);
  return clamped && scalarOf(clamped.getRhs()) == maskedScore;
}

/// softmax(x + c) with a constant c.
static LogicalResult shiftMask(SoftmaxOp op, PatternRewriter &rewriter) {
  int64_t axis = op.getAxis();
  ElementwiseOp sum =
      binaryOf(withoutReshape(op.getInput(), axis), ElementwiseKind::Add);
  if (!sum)
    return rewriter.notifyMatchFailure(op, "no sum");
  bool swap = isConstant(sum.getLhs());
  Value mask = swap ? sum.getLhs() : sum.getRhs();
  Value scores = swap ? sum.getRhs() : sum.getLhs();
  auto type = cast<RankedTensorType>(mask.getType());
  if (!isConstant(mask) || isConstant(scores) ||
      !isa<FloatType>(type.getElementType()))
    return rewriter.notifyMatchFailure(op, "no constant summand");
  if (type.getDimSize(axis) == 1 && scores.getType() == op.getType()) {
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(scores); });
    return success();
  }
  if (isShifted(mask))
    return failure();
  Location loc = sum.getLoc();
  rewriter.setInsertionPoint(sum);
  Value most = ReduceOp::create(rewriter, loc, ReduceKind::Max, mask,
                                ArrayRef<int64_t>(axis));
  Value shifted = binary(rewriter, loc, ElementwiseKind::Sub, mask, most);
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value bound = ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(
          RankedTensorType::get(ones, type.getElementType()),
          rewriter.getFloatAttr(type.getElementType(), maskedScore)
              .getValue()));
  shifted = binary(rewriter, loc, ElementwiseKind::Max, shifted, bound);
  addMask(rewriter, loc, op, scores, shifted);
  return success();
}

/// Zero for scores and `number` for others; none if some row along `axis` has
/// no scores.
static std::optional<std::vector<float>> maskOf(const ConstantView &condition,
                                                bool isScoreWhereTrue,
                                                float number, int64_t axis) {
  std::vector<float> mask = condition.readFloats();
  for (float &value : mask)
    value = (value != 0) == isScoreWhereTrue ? 0 : number;
  ArrayRef<int64_t> shape = condition.getShape();
  int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1));
  int64_t count = shape[axis], rows = mask.size() / count;
  for (int64_t row = 0; row < rows; ++row) {
    const float *first = &mask[row / inner * inner * count + row % inner];
    bool hasScore = false;
    for (int64_t i = 0; i < count; ++i)
      hasScore |= first[i * inner] == 0;
    if (!hasScore)
      return std::nullopt;
  }
  return mask;
}

/// softmax(c ? x : m) with a constant c and a number m that stands for "no
/// weight" is softmax(x + (c ? 0 : m)), unless some row has no weights at all:
/// such a row is the mean of all in one of them.
static LogicalResult selectionToMask(SoftmaxOp op, PatternRewriter &rewriter) {
  int64_t axis = op.getAxis();
  auto select = withoutReshape(op.getInput(), axis).getDefiningOp<SelectOp>();
  if (!select)
    return rewriter.notifyMatchFailure(op, "no selection");
  bool isScoreWhereTrue = scalarOf(select.getFalseValue()).has_value();
  Value scores =
      isScoreWhereTrue ? select.getTrueValue() : select.getFalseValue();
  std::optional<double> number = scalarOf(
      isScoreWhereTrue ? select.getFalseValue() : select.getTrueValue());
  FailureOr<ConstantView> condition = ConstantView::get(select.getCondition());
  if (!number || *number > maskedScore || *number < -::ane::hw::largestHalf ||
      failed(condition) || !condition->isReadable() ||
      scores.getType() != select.getType() ||
      condition->getRank() != select.getType().getRank())
    return rewriter.notifyMatchFailure(op, "no constant mask");
  auto mask = maskOf(*condition, isScoreWhereTrue, maskedScore, axis);
  if (!mask)
    return rewriter.notifyMatchFailure(op, "a row without scores");
  auto type =
      RankedTensorType::get(condition->getShape(), rewriter.getF32Type());
  rewriter.setInsertionPoint(select);
  Location loc = select.getLoc();
  addMask(rewriter, loc, op, scores,
          createConstant(rewriter, loc, type, *mask));
  return success();
}

static constexpr int longestWay = 8;

/// Whether a mask goes through `op` to a softmax.
static bool isOnTheWay(Operation *op) {
  if (auto binary = dyn_cast<ElementwiseOp>(op))
    return llvm::is_contained(
        {ElementwiseKind::Add, ElementwiseKind::Sub, ElementwiseKind::Mul},
        binary.getKind());
  return isa<SelectOp, ReshapeOp, TransposeOp, TileOp, SliceOp, ConcatOp>(op);
}

/// Whether softmaxes, of any number of layers, are all that reads `value`.
static bool isOfSoftmaxes(Value value, int depth) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    auto attention = dyn_cast<AttentionOp>(user);
    return isa<SoftmaxOp>(user) ||
           (attention && attention.getMask() == value) ||
           (depth != 0 && isOnTheWay(user) &&
            isOfSoftmaxes(user->getResult(0), depth - 1));
  });
}

/// The operand on the way from `value` up that is such a number.
static OpOperand *findOverflow(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || isConstant(value) || !isOnTheWay(op) ||
      !isOfSoftmaxes(value, longestWay))
    return nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<double> number = scalarOf(operand.get());
    if (number && std::fabs(*number) > ::ane::hw::largestHalf)
      return &operand;
    if (OpOperand *found = findOverflow(operand.get(), depth - 1))
      return found;
  }
  return nullptr;
}

/// A number beyond f16 on the way to a softmax stands for "no weight". It is in
/// a sum, a selection or a product with a mask of ones and zeros.
static LogicalResult clampMask(SoftmaxOp op, PatternRewriter &rewriter) {
  OpOperand *operand = findOverflow(op.getInput(), longestWay);
  if (!operand)
    return rewriter.notifyMatchFailure(op, "no number beyond f16");
  double number = *scalarOf(operand->get());
  double bound = number < 0 ? maskedScore : -maskedScore;
  Operation *user = operand->getOwner();
  InFlightDiagnostic warning = mlir::emitWarning(user->getLoc())
                               << "the mask value " << number
                               << " is beyond f16 (largest magnitude 65504); "
                                  "it becomes "
                               << static_cast<int64_t>(bound)
                               << ", which the softmax that it masks cannot "
                                  "tell apart";
  warning.attachNote(op.getLoc()) << "softmax here";
  auto type = cast<RankedTensorType>(operand->get().getType());
  rewriter.setInsertionPoint(user);
  Value constant = ConstantOp::create(
      rewriter, user->getLoc(),
      DenseElementsAttr::get(
          type,
          rewriter.getFloatAttr(type.getElementType(), bound).getValue()));
  rewriter.modifyOpInPlace(user, [&] { operand->set(constant); });
  return success();
}

void recognize::addSoftmaxPatterns(RewritePatternSet &patterns,
                                   Pass::Statistic &softmaxes,
                                   Pass::Statistic &masks) {
  addPatterns<clampMask>(patterns, masks);
  addPatterns<logOfSoftmax, numberToPower, quotientToSoftmax>(patterns,
                                                              softmaxes);
  addPatterns<selectionToMask, shiftMask>(patterns, masks);
}
