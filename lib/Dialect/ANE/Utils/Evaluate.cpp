//===- Evaluate.cpp - The functions of the ane ops on floats --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Utils/TableFunction.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::ane;

std::optional<::ane::hw::TableFunction>
mlir::ane::tableFunctionOf(ActivationKind kind) {
  switch (kind) {
#define ANE_TABLE_FUNCTION(KIND, TABLE)                                        \
  case ActivationKind::KIND:                                                   \
    return ::ane::hw::TableFunction::TABLE;
#include "ane/Dialect/ANE/IR/ANEFunctions.inc"
  default:
    return std::nullopt;
  }
}

// One loop for each function, so that the compiler sees a plain loop.
template <typename Fn>
static void forEach(MutableArrayRef<float> values, Fn fn) {
  for (float &value : values)
    value = fn(value);
}

static float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

// Keeps NaN, as the comparisons of std::clamp do.
static float clamp(float x, float low, float high) {
  return std::min(std::max(x, low), high);
}

namespace {
/// Carries out definitions, all elements at a time.
struct Numbers {
  using Vector = SmallVector<float>;

  Vector number(double value) { return {static_cast<float>(value)}; }
  Vector apply(ActivationAttr function, Vector x) {
    applyActivation(function, x);
    return x;
  }
  // A number stands for as many elements as the other side has.
  Vector apply(ElementwiseKind kind, Vector lhs, Vector rhs) {
    lhs.resize(std::max(lhs.size(), rhs.size()), lhs.front());
    rhs.resize(lhs.size(), rhs.front());
    applyElementwise(kind, lhs, rhs);
    return lhs;
  }
};
} // namespace

void mlir::ane::applyActivation(ActivationAttr function,
                                MutableArrayRef<float> values) {
  float a = function.getAlpha(), b = function.getBeta();
  if (function.isStretched())
    forEach(values, [a](float x) { return x / a; });
  switch (function.getKind()) {
  case ActivationKind::Relu:
    return forEach(values, [](float x) { return std::max(x, 0.0f); });
  case ActivationKind::LeakyRelu:
    return forEach(values, [a](float x) { return x < 0 ? a * x : x; });
  case ActivationKind::Clamp:
    return forEach(values, [a, b](float x) { return clamp(x, a, b); });
  case ActivationKind::Elu:
    return forEach(values,
                   [a](float x) { return x < 0 ? a * std::expm1(x) : x; });
  case ActivationKind::Sigmoid:
    return forEach(values, sigmoid);
  case ActivationKind::Tanh:
    return forEach(values, [](float x) { return std::tanh(x); });
  case ActivationKind::Softplus:
    // log(1 + e^x) without overflow.
    return forEach(values, [](float x) {
      return std::max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x)));
    });
  case ActivationKind::Exp:
    return forEach(values, [](float x) { return std::exp(x); });
  case ActivationKind::Exp2:
    return forEach(values, [](float x) { return std::exp2(x); });
  case ActivationKind::Log:
    return forEach(values, [](float x) { return std::log(x); });
  case ActivationKind::Log2:
    return forEach(values, [](float x) { return std::log2(x); });
  case ActivationKind::Sqrt:
    return forEach(values, [](float x) { return std::sqrt(x); });
  case ActivationKind::Rsqrt:
    return forEach(values, [a](float x) { return 1.0f / std::sqrt(x + a); });
  case ActivationKind::Reciprocal:
    return forEach(values, [](float x) { return 1.0f / x; });
  case ActivationKind::Abs:
    return forEach(values, [](float x) { return std::fabs(x); });
  case ActivationKind::Neg:
    return forEach(values, [](float x) { return -x; });
  case ActivationKind::Erf:
    return forEach(values, [](float x) { return std::erf(x); });
  case ActivationKind::Floor:
    return forEach(values, [](float x) { return std::floor(x); });
  case ActivationKind::Ceil:
    return forEach(values, [](float x) { return std::ceil(x); });
  case ActivationKind::Round:
    return forEach(values, [](float x) { return std::nearbyint(x); });
  case ActivationKind::Sign:
    return forEach(values, [](float x) {
      return x > 0 ? 1.0f : x < 0 ? -1.0f : x;
    });
  case ActivationKind::ThresholdedRelu:
    return forEach(values, [a](float x) { return x > a ? x : 0; });
  case ActivationKind::Sin:
    return forEach(values, [](float x) { return std::sin(x); });
  case ActivationKind::Cos:
    return forEach(values, [](float x) { return std::cos(x); });
  case ActivationKind::Atan:
    return forEach(values, [](float x) { return std::atan(x); });
  case ActivationKind::Log1p:
    return forEach(values, [](float x) { return std::log1p(x); });
  case ActivationKind::Expm1:
    return forEach(values, [](float x) { return std::expm1(x); });
  case ActivationKind::Log1pFactor:
    return forEach(values, [](float x) {
      x = clamp(x, -0.5f, 0.5f);
      return x == 0 ? 1 : std::log1p(x) / x;
    });
  case ActivationKind::EluFactor:
    return forEach(values, [a](float x) {
      return x < 0 ? a * std::expm1(x) / x : x == 0 ? a : 1;
    });
  case ActivationKind::WhereNonzero:
    return forEach(values, [a, b](float x) { return x != 0 ? a : b; });
  case ActivationKind::WherePositive:
    return forEach(values, [a, b](float x) { return x > 0 ? a : b; });
  case ActivationKind::WhereNegative:
    return forEach(values, [a, b](float x) { return x < 0 ? a : b; });
  default:
    break;
  }
  SmallVector<float> results =
      evaluateDefinition(function, SmallVector<float>(values), Numbers());
  llvm::copy(results, values.begin());
}

