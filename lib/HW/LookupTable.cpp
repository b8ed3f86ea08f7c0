//===- LookupTable.cpp - The 128-byte activation tables -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 43 halfwords of a table: domain low and high, values there, 33 samples,
// left slope and intercept, right slope and intercept, shift, mode; the rest is
// zero (seen in 17 tables of Apple's compiler).
//
//===----------------------------------------------------------------------===//

#include "ane/HW/LookupTable.h"

#include "RecordedTables.h"

#include "ane/HW/Float16.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace ane::hw {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// What part of the argument indexes the samples (seen values of halfword 42).
enum TableMode : uint16_t {
  Centred = 0x01,     ///< -16 to 16 steps
  EndsAtZero = 0x02,  ///< -32 to 0 steps
  Odd = 0x60,         ///< 0 to 32 steps of |x|, sign put back
  Frac = 0x63,        ///< x - trunc(x); no samples
  Int = 0x64,         ///< trunc(x); no samples
  InverseMode = 0x67, ///< mantissa in [1/2, 1), steps of 1/64
  Exp2Mode = 0x0a,    ///< fraction in [0, 1), steps of 1/32
  SqrtMode = 0xc5,    ///< mantissa in [1/2, 2), steps of 1/16
  RsqrtMode = 0xc6,   ///< the same
  Log2Mode = 0xc9,    ///< mantissa in [1/2, 1), steps of 1/64
};

/// A shift that moves every argument but zero out of the samples: the table is
/// its two lines (deduced: three programs of the record need it).
constexpr int16_t shiftLinesOnly = 64;

} // namespace

static bool isKnownMode(uint16_t mode) {
  switch (mode) {
  case Centred:
  case EndsAtZero:
  case Odd:
  case Frac:
  case Int:
  case InverseMode:
  case Exp2Mode:
  case SqrtMode:
  case RsqrtMode:
  case Log2Mode:
    return true;
  default:
    return false;
  }
}

static float interpolate(const LookupTable &table, float position,
                         Interpolation interpolation) {
  position = std::min(std::max(position, 0.0f), 32.0f);
  if (interpolation == Interpolation::Nearest)
    return table.samples[std::lround(position)];
  int index = std::min(static_cast<int>(position), 31);
  float fraction = position - index;
  return table.samples[index] * (1 - fraction) +
         table.samples[index + 1] * fraction;
}

/// Samples between the ends, lines outside them. `steps` is the argument in
/// steps, `first` the step of sample 0.
static float evaluatePiecewise(const LookupTable &table, float x, float first,
                               float last, Interpolation interpolation) {
  float steps = std::ldexp(x, table.shift);
  if (steps < first)
    return table.leftSlope * x + table.leftIntercept;
  if (steps > last)
    return table.rightSlope * x + table.rightIntercept;
  return interpolate(table, steps - first, interpolation);
}

static float evaluateOdd(const LookupTable &table, float x,
                         Interpolation interpolation) {
  float magnitude = std::fabs(x), y;
  if (magnitude <= table.domainLow)
    y = table.valueLow;
  else if (magnitude >= table.domainHigh)
    y = table.valueHigh;
  else
    y = evaluatePiecewise(table, magnitude, 0, 32, interpolation);
  return std::signbit(x) ? -y : y;
}

/// Exponent and mantissa functions; `x` is positive and finite.
static float evaluateMantissa(const LookupTable &table, float x,
                              Interpolation interpolation) {
  int exponent;
  float mantissa = std::frexp(x, &exponent); // in [1/2, 1)
  switch (table.mode) {
  case Log2Mode:
    return exponent + interpolate(table, mantissa * 64 - 32, interpolation);
  case InverseMode:
    return std::ldexp(interpolate(table, mantissa * 64 - 32, interpolation),
                      -exponent);
  default: {
    // The root halves the exponent, so an odd one goes into the mantissa.
    int odd = exponent & 1, half = (exponent - odd) / 2;
    float value = interpolate(table, mantissa * (odd ? 32 : 16), interpolation);
    return std::ldexp(value, table.mode == SqrtMode ? half : -half);
  }
  }
}

