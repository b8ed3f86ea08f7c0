//===- DecomposeNorm.cpp - Softmax and norms ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planar engine reduces rows, or rows and columns; what is normalized over
// other dimensions is brought there first, or left to the NEs if these are
// channels. The steps are those of real programs: softmax is a maximum, a
// difference times log2 e, powers of 2 by table, the reciprocal of their sum,
// and a product; a norm is a mean, a difference, the reciprocal root of a mean
// square, and a product.
//
//===----------------------------------------------------------------------===//

#include "NormFactors.h"
#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Norms/AttentionPowers.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Float16.h"

#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

int64_t mlir::ane::partsOfPlane(RankedTensorType type,
                                const ::ane::hw::GenerationInfo &info) {
  constexpr int64_t bytesOfTwo = 4;
  int64_t rows = type.getDimSize(2);
  int64_t row = type.getDimSize(3) * bytesOfTwo;
  for (int64_t parts = 1; parts < rows; ++parts)
    if (rows % parts == 0 &&
        rows / parts * row <= static_cast<int64_t>(info.l2Bytes))
      return parts;
  return 1;
}

// The image with the rows of each channel in `parts` channels. Rows stay rows:
// it is a view, and so is what is reduced of it, back in channels.
static Value inParts(OpBuilder &builder, Location loc, Value image,
                     int64_t parts) {
  ArrayRef<int64_t> shape = typeOf(image).getShape();
  return reshaped(builder, loc, image,
                  {shape[0], shape[1] * parts, shape[2] / parts, shape[3]});
}

static Value joined(OpBuilder &builder, Location loc, Value reduced,
                    int64_t parts) {
  ArrayRef<int64_t> shape = typeOf(reduced).getShape();
  return reshaped(builder, loc, reduced,
                  {shape[0], shape[1] / parts, parts, 1});
}

Value mlir::ane::reduceMean(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> axes,
                            const ::ane::hw::GenerationInfo &info) {
  int64_t parts = axes.size() == 2 ? partsOfPlane(typeOf(value), info) : 1;
  if (parts == 1)
    return ReduceOp::create(builder, loc, ReduceKind::Mean, value, axes);
  value = ReduceOp::create(builder, loc, ReduceKind::Mean,
                           inParts(builder, loc, value, parts), axes);
  return ReduceOp::create(builder, loc, ReduceKind::Mean,
                          joined(builder, loc, value, parts), axes);
}

// The smallest epsilon of f16 for one that is not 0 but too small for it:
// without any, a root of 0 would have no reciprocal.
static float representableEpsilon(float epsilon) {
  constexpr float smallest = 5.9604645e-8f;
  float rounded = ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(epsilon));
  return epsilon > 0 && rounded == 0 ? smallest : rounded;
}

ActivationAttr mlir::ane::rsqrtOf(MLIRContext *context, float epsilon) {
  return ActivationAttr::get(context, ActivationKind::Rsqrt,
                             representableEpsilon(epsilon));
}

// 1 / sqrt(v + epsilon) from 1 / sqrt(v), where f16 does not hold epsilon: what
// is infinite becomes the largest number, of which the product with 0 is 0, and
//   1 / sqrt(v + e) = r / sqrt(1 + (r sqrt(e))^2),  r = 1 / sqrt(v)
// unless that is r to within the digits of f16 for every r.
static Value withSmallEpsilon(OpBuilder &builder, Location loc, Value root,
                              float epsilon) {
  constexpr double largest = 65504, negligible = 0x1p-6;
  root = binary(builder, loc, ElementwiseKind::Min, root,
                splatConstant(builder, loc, {1, 1, 1, 1}, largest));
  double share = std::sqrt(double(epsilon));
  if (largest * share * largest * share <= negligible)
    return root;
  Value square = ActivationOp::create(
      builder, loc, root.getType(),
      binary(builder, loc, ElementwiseKind::Mul, root,
             splatConstant(builder, loc, {1, 1, 1, 1}, share)),
      ActivationAttr::get(builder.getContext(), ActivationKind::Square));
  Value factor = ActivationOp::create(
      builder, loc, root.getType(),
      binary(builder, loc, ElementwiseKind::Add, square,
             splatConstant(builder, loc, {1, 1, 1, 1}, 1)),
      ActivationAttr::get(builder.getContext(), ActivationKind::Rsqrt));
  return binary(builder, loc, ElementwiseKind::Mul, root, factor);
}

