//===- Ranges.cpp - Arithmetic of ranges ----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function here gives a range that holds whatever its arguments allow;
// where a tighter one would need more than a line, a wider one is given.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/IR/FunctionInfo.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::ane;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// NumberRange
//===----------------------------------------------------------------------===//

NumberRange NumberRange::of(double low, double high, double least,
                            bool isWhole) {
  NumberRange range;
  range.low = low;
  range.high = high;
  range.isWhole = isWhole;
  range.least = isWhole ? std::max(least, 1.0) : least;
  // What does not reach 0 has no element that is smaller than its nearer end.
  if (low > 0)
    range.least = std::max(range.least, low);
  if (high < 0)
    range.least = std::max(range.least, -high);
  if (low == 0 && high == 0)
    range.least = infinity;
  return range;
}

NumberRange NumberRange::point(double value) {
  if (std::isnan(value)) {
    NumberRange range = everything();
    range.source = RangeSource::Known;
    return range;
  }
  return of(value, value, std::fabs(value),
            std::isfinite(value) && value == std::floor(value));
}

NumberRange NumberRange::everything() {
  NumberRange range = of(-infinity, infinity);
  range.mayBeNaN = true;
  range.source = RangeSource::Assumed;
  return range;
}

double NumberRange::most() const {
  return isEmpty() ? 0 : std::max(std::fabs(low), std::fabs(high));
}

// What follows from several ranges is as reliable as the least reliable one.
static void inherit(NumberRange &range, const NumberRange &from) {
  range.source = std::max(range.source, from.source);
  range.mayBeNaN |= from.mayBeNaN;
}

NumberRange NumberRange::including(double value) const {
  return join(*this, point(value));
}

NumberRange NumberRange::boundedBy(const NumberRange &bound) const {
  double from = std::max(low, bound.low), to = std::min(high, bound.high);
  // The two contradict each other; who bounds is who knows.
  if (from > to)
    return bound;
  NumberRange result =
      of(from, to, std::max(least, bound.least), isWhole || bound.isWhole);
  result.mayBeNaN = bound.mayBeNaN && mayBeNaN;
  result.source = std::min(source, bound.source);
  return result;
}

NumberRange NumberRange::scaled(double factor) const {
  return applyRange(ElementwiseKind::Mul, *this, point(factor));
}

NumberRange NumberRange::join(const NumberRange &a, const NumberRange &b) {
  if (a.isEmpty())
    return b;
  if (b.isEmpty())
    return a;
  NumberRange range;
  range.low = std::min(a.low, b.low);
  range.high = std::max(a.high, b.high);
  range.least = std::min(a.least, b.least);
  range.isWhole = a.isWhole && b.isWhole;
  range.mayBeNaN = a.mayBeNaN || b.mayBeNaN;
  range.source = std::max(a.source, b.source);
  return range;
}

bool NumberRange::operator==(const NumberRange &other) const {
  return low == other.low && high == other.high && least == other.least &&
         isWhole == other.isWhole && mayBeNaN == other.mayBeNaN &&
         source == other.source;
}

void NumberRange::print(raw_ostream &os) const {
  if (isEmpty()) {
    os << "nothing";
    return;
  }
  os << llvm::format("[%.6g, %.6g]", low, high);
  if (isWhole)
    os << " whole";
  else if (least > 0 && std::isfinite(least))
    os << llvm::format(" least %.6g", least);
  if (mayBeNaN)
    os << " nan";
  if (source == RangeSource::Data)
    os << " measured";
  if (isAssumed())
    os << " assumed";
}

//===----------------------------------------------------------------------===//
// Functions of two numbers
//===----------------------------------------------------------------------===//

// 0 times an infinite bound is 0: bounds are limits, not elements.
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

