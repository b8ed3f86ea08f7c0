//===- DecomposeFewOutputs.cpp - Convolutions with few output channels ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each engine works on output channels of its own, so a convolution with three
// of them, the last of most networks that make images, leaves 13 of 16 idle.
// The rows of its window, or the columns, can be output channels instead: what
// each gives is computed everywhere, and a second convolution, whose weights
// are a single one for each channel, adds what belongs together. That one has
// few input channels.
//
//   conv 3x3, 32 to 4      288 products of each engine for a pixel
//   conv 1x3, 32 to 12      96
//   conv 3x1, 12 to 4       36
//
// What is added is rounded to f16, as in every sum that is taken apart.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

using namespace mlir;
using namespace mlir::ane;

// Of convolutions one after the other, by the shapes of their weights.
static double secondsOf(ArrayRef<ArrayRef<int64_t>> weights,
                        ArrayRef<int64_t> result,
                        const DecomposeOptions &options) {
  ::ane::sim::Sequence sequence(::ane::hw::chipOf(options.generation.id));
  double seconds = 0;
  for (ArrayRef<int64_t> weight : weights) {
    uint64_t count = ShapedType::getNumElements(weight);
    ::ane::sim::TaskWork work;
    work.cout = weight[0];
    work.kernelWidth = weight[3];
    work.macs = count * result[0] * result[2] * result[3];
    work.weightBytes = count * sizeof(uint16_t);
    seconds += sequence.add(work).total;
  }
  return seconds;
}

// The dimension whose taps are worth it most: 0 for rows, 1 for columns.
static std::optional<unsigned> chooseDim(ConvOp op,
                                         const DecomposeOptions &options) {
  constexpr double worthMoreTasks = 0.75;
  constexpr int64_t ones[] = {1, 1};
  if (op->hasAttr(ANEDialect::getTileAttrName())) // strips of this op
    return std::nullopt;
  if (!isImage(op.getInput()) || !isImage(op.getResult()) || op.getScale() ||
      op.getGroups() != 1 || op.getStrides() != ArrayRef(ones) ||
      op.getDilations() != ArrayRef(ones))
    return std::nullopt;
  ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
  ArrayRef<int64_t> result = typeOf(op).getShape();
  double least = secondsOf({weight}, result, options) * worthMoreTasks;
  std::optional<unsigned> best;
  for (unsigned dim : {1u, 0u}) {
    int64_t taps = weight[2 + dim], channels = weight[0] * taps;
    // L2 has room for what takes no more than the source does.
    if (taps == 1 || channels > weight[1])
      continue;
    SmallVector<int64_t> each(weight), sum{weight[0], channels, 1, 1};
    each[0] = channels;
    each[2 + dim] = 1;
    sum[2 + dim] = taps;
    double seconds = secondsOf({each, sum}, result, options);
    if (seconds < least) {
      least = seconds;
      best = dim;
    }
  }
  return best;
}

// Output channel o for tap t becomes channel t * (number of o) + o.
static Value tapsFirst(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> weight, ArrayRef<float> values,
                       unsigned dim) {
  int64_t taps = weight[2 + dim];
  int64_t inner = dim == 0 ? weight[3] : 1;
  SmallVector<float> moved;
  moved.reserve(values.size());
  for (int64_t tap = 0; tap != taps; ++tap)
    for (size_t at = tap * inner; at < values.size(); at += taps * inner)
      llvm::append_range(moved, values.slice(at, inner));
  SmallVector<int64_t> shape(weight);
  shape[0] *= taps;
  shape[2 + dim] = 1;
  return unroundedConstant(builder, loc, shape, moved);
}

// Tap t of output channel o is the only one of channel t * channels + o.
static Value diagonal(OpBuilder &builder, Location loc, int64_t channels,
                      int64_t taps, unsigned dim) {
  SmallVector<int64_t> shape{channels, channels * taps, 1, 1};
  shape[2 + dim] = taps;
  SmallVector<float> values(ShapedType::getNumElements(shape), 0.0f);
  for (int64_t o = 0; o != channels; ++o)
    for (int64_t tap = 0; tap != taps; ++tap)
      values[((o * taps + tap) * channels + o) * taps + tap] = 1;
  return arrayConstant(builder, loc, shape, values);
}

static LogicalResult tapsToChannels(ConvOp op, PatternRewriter &rewriter,
                                    const DecomposeOptions &options) {
  std::optional<unsigned> dim = chooseDim(op, options);
  if (!dim)
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  Location loc = op.getLoc();
  ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
  int64_t taps = weight[2 + *dim], channels = weight[0] * taps;
  // The first convolution keeps the padding that the second does not take.
  SmallVector<int64_t> first(op.getPad()), second(op.getPad());
  first[size_t(2) * *dim] = first[size_t(2) * *dim + 1] = 0;
  second[2 - 2 * *dim] = second[3 - 2 * *dim] = 0;
  RankedTensorType type = withDim(typeOf(op), 1, channels);
  type = withDim(type, 2 + *dim, typeOf(op.getInput()).getDimSize(2 + *dim));
  SmallVector<int64_t> ones{1, 1};
  auto each = ConvOp::create(rewriter, loc, type, op.getInput(),
                             tapsFirst(rewriter, loc, weight, *values, *dim),
                             Value(), Value(), ones, first, ones,
                             /*groups=*/1, ActivationAttr());
  auto sum = ConvOp::create(rewriter, loc, op.getType(), each,
                            diagonal(rewriter, loc, weight[0], taps, *dim),
                            op.getBias(), Value(), ones, second, ones,
                            /*groups=*/1, op.getActivationAttr());
  rewriter.replaceOp(op, sum);
  return success();
}

void mlir::ane::populateFewOutputsPatterns(RewritePatternSet &patterns,
                                           const DecomposeOptions &options) {
  if (options.policy.conv.movesTapsToChannels)
    addPatterns<tapsToChannels>(patterns, options);
}