Value mlir::ane::reciprocalDeviation(OpBuilder &builder, Location loc,
                                     Value centred, ArrayRef<int64_t> axes,
                                     float epsilon,
                                     const ::ane::hw::GenerationInfo &info) {
  // f16 holds one that is larger to a part in a hundred.
  constexpr float minEpsilon = 0x1p-21f;
  bool isSmall = epsilon > 0 && epsilon < minEpsilon;
  int64_t parts = axes.size() == 2 ? partsOfPlane(typeOf(centred), info) : 1;
  ActivationAttr root = rsqrtOf(builder.getContext(), isSmall ? 0 : epsilon);
  if (parts == 1) {
    Value factor = ReduceOp::create(builder, loc, ReduceKind::MeanSquare,
                                    centred, axes, root);
    return isSmall ? withSmallEpsilon(builder, loc, factor, epsilon) : factor;
  }
  // Each part has a deviation of its own, whose reciprocal must be finite.
  root = rsqrtOf(builder.getContext(), epsilon);
  Value factors =
      ReduceOp::create(builder, loc, ReduceKind::MeanSquare,
                       inParts(builder, loc, centred, parts), axes, root);
  return joinDeviations(builder, loc, joined(builder, loc, factors, parts));
}

Value mlir::ane::joinDeviations(OpBuilder &builder, Location loc, Value factors,
                                Value distances) {
  Value deviations = ActivationOp::create(
      builder, loc, factors.getType(), factors,
      ActivationAttr::get(builder.getContext(), ActivationKind::Reciprocal));
  // Of twice as many squares the mean is that of a^2 + b^2.
  if (distances)
    deviations = concatDim(
        builder, loc,
        {binary(builder, loc, ElementwiseKind::Add, deviations, distances),
         binary(builder, loc, ElementwiseKind::Sub, deviations, distances)},
        2);
  return ReduceOp::create(builder, loc, ReduceKind::MeanSquare, deviations,
                          {2, 3}, rsqrtOf(builder.getContext(), 0));
}

namespace {

/// A tensor whose dimensions to be reduced are the last one or two.
struct Folded {
  Value value;
  SmallVector<int64_t> axes;  ///< {3} or {2, 3}
  SmallVector<int64_t> perm;  ///< from the original, empty for none
  SmallVector<int64_t> shape; ///< after the permutation
};

} // namespace

// Two factors of `size` of which the second is at most `limit`; the first is as
// small as possible. 0 when there are none.
static int64_t rowsFor(int64_t size, int64_t limit) {
  for (int64_t rows = llvm::divideCeil(size, limit); rows <= limit; ++rows)
    if (size % rows == 0)
      return rows;
  return 0;
}

