//===- AttentionPowers.cpp - From scores to powers ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Norms/AttentionPowers.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Chip.h"
#include "ane/HW/Float16.h"
#include "ane/Simulator/CostModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr float log2e = 1.44269504f;

/// Scores that are channels of one product. Published for 1x1 layers of M6: 64
/// channels reach 56 % of the peak, so that a result costs two thirds of what
/// a pass takes for it; 32 reach 34 %, which is hardly less for each result.
static constexpr int64_t scoresOfProduct = 64;

static Value largestOf(OpBuilder &builder, Location loc, Value value,
                       unsigned dim) {
  return ReduceOp::create(builder, loc, ReduceKind::Max, value,
                          ArrayRef<int64_t>{static_cast<int64_t>(dim)});
}

static int64_t shiftOf(int64_t count) { return llvm::Log2_64(count) / 2; }

static ActivationAttr powerOfTwo(OpBuilder &builder) {
  return ActivationAttr::get(builder.getContext(), ActivationKind::Exp2, 0);
}

Value mlir::ane::powersOf(OpBuilder &builder, Location loc, Value scores,
                          unsigned dim) {
  Value most = largestOf(builder, loc, scores, dim);
  Value below = binary(builder, loc, ElementwiseKind::Sub, scores, most);
  auto difference = below.getDefiningOp<ElementwiseOp>();
  difference.setScaleAttr(builder.getF32FloatAttr(log2e));
  difference.setBiasAttr(
      builder.getF32FloatAttr(-shiftOf(typeOf(scores).getDimSize(dim))));
  return ActivationOp::create(builder, loc, below.getType(), below,
                              powerOfTwo(builder));
}

// An attribute, not a resource: all that are equal become one.
static Value matrix(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                    ArrayRef<uint16_t> halves) {
  auto type = RankedTensorType::get(shape, builder.getF16Type());
  ArrayRef<char> bytes(reinterpret_cast<const char *>(halves.data()),
                       halves.size() * sizeof(uint16_t));
  return ConstantOp::create(builder, loc,
                            DenseElementsAttr::getFromRawBuffer(type, bytes));
}

// [1 | -1] times log2 e, or [-1 | 1].
static Value differences(OpBuilder &builder, Location loc, int64_t count,
                         bool isMostFirst) {
  SmallVector<uint16_t> weights(count * (count + 1), 0);
  for (int64_t row = 0; row < count; ++row) {
    uint16_t *values = &weights[row * (count + 1)];
    values[isMostFirst ? 0 : count] = ::ane::hw::toHalfBits(-log2e);
    values[row + isMostFirst] = ::ane::hw::toHalfBits(log2e);
  }
  return matrix(builder, loc, {count, count + 1, 1, 1}, weights);
}

// Scores of a block that are in front of its middle: whole rounds of the
// engines. All, if they are few.
static int64_t halfOf(int64_t count, const ::ane::hw::GenerationInfo &info) {
  return count > scoresOfProduct
             ? int64_t(llvm::alignTo(llvm::divideCeil(count, 2), info.neCount))
             : count;
}

Value mlir::ane::powersByProducts(OpBuilder &builder, Location loc,
                                  ArrayRef<Value> blocks,
                                  const ::ane::hw::GenerationInfo &info) {
  SmallVector<Value> maxima;
  int64_t numScores = 0;
  for (Value block : blocks) {
    maxima.push_back(largestOf(builder, loc, block, /*dim=*/1));
    numScores += typeOf(block).getDimSize(1);
  }
  Value most = maxima.front();
  if (maxima.size() > 1)
    most =
        largestOf(builder, loc, concatDim(builder, loc, maxima, 1), /*dim=*/1);
  SmallVector<Value> channels;
  for (Value block : blocks)
    channels.append({most, block});
  int64_t last = typeOf(blocks.back()).getDimSize(1);
  if (halfOf(last, info) < last)
    channels.push_back(most);
  Value image = concatDim(builder, loc, channels, 1);

  auto powers = [&](int64_t first, int64_t count, bool isMostFirst) -> Value {
    Value power = convolve(builder, loc,
                           sliceDim(builder, loc, image, 1, first, count + 1),
                           differences(builder, loc, count, isMostFirst),
                           ConvSpec(), withDim(typeOf(image), 1, count));
    auto conv = power.getDefiningOp<ConvOp>();
    if (int64_t shift = shiftOf(numScores))
      conv.getBiasMutable().assign(
          splatConstant(builder, loc, {count}, -shift));
    conv.setActivationAttr(powerOfTwo(builder));
    return power;
  };
  SmallVector<Value> parts;
  int64_t first = 0;
  for (Value block : blocks) {
    int64_t count = typeOf(block).getDimSize(1), half = halfOf(count, info);
    parts.push_back(powers(first, half, /*isMostFirst=*/true));
    if (half < count)
      parts.push_back(
          powers(first + 1 + half, count - half, /*isMostFirst=*/false));
    first += count + 1;
  }
  return concatDim(builder, loc, parts, 1);
}

Value mlir::ane::powersInRows(OpBuilder &builder, Location loc, Value below) {
  constexpr int64_t channels = powerChannels;
  auto power =
      ActivationAttr::get(builder.getContext(), ActivationKind::Exp, 0);
  RankedTensorType type = typeOf(below);
  int64_t count = type.getDimSize(1);
  if (count % channels || type.getDimSize(2) != 1)
    return ActivationOp::create(builder, loc, type, below, power);
  SmallVector<uint16_t> identity(channels * channels, 0);
  for (int64_t i = 0; i < channels; ++i)
    identity[i * (channels + 1)] = ::ane::hw::toHalfBits(1);
  Value rows = reshaped(builder, loc, below,
                        {1, channels, count / channels, type.getDimSize(3)});
  Value powers =
      convolve(builder, loc, rows,
               matrix(builder, loc, {channels, channels, 1, 1}, identity),
               ConvSpec(), typeOf(rows));
  powers.getDefiningOp<ConvOp>().setActivationAttr(power);
  return reshaped(builder, loc, powers, type.getShape());
}

bool mlir::ane::areFasterAsProducts(ArrayRef<int64_t> scores,
                                    const ::ane::hw::GenerationInfo &info) {
  // Long rows are cut into strips of columns, which end at the channels between
  // blocks: all that is in front of them would be in DRAM (SAM's
  // decoder has 4,096 columns and takes 9 % longer with them).
  constexpr int64_t maxColumns = 1024;
  if (scores[3] > maxColumns)
    return false;
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  ::ane::sim::TaskWork passes, products;
  double elements = double(scores[1]) * scores[2] * scores[3];
  passes.elements = 2 * elements;
  products.cout = std::min(scores[1], scoresOfProduct);
  products.macs = elements * (products.cout + 1);
  products.weightBytes = scores[1] * (products.cout + 1) * sizeof(uint16_t);
  return ::ane::sim::predict(chip, products).total <
         ::ane::sim::predict(chip, passes).total;
}

bool mlir::ane::arePowersProducts(ArrayRef<int64_t> scores,
                                  const ::ane::hw::GenerationInfo &info) {
  double elements = double(scores[1]) * scores[2] * scores[3];
  return 2 * sizeof(uint16_t) * elements <= info.l2Bytes &&
         areFasterAsProducts(scores, info);
}
