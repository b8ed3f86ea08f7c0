//===- DecomposeGroupNorm.cpp - Norms of groups of channels ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group norm is a layer_norm of a view of an image in which the rows of all
// channels of a group are one plane. Means and deviations need that view; what
// is done to each element with them does not. It is done to the image, with a
// number for each channel, so that strips of rows go through it and through the
// convolutions around it without a detour by DRAM. gamma goes into the numbers.
//
// Of an image that L2 does not hold, statistics are those of some groups at a
// time, which are read once for both. Where L2 does not hold a group, they are
// those of parts of it. The same goes for norms of single channels, which are
// groups of one.
//
// A norm of all channels and pixels needs no view: the mean of an image is that
// of the means of its channels, which have the same size. What is computed
// channel by channel stays in L2 between convolutions.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

// A number for each of `factors.size()` channels from those of their groups,
// times factors.
static Value repeatGroups(OpBuilder &builder, Location loc, Value groups,
                          ArrayRef<float> factors) {
  int64_t from = typeOf(groups).getDimSize(1), to = factors.size();
  if (from == to && llvm::all_of(factors, [](float f) { return f == 1; }))
    return groups;
  if (from == to)
    return binary(
        builder, loc, ElementwiseKind::Mul, groups,
        unroundedConstant(builder, loc, {1, to, 1, 1},
                          SmallVector<float>(factors.begin(), factors.end())));
  SmallVector<float> weights(from * to, 0.0f);
  for (int64_t channel = 0; channel < to; ++channel)
    weights[channel * from + channel / (to / from)] = factors[channel];
  return convolve(builder, loc, groups,
                  unroundedConstant(builder, loc, {to, from, 1, 1}, weights),
                  ConvSpec(), withDim(typeOf(groups), 1, to));
}

static Value repeatGroups(OpBuilder &builder, Location loc, Value groups,
                          int64_t channels) {
  return repeatGroups(builder, loc, groups, SmallVector<float>(channels, 1.0f));
}

namespace {

/// The norm, the type of its image, and the factors of the channels after it.
struct GroupNorm {
  LayerNormOp op;
  RankedTensorType type;
  SmallVector<ReshapeOp> users;
  ElementwiseOp product; ///< of the norm and gamma; null: the factors are 1
  SmallVector<float> factors;

  int64_t channels() const { return type.getDimSize(1); }
};

struct Statistics {
  Value mean;   ///< 1 x G x 1 x 1
  Value factor; ///< reciprocal deviations, likewise
};

struct DecomposeGroupNorm : public OpRewritePattern<LayerNormOp> {
  DecomposeGroupNorm(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/2), info(options.generation) {}

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<GroupNorm> norm = match(op);
    if (!norm)
      return rewriter.notifyMatchFailure(op, "no norm of groups of channels");
    Location loc = op.getLoc();
    Statistics numbers = statistics(rewriter, op);
    Value means = repeatGroups(rewriter, loc, numbers.mean, norm->channels());
    Value factors = repeatGroups(rewriter, loc, numbers.factor, norm->factors);
    // What strips go through comes in a row.
    Value image = reshaped(rewriter, loc, op.getInput(), norm->type.getShape());
    Value result = binary(
        rewriter, loc, ElementwiseKind::Mul,
        binary(rewriter, loc, ElementwiseKind::Sub, image, means), factors);
    if (norm->product)
      rewriter.replaceOp(norm->product, result);
    for (ReshapeOp user : norm->users)
      rewriter.replaceOp(user, result);
    if (op->use_empty())
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, result);
    return success();
  }

