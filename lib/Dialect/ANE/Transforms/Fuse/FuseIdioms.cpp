//===- FuseIdioms.cpp - Several ops that are one function -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources without an op for a function spell it with simpler ones.
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include "mlir/Dialect/Traits.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// The function that several ops are written as.
static LogicalResult replace(PatternRewriter &rewriter, Operation *op,
                             Value input, ActivationKind kind, double a = 0,
                             double b = 0) {
  rewriter.replaceOpWithNewOp<ActivationOp>(
      op, input, ActivationAttr::get(rewriter.getContext(), kind, a, b));
  return success();
}

/// An activation that only its one user sees.
static ActivationOp getPrivateActivation(Value value) {
  auto op = value.getDefiningOp<ActivationOp>();
  return op && op->hasOneUse() ? op : ActivationOp();
}

/// x * s or x / (1 / s) with a scalar s, else nothing.
static std::optional<std::pair<Value, double>> matchScaled(ElementwiseOp op) {
  if (!op || !op.isPlain())
    return std::nullopt;
  std::optional<WithNumber> operand = withNumber(op);
  if (!operand)
    return std::nullopt;
  if (op.getKind() == ElementwiseKind::Mul)
    return std::make_pair(operand->data, operand->number);
  if (op.getKind() == ElementwiseKind::Div && !operand->isNumberFirst &&
      operand->number != 0)
    return std::make_pair(operand->data, 1 / operand->number);
  return std::nullopt;
}

/// x of clamp(x + 3, 0, 6).
static Value matchClampedSum(Value value) {
  auto clamp = getPrivateActivation(value);
  if (!clamp || clamp.getFunction().getKind() != ActivationKind::Clamp ||
      clamp.getFunction().getAlpha() != 0 || clamp.getFunction().getBeta() != 6)
    return {};
  auto sum = clamp.getInput().getDefiningOp<ElementwiseOp>();
  if (!sum || !sum->hasOneUse() || sum.getKind() != ElementwiseKind::Add ||
      !sum.isPlain())
    return {};
  std::optional<WithNumber> operand = withNumber(sum);
  return operand && operand->number == 3 ? operand->data : Value();
}

/// x without a threshold that changes nothing: where it makes a zero of x, the
/// gate is zero. (Public converters write hard swish with a threshold of -3.)
static Value skipIdleThreshold(Value x, ActivationOp gate) {
  auto threshold = getPrivateActivation(x);
  ActivationAttr function = gate.getFunction();
  double slope = function.getAlpha(), offset = function.getBeta();
  bool isIdle =
      threshold &&
      threshold.getFunction().getKind() == ActivationKind::ThresholdedRelu &&
      slope > 0 && threshold.getFunction().getAlpha() * slope + offset <= 0;
  return isIdle ? threshold.getInput() : x;
}

/// max(x, 0) -> relu(x)
static LogicalResult maxToRelu(ElementwiseOp op, PatternRewriter &rewriter) {
  std::optional<WithNumber> operand = withNumber(op);
  if (op.getKind() != ElementwiseKind::Max || !op.isPlain() || !operand ||
      operand->number != 0)
    return rewriter.notifyMatchFailure(op, "no maximum with 0");
  return replace(rewriter, op, operand->data, ActivationKind::Relu);
}

/// min(relu(x), c) and min(max(x, b), c) -> clamp(x, b, c)
static LogicalResult minToClamp(ElementwiseOp op, PatternRewriter &rewriter) {
  std::optional<WithNumber> high = withNumber(op);
  if (op.getKind() != ElementwiseKind::Min || !op.isPlain() || !high)
    return rewriter.notifyMatchFailure(op, "no minimum with a scalar");
  if (auto relu = getPrivateActivation(high->data);
      relu && relu.getFunction().getKind() == ActivationKind::Relu &&
      high->number >= 0)
    return replace(rewriter, op, relu.getInput(), ActivationKind::Clamp, 0,
                   high->number);
  auto max = high->data.getDefiningOp<ElementwiseOp>();
  if (!max || !max->hasOneUse() || max.getKind() != ElementwiseKind::Max ||
      !max.isPlain())
    return rewriter.notifyMatchFailure(op, "no maximum before it");
  std::optional<WithNumber> low = withNumber(max);
  if (!low || low->number > high->number)
    return rewriter.notifyMatchFailure(op, "no bounds in order");
  return replace(rewriter, op, low->data, ActivationKind::Clamp, low->number,
                 high->number);
}

