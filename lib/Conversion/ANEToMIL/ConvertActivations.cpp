//===- ConvertActivations.cpp - Functions of one element in MIL -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL has an operation for most functions. Taken apart are those that the
// private path is reported to refuse (gelu) or that MIL does not have (hard
// swish, log2, negation).
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/HW/Float16.h"

#include <cmath>
#include <variant>

using namespace mlir;
using namespace mlir::ane;

static bool isUnbounded(Type element, double bound) {
  return std::isinf(element.isF16() ? ::ane::hw::fromHalfBits(
                                          ::ane::hw::toHalfBits(float(bound)))
                                    : float(bound));
}

static Value emitClamp(FunctionEmitter &emitter, Value x, double low,
                       double high) {
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  bool noLow = low < 0 && isUnbounded(element, low);
  bool noHigh = high > 0 && isUnbounded(element, high);
  if (noLow && noHigh)
    return x;
  if (noHigh && low == 0)
    return emitter.emitUnary("relu", x, x.getType());
  if (noHigh)
    return emitter.emitScalar("maximum", x, low);
  if (noLow)
    return emitter.emitScalar("minimum", x, high);
  return emitter.emit("clip",
                      {{"alpha", emitter.number(element, low)},
                       {"beta", emitter.number(element, high)},
                       {"x", x}},
                      x.getType());
}

// MIL lets through what is equal to the threshold, too; the ane dialect does
// not. For fp16 those are the numbers from the next one on.
static Value emitThresholdedRelu(FunctionEmitter &emitter, Value x,
                                 double threshold) {
  llvm::APFloat next(threshold);
  bool inexact;
  next.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmTowardNegative,
               &inexact);
  next.next(/*nextDown=*/false);
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  return emitter.emit(
      "thresholded_relu",
      {{"alpha", emitter.number(element, next.convertToDouble())}, {"x", x}},
      x.getType());
}

// A root right after a reduction is reported to fail (rule reduce_root), a
// power not.
static bool isBehindReduction(Value x) {
  auto op = x.getDefiningOp<mil::GenericOp>();
  return op && op.getMILType().starts_with("reduce_");
}

static Value emitRoot(FunctionEmitter &emitter, Value x, bool reciprocal,
                      double epsilon) {
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  if (isBehindReduction(x)) {
    if (epsilon != 0)
      x = emitter.emit(
          "add", {{"x", x}, {"y", emitter.reachedGuard(element, epsilon)}},
          x.getType());
    return emitter.emitScalar("pow", x, reciprocal ? -0.5 : 0.5);
  }
  if (!reciprocal)
    return emitter.emitUnary("sqrt", x, x.getType());
  return emitter.emit(
      "rsqrt", {{"epsilon", emitter.reachedGuard(element, epsilon)}, {"x", x}},
      x.getType());
}

// One of two numbers, by a comparison with 0.
static Value emitWhere(FunctionEmitter &emitter, Value x, StringRef comparison,
                       ActivationAttr function) {
  auto type = cast<RankedTensorType>(x.getType());
  Type element = type.getElementType();
  Value condition =
      emitter.emit(comparison, {{"x", x}, {"y", emitter.number(element, 0)}},
                   type.clone(emitter.getBuilder().getI1Type()));
  // Readers take the type of the result from these two alone.
  return emitter.emit("select",
                      {{"a", emitter.number(element, function.getAlpha())},
                       {"b", emitter.emitFill(type, function.getBeta())},
                       {"cond", condition}},
                      type);
}

// tanh(x / 2) * (e^x + 1), since e^x is 1 near 0.
static Value emitExpm1(FunctionEmitter &emitter, Value x) {
  Type type = x.getType();
  Value tanh =
      emitter.emitUnary("tanh", emitter.emitScalar("mul", x, 0.5), type);
  Value sum = emitter.emitScalar("add", emitter.emitUnary("exp", x, type), 1);
  return emitter.emitBinary("mul", tanh, sum, type);
}

// With n = min(x, -2^-14): alpha * expm1(n) / n, 1 above 0. That is alpha to
// f16's precision for the numbers between.
static Value emitEluFactor(FunctionEmitter &emitter, Value x, double alpha) {
  Type type = x.getType();
  Value negative = emitter.emitScalar("minimum", x, -0x1p-14);
  Value factor = emitter.emitBinary("real_div", emitExpm1(emitter, negative),
                                    negative, type);
  ActivationAttr sides =
      ActivationAttr::get(x.getContext(), ActivationKind::WherePositive, 1, 0);
  Value above = emitWhere(emitter, x, "greater", sides);
  Value below =
      emitter.emitScalar("add", emitter.emitScalar("mul", above, -1), 1);
  return emitter.emitBinary(
      "add", above,
      emitter.emitBinary("mul", below, emitter.emitScalar("mul", factor, alpha),
                         type),
      type);
}