template <typename Fn>
static void forEachPair(MutableArrayRef<float> lhs, ArrayRef<float> rhs,
                        Fn fn) {
  for (size_t i = 0, e = lhs.size(); i < e; ++i)
    lhs[i] = fn(lhs[i], rhs[i]);
}

bool mlir::ane::applyCompare(CompareKind kind, float lhs, float rhs) {
  switch (kind) {
  case CompareKind::Equal:
    return lhs == rhs;
  case CompareKind::NotEqual:
    return lhs != rhs;
  case CompareKind::Less:
    return lhs < rhs;
  case CompareKind::LessEqual:
    return lhs <= rhs;
  case CompareKind::Greater:
    return lhs > rhs;
  case CompareKind::GreaterEqual:
    return lhs >= rhs;
  }
  llvm_unreachable("all kinds are handled");
}

void mlir::ane::applyElementwise(ElementwiseKind function,
                                 MutableArrayRef<float> lhs,
                                 ArrayRef<float> rhs) {
  switch (function) {
  case ElementwiseKind::Add:
    return forEachPair(lhs, rhs, [](float x, float y) { return x + y; });
  case ElementwiseKind::Sub:
    return forEachPair(lhs, rhs, [](float x, float y) { return x - y; });
  case ElementwiseKind::Mul:
    return forEachPair(lhs, rhs, [](float x, float y) { return x * y; });
  case ElementwiseKind::Max:
    return forEachPair(lhs, rhs, maximumOf);
  case ElementwiseKind::Min:
    return forEachPair(lhs, rhs, minimumOf);
  case ElementwiseKind::Div:
    return forEachPair(lhs, rhs, [](float x, float y) { return x / y; });
  case ElementwiseKind::Pow:
    return forEachPair(lhs, rhs,
                       [](float x, float y) { return std::pow(x, y); });
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<SmallVector<ResizeTap>> mlir::ane::getResizeTaps(ResizeOp op,
                                                               unsigned dim) {
  int64_t from = op.getInput().getType().getDimSize(dim);
  int64_t size = op.getType().getDimSize(dim);
  SmallVector<ResizeTap> taps;
  if (op.getMode() == ResizeMode::Nearest) {
    if (size % from || (op.getAlignCorners() && size != from))
      return std::nullopt;
    for (int64_t i = 0; i < size; ++i)
      taps.push_back({i / (size / from), 0});
    return taps;
  }
  for (int64_t i = 0; i < size; ++i) {
    double position = double(i) * from / size;
    if (op.getAlignCorners())
      position = size > 1 ? double(i) * (from - 1) / (size - 1) : 0;
    else if (op.getHalfPixel())
      position = (i + 0.5) * from / size - 0.5;
    position = std::clamp(position, 0.0, double(from - 1));
    int64_t index = static_cast<int64_t>(position);
    taps.push_back({index, float(position - index)});
  }
  return taps;
}