/// clamp(x, 0, everything) -> relu(x): no f16 is above the bound.
static LogicalResult clampToRelu(ActivationOp op, PatternRewriter &rewriter) {
  ActivationAttr act = op.getFunction();
  if (act.getKind() != ActivationKind::Clamp || act.getAlpha() != 0 ||
      act.getBeta() < ::ane::hw::largestHalf ||
      !getElementTypeOrSelf(op.getType()).isF16())
    return rewriter.notifyMatchFailure(op, "no clamp with a lower bound only");
  return replace(rewriter, op, op.getInput(), ActivationKind::Relu);
}

namespace {
/// Finds the argument of a definition in the ops that spell it.
class DefinitionMatcher {
public:
  explicit DefinitionMatcher(const FunctionInfo &info)
      : steps(info.definition) {}

  /// Null where `op` is something else; `nearMiss` may say why.
  Value match(ElementwiseOp op, std::string &nearMiss) {
    this->nearMiss = &nearMiss;
    next = steps.size();
    argument = {};
    return matchStep(op.getResult(), /*isRoot=*/true) ? argument : Value();
  }

private:
  // Steps are in postfix order, so the last is the root, and its right operand
  // comes first when going back.
  bool matchStep(Value value, bool isRoot = false) {
    const FunctionStep &step = steps[--next];
    switch (step.kind) {
    case FunctionStep::Argument:
      if (!argument)
        argument = value;
      return argument == value;
    case FunctionStep::Number: {
      std::optional<double> number = scalarOf(value);
      return number && isAsHalf(*number, step.alpha);
    }
    case FunctionStep::Function: {
      auto op = value.getDefiningOp<ActivationOp>();
      auto kind = static_cast<ActivationKind>(step.function);
      if (!op || op.getFunction() != ActivationAttr::get(op.getContext(), kind,
                                                         step.alpha, step.beta))
        return false;
      if (!op->hasOneUse()) {
        *nearMiss =
            ("its " + stringifyActivationKind(kind) + " has other users").str();
        return false;
      }
      return matchStep(op.getInput());
    }
    case FunctionStep::Pair: {
      auto op = value.getDefiningOp<ElementwiseOp>();
      auto kind = static_cast<ElementwiseKind>(step.function);
      if (!op || op.getKind() != kind || !op.isPlain() ||
          !(isRoot || op->hasOneUse()))
        return false;
      size_t before = next;
      Value known = argument;
      if (matchStep(op.getRhs()) && matchStep(op.getLhs()))
        return true;
      if (kind != ElementwiseKind::Add && kind != ElementwiseKind::Mul)
        return false;
      next = before;
      argument = known;
      return matchStep(op.getLhs()) && matchStep(op.getRhs());
    }
    case FunctionStep::Alpha:
    case FunctionStep::Beta:
      return false; // no definition with parameters is fused
    }
    llvm_unreachable("the enum is closed");
  }

  ArrayRef<FunctionStep> steps;
  size_t next = 0;
  Value argument;
  std::string *nearMiss = nullptr;
};
} // namespace

/// x * sigmoid(x) -> silu(x), and whatever else ANEFunctions.td has fused.
static LogicalResult definitionToFunction(ElementwiseOp op,
                                          PatternRewriter &rewriter) {
  std::string nearMiss;
  for (const FunctionInfo &info : allFunctions()) {
    if (!info.isFused)
      continue;
    Value x = DefinitionMatcher(info).match(op, nearMiss);
    if (x && x.getType() == op.getType())
      return replace(rewriter, op, x, info.kind);
  }
  return rewriter.notifyMatchFailure(op, nearMiss.empty() ? "spells no function"
                                                          : nearMiss);
}

/// clamp(x + 3, 0, 6) / 6 -> hard_sigmoid(x)
static LogicalResult clampToHardSigmoid(ElementwiseOp op,
                                        PatternRewriter &rewriter) {
  auto scaled = matchScaled(op);
  Value x = scaled ? matchClampedSum(scaled->first) : Value();
  if (!x || !isAsHalf(scaled->second, 1.0 / 6))
    return rewriter.notifyMatchFailure(op, "no clamp(x + 3, 0, 6) / 6");
  return replace(rewriter, op, x, ActivationKind::HardSigmoid, 1.0 / 6, 0.5);
}