// Moves `axes` to the end. A dimension that is too long for a row becomes rows
// and columns on the way.
static FailureOr<Folded> fold(OpBuilder &builder, Location loc, Value value,
                              ArrayRef<int64_t> given, int64_t maxWidth) {
  SmallVector<int64_t> axes;
  for (int64_t axis : given)
    if (typeOf(value).getDimSize(axis) != 1)
      axes.push_back(axis);
  if (axes.empty())
    axes.push_back(given.front());
  Folded folded;
  folded.shape.assign(typeOf(value).getShape().begin(),
                      typeOf(value).getShape().end());
  if (axes == SmallVector<int64_t>{3} || axes == SmallVector<int64_t>{2, 3}) {
    folded.value = value;
    folded.axes = axes;
    return folded;
  }
  // Kept dimensions first; the last axis stays last if it is.
  for (int64_t dim = 0; dim < 4; ++dim)
    if (!llvm::is_contained(axes, dim))
      folded.perm.push_back(dim);
  int64_t kept = folded.perm.size();
  llvm::append_range(folded.perm, axes);
  SmallVector<int64_t> shape;
  for (int64_t dim : folded.perm)
    shape.push_back(folded.shape[dim]);
  int64_t rows = 1;
  for (int64_t dim = kept; dim < 3; ++dim)
    rows *= shape[dim];
  if (int64_t columns = shape[3]; columns > maxWidth) {
    int64_t split = rowsFor(columns, maxWidth);
    // Rows behind rows: only where the dimension is alone.
    if (axes.size() != 1 || axes[0] != 1 || folded.shape[2] != 1 || !split)
      return failure();
    // [N, C, 1, W] as [N, split, C / split, W], its columns moved to the front.
    Value image =
        reshaped(builder, loc, value,
                 {folded.shape[0], split, columns / split, folded.shape[3]});
    folded.perm = {0, 3, 1, 2};
    folded.shape.assign(typeOf(image).getShape().begin(),
                        typeOf(image).getShape().end());
    folded.value = permuted(builder, loc, image, folded.perm);
    folded.axes = {2, 3};
    return folded;
  }
  folded.value = permuted(builder, loc, value, folded.perm);
  folded.axes = {3};
  if (axes.size() > 1) {
    // All rows of what is reduced after each other.
    int64_t outer = 1;
    for (int64_t dim = 0; dim < kept; ++dim)
      outer *= shape[dim];
    folded.value =
        reshaped(builder, loc, folded.value, {1, outer, rows, shape[3]});
    folded.axes = {2, 3};
  }
  return folded;
}

// The way back: the type that the value had.
static Value unfold(OpBuilder &builder, Location loc, Value value,
                    const Folded &folded, RankedTensorType type) {
  if (folded.perm.empty())
    return value;
  IndexMap moved(folded.shape, folded.perm);
  value = reshaped(builder, loc, value, moved.getShape());
  value = permuted(builder, loc, value, inverse(folded.perm));
  return reshaped(builder, loc, value, type.getShape());
}

Value mlir::ane::channelShares(OpBuilder &builder, Location loc,
                               int64_t count) {
  return arrayConstant(builder, loc, {1, count, 1, 1}, sharesInHalf(1, count));
}

// Weights that subtract the mean of the channels from each, or that change
// nothing. The sum of a row is 0, or 1.
static Value centringWeights(OpBuilder &builder, Location loc, int64_t count,
                             bool isCentred) {
  float own =
      isCentred
          ? ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(1 - 1.0f / count))
          : 1;
  SmallVector<float> others(count - 1, 0.0f), weights;
  if (isCentred)
    others = sharesInHalf(own, count - 1);
  for (int64_t row = 0; row < count; ++row)
    for (int64_t column = 0; column < count; ++column)
      weights.push_back(row == column ? own : -others[column - (column > row)]);
  return arrayConstant(builder, loc, {count, count, 1, 1}, weights);
}

namespace {

struct DecomposeSoftmax : public OpRewritePattern<SoftmaxOp> {
  DecomposeSoftmax(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation),
        areChannelsInPlace(options.policy.sequences.keysAreChannels) {}

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    if (areChannelsInPlace && staysInPlace(op)) {
      rewriter.replaceOp(op, ofChannels(rewriter, op));
      return success();
    }
    Location loc = op.getLoc();
    FailureOr<Folded> x =
        fold(rewriter, loc, op.getInput(), static_cast<int64_t>(op.getAxis()),
             info.maxWidth);
    if (failed(x))
      return failure();
    Value most =
        ReduceOp::create(rewriter, loc, ReduceKind::Max, x->value, x->axes);
    Value below = binary(rewriter, loc, ElementwiseKind::Sub, x->value, most);
    constexpr float log2e = 1.44269504f;
    below.getDefiningOp<ElementwiseOp>().setScaleAttr(
        rewriter.getF32FloatAttr(log2e));
    Value power = ActivationOp::create(
        rewriter, loc, below.getType(), below,
        ActivationAttr::get(op.getContext(), ActivationKind::Exp2));
    Value share = ReduceOp::create(
        rewriter, loc, ReduceKind::Sum, power, x->axes,
        ActivationAttr::get(op.getContext(), ActivationKind::Reciprocal));
    Value result = binary(rewriter, loc, ElementwiseKind::Mul, power, share);
    rewriter.replaceOp(op, unfold(rewriter, loc, result, *x, op.getType()));
    return success();
  }

private:
  // Over channels of which L2 holds a few columns.
  bool staysInPlace(SoftmaxOp op) const {
    int64_t channels = typeOf(op.getResult()).getDimSize(1);
    return op.getAxis() == 1 && channels > 1 &&
           channels * int64_t(info.dmaAlign) <= int64_t(info.l2SourceBytes) / 4;
  }

