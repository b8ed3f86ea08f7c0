//===- RecognizeNorms.cpp - Norms from means and roots --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   x * rsqrt(mean(x^2) + e)                       rms_norm
//   (x - m) * rsqrt(mean((x - m)^2) + e)           layer_norm, m = mean(x)
//   (x - m) * rsqrt(mean(x^2) - m^2 + e)           the same
//   layer_norm([x, -x])                            [rms_norm(x), ...]
//
// A factor and a summand after them that follow the normalized dimensions are
// gamma and beta. A group norm is a layer_norm between two reshapes.
//
//===----------------------------------------------------------------------===//

#include "Recognize.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::recognize;

namespace {
/// 1 / sqrt(variance + epsilon)
struct InverseRoot {
  Value variance;
  double epsilon = 0;
};
} // namespace

static std::optional<InverseRoot> inverseRootOf(Value value) {
  value = withoutBroadcast(value);
  InverseRoot root;
  if (auto act = value.getDefiningOp<ActivationOp>()) {
    if (act.getFunction().getKind() == ActivationKind::Rsqrt) {
      root.variance = act.getInput();
      root.epsilon = act.getFunction().getAlpha();
    } else if (act.getFunction().getKind() == ActivationKind::Reciprocal) {
      root.variance = inputOf(act.getInput(), ActivationKind::Sqrt);
    }
  } else if (ElementwiseOp power = binaryOf(value, ElementwiseKind::Pow)) {
    if (isScalar(power.getRhs(), -0.5))
      root.variance = power.getLhs();
  } else if (ElementwiseOp one = binaryOf(value, ElementwiseKind::Div)) {
    if (isScalar(one.getLhs(), 1))
      root.variance = inputOf(one.getRhs(), ActivationKind::Sqrt);
  }
  if (!root.variance)
    return std::nullopt;
  if (ElementwiseOp sum = binaryOf(root.variance, ElementwiseKind::Add))
    for (bool swap : {false, true}) {
      std::optional<double> number =
          scalarOf(swap ? sum.getLhs() : sum.getRhs());
      if (!number || *number < 0)
        continue;
      root.variance = swap ? sum.getRhs() : sum.getLhs();
      root.epsilon += *number;
      break;
    }
  return root;
}

/// Whether `value` is x - mean(x) over `axes`; gives x.
static Value centredOf(Value value, ArrayRef<int64_t> axes) {
  ElementwiseOp difference = binaryOf(value, ElementwiseKind::Sub);
  if (!difference)
    return {};
  ScaledSum mean = scaledSumOf(withoutBroadcast(difference.getRhs()));
  bool matches = mean.isMean() && !mean.isSquare &&
                 mean.input == difference.getLhs() &&
                 ArrayRef(mean.axes) == axes;
  return matches ? difference.getLhs() : Value();
}

namespace {
/// A norm that has been recognised.
struct Norm {
  Value input;
  SmallVector<int64_t> axes;
  double epsilon;
  bool isCentred;
};
} // namespace

/// The norm that divides `data` by the root of `root.variance`.
static std::optional<Norm> normOf(Value data, const InverseRoot &root) {
  // mean(x^2) - mean(x)^2
  if (ElementwiseOp difference =
          binaryOf(root.variance, ElementwiseKind::Sub)) {
    auto mean = meanOfVariance(difference);
    if (mean && centredOf(data, mean->axes) == mean->input)
      return Norm{mean->input, mean->axes, root.epsilon, true};
    return std::nullopt;
  }
  ScaledSum variance = scaledSumOf(withoutBroadcast(root.variance));
  if (!variance.isSquare || !variance.isMean())
    return std::nullopt;
  Value centred = centredOf(variance.input, variance.axes);
  if (centred && centredOf(data, variance.axes) == centred)
    return Norm{centred, variance.axes, root.epsilon, true};
  if (variance.input == data)
    return Norm{data, variance.axes, root.epsilon, false};
  return std::nullopt;
}

/// The pairs of data and inverse root that `op` may be the product of; the
/// last one is a factor that is left over.
static SmallVector<std::tuple<Value, InverseRoot, Value>>
candidatesOf(ElementwiseOp op) {
  SmallVector<std::tuple<Value, InverseRoot, Value>> candidates;
  if (binaryOf(op.getResult(), ElementwiseKind::Mul)) {
    for (bool swap : {false, true}) {
      Value data = swap ? op.getRhs() : op.getLhs();
      Value factor = withoutBroadcast(swap ? op.getLhs() : op.getRhs());
      if (auto root = inverseRootOf(factor))
        candidates.push_back({data, *root, Value()});
      // data * (root * gamma)
      if (ElementwiseOp product = binaryOf(factor, ElementwiseKind::Mul))
        for (bool other : {false, true})
          if (auto root =
                  inverseRootOf(other ? product.getRhs() : product.getLhs()))
            candidates.push_back(
                {data, *root, other ? product.getLhs() : product.getRhs()});
    }
  }
  // data / sqrt(..): the root stands alone.
  if (binaryOf(op.getResult(), ElementwiseKind::Div))
    if (Value variance =
            inputOf(withoutBroadcast(op.getRhs()), ActivationKind::Sqrt)) {
      InverseRoot root{variance, 0};
      if (ElementwiseOp sum = binaryOf(variance, ElementwiseKind::Add))
        if (auto number = scalarOf(sum.getRhs()); number && *number >= 0)
          root = {sum.getLhs(), *number};
      candidates.push_back({op.getLhs(), root, Value()});
    }
  return candidates;
}

