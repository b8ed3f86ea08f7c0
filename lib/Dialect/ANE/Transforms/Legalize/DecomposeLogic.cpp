//===- DecomposeLogic.cpp - Comparisons, choices, rounding, angles --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table whose samples are all out of reach tells the sign of its argument
// exactly, and zero from anything else. What is built from it here is exact,
// but for the angles.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Float16.h"

#include "mlir/Dialect/Traits.h"

#include <cmath>
#include <limits>
#include <variant>

using namespace mlir;
using namespace mlir::ane;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {

/// Builds the steps of a function.
struct Steps : AneBuilder {
  using AneBuilder::AneBuilder;

  /// scale * value + bias.
  Value affine(Value value, float scale, float bias) const {
    return binary(ElementwiseKind::Mul, value, number(scale, value), 1, bias);
  }
};

} // namespace

/// The same relation with its operands exchanged.
static CompareKind exchanged(CompareKind kind) {
  switch (kind) {
  case CompareKind::Equal:
  case CompareKind::NotEqual:
    return kind;
  case CompareKind::Less:
    return CompareKind::Greater;
  case CompareKind::LessEqual:
    return CompareKind::GreaterEqual;
  case CompareKind::Greater:
    return CompareKind::Less;
  case CompareKind::GreaterEqual:
    return CompareKind::LessEqual;
  }
  llvm_unreachable("the enum is closed");
}

/// What a relation of f16 to an infinity says of its relation to the largest
/// number. Nothing where it is the same for all.
static std::optional<CompareKind> towardsLargest(CompareKind kind,
                                                 bool isNegative) {
  // As if the infinity were positive.
  if (isNegative)
    kind = exchanged(kind);
  std::optional<CompareKind> result;
  if (kind == CompareKind::Equal || kind == CompareKind::GreaterEqual)
    result = CompareKind::Greater;
  else if (kind == CompareKind::NotEqual || kind == CompareKind::Less)
    result = CompareKind::LessEqual;
  return result && isNegative ? exchanged(*result) : result;
}

namespace {

/// The sign of the difference decides.
struct DecomposeCompare : public OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CompareOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Steps steps{rewriter, op.getLoc()};
    if (succeeded(compareWithInfinity(op, steps, rewriter)))
      return success();
    rewriter.replaceOp(
        op, decide(steps, op.getKind(), steps.sub(op.getLhs(), op.getRhs())));
    return success();
  }

private:
  static Value decide(const Steps &steps, CompareKind kind, Value difference) {
    switch (kind) {
    case CompareKind::Equal:
      return steps.activate(difference, ActivationKind::WhereNonzero, 0, 1);
    case CompareKind::NotEqual:
      return steps.activate(difference, ActivationKind::WhereNonzero, 1, 0);
    case CompareKind::Less:
      return steps.activate(difference, ActivationKind::WhereNegative, 1, 0);
    case CompareKind::LessEqual:
      return steps.activate(difference, ActivationKind::WherePositive, 0, 1);
    case CompareKind::Greater:
      return steps.activate(difference, ActivationKind::WherePositive, 1, 0);
    case CompareKind::GreaterEqual:
      return steps.activate(difference, ActivationKind::WhereNegative, 0, 1);
    }
    llvm_unreachable("the enum is closed");
  }

  // The difference of two infinities is no number. What is equal to one is
  // beyond the largest number of f16, and what is less is not.
  static LogicalResult compareWithInfinity(CompareOp op, const Steps &steps,
                                           PatternRewriter &rewriter) {
    constexpr float largest = ::ane::hw::largestHalf, roundsToInfinity = 65520;
    for (unsigned number : {0, 1}) {
      std::optional<float> known = getSplatValue(op->getOperand(number));
      Value other = op->getOperand(1 - number);
      if (!known || !(std::abs(*known) >= roundsToInfinity) ||
          other.getType() != op.getType())
        continue;
      CompareKind kind = number == 0 ? exchanged(op.getKind()) : op.getKind();
      std::optional<CompareKind> finite = towardsLargest(kind, *known < 0);
      if (finite) {
        SmallVector<int64_t> ones(op.getType().getRank(), 1);
        Value difference = steps.sub(
            other, unroundedConstant(rewriter, op.getLoc(), ones,
                                     *known < 0 ? -largest : largest));
        rewriter.replaceOp(op, decide(steps, *finite, difference));
        return success();
      }
      bool isAlways =
          kind == CompareKind::LessEqual || kind == CompareKind::GreaterEqual;
      rewriter.replaceOp(op, steps.activate(other, ActivationKind::WhereNonzero,
                                            isAlways, isAlways));
      return success();
    }
    return failure();
  }
};

