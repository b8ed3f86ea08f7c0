//===- FuseLayers.cpp - Layers with no function between them --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer mixes the channels of each pixel, sampling the pixels of each
// channel: it does not matter which comes first. Heads of segmentation networks
// and necks of detectors enlarge images and have a layer on images of several
// sizes, where most of its products are those of the enlarged pixels:
//
//   conv(concat(resize(x), y), w)  ->  conv(y, w1) + resize(conv(x, w0))
//
// Weights of a sample add up to 1, so a bias can be on either side. The layer
// then often meets another one on the smaller image; two of them are one, whose
// weight is the product:
//
//   conv(conv(x, v), w)  ->  conv(x, w * v)
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Chip.h"
#include "ane/HW/Float16.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t channelsOf(Value value) { return typeOf(value).getDimSize(1); }

static int64_t pixelsOf(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return shape[0] * shape[2] * shape[3];
}

// Of a constant that can be read.
static std::vector<float> floatsOf(Value value) {
  return ConstantView::get(value)->readFloats();
}

// With weights that can be computed with.
static bool isLayer(ConvOp conv) {
  auto isReadable = [](Value value) {
    if (!isa_and_present<ConstantOp>(value.getDefiningOp()))
      return false;
    FailureOr<ConstantView> view = ConstantView::get(value);
    return succeeded(view) && view->isReadable();
  };
  return conv && shapeOf(conv.getInput()).size() == 4 && isOfPixels(conv) &&
         !conv.getScale() && isReadable(conv.getWeight()) &&
         (!conv.getBias() || isReadable(conv.getBias()));
}

// Of the pixels of `input`, the layer that `like` is of others.
static Value makeLayer(OpBuilder &builder, ConvOp like, Value input,
                       Value weight, Value bias, ActivationAttr activation) {
  SmallVector<int64_t> shape(shapeOf(input));
  shape[1] = shapeOf(weight)[0];
  return ConvOp::create(
      builder, like.getLoc(), typeOf(like.getResult()).clone(shape), input,
      weight, bias, /*scale=*/Value(), like.getStridesAttr(), like.getPadAttr(),
      like.getDilationsAttr(), like.getGroupsAttr(), activation);
}

static constexpr int64_t maxProducts = int64_t(1) << 28; ///< 0.1 s

static void addProduct(MutableArrayRef<float> sums, ArrayRef<float> lhs,
                       ArrayRef<float> rhs, int64_t terms, int64_t columns) {
  for (int64_t row = 0, rows = sums.size() / columns; row != rows; ++row)
    for (int64_t k = 0; k != terms; ++k)
      for (int64_t column = 0; column != columns; ++column)
        sums[row * columns + column] +=
            lhs[row * terms + k] * rhs[k * columns + column];
}

/// Whether f16 holds the coefficients: most bits of the largest of each row.
static bool areHalves(ArrayRef<float> rows, int64_t columns) {
  for (; !rows.empty(); rows = rows.drop_front(columns)) {
    float most = 0;
    for (float value : rows.take_front(columns))
      most = std::max(most, std::isnan(value) ? INFINITY : std::fabs(value));
    if (most > ::ane::hw::largestHalf ||
        (most > 0 && most < ::ane::hw::smallestNormalHalf))
      return false;
  }
  return true;
}

static LogicalResult layersIntoOne(ConvOp op, PatternRewriter &rewriter) {
  auto first = op.getInput().getDefiningOp<ConvOp>();
  if (!isLayer(op) || !isLayer(first) || !first->hasOneUse() ||
      first.getActivationAttr())
    return rewriter.notifyMatchFailure(op, "no layer on one of its own");
  int64_t inputs = channelsOf(first.getInput());
  int64_t between = channelsOf(op.getInput());
  int64_t outputs = channelsOf(op.getResult());
  if (inputs * outputs > between * (inputs + outputs))
    return rewriter.notifyMatchFailure(op, "few channels between them");
  if (inputs * between * outputs > maxProducts)
    return rewriter.notifyMatchFailure(op, "takes long to compute");
  std::vector<float> own = floatsOf(op.getWeight());
  std::vector<float> product(outputs * inputs, 0.0f);
  addProduct(product, own, floatsOf(first.getWeight()), between, inputs);
  if (!areHalves(product, inputs))
    return rewriter.notifyMatchFailure(op, "f16 loses their product");
  Location loc = rewriter.getFusedLoc({first.getLoc(), op.getLoc()});
  Value bias = op.getBias();
  if (first.getBias()) {
    std::vector<float> sums(outputs, 0.0f);
    if (bias)
      sums = floatsOf(bias);
    addProduct(sums, own, floatsOf(first.getBias()), between, /*columns=*/1);
    if (llvm::any_of(sums, [](float sum) {
          return !(std::fabs(sum) <= ::ane::hw::largestHalf);
        }))
      return rewriter.notifyMatchFailure(op, "a bias beyond f16");
    bias = unroundedConstant(rewriter, loc, {outputs}, sums);
  }
  Value weight =
      unroundedConstant(rewriter, loc, {outputs, inputs, 1, 1}, product);
  rewriter.replaceOp(op, makeLayer(rewriter, op, first.getInput(), weight, bias,
                                   op.getActivationAttr()));
  return success();
}

