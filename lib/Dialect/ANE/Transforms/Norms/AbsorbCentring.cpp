//===- AbsorbCentring.cpp - Norms whose mean nobody subtracts -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer norm over the channels of tokens subtracts their mean and divides by
// their deviation. Convolutions of one pixel after it can subtract the mean
// themselves: with rows of weights whose sum is 0,
//
//   W (x - mean) / deviation = W' (x / deviation),   W' = W - (mean of its row)
//
// so that one of four passes is left out. The deviation still is that of x -
// mean, which the planar engine takes on the way (Centred.h).
//
// What is rounded is x / deviation in place of (x - mean) / deviation. That is
// about as exact: x has been rounded, too. Rounded weights must still have no
// sum: where all channels are equal, the deviation is as small as its epsilon
// and x over it is large. For the same reason that is taken 32 times smaller,
// and weights 32 times larger. f16 holds both unless all channels of a token
// are equal and above 6,600 (500 with an epsilon that is too small for f16):
// then the result is no number.
//
//===----------------------------------------------------------------------===//

#include "NormFactors.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

constexpr float headroom = 32;

struct AbsorbCentring : public OpRewritePattern<LayerNormOp> {
  AbsorbCentring(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/3), info(options.generation) {}

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    if (!normsTokens(op))
      return failure();
    int64_t channels = typeOf(op.getResult()).getDimSize(1);
    FailureOr<NormFactors> factors =
        readFactors(channels, op.getGamma(), op.getBeta());
    if (failed(factors))
      return failure();
    FailureOr<SmallVector<TakenFactors>> users = takeFactors(op, *factors);
    if (failed(users))
      return failure();
    for (TakenFactors &user : *users)
      if (failed(centre(user.weight, channels)))
        return failure();
    for (const TakenFactors &user : *users)
      replaceWeights(rewriter, user, /*areRounded=*/true);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, scaledInput(rewriter, op));
    return success();
  }

private:
  // Columns are tokens; few channels take products with a matrix. Strips of
  // columns do not go through a norm whose tokens are channels, so there is
  // room for two such tensors beside others.
  bool normsTokens(LayerNormOp op) const {
    if (!isImage(op.getResult()) || op.getAxes() != ArrayRef<int64_t>{1})
      return false;
    ArrayRef<int64_t> shape = typeOf(op.getResult()).getShape();
    int64_t bytes = shape[1] * shape[3] * int64_t(sizeof(uint16_t));
    return shape[0] == 1 && shape[1] > maxNarrowChannels && shape[2] == 1 &&
           shape[3] > 1 && shape[1] <= int64_t(info.maxWidth) &&
           bytes <= int64_t(info.l2SourceBytes) / 4;
  }

  // Each row of `count` weights. Fails where f16 does not hold them.
  static LogicalResult centre(MutableArrayRef<float> weights, int64_t count) {
    for (size_t first = 0; first < weights.size(); first += count) {
      MutableArrayRef<float> row = weights.slice(first, count);
      double mean = 0;
      for (float weight : row)
        mean += weight;
      mean /= count;
      for (float &weight : row)
        weight = headroom * (weight - mean);
      if (failed(roundKeepingSum(row)))
        return failure();
    }
    return success();
  }

  // x / (headroom * deviation).
  Value scaledInput(OpBuilder &builder, LayerNormOp op) const {
    Location loc = op.getLoc();
    Value value = op.getInput();
    RankedTensorType type = typeOf(value);
    constexpr int64_t tokensAreChannels[] = {0, 3, 2, 1};
    Value mean = convolve(builder, loc, value,
                          channelShares(builder, loc, type.getDimSize(1)),
                          ConvSpec(), withDim(type, 1, 1));
    Value centred = binary(builder, loc, ElementwiseKind::Sub,
                           permuted(builder, loc, value, tokensAreChannels),
                           permuted(builder, loc, mean, tokensAreChannels));
    Value factor = reciprocalDeviation(builder, loc, centred, {3},
                                       op.getEpsilon().convertToFloat(), info);
    Value result = binary(builder, loc, ElementwiseKind::Mul, value,
                          permuted(builder, loc, factor, tokensAreChannels));
    result.getDefiningOp<ElementwiseOp>().setScaleAttr(
        builder.getF32FloatAttr(1 / headroom));
    return result;
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateAbsorbCentringPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  const auto &sequences = options.policy.sequences;
  if (sequences.normsChannelsInPlace && sequences.centresOnTheWay)
    patterns.add<AbsorbCentring>(patterns.getContext(), options);
}