/// With s = 1 or -1: max(min(a, s > 0 ? inf : -inf), min(b, s > 0 ? -inf :
/// inf)). No product, so infinities in what is not chosen do no harm.
struct DecomposeSelect : public OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Location loc = op.getLoc();
    Steps steps{rewriter, loc};
    Value condition = op.getCondition();
    if (!typeOf(condition).getElementType().isF16())
      condition = CastOp::create(
          rewriter, loc,
          typeOf(op.getResult()).clone(typeOf(condition).getShape()),
          condition);
    std::optional<float> yes = getSplatValue(op.getTrueValue()),
                         no = getSplatValue(op.getFalseValue());
    auto isFinite = [](std::optional<float> value) {
      return value && std::isfinite(*value);
    };
    // The zero sample of a table is interpolated, so it has to be finite.
    if (yes && isFinite(no) && typeOf(condition) == op.getType()) {
      rewriter.replaceOp(
          op,
          steps.activate(condition, ActivationKind::WhereNonzero, *yes, *no));
      return success();
    }
    Value sign = bytesOf(rewriter, condition);
    if (!sign)
      sign = steps.affine(truth(steps, condition), 2, -1);
    auto masked = [&](Value value, bool onTrue) {
      // A constant of the network is still f32.
      if (!typeOf(value).getElementType().isF16())
        value = CastOp::create(
            rewriter, loc,
            typeOf(op.getResult()).clone(typeOf(value).getShape()), value);
      return binary(rewriter, loc, ElementwiseKind::Min, value,
                    steps.activate(sign, ActivationKind::WherePositive,
                                   onTrue ? infinity : -infinity,
                                   onTrue ? -infinity : infinity));
    };
    // Alone where it has the shape of the result.
    auto isWhole = [&](Value value) {
      SmallVector<int64_t> shape;
      return OpTrait::util::getBroadcastedShape(shapeOf(value),
                                                shapeOf(condition), shape) &&
             ArrayRef<int64_t>(shape) == shapeOf(op.getResult());
    };
    if (no && *no == -infinity && isWhole(op.getTrueValue())) {
      rewriter.replaceOp(op, masked(op.getTrueValue(), true));
    } else if (yes && *yes == -infinity && isWhole(op.getFalseValue())) {
      rewriter.replaceOp(op, masked(op.getFalseValue(), false));
    } else {
      Value chosen = masked(op.getTrueValue(), true);
      rewriter.replaceOp(op, binary(rewriter, loc, ElementwiseKind::Max, chosen,
                                    masked(op.getFalseValue(), false)));
    }
    return success();
  }

private:
  // Bytes are 0 or at least 1, which a table tells apart: the encoder puts the
  // bound between them. A cast that only tables read is no task.
  static Value bytesOf(OpBuilder &builder, Value condition) {
    auto cast = condition.getDefiningOp<CastOp>();
    if (!cast || !typeOf(cast.getInput()).getElementType().isUnsignedInteger(8))
      return {};
    return CastOp::create(builder, cast.getLoc(), cast.getType(),
                          cast.getInput());
  }

  // 1 for anything but 0, unless that is what it is already.
  static Value truth(const Steps &steps, Value condition) {
    if (auto activation = condition.getDefiningOp<ActivationOp>()) {
      ActivationAttr function = activation.getFunction();
      auto isBit = [](double value) { return value == 0 || value == 1; };
      switch (function.getKind()) {
      case ActivationKind::WhereNonzero:
      case ActivationKind::WherePositive:
      case ActivationKind::WhereNegative:
        if (isBit(function.getAlpha()) && isBit(function.getBeta()))
          return condition;
        break;
      default:
        break;
      }
    }
    return steps.activate(condition, ActivationKind::WhereNonzero, 1, 0);
  }
};