/// A part of an image, and its first channel.
using Part = std::pair<Value, int64_t>;

// Whether the products that it saves take longer than to add what is left.
static bool isBetterBelow(ConvOp op, Value part,
                          const ::ane::hw::ChipInfo &chip) {
  auto resize = part.getDefiningOp<ResizeOp>();
  if (!resize || !resize->hasOneUse())
    return false;
  int64_t inputs = channelsOf(part), outputs = channelsOf(op.getResult());
  int64_t saved = pixelsOf(part) - pixelsOf(resize.getInput());
  if (saved <= 0 || outputs > inputs)
    return false;
  ::ane::sim::TaskWork products, addition;
  products.macs = saved * inputs * outputs;
  products.cout = outputs;
  addition.elements = pixelsOf(part) * outputs;
  return ::ane::sim::predict(chip, products).compute >
         ::ane::sim::predict(chip, addition).compute;
}

// Of the channels of some parts.
static Value weightOf(OpBuilder &builder, ConvOp op, ArrayRef<Part> parts) {
  std::vector<float> all = floatsOf(op.getWeight()), weight;
  int64_t outputs = channelsOf(op.getResult());
  int64_t inputs = channelsOf(op.getInput()), channels = 0;
  for (int64_t output = 0; output != outputs; ++output)
    for (auto [part, first] : parts) {
      auto row = all.begin() + output * inputs + first;
      weight.insert(weight.end(), row, row + channelsOf(part));
    }
  for (auto [part, first] : parts)
    channels += channelsOf(part);
  return unroundedConstant(builder, op.getLoc(), {outputs, channels, 1, 1},
                           weight);
}

static Value layerOn(OpBuilder &builder, ConvOp op, ArrayRef<Part> parts) {
  Value image = concatDim(builder, op.getLoc(),
                          llvm::to_vector(llvm::make_first_range(parts)), 1);
  return makeLayer(builder, op, image, weightOf(builder, op, parts),
                   op.getBias(), ActivationAttr());
}

static LogicalResult layerBelowResizes(ConvOp op, PatternRewriter &rewriter,
                                       const ::ane::hw::ChipInfo &chip) {
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (!isLayer(op) || !concat || !concat->hasOneUse() || concat.getAxis() != 1)
    return rewriter.notifyMatchFailure(op, "no layer on several images");
  SmallVector<Part> resized, rest;
  int64_t channel = 0;
  for (Value part : concat.getInputs()) {
    (isBetterBelow(op, part, chip) ? resized : rest)
        .emplace_back(part, channel);
    channel += channelsOf(part);
  }
  if (resized.empty() || concat.getInputs().size() < 2)
    return rewriter.notifyMatchFailure(op, "no image that is worth it");
  // Layers on what is small first: the rest can be computed strip by strip.
  Value bias = op.getBias();
  SmallVector<Value> images;
  for (auto [part, first] : resized) {
    auto resize = part.getDefiningOp<ResizeOp>();
    bool hasBias = rest.empty() && images.empty();
    images.push_back(makeLayer(rewriter, op, resize.getInput(),
                               weightOf(rewriter, op, Part(part, first)),
                               hasBias ? bias : Value(), ActivationAttr()));
  }
  Value sum = rest.empty() ? Value() : layerOn(rewriter, op, rest);
  for (auto [i, image] : llvm::enumerate(images)) {
    IRMapping mapping;
    Operation *old = resized[i].first.getDefiningOp();
    mapping.map(old->getOperand(0), image);
    Operation *resize = rewriter.clone(*old, mapping);
    resize->getResult(0).setType(op.getType());
    sum = addTo(rewriter, op.getLoc(), sum, resize->getResult(0));
  }
  // Of at least two images there is a sum.
  sum.getDefiningOp<ElementwiseOp>().setActivationAttr(op.getActivationAttr());
  rewriter.replaceOp(op, sum);
  return success();
}

void mlir::ane::populateLayerPatterns(RewritePatternSet &patterns,
                                      const ::ane::hw::ChipInfo &chip,
                                      Pass::Statistic &count) {
  addPatterns<layerBelowResizes, layersIntoOne>(patterns, count, chip);
}