static LogicalResult productToNorm(ElementwiseOp op,
                                   PatternRewriter &rewriter) {
  if (!cast<RankedTensorType>(op.getType()).getElementType().isF16())
    return failure();
  for (auto &[data, root, left] : candidatesOf(op)) {
    if (left && !isConstant(left))
      continue;
    std::optional<Norm> norm = normOf(data, root);
    if (!norm || norm->input.getType() != op.getType())
      continue;
    llvm::APFloat epsilon(static_cast<float>(norm->epsilon));
    Value result;
    if (norm->isCentred)
      result =
          LayerNormOp::create(rewriter, op.getLoc(), op.getType(), norm->input,
                              Value(), Value(), norm->axes, epsilon);
    else
      result = RmsNormOp::create(rewriter, op.getLoc(), op.getType(),
                                 norm->input, Value(), norm->axes, epsilon);
    if (left)
      result = ElementwiseOp::create(
          rewriter, op.getLoc(), op.getType(), ElementwiseKind::Mul, result,
          left, llvm::APFloat(1.0f), llvm::APFloat(0.0f), ActivationAttr());
    rewriter.replaceOp(op, result);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no norm");
}

template <typename OpT>
static Value vectorOf(OpBuilder &builder, Location loc, OpT norm, Value value) {
  if (!isConstant(value) || value.getDefiningOp() == norm)
    return {};
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(value))) {
    bool isAxis = llvm::is_contained(norm.getAxes(), int64_t(dim));
    if (size != (isAxis ? shapeOf(norm.getResult())[dim] : 1))
      return {};
    if (isAxis)
      shape.push_back(size);
  }
  return reshaped(builder, loc, value, shape);
}

static LogicalResult add(PatternRewriter &rewriter, ElementwiseOp op,
                         LayerNormOp norm, Value value, bool isProduct) {
  if (norm.getBeta() || (isProduct && norm.getGamma()))
    return failure();
  rewriter.setInsertionPoint(op);
  Value vector = vectorOf(rewriter, op.getLoc(), norm, value);
  if (!vector)
    return failure();
  rewriter.replaceOpWithNewOp<LayerNormOp>(
      op, op.getType(), norm.getInput(), isProduct ? vector : norm.getGamma(),
      isProduct ? Value() : vector, norm.getAxes(), norm.getEpsilon());
  return success();
}

static LogicalResult add(PatternRewriter &rewriter, ElementwiseOp op,
                         RmsNormOp norm, Value value, bool isProduct) {
  if (norm.getGamma() || !isProduct)
    return failure();
  rewriter.setInsertionPoint(op);
  Value vector = vectorOf(rewriter, op.getLoc(), norm, value);
  if (!vector)
    return failure();
  rewriter.replaceOpWithNewOp<RmsNormOp>(op, op.getType(), norm.getInput(),
                                         vector, norm.getAxes(),
                                         norm.getEpsilon());
  return success();
}

/// norm(x) * c and norm(x) + c: c is gamma or beta if it follows the
/// normalized dimensions and no other ones.
template <typename OpT>
static LogicalResult vectorIntoNorm(ElementwiseOp op,
                                    PatternRewriter &rewriter) {
  bool isProduct = bool(binaryOf(op.getResult(), ElementwiseKind::Mul));
  bool isSum = bool(binaryOf(op.getResult(), ElementwiseKind::Add));
  if (!isProduct && !isSum)
    return failure();
  for (bool swap : {false, true}) {
    Value data = swap ? op.getRhs() : op.getLhs();
    auto norm = data.getDefiningOp<OpT>();
    if (!norm || !norm->hasOneUse() || data.getType() != op.getType())
      continue;
    if (succeeded(add(rewriter, op, norm, swap ? op.getLhs() : op.getRhs(),
                      isProduct)))
      return success();
  }
  return rewriter.notifyMatchFailure(op, "no norm with a constant vector");
}

static bool isNegative(Value value, Value x) {
  if (inputOf(value, ActivationKind::Neg) == x)
    return true;
  ElementwiseOp product = binaryOf(value, ElementwiseKind::Mul);
  return product &&
         ((product.getLhs() == x && isScalar(product.getRhs(), -1)) ||
          (product.getRhs() == x && isScalar(product.getLhs(), -1)));
}