/// x * hard_sigmoid(x) and (x * clamp(x + 3, 0, 6)) / 6 -> hard_swish(x)
static LogicalResult mulToHardSwish(ElementwiseOp op,
                                    PatternRewriter &rewriter) {
  if (auto scaled = matchScaled(op);
      scaled && isAsHalf(scaled->second, 1.0 / 6)) {
    auto product = scaled->first.getDefiningOp<ElementwiseOp>();
    if (!product || !product->hasOneUse() || !product.isPlain() ||
        product.getKind() != ElementwiseKind::Mul)
      return rewriter.notifyMatchFailure(op, "no product of x");
    for (auto [x, gate] : {std::make_pair(product.getLhs(), product.getRhs()),
                           std::make_pair(product.getRhs(), product.getLhs())})
      if (matchClampedSum(gate) == x)
        return replace(rewriter, op, x, ActivationKind::HardSwish);
    return rewriter.notifyMatchFailure(op, "no clamp(x + 3, 0, 6)");
  }
  if (op.getKind() != ElementwiseKind::Mul || !op.isPlain())
    return rewriter.notifyMatchFailure(op, "no plain product");
  for (auto [x, gate] : {std::make_pair(op.getLhs(), op.getRhs()),
                         std::make_pair(op.getRhs(), op.getLhs())}) {
    auto hard = getPrivateActivation(gate);
    if (hard && hard.getInput() == skipIdleThreshold(x, hard) &&
        hard.getFunction().getKind() == ActivationKind::HardSigmoid &&
        isAsHalf(hard.getFunction().getAlpha(), 1.0 / 6) &&
        hard.getFunction().getBeta() == 0.5)
      return replace(rewriter, op, hard.getInput(), ActivationKind::HardSwish);
  }
  return rewriter.notifyMatchFailure(op, "no hard sigmoid of the other factor");
}

