//===- ImportReduce.cpp - MIL reductions and normalisations ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What computes along dimensions. The parameters of a batch norm are folded
// here, in single precision: an epsilon of 1e-5 has two digits in f16.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

/// The sizes of `x` with 1 for each of `axes`, or without them.
static SmallVector<int64_t> reducedShape(Value x, ArrayRef<int64_t> axes,
                                         bool keep) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x)))
    if (!llvm::is_contained(axes, dim))
      shape.push_back(size);
    else if (keep)
      shape.push_back(1);
  return shape;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// What is reduced, along which axes, and whether these stay as 1.
struct Reduced {
  Value x;
  SmallVector<int64_t> axes;
  bool keep = false;
};

/// One reduction: what is done before and after the sum (or maximum, ...).
struct Reduction {
  ReduceKind kind;
  std::function<Value(Statement &, Value)> before;
  std::optional<ActivationKind> after;
};
} // namespace

static Reduced readOperand(Statement &s) {
  Reduced from;
  from.x = s.tensor("x");
  if (s.failed())
    return from;
  from.axes = s.axes("axes", shapeOf(from.x).size());
  from.keep = s.boolean("keep_dims", false);
  return from;
}

static void addReduction(MILImporter &importer, StringRef name,
                         const Reduction &reduction) {
  importer.add(name, [reduction](Statement &s) -> Value {
    auto [x, axes, keep] = readOperand(s);
    if (s.failed())
      return {};
    Value y = reduction.before ? reduction.before(s, x) : x;
    y = s.reduce(reduction.kind, y, axes);
    if (reduction.after)
      y = s.activation(y, *reduction.after);
    return s.failed() ? Value() : s.reshape(y, reducedShape(x, axes, keep));
  });
}

static Value square(Statement &s, Value x) {
  return s.activation(x, ActivationKind::Square);
}

static Value absolute(Statement &s, Value x) {
  return s.activation(x, ActivationKind::Abs);
}

static Value exponential(Statement &s, Value x) {
  return s.activation(x, ActivationKind::Exp);
}

static constexpr double smallestNormal = 0x1p-14;

namespace {
/// x / divisor, whose squares have a sum that f16 holds: with at most 2^15
/// elements of a sum it is between 1 and that, for what is not near 0.
struct Normalised {
  Value x, divisor;
};
} // namespace

// The divisor is the largest magnitude along `axes`, at least `least`.
static Normalised normalise(Statement &s, Value x, ArrayRef<int64_t> axes,
                            double least) {
  double count = 1;
  for (int64_t axis : axes)
    count *= shapeOf(x)[axis];
  double factor =
      std::max(1.0, std::exp2(std::ceil(std::log2(count / (1 << 15)) / 2)));
  Value largest = s.reduce(ReduceKind::Max, absolute(s, x), axes);
  largest = s.binary(ElementwiseKind::Max, largest, least);
  Value divisor = s.binary(ElementwiseKind::Mul, largest, factor);
  return {s.binary(ElementwiseKind::Div, x, divisor), divisor};
}

// ln(sum(x)) = ln(sum(x / divisor)) + ln(divisor)
static Value importReduceLogSum(Statement &s) {
  auto [x, axes, keep] = readOperand(s);
  if (s.failed())
    return {};
  Normalised from = normalise(s, x, axes, smallestNormal);
  Value log = s.activation(s.reduce(ReduceKind::Sum, from.x, axes),
                           ActivationKind::Log);
  Value y = s.binary(ElementwiseKind::Add, log,
                     s.activation(from.divisor, ActivationKind::Log));
  return s.failed() ? Value() : s.reshape(y, reducedShape(x, axes, keep));
}

/// The engine has no product along a dimension; a short one is a chain of
/// multiplications.
static Value importReduceProd(Statement &s) {
  constexpr int64_t maxFactors = 16;
  auto [x, axes, keep] = readOperand(s);
  if (s.failed())
    return {};
  Value y = x;
  for (int64_t axis : axes) {
    int64_t factors = shapeOf(x)[axis];
    if (factors > maxFactors) {
      s.error() << "multiplies " << factors << " elements along dimension "
                << axis << ", but at most " << maxFactors
                << " can be imported; use a sum of logarithms";
      return {};
    }
    Value product;
    for (int64_t i = 0; i < factors; ++i) {
      Value factor = s.sliceAxis(y, axis, i, 1);
      product =
          product ? s.binary(ElementwiseKind::Mul, product, factor) : factor;
    }
    y = product;
  }
  return s.failed() ? Value() : s.reshape(y, reducedShape(x, axes, keep));
}