// The least and the largest of what `fn` makes of the corners.
template <typename Fn>
static std::pair<double, double> ofCorners(const NumberRange &a,
                                           const NumberRange &b, Fn fn) {
  double corners[] = {fn(a.low, b.low), fn(a.low, b.high), fn(a.high, b.low),
                      fn(a.high, b.high)};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

// Of sums of numbers of one sign no digit is lost; of others all may be.
static double minOfSum(const NumberRange &a, const NumberRange &b) {
  bool haveOneSign = (a.low >= 0 && b.low >= 0) || (a.high <= 0 && b.high <= 0);
  return haveOneSign ? std::min(a.least, b.least) : 0;
}

static NumberRange add(const NumberRange &a, const NumberRange &b) {
  double low = a.low + b.low, high = a.high + b.high;
  // Of infinities of both signs.
  low = std::isnan(low) ? -infinity : low;
  high = std::isnan(high) ? infinity : high;
  return NumberRange::of(low, high, minOfSum(a, b), a.isWhole && b.isWhole);
}

static NumberRange multiply(const NumberRange &a, const NumberRange &b) {
  auto [low, high] = ofCorners(a, b, times);
  return NumberRange::of(low, high, times(a.least, b.least),
                         a.isWhole && b.isWhole);
}

static NumberRange divide(const NumberRange &a, const NumberRange &b) {
  double largest = b.least > 0 ? a.most() / b.least : infinity;
  double least = std::isinf(b.most()) ? 0 : a.least / b.most();
  NumberRange range = NumberRange::of(-largest, largest, least);
  if (b.low > 0 || b.high < 0) {
    auto [low, high] = ofCorners(a, b, [](double x, double y) {
      return std::isinf(x) && std::isinf(y) ? 0 : x / y;
    });
    range = NumberRange::of(low, high, least);
  } else if (b.low >= 0) {
    // 1 / 0 is infinite, of any sign of the other one.
    range = NumberRange::of(a.low < 0 ? -infinity : 0,
                            a.high > 0 ? infinity : 0, least);
  } else {
    range = NumberRange::of(-infinity, infinity, least);
  }
  range.mayBeNaN = a.contains(0) && b.contains(0);
  return range;
}

static NumberRange power(const NumberRange &a, const NumberRange &b) {
  if (b.isPoint()) {
    double e = b.low;
    bool isWhole = e == std::floor(e);
    bool isEven = isWhole && std::fmod(e, 2) == 0;
    NumberRange base = a;
    NumberRange range;
    if (isEven || a.low < 0) {
      double most = a.most();
      double fewest =
          a.contains(0) ? 0 : std::min(std::fabs(a.low), std::fabs(a.high));
      base = NumberRange::of(fewest, most, a.least);
    }
    double ends[] = {std::pow(base.low, e), std::pow(base.high, e)};
    double least =
        e > 0 ? std::pow(base.least, e)
              : (std::isinf(base.most()) ? 0 : std::pow(base.most(), e));
    range =
        NumberRange::of(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]),
                        least, isWhole && e >= 0 && a.isWhole);
    if (!isEven && a.low < 0) {
      range = NumberRange::of(-range.high, range.high, least, range.isWhole);
      range.mayBeNaN = !isWhole;
    }
    return range;
  }
  if (a.low > 0) {
    auto [low, high] =
        ofCorners(a, b, [](double x, double y) { return std::pow(x, y); });
    return NumberRange::of(std::isnan(low) ? 0 : low,
                           std::isnan(high) ? infinity : high);
  }
  NumberRange range = NumberRange::of(a.low >= 0 ? 0 : -infinity, infinity);
  range.mayBeNaN = a.low < 0;
  return range;
}

