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

#include "ane/HW/Float16.h"

#include <cmath>

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

// x / 2 * (1 + erf(x / sqrt(2)))
static Value emitGelu(FunctionEmitter &emitter, Value x) {
  Value scaled = emitter.emitScalar("mul", x, 1 / std::sqrt(2.0));
  Value erf = emitter.emitUnary("erf", scaled, x.getType());
  Value shifted = emitter.emitScalar("add", erf, 1);
  Value half = emitter.emitScalar("mul", x, 0.5);
  return emitter.emitBinary("mul", half, shifted, x.getType());
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
static Value emitGeluTanh(FunctionEmitter &emitter, Value x) {
  Value square = emitter.emitBinary("mul", x, x, x.getType());
  Value factor =
      emitter.emitScalar("add", emitter.emitScalar("mul", square, 0.044715), 1);
  Value inner = emitter.emitScalar(
      "mul", emitter.emitBinary("mul", x, factor, x.getType()),
      std::sqrt(2 / M_PI));
  Value tanh = emitter.emitUnary("tanh", inner, x.getType());
  Value shifted = emitter.emitScalar("add", tanh, 1);
  Value half = emitter.emitScalar("mul", x, 0.5);
  return emitter.emitBinary("mul", half, shifted, x.getType());
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

// A root right behind a reduction is reported to fail (rule reduce_root), a
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
      x = emitter.emit("add",
                       {{"x", x}, {"y", emitter.guard(element, epsilon)}},
                       x.getType());
    return emitter.emitScalar("pow", x, reciprocal ? -0.5 : 0.5);
  }
  if (!reciprocal)
    return emitter.emitUnary("sqrt", x, x.getType());
  return emitter.emit("rsqrt",
                      {{"epsilon", emitter.guard(element, epsilon)}, {"x", x}},
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

Value FunctionEmitter::emitActivation(Value x, ActivationAttr function) {
  if (!x || !function)
    return x;
  Type type = x.getType();
  Type element = cast<RankedTensorType>(type).getElementType();
  double alpha = function.getAlpha(), beta = function.getBeta();
  auto unary = [&](StringRef name) { return emitUnary(name, x, type); };
  auto withAlpha = [&](StringRef name, StringRef parameter, double value) {
    return emit(name, {{parameter, number(element, value)}, {"x", x}}, type);
  };
  auto hardSigmoid = [&](double a, double b) {
    return emit(
        "sigmoid_hard",
        {{"alpha", number(element, a)}, {"beta", number(element, b)}, {"x", x}},
        type);
  };
  if (function.isStretched())
    x = emitScalar("mul", x, 1 / alpha);
  switch (function.getKind()) {
  case ActivationKind::Relu:
    return unary("relu");
  case ActivationKind::LeakyRelu:
    return withAlpha("leaky_relu", "alpha", alpha);
  case ActivationKind::Clamp:
    return emitClamp(*this, x, alpha, beta);
  case ActivationKind::Elu:
    return withAlpha("elu", "alpha", alpha);
  case ActivationKind::Sigmoid:
    return unary("sigmoid");
  case ActivationKind::Tanh:
    return unary("tanh");
  case ActivationKind::Gelu:
    return emitGelu(*this, x);
  case ActivationKind::Silu: // the ones who run on hardware write it so
    return emitBinary("mul", x, unary("sigmoid"), type);
  case ActivationKind::HardSigmoid:
    return hardSigmoid(alpha, beta);
  case ActivationKind::HardSwish:
    return emitBinary("mul", x, hardSigmoid(1.0 / 6, 0.5), type);
  case ActivationKind::Softplus:
    return unary("softplus");
  case ActivationKind::Exp:
    return unary("exp");
  case ActivationKind::Exp2:
    return unary("exp2");
  case ActivationKind::Log:
    return withAlpha("log", "epsilon", 0);
  case ActivationKind::Log2:
    return emitScalar("mul", withAlpha("log", "epsilon", 0), 1 / std::log(2.0));
  case ActivationKind::Sqrt:
    return emitRoot(*this, x, /*reciprocal=*/false, 0);
  case ActivationKind::Rsqrt:
    return emitRoot(*this, x, /*reciprocal=*/true, alpha);
  case ActivationKind::Reciprocal:
    return withAlpha("inverse", "epsilon", 0);
  case ActivationKind::Abs:
    return unary("abs");
  case ActivationKind::Neg:
    return emitScalar("mul", x, -1);
  case ActivationKind::Erf:
    return unary("erf");
  case ActivationKind::Floor:
    return unary("floor");
  case ActivationKind::Ceil:
    return unary("ceil");
  case ActivationKind::Round:
    return unary("round");
  case ActivationKind::Sign:
    return unary("sign");
  case ActivationKind::Square:
    return unary("square");
  case ActivationKind::GeluTanh:
    return emitGeluTanh(*this, x);
  case ActivationKind::GeluSigmoid:
    return emitBinary("mul", x,
                      emitUnary("sigmoid", emitScalar("mul", x, 1.702), type),
                      type);
  case ActivationKind::ScaledTanh:
    return emit("scaled_tanh",
                {{"alpha", number(element, alpha)},
                 {"beta", number(element, beta)},
                 {"x", x}},
                type);
  case ActivationKind::Softsign:
    return unary("softsign");
  case ActivationKind::ThresholdedRelu:
    return emitThresholdedRelu(*this, x, alpha);
  case ActivationKind::Trunc: { // sign(x) * floor(|x|)
    Value sign = unary("sign");
    return emitBinary("mul", sign, emitUnary("floor", unary("abs"), type),
                      type);
  }
  case ActivationKind::Fraction: {
    Value whole = emitUnary("floor", unary("abs"), type);
    return emitBinary("sub", x, emitBinary("mul", unary("sign"), whole, type),
                      type);
  }
  case ActivationKind::SinQuarter:
  case ActivationKind::Sin:
    return unary("sin");
  case ActivationKind::Cos:
    return unary("cos");
  case ActivationKind::AtanUnit:
  case ActivationKind::Atan:
    return unary("atan");
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
  }
  llvm_unreachable("covered switch");
}