/// The half of a layer_norm of [x, -x] that belongs to x: how networks that
/// were made for Core ML write rms_norm.
static LogicalResult halfOfNorm(SliceOp op, PatternRewriter &rewriter) {
  auto norm = op.getInput().getDefiningOp<LayerNormOp>();
  auto both = norm ? norm.getInput().getDefiningOp<ConcatOp>() : ConcatOp();
  if (!both || both.getInputs().size() != 2 || norm.getBeta())
    return rewriter.notifyMatchFailure(op, "no norm of two parts");
  Value x = both.getInputs()[0];
  int64_t axis = both.getAxis();
  if (x.getType() != op.getType() || !isNegative(both.getInputs()[1], x) ||
      !llvm::is_contained(norm.getAxes(), axis) || !op.hasUnitStrides() ||
      llvm::any_of(op.getOffsets(), [](int64_t begin) { return begin != 0; }))
    return rewriter.notifyMatchFailure(op, "no norm of [x, -x]");
  Value gamma = norm.getGamma();
  if (gamma) {
    SmallVector<int64_t> sizes, zeros(norm.getAxes().size(), 0),
        ones(norm.getAxes().size(), 1);
    for (int64_t dim : norm.getAxes())
      sizes.push_back(shapeOf(x)[dim]);
    gamma =
        SliceOp::create(rewriter, op.getLoc(),
                        cast<RankedTensorType>(gamma.getType()).clone(sizes),
                        gamma, zeros, sizes, ones);
  }
  rewriter.replaceOpWithNewOp<RmsNormOp>(op, op.getType(), x, gamma,
                                         norm.getAxes(), norm.getEpsilon());
  return success();
}

/// A group norm flattens its image: N x C x H x W to N x G x ... . The rows of
/// the image can stay what they are, which needs no movement of data and no
/// rows beyond the limit: N x G x (C / G * H) x W.
static LogicalResult keepRowsOfGroups(LayerNormOp op,
                                      PatternRewriter &rewriter) {
  auto flatten = op.getInput().getDefiningOp<ReshapeOp>();
  if (!flatten || op.getGamma() || op.getBeta())
    return failure();
  // Through reshapes of reshapes, to the image.
  Value image = flatten.getInput();
  while (auto inner = image.getDefiningOp<ReshapeOp>()) {
    if (shapeOf(image).size() == 4 && shapeOf(image)[0] == shapeOf(op)[0])
      break;
    image = inner.getInput();
  }
  ArrayRef<int64_t> from = shapeOf(image), to = shapeOf(op);
  if (from.size() != 4 || to.size() < 3 || from[0] != to[0] ||
      from[1] % to[1] != 0 || op.getAxes().size() != to.size() - 2 ||
      op.getAxes()[0] != 2)
    return rewriter.notifyMatchFailure(op, "no groups of channels");
  SmallVector<int64_t> rows = {to[0], to[1], from[1] / to[1] * from[2],
                               from[3]};
  if (to == ArrayRef(rows))
    return failure();
  Location loc = op.getLoc();
  Value input = reshaped(rewriter, loc, image, rows);
  Value result =
      LayerNormOp::create(rewriter, loc, input.getType(), input, Value(),
                          Value(), ArrayRef<int64_t>{2, 3}, op.getEpsilon());
  rewriter.replaceOp(op, reshaped(rewriter, loc, result, to));
  return success();
}
/// The same where channels come last: N x H x W x C to N x (H * W) x G x (C /
/// G), or with H and W on their own.
static LogicalResult channelsOfGroupsFirst(LayerNormOp op,
                                           PatternRewriter &rewriter) {
  auto split = op.getInput().getDefiningOp<ReshapeOp>();
  if (!split || op.getGamma() || op.getBeta() ||
      shapeOf(split.getInput()).size() != 4)
    return failure();
  ArrayRef<int64_t> from = shapeOf(split.getInput()), to = shapeOf(op);
  int64_t rank = to.size(), groups = rank < 2 ? 0 : to[rank - 2];
  if (rank < 4 || from[0] != to[0] || groups * to.back() != from[3] ||
      (rank == 5 && from[1] != to[1]) || rank > 5)
    return rewriter.notifyMatchFailure(op, "no groups of channels");
  SmallVector<int64_t> axes = {1, 3};
  if (rank == 5)
    axes = {1, 2, 4};
  if (op.getAxes() != ArrayRef(axes))
    return rewriter.notifyMatchFailure(op, "not over all but the groups");
  Location loc = op.getLoc();
  Value image = permuted(rewriter, loc, split.getInput(), {0, 3, 1, 2});
  Value input =
      reshaped(rewriter, loc, image,
               {from[0], groups, from[3] / groups * from[1], from[2]});
  Value result =
      LayerNormOp::create(rewriter, loc, input.getType(), input, Value(),
                          Value(), ArrayRef<int64_t>{2, 3}, op.getEpsilon());
  result = reshaped(rewriter, loc, result, shapeOf(image));
  result = permuted(rewriter, loc, result, {0, 2, 3, 1});
  rewriter.replaceOp(op, reshaped(rewriter, loc, result, to));
  return success();
}

void recognize::addNormPatterns(RewritePatternSet &patterns,
                                Pass::Statistic &norms) {
  addPatterns<halfOfNorm, productToNorm>(patterns, norms);
  addPatterns<channelsOfGroupsFirst, keepRowsOfGroups,
              vectorIntoNorm<LayerNormOp>, vectorIntoNorm<RmsNormOp>>(patterns);
}