  // Channels stay where they are: their sum is a convolution with ones.
  Value ofChannels(OpBuilder &builder, SoftmaxOp op) const {
    Location loc = op.getLoc();
    Value scores = op.getInput();
    RankedTensorType type = typeOf(scores);
    int64_t channels = type.getDimSize(1);
    Value powers = channels <= maxNarrowChannels && isFinite(scores) &&
                           areFasterAsProducts(type.getShape(), info)
                       ? powersByProducts(builder, loc, scores, info)
                       : powersOf(builder, loc, scores, /*dim=*/1);
    Value share = convolve(builder, loc, powers,
                           splatConstant(builder, loc, {1, channels, 1, 1}, 1),
                           ConvSpec(), withDim(type, 1, 1));
    share.getDefiningOp<ConvOp>().setActivationAttr(
        ActivationAttr::get(builder.getContext(), ActivationKind::Reciprocal));
    return binary(builder, loc, ElementwiseKind::Mul, powers, share);
  }

  const ::ane::hw::GenerationInfo &info;
  bool areChannelsInPlace;
};

} // namespace

// Over the channels of each column.
template <typename OpT>
static bool normsChannels(OpT op, const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> shape = typeOf(op.getResult()).getShape();
  return op.getAxes() == ArrayRef<int64_t>{1} && shape[1] > 1 &&
         shape[1] <= int64_t(info.maxWidth) && shape[0] == 1;
}

namespace {

/// gamma and beta go into the weights of the convolutions after a norm of
/// channels, if there are no other users.
template <typename OpT, bool isCentred>
struct MoveFactorsIntoUsers : public OpRewritePattern<OpT> {
  MoveFactorsIntoUsers(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern<OpT>(context, /*benefit=*/2),
        info(options.generation) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()) || !normsChannels(op, info))
      return failure();
    Value beta;
    if constexpr (isCentred)
      beta = op.getBeta();
    if (!op.getGamma() && !beta)
      return failure();
    FailureOr<NormFactors> factors =
        readFactors(typeOf(op.getResult()).getDimSize(1), op.getGamma(), beta);
    if (failed(factors))
      return failure();
    FailureOr<SmallVector<TakenFactors>> users = takeFactors(op, *factors);
    if (failed(users))
      return failure();
    for (const TakenFactors &user : *users)
      replaceWeights(rewriter, user, /*areRounded=*/false);
    rewriter.modifyOpInPlace(op, [&] {
      op.getGammaMutable().clear();
      if constexpr (isCentred)
        op.getBetaMutable().clear();
    });
    return success();
  }

  const ::ane::hw::GenerationInfo &info;
};