// log1p(x) / x for |x| up to 1/2, by the series of atanh: with s = x / (2 + x),
// log1p(x) = 2 atanh(s), and s is at most 1/3.
static Value emitLog1pFactor(FunctionEmitter &emitter, Value x) {
  Type type = x.getType();
  Value sum = emitter.emitScalar("add", x, 2);
  Value s = emitter.emitBinary("real_div", x, sum, type);
  Value square = emitter.emitBinary("mul", s, s, type);
  Value series = emitter.emitScalar(
      "add", emitter.emitScalar("mul", square, 1.0 / 5), 1.0 / 3);
  series = emitter.emitScalar(
      "add", emitter.emitBinary("mul", series, square, type), 1);
  return emitter.emitBinary("real_div", emitter.emitScalar("mul", series, 2),
                            sum, type);
}

// With n = x between -1/2 and 1/2: log(1 + x) - log(1 + n), which is exactly 0
// near 0, and log1p(n).
static Value emitLog1p(FunctionEmitter &emitter, Value x) {
  Type type = x.getType();
  Type element = cast<RankedTensorType>(type).getElementType();
  auto logarithm = [&](Value value) {
    return emitter.emit("log",
                        {{"epsilon", emitter.number(element, 0)},
                         {"x", emitter.emitScalar("add", value, 1)}},
                        type);
  };
  Value near = emitClamp(emitter, x, -0.5, 0.5);
  Value rest = emitter.emitBinary("sub", logarithm(x), logarithm(near), type);
  Value small =
      emitter.emitBinary("mul", near, emitLog1pFactor(emitter, near), type);
  return emitter.emitBinary("add", rest, small, type);
}

namespace {
using Operand = std::variant<Value, double>;

/// Writes definitions, with numbers as scalars.
struct DefinitionEmitter {
  FunctionEmitter &emitter;

  Operand number(double value) { return value; }
  Operand apply(ActivationAttr function, const Operand &x) {
    return emitter.emitActivation(std::get<Value>(x), function);
  }
  Operand apply(ElementwiseKind kind, const Operand &lhs, const Operand &rhs) {
    StringRef name = kind == ElementwiseKind::Div
                         ? "real_div"
                         : stringifyElementwiseKind(kind);
    Value x = std::get<Value>(lhs);
    if (const double *number = std::get_if<double>(&rhs))
      return emitter.emitScalar(name, x, *number);
    return emitter.emitBinary(name, x, std::get<Value>(rhs), x.getType());
  }
};
} // namespace

Value FunctionEmitter::emitActivation(Value x, ActivationAttr function) {
  if (!x || !function)
    return x;
  Type type = x.getType();
  Type element = cast<RankedTensorType>(type).getElementType();
  double alpha = function.getAlpha(), beta = function.getBeta();
  auto withAlpha = [&](StringRef name, StringRef parameter, double value) {
    return emit(name, {{parameter, number(element, value)}, {"x", x}}, type);
  };
  if (function.isStretched())
    x = emitScalar("mul", x, 1 / alpha);
  switch (function.getKind()) {
  case ActivationKind::LeakyRelu:
    return withAlpha("leaky_relu", "alpha", alpha);
  case ActivationKind::Clamp:
    return emitClamp(*this, x, alpha, beta);
  case ActivationKind::Elu:
    return withAlpha("elu", "alpha", alpha);
  case ActivationKind::HardSigmoid:
    return emit("sigmoid_hard",
                {{"alpha", number(element, alpha)},
                 {"beta", number(element, beta)},
                 {"x", x}},
                type);
  case ActivationKind::Log:
    return withAlpha("log", "epsilon", 0);
  case ActivationKind::Sqrt:
    return emitRoot(*this, x, /*reciprocal=*/false, 0);
  case ActivationKind::Rsqrt:
    return emitRoot(*this, x, /*reciprocal=*/true, alpha);
  case ActivationKind::Reciprocal:
    return withAlpha("inverse", "epsilon", 0);
  case ActivationKind::Neg:
    return emitScalar("mul", x, -1);
  case ActivationKind::ScaledTanh:
    return emit("scaled_tanh",
                {{"alpha", number(element, alpha)},
                 {"beta", number(element, beta)},
                 {"x", x}},
                type);
  case ActivationKind::ThresholdedRelu:
    return emitThresholdedRelu(*this, x, alpha);
  case ActivationKind::Log1p:
    return emitLog1p(*this, x);
  case ActivationKind::Expm1:
    return emitExpm1(*this, x);
  case ActivationKind::EluFactor:
    return emitEluFactor(*this, x, alpha);
  case ActivationKind::Log1pFactor:
    return emitLog1pFactor(*this, emitClamp(*this, x, -0.5, 0.5));
  case ActivationKind::WhereNonzero:
    return emitWhere(*this, x, "not_equal", function);
  case ActivationKind::WherePositive:
    return emitWhere(*this, x, "greater", function);
  case ActivationKind::WhereNegative:
    return emitWhere(*this, x, "less", function);
  default:
    break;
  }
  if (StringRef name = infoOf(function.getKind()).mil; !name.empty())
    return emitUnary(name, x, type);
  return std::get<Value>(
      evaluateDefinition(function, Operand(x), DefinitionEmitter{*this}));
}