absl::StatusOr<LookupTable> decodeTable(absl::Span<const uint8_t> bytes) {
  if (bytes.size() < tableBytes)
    return absl::OutOfRangeError(absl::StrFormat(
        "an activation table has %d bytes, but only %d are there", tableBytes,
        bytes.size()));
  auto word = [&](size_t index) {
    return static_cast<uint16_t>(bytes[2 * index] | bytes[2 * index + 1] << 8);
  };
  auto half = [&](int index) { return fromHalfBits(word(index)); };
  LookupTable table;
  table.domainLow = half(0);
  table.domainHigh = half(1);
  table.valueLow = half(2);
  table.valueHigh = half(3);
  for (int i = 0; i < 33; ++i)
    table.samples[i] = half(4 + i);
  table.leftSlope = half(37);
  table.leftIntercept = half(38);
  table.rightSlope = half(39);
  table.rightIntercept = half(40);
  table.shift = static_cast<int16_t>(word(41));
  table.mode = word(42);
  if (!isKnownMode(table.mode))
    return absl::UnimplementedError(absl::StrFormat(
        "activation table mode 0x%x is not understood", table.mode));
  return table;
}

std::array<uint8_t, tableBytes> encodeTable(const LookupTable &table) {
  std::array<uint8_t, tableBytes> bytes = {};
  auto put = [&](size_t index, uint16_t word) {
    bytes[2 * index] = word & 0xff;
    bytes[2 * index + 1] = word >> 8;
  };
  auto half = [&](int index, float value) { put(index, toHalfBits(value)); };
  half(0, table.domainLow);
  half(1, table.domainHigh);
  half(2, table.valueLow);
  half(3, table.valueHigh);
  for (int i = 0; i < 33; ++i)
    half(4 + i, table.samples[i]);
  half(37, table.leftSlope);
  half(38, table.leftIntercept);
  half(39, table.rightSlope);
  half(40, table.rightIntercept);
  put(41, static_cast<uint16_t>(table.shift));
  put(42, table.mode);
  return bytes;
}