/// layer_norm with `isCentred`, rms_norm without.
template <typename OpT, bool isCentred>
struct DecomposeNormalization : public OpRewritePattern<OpT> {
  DecomposeNormalization(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern<OpT>(context), info(options.generation),
        isInPlace(options.policy.sequences.normsChannelsInPlace) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    Location loc = op.getLoc();
    if (isInPlace && normsChannels(op, info))
      return normChannels(op, rewriter);
    FailureOr<Folded> x =
        fold(rewriter, loc, op.getInput(), op.getAxes(), info.maxWidth);
    if (failed(x))
      return failure();
    Value value = x->value;
    if (isCentred)
      value = binary(rewriter, loc, ElementwiseKind::Sub, value,
                     reduceMean(rewriter, loc, value, x->axes, info));
    Value factor = reciprocalDeviation(rewriter, loc, value, x->axes,
                                       op.getEpsilon().convertToFloat(), info);
    value = binary(rewriter, loc, ElementwiseKind::Mul, value, factor);
    value = unfold(rewriter, loc, value, *x, op.getType());
    rewriter.replaceOp(op, scaled(rewriter, op, value));
    return success();
  }

private:
  // Products with a matrix for few channels take less time than a pass over
  // all of them, and a convolution stores its result in another order as well.
  bool isNarrow(RankedTensorType type) const {
    int64_t channels = type.getDimSize(1);
    int64_t bytesOfRow = channels * type.getDimSize(3) * sizeof(uint16_t);
    return channels <= maxNarrowChannels &&
           bytesOfRow <= int64_t(info.l2SourceBytes) / 2;
  }

  // The channels stay where they are; only what the planar engine squares and
  // sums changes places with the columns.
  LogicalResult normChannels(OpT op, PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value value = op.getInput(), squared;
    RankedTensorType type = typeOf(value);
    int64_t channels = type.getDimSize(1);
    if (isNarrow(type)) {
      Value weights = centringWeights(rewriter, loc, channels, isCentred);
      squared = convolve(rewriter, loc, value, weights, ConvSpec(), type);
      if (isCentred)
        value = convolve(rewriter, loc, value, weights, ConvSpec(), type);
    } else if (isCentred) {
      value = binary(rewriter, loc, ElementwiseKind::Sub, value,
                     convolve(rewriter, loc, value,
                              channelShares(rewriter, loc, channels),
                              ConvSpec(), withDim(type, 1, 1)));
    }
    Value factor = reciprocalDeviation(
        rewriter, loc,
        permuted(rewriter, loc, squared ? squared : value, {0, 2, 3, 1}), {3},
        op.getEpsilon().convertToFloat(), info);
    value = binary(rewriter, loc, ElementwiseKind::Mul, value,
                   permuted(rewriter, loc, factor, {0, 3, 1, 2}));
    rewriter.replaceOp(op, scaled(rewriter, op, value));
    return success();
  }

  static Value scaled(OpBuilder &builder, OpT op, Value value) {
    if (op.getGamma())
      value = binary(builder, op.getLoc(), ElementwiseKind::Mul, value,
                     factorOf(builder, op, op.getGamma()));
    if constexpr (isCentred)
      if (op.getBeta())
        value = binary(builder, op.getLoc(), ElementwiseKind::Add, value,
                       factorOf(builder, op, op.getBeta()));
    return value;
  }

  // gamma and beta with ones for the dimensions that are no axes.
  static Value factorOf(OpBuilder &builder, OpT op, Value factor) {
    SmallVector<int64_t> shape(4, 1);
    for (auto [i, axis] : llvm::enumerate(op.getAxes()))
      shape[axis] = typeOf(factor).getDimSize(i);
    return constantReshaped(builder, op.getLoc(), factor, shape);
  }

  const ::ane::hw::GenerationInfo &info;
  bool isInPlace;
};

} // namespace

void mlir::ane::populateNormFactorPatterns(RewritePatternSet &patterns,
                                           const DecomposeOptions &options) {
  populateAbsorbCentringPatterns(patterns, options);
  if (options.policy.sequences.normsChannelsInPlace)
    patterns.add<MoveFactorsIntoUsers<LayerNormOp, true>,
                 MoveFactorsIntoUsers<RmsNormOp, false>>(patterns.getContext(),
                                                         options);
}

void mlir::ane::populateDecomposeNormPatterns(RewritePatternSet &patterns,
                                              const DecomposeOptions &options) {
  populateNormFactorPatterns(patterns, options);
  patterns.add<DecomposeSoftmax, DecomposeNormalization<LayerNormOp, true>,
               DecomposeNormalization<RmsNormOp, false>>(patterns.getContext(),
                                                         options);
}