/// The sum that gives `value`, alone or under another shape.
static ReduceOp sumOf(Value value) {
  while (value.hasOneUse()) {
    Operation *op = value.getDefiningOp();
    if (auto sum = dyn_cast_or_null<ReduceOp>(op))
      return sum.getKind() == ReduceKind::Sum && !sum.getActivation()
                 ? sum
                 : ReduceOp();
    if (!isa_and_nonnull<ReshapeOp, TransposeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return {};
}

static double countOf(ReduceOp sum) {
  auto input = cast<RankedTensorType>(sum.getInput().getType());
  double count = 1;
  for (int64_t axis : sum.getAxes())
    count *= input.getDimSize(axis);
  return count;
}

/// sum(x) / count -> mean(x), also of sums of sums, with reshapes between: f16
/// may hold the mean where it does not hold the sum.
static LogicalResult sumToMean(ElementwiseOp op, PatternRewriter &rewriter) {
  auto scaled = matchScaled(op);
  if (!scaled || scaled->first.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "no scaled sum");
  SmallVector<ReduceOp> sums;
  double count = 1;
  for (ReduceOp sum = sumOf(scaled->first); sum; sum = sumOf(sum.getInput())) {
    sums.push_back(sum);
    count *= countOf(sum);
    if (isAsHalf(scaled->second, 1 / count))
      break;
  }
  if (sums.empty() || !isAsHalf(scaled->second, 1 / count))
    return rewriter.notifyMatchFailure(op, "the factor is not 1 / count");
  for (ReduceOp sum : sums)
    rewriter.modifyOpInPlace(sum, [&] { sum.setKind(ReduceKind::Mean); });
  rewriter.replaceOp(op, scaled->first);
  return success();
}

/// 1 / sqrt(mean(x^2) + e) is a reduction with a function of its result, and so
/// is sqrt(mean(x^2)) but for a reciprocal: f16 holds roots where it does not
/// hold squares.
static LogicalResult rootOfSquares(ActivationOp op, PatternRewriter &rewriter) {
  ActivationKind kind = op.getFunction().getKind();
  if (kind != ActivationKind::Sqrt && kind != ActivationKind::Rsqrt)
    return rewriter.notifyMatchFailure(op, "no root");
  Value sum = op.getInput();
  double epsilon = op.getFunction().getAlpha();
  if (auto add = sum.getDefiningOp<ElementwiseOp>())
    if (auto operand = withNumber(add); operand &&
                                        add.getKind() == ElementwiseKind::Add &&
                                        add.isPlain() && operand->number >= 0) {
      epsilon += operand->number;
      sum = operand->data;
    }
  auto reduce = sum.getDefiningOp<ReduceOp>();
  if (!reduce || !reduce->hasOneUse() || reduce.getActivation() ||
      sum.getType() != op.getType() ||
      (reduce.getKind() != ReduceKind::SumSquare &&
       reduce.getKind() != ReduceKind::MeanSquare))
    return rewriter.notifyMatchFailure(op, "no squares");
  Value factor = ReduceOp::create(
      rewriter, op.getLoc(), op.getType(), reduce.getKind(), reduce.getInput(),
      reduce.getAxes(),
      ActivationAttr::get(op.getContext(), ActivationKind::Rsqrt, epsilon));
  if (kind == ActivationKind::Sqrt)
    return replace(rewriter, op, factor, ActivationKind::Reciprocal);
  rewriter.replaceOp(op, factor);
  return success();
}

static bool isTable(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && llvm::count_if(constant.getType().getShape(),
                                    [](int64_t size) { return size != 1; }) > 1;
}

static bool isSum(ElementwiseOp op) {
  return op && op.getKind() == ElementwiseKind::Add && op.isUnscaled() &&
         isTable(op.getRhs());
}

/// The largest magnitude; none if that is not known.
static std::optional<double> largestOf(Value constant) {
  FailureOr<ConstantView> view = ConstantView::get(constant);
  if (failed(view) || !view->isReadable())
    return std::nullopt;
  double largest = 0;
  for (float value : view->readFloats()) {
    if (!std::isfinite(value))
      return std::nullopt;
    largest = std::max<double>(largest, std::fabs(value));
  }
  return largest;
}

/// (x + b) + c -> x + (b + c), such as a bias of positions and a mask. The sum
/// of constants is at most as large as a result that a pass would read and
/// write; a row of one dimension is better off in the op in front.
static LogicalResult mergeSummands(ElementwiseOp op,
                                   PatternRewriter &rewriter) {
  auto inner = op.getLhs().getDefiningOp<ElementwiseOp>();
  if (!isSum(op) || !isSum(inner) || !inner->hasOneUse() ||
      inner.getActivation() || withNumber(op) || withNumber(inner))
    return rewriter.notifyMatchFailure(op, "no two constants to add");
  auto b = cast<RankedTensorType>(inner.getRhs().getType());
  auto c = cast<RankedTensorType>(op.getRhs().getType());
  SmallVector<int64_t> shape;
  if (b.getElementType() != c.getElementType() ||
      !OpTrait::util::getBroadcastedShape(b.getShape(), c.getShape(), shape))
    return rewriter.notifyMatchFailure(op, "constants of different kinds");
  constexpr int64_t maxElements = 1 << 19;
  if (ShapedType::getNumElements(shape) >
      std::max({maxElements, b.getNumElements(), c.getNumElements()}))
    return rewriter.notifyMatchFailure(op, "the sum is too large");
  // Two masks may each have the least number of f16.
  std::optional<double> most = largestOf(inner.getRhs());
  std::optional<double> more = most ? largestOf(op.getRhs()) : most;
  if (!more || *most + *more > ::ane::hw::largestHalf)
    return rewriter.notifyMatchFailure(op, "the sum may be beyond f16");
  Value sum = ElementwiseOp::create(
      rewriter, op.getLoc(), RankedTensorType::get(shape, b.getElementType()),
      op.getKindAttr(), inner.getRhs(), op.getRhs(), op.getScaleAttr(),
      op.getBiasAttr(), ActivationAttr());
  rewriter.modifyOpInPlace(op, [&] {
    op.getLhsMutable().assign(inner.getLhs());
    op.getRhsMutable().assign(sum);
  });
  return success();
}

void mlir::ane::populateIdiomPatterns(RewritePatternSet &patterns,
                                      const LoweringPolicy &policy,
                                      Pass::Statistic &count) {
  if (policy.sequences.normsChannelsInPlace)
    addPatterns<rootOfSquares>(patterns, count);
  addPatterns<clampToHardSigmoid, clampToRelu, maxToRelu, mergeSummands,
              minToClamp, mulToHardSwish, definitionToFunction, sumToMean>(
      patterns, count);
}