using Operand = std::variant<Value, double>;

/// Builds definitions. A number goes into the scale or the bias of a pass.
struct DefinitionBuilder {
  const Steps &steps;

  Operand number(double value) { return value; }
  Operand apply(ActivationAttr function, const Operand &x) {
    return steps.activate(std::get<Value>(x), function.getKind(),
                          function.getAlpha(), function.getBeta());
  }
  Operand apply(ElementwiseKind kind, const Operand &lhs, const Operand &rhs) {
    Value x = std::get<Value>(lhs);
    if (const double *number = std::get_if<double>(&rhs)) {
      if (kind == ElementwiseKind::Mul)
        return steps.affine(x, *number, 0);
      if (kind == ElementwiseKind::Add)
        return steps.affine(x, 1, *number);
      SmallVector<int64_t> ones(typeOf(x).getRank(), 1);
      return binary(steps.builder, steps.loc, kind, x,
                    unroundedConstant(steps.builder, steps.loc, ones, *number));
    }
    return binary(steps.builder, steps.loc, kind, x, std::get<Value>(rhs));
  }
};

/// Functions that are several steps.
struct DecomposeActivation : DecomposePattern<ActivationOp> {
  using DecomposePattern::DecomposePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Steps steps{rewriter, op.getLoc()};
    ActivationAttr function = op.getFunction();
    Value result = build(steps, op.getInput(), function);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value build(const Steps &steps, Value x, ActivationAttr function) {
    switch (function.getKind()) {
    case ActivationKind::Floor:
      return floor(steps, x);
    case ActivationKind::Ceil: // -floor(-x)
      return steps.affine(floor(steps, steps.affine(x, -1, 0)), -1, 0);
    case ActivationKind::Round:
      return round(steps, x);
    case ActivationKind::Sin:
      return sine(steps, x);
    case ActivationKind::Cos:
      return cosine(steps, x);
    case ActivationKind::Atan:
      return arcTangent(steps, x);
    case ActivationKind::Log1p:
      return log1p(steps, x);
    case ActivationKind::Expm1:
      return expm1(steps, x);
    default:
      break;
    }
    const FunctionInfo &info = infoOf(function.getKind());
    if (info.isOnePass || info.definition.empty())
      return {};
    return std::get<Value>(
        evaluateDefinition(function, Operand(x), DefinitionBuilder{steps}));
  }

  // With n = x between -1/2 and 1/2: log(1 + x) - log(1 + n), which is exactly
  // 0 near 0, and n times a table of log1p(n) / n.
  static Value log1p(const Steps &steps, Value x) {
    constexpr float ln2 = 0.693147181f;
    Value near = steps.activate(x, ActivationKind::Clamp, -0.5, 0.5);
    auto logarithm = [&](Value value) {
      return steps.activate(steps.affine(value, 1, 1), ActivationKind::Log2);
    };
    Value rest = steps.affine(steps.sub(logarithm(x), logarithm(near)), ln2, 0);
    Value small =
        steps.mul(near, steps.activate(near, ActivationKind::Log1pFactor));
    return steps.add(rest, small);
  }

  // tanh(x / 2) (e^x + 1): near 0 the second factor is 2.
  static Value expm1(const Steps &steps, Value x) {
    Value tanh = steps.activate(x, ActivationKind::ScaledTanh, 1, 0.5);
    return steps.mul(
        tanh, steps.affine(steps.activate(x, ActivationKind::Exp), 1, 1));
  }

  // trunc(x), less 1 where the fraction is negative.
  static Value floor(const Steps &steps, Value x) {
    Value fraction = steps.activate(x, ActivationKind::Fraction);
    Value below = steps.activate(fraction, ActivationKind::WhereNegative, 1, 0);
    return steps.sub(steps.activate(x, ActivationKind::Trunc), below);
  }

