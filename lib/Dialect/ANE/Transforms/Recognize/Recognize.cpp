//===- Recognize.cpp - Composite ops from their expanded forms ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA and linalg have no softmax, norm or gelu: exporters write the formula.
// On the engine the formula is not enough. Step by step in f16, a sum of
// squares overflows, an epsilon of 1e-12 vanishes and a mask of -1e9 cannot be
// written down, while ane-decompose knows for the composite op an order of
// steps whose intermediate results fit. So the formulas are put together again,
// first of all, while they still look as they were written.
//
//===----------------------------------------------------------------------===//

#include "Recognize.h"

#include "ane/Dialect/ANE/Utils/ApplyPatterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Transforms/Recognize/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/Dialect/ANE/Utils/ExpandAttention.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANERECOGNIZE
#include "ane/Dialect/ANE/Transforms/Recognize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Matchers
//===----------------------------------------------------------------------===//

bool recognize::isScalar(Value value, double expected, double tolerance) {
  std::optional<double> scalar = scalarOf(value);
  return scalar &&
         std::fabs(*scalar - expected) <= tolerance * std::fabs(expected);
}

SmallVector<recognize::Quotient, 2> recognize::quotientsOf(Value value) {
  SmallVector<Quotient, 2> quotients;
  if (ElementwiseOp op = binaryOf(value, ElementwiseKind::Div))
    quotients.push_back({op.getLhs(), withoutBroadcast(op.getRhs())});
  ElementwiseOp op = binaryOf(value, ElementwiseKind::Mul);
  if (!op)
    return quotients;
  for (bool swap : {false, true}) {
    Value factor = withoutBroadcast(swap ? op.getLhs() : op.getRhs());
    Value numerator = swap ? op.getRhs() : op.getLhs();
    if (Value denominator = inputOf(factor, ActivationKind::Reciprocal))
      quotients.push_back({numerator, withoutBroadcast(denominator)});
    if (ElementwiseOp one = binaryOf(factor, ElementwiseKind::Div))
      if (isScalar(one.getLhs(), 1))
        quotients.push_back({numerator, withoutBroadcast(one.getRhs())});
  }
  return quotients;
}