float evaluateTable(const LookupTable &table, float x,
                    Interpolation interpolation) {
  if (std::isnan(x))
    return x;
  if (interpolation == Interpolation::HalfArgument)
    x = fromHalfBits(toHalfBits(x));
  switch (table.mode) {
  case Odd:
    return evaluateOdd(table, x, interpolation);
  case Frac:
    return x - std::trunc(x);
  case Int:
    return std::trunc(x);
  case InverseMode:
    if (x == 0)
      return table.valueLow;
    if (std::isinf(x))
      return std::copysign(table.valueHigh, x);
    return std::copysign(evaluateMantissa(table, std::fabs(x), interpolation),
                         x);
  default:
    break;
  }
  if (x <= table.domainLow)
    return table.valueLow;
  if (x >= table.domainHigh)
    return table.valueHigh;
  switch (table.mode) {
  case Centred:
    return evaluatePiecewise(table, x, -16, 16, interpolation);
  case EndsAtZero:
    return evaluatePiecewise(table, x, -32, 0, interpolation);
  case Exp2Mode: {
    float whole = std::floor(x);
    return std::ldexp(interpolate(table, (x - whole) * 32, interpolation),
                      static_cast<int>(whole));
  }
  default:
    return evaluateMantissa(table, x, interpolation);
  }
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static float roundToHalf(double value) {
  return fromHalfBits(toHalfBits(static_cast<float>(value)));
}

namespace {
/// A function with its tails, enough to build a table for it.
struct Curve {
  double (*function)(double x, double a, double b);
  TableMode mode = Centred;
  /// The table is exact at and beyond these arguments.
  double domainLow, domainHigh;
  double valueLow, valueHigh;
  /// Where a tail is a line for ever (slope, intercept); else a chord is taken
  /// from the last sample to the end of the domain.
  bool leftIsLine = false, rightIsLine = false;
  double leftSlope = 0, leftIntercept = 0, rightSlope = 0, rightIntercept = 0;
  /// Whether the right line is as far off where the samples end as it is in the
  /// end, to the other side.
  bool splitsGap = false;
};
} // namespace

static double firstStep(TableMode mode) {
  return mode == Centred ? -16 : mode == EndsAtZero ? -32 : 0;
}

namespace {
/// How samples and tails follow from a function.
enum class Fit {
  Plain,       ///< samples are the function, tails are chords (seen)
  MinSquares,  ///< the smallest squared distance, tails are chords
  ThroughZero, ///< the same, but f(0) is exact and tails are fitted, too
};
} // namespace

/// The 33 values of the continuous piecewise linear function with the smallest
/// squared distance to `f(position)` from sample `from` on, of which those in
/// `exact` are the function. The largest distance could be smaller, but here
/// the errors of all arguments add up to nothing: sums over many channels,
/// which is what networks do next, are right. The normal equations in the basis
/// of hat functions are tridiagonal with diagonal 2/3 (1/3 at the ends) and 1/6
/// beside it.
template <typename Function>
static std::array<double, 33> fitSamples(Function f, int from,
                                         std::initializer_list<int> exact) {
  constexpr int inner = 32; // points of the quadrature in each interval
  std::array<double, 33> below, diagonal, above, right = {}, samples = {};
  for (int i = from; i < 33; ++i) {
    diagonal[i] = i == from || i == 32 ? 1.0 / 3 : 2.0 / 3;
    below[i] = above[i] = 1.0 / 6;
  }
  for (int i = from; i < 32; ++i)
    for (int k = 0; k < inner; ++k) {
      double t = (k + 0.5) / inner;
      double y = f(i + t) / inner;
      right[i] += y * (1 - t);
      right[i + 1] += y * t;
    }
  for (int i : exact) {
    diagonal[i] = 1;
    below[i] = above[i] = 0;
    right[i] = roundToHalf(f(i));
  }
  for (int i = from + 1; i < 33; ++i) {
    double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    right[i] -= factor * right[i - 1];
  }
  samples[32] = right[32] / diagonal[32];
  for (int i = 31; i >= from; --i)
    samples[i] = (right[i] - above[i] * samples[i + 1]) / diagonal[i];
  return samples;
}

static std::array<double, 33> fitSamples(const Curve &curve, double a, double b,
                                         double first, double step, Fit fit) {
  auto value = [&](double position) {
    return curve.function((first + position) * step, a, b);
  };
  std::array<double, 33> samples;
  if (fit == Fit::ThroughZero)
    return fitSamples(value, 0, {static_cast<int>(-first)});
  if (fit == Fit::MinSquares)
    return fitSamples(value, 0, {});
  for (int i = 0; i < 33; ++i)
    samples[i] = value(i);
  return samples;
}

/// The line with the smallest squared distance to the function between two
/// arguments.
static void fitLine(const Curve &curve, double a, double b, double from,
                    double to, float &slope, float &intercept) {
  constexpr int points = 256;
  double middle = (from + to) / 2, mean = 0, product = 0, square = 0;
  for (int i = 0; i < points; ++i) {
    double x = from + (to - from) * (i + 0.5) / points;
    double y = curve.function(x, a, b);
    mean += y / points;
    product += (x - middle) * y;
    square += (x - middle) * (x - middle);
  }
  slope = roundToHalf(square == 0 ? 0 : product / square);
  intercept = roundToHalf(mean - slope * middle);
}

static LookupTable tableWithShift(const Curve &curve, double a, double b,
                                  int shift, Fit fit) {
  double step = std::ldexp(1.0, -shift), first = firstStep(curve.mode);
  LookupTable table = {};
  table.mode = curve.mode;
  table.shift = static_cast<int16_t>(shift);
  table.domainLow = roundToHalf(curve.domainLow);
  table.domainHigh = roundToHalf(curve.domainHigh);
  table.valueLow = roundToHalf(curve.valueLow);
  table.valueHigh = roundToHalf(curve.valueHigh);
  std::array<double, 33> fitted = fitSamples(curve, a, b, first, step, fit);
  for (int i = 0; i < 33; ++i)
    table.samples[i] = roundToHalf(fitted[i]);

  // From the outermost sample to the end of the domain.
  double left = first * step, right = (first + 32) * step;
  auto line = [&](double x0, double y0, double x1, double y1, float &slope,
                  float &intercept) {
    if (fit == Fit::ThroughZero && std::isfinite(x1))
      return fitLine(curve, a, b, std::min(x0, x1), std::max(x0, x1), slope,
                     intercept);
    double s = x1 == x0 || std::isinf(x1) ? 0 : (y1 - y0) / (x1 - x0);
    slope = roundToHalf(s);
    intercept = roundToHalf(y0 - slope * x0);
  };
  if (curve.leftIsLine) {
    table.leftSlope = roundToHalf(curve.leftSlope);
    table.leftIntercept = roundToHalf(curve.leftIntercept);
  } else if (curve.mode != Odd) {
    line(left, table.samples[0], curve.domainLow, curve.valueLow,
         table.leftSlope, table.leftIntercept);
  }
  if (curve.rightIsLine) {
    table.rightSlope = roundToHalf(curve.rightSlope);
    double gap = curve.function(right, a, b) - curve.rightSlope * right;
    table.rightIntercept =
        roundToHalf(curve.splitsGap ? gap / 2 : curve.rightIntercept);
  } else {
    line(right, table.samples[32], curve.domainHigh, curve.valueHigh,
         table.rightSlope, table.rightIntercept);
  }
  return table;
}

/// The largest absolute error between -20 and 20.
static double largestError(const Curve &curve, double a, double b,
                           const LookupTable &table) {
  double worst = 0;
  for (int i = -5120; i <= 5120; ++i) {
    double x = i / 256.0;
    worst =
        std::max(worst, std::fabs(evaluateTable(table, static_cast<float>(x)) -
                                  curve.function(x, a, b)));
  }
  return worst;
}

/// Takes the step, and where tails are fitted the domain, that give the
/// smallest error.
static LookupTable bestTable(const Curve &curve, double a, double b, Fit fit) {
  LookupTable best = {};
  double bestError = std::numeric_limits<double>::infinity();
  constexpr int widths = 8; // of the domain, of which all but one are narrower
  for (int shift = 0; shift <= 5; ++shift)
    for (int width = fit == Fit::ThroughZero ? 1 : widths; width <= widths;
         ++width) {
      Curve narrow = curve;
      double step = std::ldexp(1.0, -shift), first = firstStep(curve.mode);
      auto narrowed = [&](double end, double sample) {
        double at = end * width / widths;
        return std::isinf(end) || std::fabs(at) < std::fabs(sample) ? end : at;
      };
      narrow.domainLow = narrowed(curve.domainLow, first * step);
      narrow.domainHigh = narrowed(curve.domainHigh, (first + 32) * step);
      LookupTable table = tableWithShift(narrow, a, b, shift, fit);
      double error = largestError(curve, a, b, table);
      if (error < bestError) {
        bestError = error;
        best = table;
      }
    }
  return best;
}

/// Functions that are lines on both sides of zero, with saturation: exact.
static LookupTable linesTable(float low, float high, float valueLow,
                              float valueHigh, float leftSlope,
                              float rightSlope, float atZero) {
  LookupTable table = {};
  table.mode = Centred;
  table.shift = shiftLinesOnly;
  table.domainLow = low;
  table.domainHigh = high;
  table.valueLow = valueLow;
  table.valueHigh = valueHigh;
  table.samples.fill(atZero); // zero is the only argument that reaches a sample
  table.leftSlope = leftSlope;
  table.rightSlope = rightSlope;
  table.leftIntercept = table.rightIntercept = atZero;
  return table;
}

/// One of three values, by the sign; only zero reaches the samples, and the
/// smallest numbers bound the domain.
static LookupTable signTable(float negative, float zero, float positive) {
  constexpr float smallest = 5.9604645e-8f;
  LookupTable table =
      linesTable(-smallest, smallest, negative, positive, 0, 0, zero);
  // Reached only if arithmetic in front of the table is finer than f16.
  table.leftIntercept = negative;
  table.rightIntercept = positive;
  return table;
}

static LookupTable mantissaTable(TableMode mode, int16_t shift, float low,
                                 float high, float valueLow, float valueHigh,
                                 int firstSample,
                                 const std::array<double, 33> &samples) {
  LookupTable table = {};
  table.mode = mode;
  table.shift = shift;
  table.domainLow = low;
  table.domainHigh = high;
  table.valueLow = valueLow;
  table.valueHigh = valueHigh;
  for (int i = firstSample; i < 33; ++i)
    table.samples[i] = roundToHalf(samples[i]);
  return table;
}

/// The function at the samples, or what is nearest to it between them where all
/// powers of two have the value that they should.
template <typename Function>
static std::array<double, 33>
mantissaSamples(Function f, int firstSample, Fit fit,
                std::initializer_list<int> powersOfTwo) {
  if (fit == Fit::ThroughZero)
    return fitSamples(f, firstSample, powersOfTwo);
  std::array<double, 33> samples = {};
  for (int i = firstSample; i < 33; ++i)
    samples[i] = f(i);
  return samples;
}

/// x / a, or x where `a` is 0.
static double unstretched(double x, double a) { return a == 0 ? x : x / a; }

static double sigmoid(double x, double a, double) {
  return 1 / (1 + std::exp(-unstretched(x, a)));
}
static double hyperbolicTangent(double x, double, double) {
  return std::tanh(x);
}
static double gelu(double x, double a, double) {
  x = unstretched(x, a);
  return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
}
static double geluTanh(double x, double a, double) {
  constexpr double sqrt2OverPi = 0.79788456080286536;
  x = unstretched(x, a);
  return 0.5 * x * (1 + std::tanh(sqrt2OverPi * (x + 0.044715 * x * x * x)));
}
static double geluSigmoid(double x, double a, double) {
  x = unstretched(x, a);
  return x / (1 + std::exp(-1.702 * x));
}
static double scaledTanh(double x, double a, double b) {
  return a * std::tanh(b * x);
}
static double sine(double x, double, double) { return std::sin(x); }
static double arcTangent(double x, double, double) { return std::atan(x); }
static double eluFactor(double x, double a, double) {
  return x > 0 ? 1 : x == 0 ? a : a * std::expm1(x) / x;
}
static double log1pFactor(double x, double, double) {
  return x == 0 ? 1 : std::log1p(x) / x;
}
static double silu(double x, double a, double) {
  x = unstretched(x, a);
  return x / (1 + std::exp(-x));
}
static double elu(double x, double a, double) {
  return x > 0 ? x : a * std::expm1(x);
}
static double softplus(double x, double a, double) {
  x = unstretched(x, a);
  return x > 20 ? x : std::log1p(std::exp(x));
}
static double mish(double x, double a, double) {
  x = unstretched(x, a);
  return x * std::tanh(softplus(x, 0, 0));
}
static double errorFunction(double x, double, double) { return std::erf(x); }
static double hardSwish(double x, double, double) {
  return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
}

/// Nothing on the left of `from`, the argument itself on the right.
static Curve risingCurve(double (*function)(double, double, double),
                         double from) {
  Curve curve = {};
  curve.function = function;
  curve.mode = Centred;
  curve.domainLow = from;
  curve.domainHigh = curve.valueHigh = infinity;
  curve.rightIsLine = true;
  curve.rightSlope = 1;
  return curve;
}

/// The same of x / a where `a` is not 0.
static Curve stretchedCurve(double (*function)(double, double, double),
                            double from, double a) {
  Curve curve = risingCurve(function, a == 0 ? from : from * a);
  if (a != 0) {
    curve.rightSlope = 1 / a;
    curve.splitsGap = true;
  }
  return curve;
}

/// An odd function that is `value` from `to` on.
static Curve oddCurve(double (*function)(double, double, double), double to,
                      double value) {
  Curve curve = {};
  curve.function = function;
  curve.mode = Odd;
  curve.domainHigh = to;
  curve.valueHigh = curve.rightIntercept = value;
  curve.rightIsLine = true;
  return curve;
}

/// 1 on the right, 0 on the left, between them a curve.
static Curve sigmoidCurve(double a) {
  Curve curve = {};
  curve.function = sigmoid;
  curve.mode = Centred;
  curve.domainHigh = a == 0 ? 12 : 12 * a;
  curve.domainLow = -curve.domainHigh;
  curve.valueHigh = 1;
  return curve;
}

/// Curves whose samples are fitted. Their tails are zero or a line.
static absl::StatusOr<LookupTable> fittedTable(TableFunction function, float a,
                                               float b, Fit fit) {
  switch (function) {
  case TableFunction::GeluErf:
    return bestTable(stretchedCurve(gelu, -4.4, a), a, b, fit);
  case TableFunction::GeluTanh:
    return bestTable(stretchedCurve(geluTanh, -4.4, a), a, b, fit);
  case TableFunction::GeluSigmoid:
    return bestTable(stretchedCurve(geluSigmoid, -6, a), a, b, fit);
  case TableFunction::Silu:
    return bestTable(stretchedCurve(silu, -10.2, a), a, b, fit);
  case TableFunction::HardSwish:
    return bestTable(risingCurve(hardSwish, -3), a, b, fit);
  case TableFunction::Mish:
    return bestTable(stretchedCurve(mish, -10.2, a), a, b, fit);
  case TableFunction::Softplus:
    return bestTable(stretchedCurve(softplus, -9, a), a, b, fit);
  case TableFunction::Elu: {
    Curve curve = risingCurve(elu, -9);
    curve.mode = EndsAtZero;
    curve.valueLow = -a;
    return bestTable(curve, a, b, fit);
  }
  case TableFunction::Sigmoid: {
    if (fit == Fit::ThroughZero && a != 0)
      return bestTable(sigmoidCurve(a), a, b, fit);
    // As in the table of sigmoid.hwx.
    Curve curve = {};
    curve.function = sigmoid;
    curve.mode = Centred;
    curve.domainLow = -9.9375;
    curve.domainHigh = 8.3203125;
    curve.valueHigh = 1;
    curve.rightSlope = 1;
    return bestTable(curve, a, b, Fit::Plain);
  }
  case TableFunction::Tanh:
    return bestTable(oddCurve(hyperbolicTangent, 4, 1), a, b,
                     fit == Fit::ThroughZero ? fit : Fit::Plain);
  case TableFunction::ScaledTanh: {
    Curve curve = oddCurve(scaledTanh, 4 / std::fabs(double(b)),
                           std::copysign(double(a), double(a) * b));
    // Beyond the samples it does not yet have its last value.
    curve.rightIsLine = fit != Fit::ThroughZero;
    return bestTable(curve, a, b, fit);
  }
  // Of these three only the samples are of use.
  case TableFunction::Sine:
    return tableWithShift(oddCurve(sine, 2, std::sin(2.0)), a, b, /*shift=*/4,
                          fit);
  case TableFunction::ArcTangent:
    return tableWithShift(oddCurve(arcTangent, 1, std::atan(1.0)), a, b,
                          /*shift=*/5, fit);
  case TableFunction::EluFactor: {
    Curve curve = {};
    curve.function = eluFactor;
    curve.mode = EndsAtZero;
    curve.domainLow = -8;
    curve.domainHigh = infinity;
    curve.valueLow = eluFactor(curve.domainLow, a, 0);
    curve.valueHigh = 1;
    curve.rightIsLine = true;
    curve.rightIntercept = 1;
    return tableWithShift(curve, a, b, /*shift=*/2, fit);
  }
  case TableFunction::Log1pFactor: {
    Curve curve = {};
    curve.function = log1pFactor;
    curve.mode = Centred;
    curve.domainLow = -0.5;
    curve.domainHigh = 0.5;
    curve.valueLow = log1pFactor(-0.5, 0, 0);
    curve.valueHigh = log1pFactor(0.5, 0, 0);
    return tableWithShift(curve, a, b, /*shift=*/5, fit);
  }
  case TableFunction::Erf:
    return bestTable(oddCurve(errorFunction, 3, 1), a, b, fit);
  default:
    return absl::UnimplementedError("no table is known for this function");
  }
}

// Slope 1 on both sides; zero itself takes the sample, so that has to be the
// clamped zero, and the lines go through the origin.
static absl::StatusOr<LookupTable> clampTable(float low, float high) {
  if (!(low <= high))
    return absl::InvalidArgumentError(absl::StrFormat(
        "the bounds of a clamp are %g and %g, but the lower must not exceed "
        "the upper",
        low, high));
  LookupTable table = linesTable(low, high, low, high, 1, 1,
                                 std::min(std::max(0.0f, low), high));
  table.leftIntercept = table.rightIntercept = 0;
  return table;
}

static absl::StatusOr<LookupTable> hardSigmoidTable(float slope, float offset) {
  if (!(slope > 0))
    return absl::InvalidArgumentError(absl::StrFormat(
        "the slope of a hard sigmoid is %g, but must be positive", slope));
  LookupTable table =
      linesTable(-offset / slope, (1 - offset) / slope, 0, 1, slope, slope,
                 std::min(std::max(offset, 0.0f), 1.0f));
  table.leftIntercept = table.rightIntercept = offset;
  return table;
}

// The whole part of a number, or what is after it.
static LookupTable partTable(uint16_t mode) {
  LookupTable table = {};
  table.mode = mode;
  table.shift = 5;
  table.domainLow = table.valueLow = -infinity;
  table.domainHigh = table.valueHigh = infinity;
  return table;
}

static absl::StatusOr<LookupTable> ownTable(TableFunction function, float a,
                                            float b, Fit fit) {
  switch (function) {
  case TableFunction::LeakyRelu:
    return linesTable(-infinity, infinity, -infinity, infinity, a, 1, 0);
  case TableFunction::Clamp:
    return clampTable(a, b);
  case TableFunction::HardSigmoid:
    return hardSigmoidTable(a, b);
  case TableFunction::ThresholdedRelu:
    // At the bound it is 0; beyond it a line through the origin.
    return linesTable(a, infinity, 0, infinity, 1, 1, 0);
  case TableFunction::Sign:
    return signTable(-1, 0, 1);
  case TableFunction::WhereNonzero:
    return signTable(a, b, a);
  case TableFunction::WherePositive:
    return signTable(b, b, a);
  case TableFunction::WhereNegative:
    return signTable(a, b, b);
  case TableFunction::Trunc:
    return partTable(Int);
  case TableFunction::Fraction:
    return partTable(Frac);
  case TableFunction::Exp2:
    return mantissaTable(
        Exp2Mode, 5, -25, 16, 0, infinity, 0,
        mantissaSamples([](double i) { return std::exp2(i / 32); }, 0,
                        Fit::Plain, {}));
  case TableFunction::Log2:
    return mantissaTable(
        Log2Mode, 6, 0, infinity, -infinity, infinity, 0,
        mantissaSamples([](double i) { return std::log2(0.5 + i / 64); }, 0,
                        Fit::Plain, {}));
  case TableFunction::Reciprocal:
    return mantissaTable(
        InverseMode, 6, 0, infinity, infinity, 0, 0,
        mantissaSamples([](double i) { return 1 / (0.5 + i / 64); }, 0, fit,
                        {0, 32}));
  case TableFunction::Sqrt:
    return mantissaTable(
        SqrtMode, 4, 0, infinity, 0, infinity, 8,
        mantissaSamples([](double i) { return std::sqrt(i / 16); }, 8, fit,
                        {8, 16, 32}));
  case TableFunction::Rsqrt:
    return mantissaTable(
        RsqrtMode, 4, 0, infinity, infinity, 0, 8,
        mantissaSamples([](double i) { return 1 / std::sqrt(i / 16); }, 8, fit,
                        {8, 16, 32}));
  default:
    return fittedTable(function, a, b, fit);
  }
}

/// Bounds may lie beyond f16, where no data is. What is stored may not, unless
/// it is infinite by itself.
static absl::Status checkParameters(TableFunction function, float a, float b) {
  if (function == TableFunction::Clamp ||
      function == TableFunction::ThresholdedRelu)
    return absl::OkStatus();
  for (float value : {a, b})
    if (std::isfinite(value) && !std::isfinite(fromHalfBits(toHalfBits(value))))
      return absl::InvalidArgumentError(absl::StrFormat(
          "a parameter of the function is %g, but f16 ends at 65504", value));
  return absl::OkStatus();
}

static absl::StatusOr<LookupTable>
buildNewTable(TableFunction function, float a, float b, TableSet set) {
  if (absl::Status status = checkParameters(function, a, b); !status.ok())
    return status;
  if (set == TableSet::Fitted)
    return ownTable(function, a, b, Fit::ThroughZero);
  if (std::optional<LookupTable> known = recordedTable(function))
    return *known;
  absl::StatusOr<LookupTable> table = ownTable(function, a, b, Fit::MinSquares);
  if (table.ok())
    adaptToRecord(function, *table);
  return table;
}

// A fit takes milliseconds, and networks and questions about ops have few
// functions, each of them often.
absl::StatusOr<LookupTable> buildTable(TableFunction function, float a, float b,
                                       TableSet set) {
  auto bits = [](float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
  };
  using Key = std::tuple<TableFunction, uint32_t, uint32_t, TableSet>;
  const Key key(function, bits(a), bits(b), set);
  constexpr size_t maxTables = 512;
  static std::mutex mutex;
  static auto &known = *new std::map<Key, LookupTable>();
  {
    std::lock_guard lock(mutex);
    if (auto it = known.find(key); it != known.end())
      return it->second;
  }
  absl::StatusOr<LookupTable> table = buildNewTable(function, a, b, set);
  std::lock_guard lock(mutex);
  if (table.ok() && known.size() < maxTables)
    known.emplace(key, *table);
  return table;
}

} // namespace ane::hw