private:
  std::optional<GroupNorm> match(LayerNormOp op) const {
    RankedTensorType type = op.getType();
    if (!isImage(op.getResult()) || op.getGamma() || op.getBeta() ||
        op->use_empty() || op.getAxes() != ArrayRef<int64_t>{2, 3} ||
        type.getDimSize(0) != 1)
      return std::nullopt;
    GroupNorm norm{op, type, {}, {}, {}};
    // A channel is a group where L2 does not hold all of them.
    if (!findImage(norm) &&
        2 * halfBytesOf(type) <= int64_t(info.l2SourceBytes))
      return std::nullopt;
    findFactors(norm);
    return norm;
  }

  // The channels of one image in groups, back to such an image after the norm.
  // In front of it, views may have become one.
  static bool findImage(GroupNorm &norm) {
    LayerNormOp op = norm.op;
    RankedTensorType type = op.getType(), image;
    if (!op.getInput().getDefiningOp<ReshapeOp>())
      return false;
    SmallVector<ReshapeOp> users;
    for (Operation *user : op->getUsers()) {
      auto back = dyn_cast<ReshapeOp>(user);
      if (!back || !isImage(back.getResult()) ||
          (image && back.getType() != image))
        return false;
      image = back.getType();
      users.push_back(back);
    }
    if (image.getDimSize(0) != 1 || image.getDimSize(3) != type.getDimSize(3) ||
        image.getDimSize(1) % type.getDimSize(1) != 0)
      return false;
    norm.type = image;
    norm.users = std::move(users);
    return true;
  }

  static void findFactors(GroupNorm &norm) {
    norm.factors.assign(norm.channels(), 1.0f);
    if (norm.users.size() > 1)
      return;
    Value data = norm.op;
    if (!norm.users.empty())
      data = norm.users.front();
    if (!data.hasOneUse())
      return;
    auto product = dyn_cast<ElementwiseOp>(*data.user_begin());
    if (!product || product.getKind() != ElementwiseKind::Mul ||
        product.getType() != data.getType() || !product.isPlain())
      return;
    Value gamma =
        product.getLhs() == data ? product.getRhs() : product.getLhs();
    FailureOr<SmallVector<float>> values = readConstant(gamma);
    if (failed(values) ||
        typeOf(gamma).getShape() != ArrayRef<int64_t>{1, norm.channels(), 1, 1})
      return;
    norm.product = product;
    norm.factors = std::move(*values);
  }

  // The mean of each of `parts` planes, and the reciprocal of its deviation.
  Statistics statisticsOf(OpBuilder &builder, LayerNormOp op,
                          Value part) const {
    Location loc = op.getLoc();
    Value mean = reduceMean(builder, loc, part, op.getAxes(), info);
    Value centred = binary(builder, loc, ElementwiseKind::Sub, part, mean);
    return {mean, reciprocalDeviation(builder, loc, centred, op.getAxes(),
                                      op.getEpsilon().convertToFloat(), info)};
  }

  // The same of the planes of an image, `step` of them at a time.
  Statistics statisticsInParts(OpBuilder &builder, LayerNormOp op, Value image,
                               int64_t step) const {
    Location loc = op.getLoc();
    int64_t planes = typeOf(image).getDimSize(1);
    SmallVector<Value> means, factors;
    for (int64_t first = 0; first < planes; first += step) {
      Statistics part = statisticsOf(builder, op,
                                     sliceDim(builder, loc, image, 1, first,
                                              std::min(step, planes - first)));
      means.push_back(part.mean);
      factors.push_back(part.factor);
    }
    return {concatDim(builder, loc, means, 1),
            concatDim(builder, loc, factors, 1)};
  }

  // Some groups after the other, so that they are read once for both numbers.
  // Two parts fit L2, so that one loads while the other is summed.
  Statistics statistics(OpBuilder &builder, LayerNormOp op) const {
    RankedTensorType type = op.getType();
    int64_t room = info.l2SourceBytes, step = type.getDimSize(1);
    auto bytes = [&] { return halfBytesOf(withDim(type, 1, step)); };
    while (step > 1 && 2 * bytes() > room)
      step = llvm::divideCeil(step, 2);
    return bytes() > room ? statisticsOfLargePlanes(builder, op)
                          : statisticsInParts(builder, op, op.getInput(), step);
  }

  // A group is more than L2 holds. Its variance is the mean of those of parts
  // of its rows, and that of their means.
  Statistics statisticsOfLargePlanes(OpBuilder &builder, LayerNormOp op) const {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    int64_t groups = type.getDimSize(1), parts = partsOfPlane(type, info);
    auto [means, factors] = statisticsInParts(
        builder, op,
        reshaped(builder, loc, op.getInput(),
                 {1, groups * parts, type.getDimSize(2) / parts,
                  type.getDimSize(3)}),
        /*step=*/1);
    means = reshaped(builder, loc, means, {1, groups, parts, 1});
    Value mean = reduceMean(builder, loc, means, op.getAxes(), info);
    Value distances = binary(builder, loc, ElementwiseKind::Sub, means, mean);
    return {mean, joinDeviations(
                      builder, loc,
                      reshaped(builder, loc, factors, {1, groups, parts, 1}),
                      distances)};
  }

  const ::ane::hw::GenerationInfo &info;
};

/// A norm of all channels and pixels of an image that L2 holds.
struct DecomposeImageNorm : public OpRewritePattern<LayerNormOp> {
  DecomposeImageNorm(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/2), info(options.generation) {}

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()) || op.getGamma() || op.getBeta() ||
        !normsAll(op) ||
        halfBytesOf(op.getType()) > int64_t(info.l2SourceBytes))
      return rewriter.notifyMatchFailure(op, "no norm of an image in L2");
    Location loc = op.getLoc();
    constexpr int64_t plane[] = {2, 3};
    int64_t channels = op.getType().getDimSize(1);
    Value means = reduceMean(rewriter, loc, op.getInput(), plane, info);
    Value mean =
        convolve(rewriter, loc, means, channelShares(rewriter, loc, channels),
                 ConvSpec(), withDim(typeOf(means), 1, 1));
    Value centred =
        binary(rewriter, loc, ElementwiseKind::Sub, op.getInput(), mean);
    Value factors = reciprocalDeviation(rewriter, loc, centred, plane,
                                        op.getEpsilon().convertToFloat(), info);
    Value factor = joinDeviations(
        rewriter, loc, reshaped(rewriter, loc, factors, {1, 1, channels, 1}));
    rewriter.replaceOp(
        op, binary(rewriter, loc, ElementwiseKind::Mul, centred, factor));
    return success();
  }

private:
  // All elements of the image, of several channels and pixels.
  static bool normsAll(LayerNormOp op) {
    ArrayRef<int64_t> shape = op.getType().getShape();
    auto isWhole = [&](int64_t dim) {
      return shape[dim] == 1 || llvm::is_contained(op.getAxes(), dim);
    };
    return shape[0] == 1 && shape[1] > 1 && shape[2] * shape[3] > 1 &&
           isWhole(1) && isWhole(2) && isWhole(3);
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateGroupNormPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options) {
  if (options.policy.sequences.normsChannelsInPlace)
    patterns.add<DecomposeGroupNorm, DecomposeImageNorm>(patterns.getContext(),
                                                         options);
}