NumberRange mlir::ane::applyRange(ElementwiseKind kind, const NumberRange &lhs,
                                  const NumberRange &rhs) {
  if (lhs.isEmpty() || rhs.isEmpty())
    return NumberRange();
  NumberRange range;
  switch (kind) {
  case ElementwiseKind::Add:
    range = add(lhs, rhs);
    break;
  case ElementwiseKind::Sub:
    range = add(lhs, rhs.scaled(-1));
    break;
  case ElementwiseKind::Mul:
    range = multiply(lhs, rhs);
    break;
  case ElementwiseKind::Div:
    range = divide(lhs, rhs);
    break;
  case ElementwiseKind::Pow:
    range = power(lhs, rhs);
    break;
  case ElementwiseKind::Max:
    range = NumberRange::of(
        std::max(lhs.low, rhs.low), std::max(lhs.high, rhs.high),
        std::min(lhs.least, rhs.least), lhs.isWhole && rhs.isWhole);
    break;
  case ElementwiseKind::Min:
    range = NumberRange::of(
        std::min(lhs.low, rhs.low), std::min(lhs.high, rhs.high),
        std::min(lhs.least, rhs.least), lhs.isWhole && rhs.isWhole);
    break;
  }
  inherit(range, lhs);
  inherit(range, rhs);
  return range;
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

// Of a function that grows, from its value at the ends.
template <typename Fn>
static NumberRange growing(const NumberRange &x, Fn fn, double least = 0) {
  return NumberRange::of(fn(x.low), fn(x.high), least);
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double softplus(double x) {
  return std::isinf(x) ? std::max(x, 0.0)
                       : std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

static NumberRange rounded(double low, double high) {
  return NumberRange::of(low, high, 1, /*isWhole=*/true);
}

static NumberRange logarithm(const NumberRange &x, double (*log)(double)) {
  NumberRange range = NumberRange::of(x.low > 0 ? log(x.low) : -infinity,
                                      x.high > 0 ? log(x.high) : -infinity);
  // Next to 0 there is nothing but 0, whose logarithm is infinite.
  range.mayBeNaN = x.low < 0;
  return range;
}

static NumberRange inverse(const NumberRange &x, double exponent) {
  if (exponent == -1 && (x.low < 0))
    return applyRange(ElementwiseKind::Div, NumberRange::point(1), x);
  double smallest = std::max(x.low, 0.0);
  NumberRange range =
      NumberRange::of(x.high > 0 ? std::pow(x.high, exponent) : infinity,
                      smallest > 0 ? std::pow(smallest, exponent) : infinity);
  range.mayBeNaN = x.low < 0;
  return range;
}

namespace {
/// Carries out definitions.
struct RangeVisitor {
  NumberRange number(double value) { return NumberRange::point(value); }
  NumberRange apply(ActivationAttr function, const NumberRange &x) {
    return applyRange(function, x);
  }
  NumberRange apply(ElementwiseKind kind, const NumberRange &lhs,
                    const NumberRange &rhs) {
    return applyRange(kind, lhs, rhs);
  }
};
} // namespace

static NumberRange applyFunction(ActivationAttr function,
                                 const NumberRange &x) {
  double a = function.getAlpha(), b = function.getBeta();
  auto clampTo = [](NumberRange x, double low, double high) {
    bool isWhole =
        x.isWhole && low == std::floor(low) && high == std::floor(high);
    double least = x.least;
    for (double bound : {low, high})
      if (bound != 0)
        least = std::min(least, std::fabs(bound));
    return NumberRange::of(std::clamp(x.low, low, high),
                           std::clamp(x.high, low, high), least, isWhole);
  };
  switch (function.getKind()) {
  case ActivationKind::Relu:
    return NumberRange::of(std::max(x.low, 0.0), std::max(x.high, 0.0), x.least,
                           x.isWhole);
  case ActivationKind::LeakyRelu: {
    NumberRange below = multiply(
        NumberRange::of(std::min(x.low, 0.0), std::min(x.high, 0.0), x.least),
        NumberRange::point(a));
    NumberRange above =
        NumberRange::of(std::max(x.low, 0.0), std::max(x.high, 0.0), x.least);
    return NumberRange::join(below, above);
  }
  case ActivationKind::Clamp:
    return a <= b ? clampTo(x, a, b) : NumberRange::everything();
  case ActivationKind::Elu:
    return NumberRange::of(x.low < 0 ? std::min(a * std::expm1(x.low), 0.0)
                                     : x.low,
                           std::max(x.high, 0.0));
  case ActivationKind::Sigmoid:
    return growing(x, sigmoid);
  case ActivationKind::Tanh:
    return growing(x, [](double v) { return std::tanh(v); });
  case ActivationKind::Erf:
    return growing(x, [](double v) { return std::erf(v); });
  case ActivationKind::Atan:
  case ActivationKind::AtanUnit:
    return growing(x, [](double v) { return std::atan(v); });
  case ActivationKind::ThresholdedRelu:
    return NumberRange::of(std::min(0.0, x.high > a ? std::max(x.low, a) : 0.0),
                           std::max(x.high, 0.0), x.least, x.isWhole);
  case ActivationKind::Softplus:
    return growing(x, softplus);
  case ActivationKind::Exp:
    return growing(x, [](double v) { return std::exp(v); });
  case ActivationKind::Exp2:
    return growing(x, [](double v) { return std::exp2(v); });
  case ActivationKind::Log:
    return logarithm(x, [](double v) { return std::log(v); });
  case ActivationKind::Log2:
    return logarithm(x, [](double v) { return std::log2(v); });
  case ActivationKind::Log1p:
    return logarithm(add(x, NumberRange::point(1)),
                     [](double v) { return std::log(v); });
  case ActivationKind::Expm1:
    return growing(x, [](double v) { return std::expm1(v); });
  case ActivationKind::EluFactor:
    return NumberRange::of(std::min(a, 0.0), std::max(a, 1.0));
  case ActivationKind::Sqrt: {
    NumberRange range =
        NumberRange::of(std::sqrt(std::max(x.low, 0.0)),
                        std::sqrt(std::max(x.high, 0.0)), std::sqrt(x.least));
    range.mayBeNaN = x.low < 0;
    return range;
  }
  case ActivationKind::Rsqrt:
    return inverse(add(x, NumberRange::point(a)), -0.5);
  case ActivationKind::Reciprocal:
    return inverse(x, -1);
  case ActivationKind::Abs:
    return NumberRange::of(
        x.contains(0) ? 0 : std::min(std::fabs(x.low), std::fabs(x.high)),
        x.most(), x.least, x.isWhole);
  case ActivationKind::Neg:
    return NumberRange::of(-x.high, -x.low, x.least, x.isWhole);
  case ActivationKind::Floor:
    return rounded(std::floor(x.low), std::floor(x.high));
  case ActivationKind::Ceil:
    return rounded(std::ceil(x.low), std::ceil(x.high));
  case ActivationKind::Round:
    return rounded(std::nearbyint(x.low), std::nearbyint(x.high));
  case ActivationKind::Trunc:
    return rounded(std::trunc(x.low), std::trunc(x.high));
  case ActivationKind::Fraction:
    return NumberRange::of(x.low < 0 ? -1 : 0, x.high > 0 ? 1 : 0);
  case ActivationKind::Sign:
    return rounded(x.low < 0 ? -1 : x.low > 0, x.high > 0 ? 1 : -(x.high < 0));
  case ActivationKind::WhereNonzero:
  case ActivationKind::WherePositive:
  case ActivationKind::WhereNegative:
    return NumberRange::join(NumberRange::point(a), NumberRange::point(b));
  default:
    break;
  }
  // The definition sees each use of its argument as another number, so its
  // range is a wide one, and an infinity times a gate of 0 is no finding.
  const FunctionInfo &info = infoOf(function.getKind());
  NumberRange range = NumberRange::of(info.low, info.high);
  if (info.definition.empty())
    return range;
  NumberRange defined = evaluateDefinition(function, x, RangeVisitor());
  defined.mayBeNaN = false;
  return defined.boundedBy(range);
}

// What is within the same bounds whatever the argument is.
static bool isBounded(ActivationAttr function) {
  NumberRange range =
      applyFunction(function, NumberRange::of(-infinity, infinity));
  return std::isfinite(range.low) && std::isfinite(range.high);
}

NumberRange mlir::ane::applyRange(ActivationAttr function,
                                  const NumberRange &input) {
  if (!function || input.isEmpty())
    return input;
  NumberRange x = input;
  if (function.isStretched())
    x = x.scaled(1 / function.getAlpha());
  NumberRange range = applyFunction(function, x);
  if (std::isnan(range.low) || std::isnan(range.high))
    range = NumberRange::everything();
  RangeSource own = range.source;
  inherit(range, input);
  if (isBounded(function) && std::isfinite(range.most()))
    range.source = own;
  return range;
}

NumberRange mlir::ane::sumRange(const NumberRange &term, double count) {
  if (term.isEmpty())
    return term;
  bool hasOneSign = term.low >= 0 || term.high <= 0;
  NumberRange range =
      NumberRange::of(times(term.low, count), times(term.high, count),
                      hasOneSign ? term.least : 0, term.isWhole);
  inherit(range, term);
  return range;
}