Value recognize::withoutBroadcast(Value value) {
  if (auto tile = value.getDefiningOp<TileOp>()) {
    for (auto [size, repeats] :
         llvm::zip(shapeOf(tile.getInput()), tile.getRepeats()))
      if (size != 1 && repeats != 1)
        return value;
    return withoutBroadcast(tile.getInput());
  }
  // A sum with zeros of a larger shape.
  if (ElementwiseOp op = binaryOf(value, ElementwiseKind::Add))
    for (bool swap : {false, true})
      if (isScalar(swap ? op.getLhs() : op.getRhs(), 0))
        return withoutBroadcast(swap ? op.getRhs() : op.getLhs());
  return value;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

using namespace recognize;

/// The scalar and the other operand of a sum.
static std::optional<std::pair<Value, double>> shiftedOf(Value value) {
  if (ElementwiseOp op = binaryOf(value, ElementwiseKind::Add))
    for (bool swap : {false, true}) {
      Value data = swap ? op.getRhs() : op.getLhs();
      std::optional<double> scalar = scalarOf(swap ? op.getLhs() : op.getRhs());
      if (scalar && shapeOf(data) == shapeOf(op))
        return std::make_pair(data, *scalar);
    }
  return std::nullopt;
}

namespace {
/// The factors of a product: a number and data.
struct Factors {
  double number = 1;
  SmallVector<Value, 4> data;

  explicit Factors(Value value) { add(value, /*isRoot=*/true); }

private:
  void add(Value value, bool isRoot) {
    constexpr size_t most = 4;
    ScaledValue scaled = scaledOf(value);
    number *= scaled.factor;
    ElementwiseOp product = binaryOf(scaled.data, ElementwiseKind::Mul);
    // A product that somebody else uses as well is computed anyway.
    if (!product || (!isRoot && !scaled.data.hasOneUse()) ||
        data.size() >= most) {
      data.push_back(scaled.data);
      return;
    }
    add(product.getLhs(), false);
    add(product.getRhs(), false);
  }
};

} // namespace

/// x^3, however it is written; null if it is something else.
static Value cubeOf(Value value) {
  if (ElementwiseOp power = binaryOf(value, ElementwiseKind::Pow))
    return isScalar(power.getRhs(), 3) ? power.getLhs() : Value();
  ElementwiseOp product = binaryOf(value, ElementwiseKind::Mul);
  if (!product)
    return {};
  for (bool swap : {false, true}) {
    Value x = swap ? product.getRhs() : product.getLhs();
    Value square = swap ? product.getLhs() : product.getRhs();
    if (inputOf(square, ActivationKind::Square) == x)
      return x;
    ElementwiseOp inner = binaryOf(square, ElementwiseKind::Mul);
    if (inner && inner.getLhs() == x && inner.getRhs() == x)
      return x;
  }
  return {};
}

/// x of sqrt(2 / pi) * (x + 0.044715 * x^3).
static Value argumentOfGeluTanh(Value value) {
  ScaledValue scaled = scaledOf(value);
  ElementwiseOp sum = binaryOf(scaled.data, ElementwiseKind::Add);
  if (!sum || std::fabs(scaled.factor - 0.7978845608) > 1e-4)
    return {};
  for (bool swap : {false, true}) {
    Value x = swap ? sum.getRhs() : sum.getLhs();
    ScaledValue cube = scaledOf(swap ? sum.getLhs() : sum.getRhs());
    if (std::fabs(cube.factor - 0.044715) < 1e-5 && cubeOf(cube.data) == x)
      return x;
  }
  return {};
}

static std::optional<ActivationKind> kindOf(Value gate, Value x) {
  auto shifted = shiftedOf(gate);
  if (!shifted || shifted->second != 1)
    return std::nullopt;
  if (Value argument = inputOf(shifted->first, ActivationKind::Erf)) {
    ScaledValue scaled = scaledOf(argument);
    if (scaled.data == x && std::fabs(scaled.factor - 0.70710678) < 1e-4)
      return ActivationKind::Gelu;
  }
  if (Value argument = inputOf(shifted->first, ActivationKind::Tanh))
    if (argumentOfGeluTanh(argument) == x)
      return ActivationKind::GeluTanh;
  return std::nullopt;
}

/// x * (1 + erf(x / sqrt 2)) / 2 -> gelu(x), and the same with tanh.
static LogicalResult productToGelu(ElementwiseOp op,
                                   PatternRewriter &rewriter) {
  if (!binaryOf(op.getResult(), ElementwiseKind::Mul))
    return failure();
  Factors factors(op.getResult());
  if (factors.data.size() != 2 || std::fabs(factors.number - 0.5) > 1e-4)
    return rewriter.notifyMatchFailure(op, "not half a product of two");
  for (bool swap : {false, true}) {
    Value x = factors.data[swap], gate = factors.data[!swap];
    std::optional<ActivationKind> kind = kindOf(gate, x);
    if (!kind || x.getType() != op.getType())
      continue;
    rewriter.replaceOp(op, activated(rewriter, op.getLoc(), x, *kind));
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no 1 + erf or 1 + tanh");
}

static Value denominatorOf(ActivationOp op) {
  return inputOf(op.getResult(), ActivationKind::Reciprocal);
}

static Value denominatorOf(ElementwiseOp op) {
  bool isQuotient = binaryOf(op.getResult(), ElementwiseKind::Div) &&
                    isScalar(op.getLhs(), 1);
  return isQuotient ? op.getRhs() : Value();
}

/// 1 / (1 + exp(-x)) -> sigmoid(x)
template <typename OpT>
static LogicalResult quotientToSigmoid(OpT op, PatternRewriter &rewriter) {
  Value denominator = denominatorOf(op);
  auto shifted = denominator ? shiftedOf(denominator) : std::nullopt;
  if (!shifted || shifted->second != 1)
    return failure();
  Value argument = inputOf(shifted->first, ActivationKind::Exp);
  if (!argument)
    return failure();
  Value x = inputOf(argument, ActivationKind::Neg);
  if (ScaledValue scaled = scaledOf(argument); !x && scaled.factor == -1)
    x = scaled.data;
  if (!x || x.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "no power of -x");
  rewriter.replaceOp(
      op, activated(rewriter, op.getLoc(), x, ActivationKind::Sigmoid));
  return success();
}

/// log(1 + x) -> log1p(x): f16 has only some numbers near 1. The logarithm of 1
/// and a power is softplus.
static LogicalResult logToLog1p(ActivationOp op, PatternRewriter &rewriter) {
  Value sum = inputOf(op.getResult(), ActivationKind::Log);
  auto shifted = sum ? shiftedOf(sum) : std::nullopt;
  if (!shifted || shifted->second != 1 ||
      shifted->first.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "no log(1 + x)");
  if (inputOf(shifted->first, ActivationKind::Exp))
    return rewriter.notifyMatchFailure(op, "a softplus");
  rewriter.replaceOp(op, activated(rewriter, op.getLoc(), shifted->first,
                                   ActivationKind::Log1p));
  return success();
}

/// exp(x) - 1 -> expm1(x).
static LogicalResult expToExpm1(ElementwiseOp op, PatternRewriter &rewriter) {
  auto shifted = shiftedOf(op.getResult());
  Value power = shifted && shifted->second == -1 ? shifted->first : Value();
  if (ElementwiseOp less = binaryOf(op.getResult(), ElementwiseKind::Sub))
    if (scalarOf(less.getRhs()) == 1 && shapeOf(less.getLhs()) == shapeOf(op))
      power = less.getLhs();
  Value x = power ? inputOf(power, ActivationKind::Exp) : Value();
  if (!x || x.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "no exp(x) - 1");
  rewriter.replaceOp(
      op, activated(rewriter, op.getLoc(), x, ActivationKind::Expm1));
  return success();
}

/// What is compared with 0, if `op` is true where it is positive.
static Value positiveOf(CompareOp op) {
  using Kind = CompareKind;
  if (!op)
    return {};
  if (llvm::is_contained({Kind::Greater, Kind::GreaterEqual}, op.getKind()))
    return scalarOf(op.getRhs()) == 0 ? op.getLhs() : Value();
  if (llvm::is_contained({Kind::Less, Kind::LessEqual}, op.getKind()))
    return scalarOf(op.getLhs()) == 0 ? op.getRhs() : Value();
  return {};
}

/// x, where `value` is the smaller or larger one of x and 0.
static Value sideOf(Value value, ElementwiseKind kind) {
  if (Value x = inputOf(value, ActivationKind::Relu);
      x && kind == ElementwiseKind::Max)
    return x;
  ElementwiseOp op = binaryOf(value, kind);
  if (!op)
    return {};
  if (scalarOf(op.getRhs()) == 0)
    return op.getLhs();
  return scalarOf(op.getLhs()) == 0 ? op.getRhs() : Value();
}

static std::optional<ScaledValue> slopeOf(SelectOp op) {
  Value x = positiveOf(op.getCondition().getDefiningOp<CompareOp>());
  ScaledValue below = scaledOf(op.getFalseValue());
  if (!x || op.getTrueValue() != x || below.data != x)
    return std::nullopt;
  return below;
}

static std::optional<ScaledValue> slopeOf(ElementwiseOp op) {
  bool isSum = binaryOf(op.getResult(), ElementwiseKind::Add) != nullptr;
  if (!isSum && !binaryOf(op.getResult(), ElementwiseKind::Max))
    return std::nullopt;
  for (bool swap : {false, true}) {
    Value above = op->getOperand(swap);
    ScaledValue below = scaledOf(op->getOperand(!swap));
    if (!isSum && below.data == above && below.factor > 0 && below.factor < 1)
      return below;
    Value x = isSum ? sideOf(above, ElementwiseKind::Max) : Value();
    if (x && sideOf(below.data, ElementwiseKind::Min) == x)
      return ScaledValue{x, below.factor};
  }
  return std::nullopt;
}

/// x where it is above 0, a x elsewhere, as a choice, as the sum of both sides
/// or (0 < a < 1) as the larger one.
template <typename OpT>
static LogicalResult toLeakyRelu(OpT op, PatternRewriter &rewriter) {
  std::optional<ScaledValue> slope = slopeOf(op);
  if (!slope || slope->data.getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, activated(rewriter, op.getLoc(), slope->data,
                                   ActivationKind::LeakyRelu, slope->factor));
  return success();
}

/// A number that stands in a tensor for all elements needs one element, or
/// those along which the other operand is repeated.
static LogicalResult shrinkNumber(ElementwiseOp op, PatternRewriter &rewriter) {
  for (unsigned index : {0, 1}) {
    auto constant = op->getOperand(index).getDefiningOp<ConstantOp>();
    if (!constant || !scalarOf(constant) ||
        op->getOperand(!index).getDefiningOp<ConstantOp>())
      continue;
    SmallVector<int64_t> shape(shapeOf(constant));
    for (auto [size, other] :
         llvm::zip_equal(shape, shapeOf(op->getOperand(!index))))
      size = other == 1 ? size : 1;
    if (ArrayRef(shape) == shapeOf(constant))
      continue;
    Type element = getElementTypeOrSelf(constant.getType());
    auto value = rewriter.getFloatAttr(element, *scalarOf(constant));
    Value small = ConstantOp::create(
        rewriter, constant.getLoc(),
        DenseElementsAttr::get(RankedTensorType::get(shape, element),
                               value.getValue()));
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(index, small); });
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no number that is repeated");
}

void recognize::addActivationPatterns(RewritePatternSet &patterns,
                                      Pass::Statistic &activations) {
  addPatterns<expToExpm1, logToLog1p, productToGelu,
              quotientToSigmoid<ActivationOp>, quotientToSigmoid<ElementwiseOp>,
              toLeakyRelu<ElementwiseOp>, toLeakyRelu<SelectOp>>(patterns,
                                                                 activations);
  addPatterns<shrinkNumber>(patterns);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ANERecognizePass
    : public mlir::ane::impl::ANERecognizeBase<ANERecognizePass> {
  using ANERecognizeBase::ANERecognizeBase;

  void runOnOperation() override {
    expandAttention(getOperation());
    RewritePatternSet patterns(&getContext());
    addActivationPatterns(patterns, activations);
    addNormPatterns(patterns, norms);
    addSoftmaxPatterns(patterns, softmaxes, masks);
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    if (failed(applyPatterns(getOperation(), std::move(patterns), getArgument(),
                             config)))
      signalPassFailure();
  }
};
} // namespace