static Value importSoftmax(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t axis = s.axis("axis", shapeOf(x).size(), -1);
  if (s.failed())
    return {};
  return s.softmax(x, axis);
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

/// gamma * x + beta, where the parameters have the sizes `shape` next to `x`.
static Value applyAffine(Statement &s, Value x, ArrayRef<int64_t> shape) {
  if (Value gamma = s.optionalTensor("gamma"))
    x = s.binary(ElementwiseKind::Mul, x, s.reshape(gamma, shape));
  if (Value beta = s.optionalTensor("beta"))
    x = s.binary(ElementwiseKind::Add, x, s.reshape(beta, shape));
  return x;
}

static Value importLayerNorm(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> axes = s.axes("axes", shapeOf(x).size());
  double epsilon = s.number("epsilon", 1e-5);
  if (s.failed())
    return {};
  return s.build<LayerNormOp>(x, s.optionalTensor("gamma"),
                              s.optionalTensor("beta"), axes,
                              llvm::APFloat(static_cast<float>(epsilon)));
}

/// Sizes that put one number for each channel (dimension 1) next to `x`.
static FailureOr<SmallVector<int64_t>> channelShape(Statement &s, Value x) {
  SmallVector<int64_t> shape(shapeOf(x).size(), 1);
  if (shape.size() < 2) {
    s.error() << "has an input of rank " << shape.size()
              << ", but channels are dimension 1";
    return failure();
  }
  shape[1] = shapeOf(x)[1];
  return shape;
}

static Value importInstanceNorm(Statement &s) {
  Value x = s.tensor("x");
  double epsilon = s.number("epsilon", 1e-5);
  if (s.failed())
    return {};
  auto shape = channelShape(s, x);
  if (failed(shape))
    return {};
  auto axes = llvm::to_vector(llvm::seq<int64_t>(2, shape->size()));
  Value normal =
      axes.empty()
          ? s.binary(ElementwiseKind::Sub, x, x)
          : s.build<LayerNormOp>(x, Value(), Value(), axes,
                                 llvm::APFloat(static_cast<float>(epsilon)));
  return applyAffine(s, normal, *shape);
}

// gamma / sqrt(variance + epsilon) * x + what is left
static Value importBatchNorm(Statement &s) {
  Value x = s.tensor("x");
  std::vector<float> mean = s.numbers("mean"), variance = s.numbers("variance");
  double epsilon = s.number("epsilon", 1e-5);
  if (s.failed())
    return {};
  auto shape = channelShape(s, x);
  if (failed(shape))
    return {};
  size_t channels = (*shape)[1];
  std::vector<float> gamma(channels, 1), beta(channels, 0);
  if (s.has("gamma"))
    gamma = s.numbers("gamma");
  if (s.has("beta"))
    beta = s.numbers("beta");
  for (const std::vector<float> *vector : {&mean, &variance, &gamma, &beta})
    if (!s.failed() && vector->size() != channels)
      s.error() << "has a parameter of " << vector->size()
                << " elements, but must have one for each of the " << channels
                << " channels";
  if (s.failed())
    return {};
  for (size_t i = 0; i < channels; ++i) {
    double scale = gamma[i] / std::sqrt(double(variance[i]) + epsilon);
    gamma[i] = static_cast<float>(scale);
    beta[i] = static_cast<float>(beta[i] - scale * mean[i]);
  }
  Value scaled = s.binary(ElementwiseKind::Mul, x, s.constantOf(*shape, gamma));
  return s.binary(ElementwiseKind::Add, scaled, s.constantOf(*shape, beta));
}

// x / sqrt(sum(x^2) + epsilon) over the last three dimensions
static Value importL2Norm(Statement &s) {
  Value x = s.tensor("x");
  double epsilon = s.number("epsilon", 1e-6);
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  if (rank < 3) {
    s.error() << "has an input of rank " << rank
              << ", but normalises over the last three dimensions";
    return {};
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(rank - 3, rank));
  // Squares of epsilon's share of a small divisor have to fit f16, too.
  constexpr double maxShare = 128;
  double root = std::sqrt(std::max(0.0, epsilon));
  Normalised from = normalise(s, x, axes, std::max(0x1p-10, root / maxShare));
  Value share =
      square(s, s.binary(ElementwiseKind::Mul,
                         s.activation(from.divisor, ActivationKind::Reciprocal),
                         root));
  Value sum = s.binary(ElementwiseKind::Add,
                       s.reduce(ReduceKind::SumSquare, from.x, axes), share);
  return s.binary(ElementwiseKind::Mul, from.x,
                  s.activation(sum, ActivationKind::Rsqrt));
}

void mlir::ane::addMILReduceImport(MILImporter &importer) {
  addReduction(importer, "reduce_max", {ReduceKind::Max, {}, {}});
  addReduction(importer, "reduce_mean", {ReduceKind::Mean, {}, {}});
  addReduction(importer, "reduce_min", {ReduceKind::Min, {}, {}});
  addReduction(importer, "reduce_sum", {ReduceKind::Sum, {}, {}});
  addReduction(importer, "reduce_l1_norm", {ReduceKind::Sum, absolute, {}});
  addReduction(importer, "reduce_sum_square", {ReduceKind::SumSquare, {}, {}});
  // What f16 does not hold of these two, ane-keep-in-range finds.
  addReduction(importer, "reduce_l2_norm",
               {ReduceKind::SumSquare, {}, ActivationKind::Sqrt});
  addReduction(importer, "reduce_log_sum_exp",
               {ReduceKind::Sum, exponential, ActivationKind::Log});
  importer.takeIntegers({"reduce_max", "reduce_min"});
  importer.add("batch_norm", importBatchNorm);
  importer.add("instance_norm", importInstanceNorm);
  importer.add("l2_norm", importL2Norm);
  importer.add("layer_norm", importLayerNorm);
  importer.add("reduce_log_sum", importReduceLogSum);
  importer.add("reduce_prod", importReduceProd);
  importer.add("softmax", importSoftmax);
}