  // trunc(x), one further from 0 where the fraction is more than a half, or a
  // half and trunc(x) odd. No fraction of an odd number is so near to a half
  // that `least` would count it as more.
  static Value round(const Steps &steps, Value x) {
    constexpr float least = 0x1p-12f;
    Value whole = steps.activate(x, ActivationKind::Trunc);
    Value fraction = steps.activate(x, ActivationKind::Fraction);
    Value half =
        steps.activate(steps.affine(whole, 0.5f, 0), ActivationKind::Trunc);
    Value odd = steps.activate(steps.sub(whole, steps.affine(half, 2, 0)),
                               ActivationKind::Abs);
    Value excess =
        steps.affine(steps.activate(fraction, ActivationKind::Abs), 1, -0.5f);
    Value isUp = steps.activate(steps.add(excess, steps.affine(odd, least, 0)),
                                ActivationKind::WherePositive, 1, 0);
    return steps.add(
        whole, steps.mul(isUp, steps.activate(fraction, ActivationKind::Sign)));
  }

  // x - 2 pi k, up to |x| = 3000: 6, 1/4 and 1/32 times k are exact in f16, and
  // so are the differences, which come ever nearer to 0. The number of turns is
  // not, so half a turn may be left over.
  static Value reduceAngle(const Steps &steps, Value x) {
    constexpr float turns = 0.159154943f;
    constexpr float parts[] = {6, 0.25f, 0.03125f, 1.9353072e-3f};
    Value whole = floor(steps, steps.affine(x, turns, 0.5f));
    for (float part : parts)
      x = steps.sub(x, steps.affine(whole, part, 0));
    return x;
  }

  static Value minimum(const Steps &steps, Value x, Value y) {
    return binary(steps.builder, steps.loc, ElementwiseKind::Min, x, y);
  }

  // sin r = sin(pi - r) brings |r| between -pi / 2 and pi / 2, where a table is
  // fine.
  static Value sine(const Steps &steps, Value x) {
    constexpr float pi = 3.14159265f;
    Value angle = reduceAngle(steps, x);
    Value size = steps.activate(angle, ActivationKind::Abs);
    Value folded = minimum(steps, size, steps.affine(size, -1, pi));
    Value sine = steps.activate(folded, ActivationKind::SinQuarter);
    return steps.mul(sine, steps.activate(angle, ActivationKind::Sign));
  }

  // cos r = cos(2 pi - r) brings |r| below pi, and cos r = sin(pi / 2 - |r|) is
  // of an argument between -pi / 2 and pi / 2.
  static Value cosine(const Steps &steps, Value x) {
    constexpr float pi = 3.14159265f;
    Value size = steps.activate(reduceAngle(steps, x), ActivationKind::Abs);
    Value folded = minimum(steps, size, steps.affine(size, -1, 2 * pi));
    return steps.activate(steps.affine(folded, -1, pi / 2),
                          ActivationKind::SinQuarter);
  }

  // atan x = pi / 2 - atan(1 / x) for x > 1 brings |x| below 1.
  static Value arcTangent(const Steps &steps, Value x) {
    constexpr double halfPi = 1.57079633;
    Value size = steps.activate(x, ActivationKind::Abs);
    Value folded =
        minimum(steps, size, steps.activate(size, ActivationKind::Reciprocal));
    Value angle = steps.activate(folded, ActivationKind::AtanUnit);
    Value excess = steps.affine(size, 1, -1);
    Value sign = steps.activate(excess, ActivationKind::WherePositive, -1, 1);
    Value offset =
        steps.activate(excess, ActivationKind::WherePositive, halfPi, 0);
    angle = steps.add(steps.mul(angle, sign), offset);
    return steps.mul(angle, steps.activate(x, ActivationKind::Sign));
  }
};

} // namespace

void mlir::ane::populateDecomposeLogicPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  patterns.add<DecomposeCompare, DecomposeSelect>(patterns.getContext());
  patterns.add<DecomposeActivation>(patterns.getContext(), options);
}
