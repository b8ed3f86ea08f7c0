//===- ImportSquares.cpp - MIL operations with sums of squares ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 holds no squares of numbers above 255, and few digits of the squares of
// numbers below 2^-7. What follows a sum of squares mostly brings the result
// back among the numbers that it does hold, so squares are taken of numbers
// that a power of 2 scales.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane;

// With it, the largest number of f16 has a square that f16 holds.
static constexpr int exponentOfLarge = -8;
// The largest number with such a square, and a mean with all digits.
static constexpr double largestRoot = 255, minMean = 0x1p-13;

static Value squareOfScaled(Statement &s, Value x, int exponent) {
  if (exponent != 0)
    x = s.binary(ElementwiseKind::Mul, x, std::exp2(exponent));
  return s.activation(x, ActivationKind::Square);
}

// Ranges from the one for large numbers to the one for small ones. Where the
// mean has too few digits in one, the next one holds all that is in it.
static SmallVector<int> exponentsOf(const MeanSquares &means) {
  constexpr double smallestHalf = 0x1p-24;
  constexpr int largestExponent = 14, maxSteps = 2;
  double most = std::sqrt(minMean * double(means.count));
  double step = std::floor(std::log2(largestRoot / most));
  SmallVector<int> exponents{exponentOfLarge};
  auto errorOfLast = [&] {
    return smallestHalf / std::exp2(2 * exponents.back());
  };
  for (int i = 0; i < maxSteps && errorOfLast() > means.error; ++i)
    exponents.push_back(
        std::min<int>(exponents.back() + std::max(step, 1.0), largestExponent));
  return exponents;
}

Value mlir::ane::fromMeanSquares(
    Statement &s, Value x, const MeanSquares &means,
    function_ref<Value(Value mean, int exponent)> finish) {
  SmallVector<std::pair<Value, int>> ranges;
  for (int exponent : exponentsOf(means)) {
    double largest = largestRoot * std::exp2(-exponent);
    Value part =
        exponent == exponentOfLarge
            ? x
            : s.activation(x, ActivationKind::Clamp, -largest, largest);
    Value squares = part ? squareOfScaled(s, part, exponent) : Value();
    ranges.emplace_back(squares ? means.of(squares) : Value(), exponent);
    if (s.failed())
      return {};
  }
  SmallVector<int64_t> ones(shapeOf(ranges.front().first).size(), 1);
  auto [last, exponentOfLast] = ranges.pop_back_val();
  Value result = finish(last, exponentOfLast);
  for (auto [mean, exponent] : llvm::reverse(ranges)) {
    Value hasDigits = s.build<CompareOp>(CompareKind::GreaterEqual, mean,
                                         s.constantOf(ones, minMean));
    Value finished = finish(mean, exponent);
    result = s.build<SelectOp>(hasDigits, finished, result);
  }
  return result;
}

namespace {
/// x / (k + alpha * mean of squares)^beta as x times the `count`th root of that
/// factor, `count` times: f16 holds the root where it does not hold the power.
struct Response {
  double alpha, beta, k;
  int count = 1;

  // The largest number of f16 has a square below 2^32.
  double largest() const { return std::fabs(k) + std::fabs(alpha) * 0x1p+32; }

  // What a base is multiplied with so that f16 holds it, when squares are of
  // numbers that are scaled by 2^exponent.
  double scaleOf(int exponent) const {
    double largest =
        std::fabs(k) + std::fabs(alpha) * (0x1p+16) / std::exp2(2 * exponent);
    return largest > 0 ? std::exp2(15 - std::ceil(std::log2(largest))) : 1;
  }
  // A base of 0 has no root that can be multiplied with 0.
  static constexpr double minBase = 0x1p-24;

  /// `exponents` of the scales that occur.
  void chooseCount(ArrayRef<int> exponents) {
    constexpr int maxFactors = 16;
    auto fits = [&](double base) {
      double root = std::pow(base, -beta / count);
      return root >= 0x1p-16 && root <= 0x1p+15;
    };
    auto allFit = [&] {
      return fits(largest()) && llvm::all_of(exponents, [&](int exponent) {
               double scale = scaleOf(exponent);
               double least = std::max(k * scale, minBase);
               return fits(least) && fits(least / scale);
             });
    };
    while (count < maxFactors && !allFit())
      ++count;
  }

  // The root of the factor from the mean of scaled squares.
  Value rootOf(Statement &s, Value mean, int exponent) const {
    double scale = scaleOf(exponent), power = -beta / count;
    Value base = s.binary(ElementwiseKind::Mul, mean,
                          alpha * scale / std::exp2(2 * exponent));
    base = s.binary(ElementwiseKind::Add, base, k * scale);
    if (k * scale < minBase)
      base = s.binary(ElementwiseKind::Max, base, minBase);
    return s.binary(ElementwiseKind::Mul,
                    s.binary(ElementwiseKind::Pow, base, power),
                    std::pow(scale, -power));
  }
};
} // namespace

// x / (k + alpha / size * sum of squares of neighbouring channels)^beta
static Value importLocalResponseNorm(Statement &s) {
  Value x = s.tensor("x");
  int64_t size = s.integer("size");
  Response response;
  response.alpha = s.number("alpha", 1e-4);
  response.beta = s.number("beta", 0.75);
  response.k = s.number("k", 1.0);
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size(), channels = rank > 1 ? shape[1] : 0;
  constexpr int64_t maxChannels = 4096;
  if (rank < 2 || size < 1 || channels > maxChannels) {
    s.error()
        << "has size " << size << " on " << channels
        << " channels of a tensor of rank " << rank
        << ", but must have a positive size on a tensor of rank 2 or more "
           "with at most "
        << maxChannels << " channels";
    return {};
  }
  // Other dimensions are rows and columns of an image.
  SmallVector<int64_t> image = shape;
  if (image.size() < 4)
    image.resize(4, 1);
  for (; image.size() > 4; image.erase(image.begin() + 2))
    image[3] *= image[2];
  x = s.reshape(x, image);
  // The mean over a window of channels is a 1x1 convolution with a band. Of an
  // even number of channels the one more stands before, as in PyTorch.
  std::vector<float> band(channels * channels, 0);
  for (int64_t o = 0; o < channels; ++o)
    for (int64_t i = std::max<int64_t>(0, o - size / 2),
                 e = std::min(channels, o + (size - 1) / 2 + 1);
         i < e; ++i)
      band[o * channels + i] = 1.0f / size;
  auto meanOf = [&](Value squares) {
    return s.build<ConvOp>(
        squares, s.constantOf({channels, channels, 1, 1}, band), Value(),
        Value(), ArrayRef<int64_t>{1, 1}, ArrayRef<int64_t>{0, 0, 0, 0},
        ArrayRef<int64_t>{1, 1}, 1, ActivationAttr());
  };
  // Small squares beside k change no digit.
  constexpr double halfDigit = 0x1p-11;
  double error = response.alpha > 0
                     ? std::max(response.k, 0.0) / response.alpha * halfDigit
                     : std::numeric_limits<double>::infinity();
  MeanSquares means{size, error, meanOf};
  response.chooseCount(exponentsOf(means));
  Value root = fromMeanSquares(s, x, means, [&](Value mean, int exponent) {
    return response.rootOf(s, mean, exponent);
  });
  for (int i = 0; i < response.count; ++i)
    x = s.binary(ElementwiseKind::Mul, x, root);
  return s.failed() ? Value() : s.reshape(x, shape);
}

void mlir::ane::addMILSquaresImport(MILImporter &importer) {
  importer.add("local_response_norm", importLocalResponseNorm);
}
