//===- FusePixels.cpp - Layers between tokens and images ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where windows are between layers of tokens, as in the feed-forward part of
// SegFormer, tokens become an image and the image tokens. In between are the
// most channels, and strips of columns do not go on as strips of rows. The
// reshapes move to the other side of the layers, where fewer channels are:
//
//   windows(reshape(conv(x, w)))  ->  windows(conv(reshape(x), w))
//   conv(reshape(windows(x)), w)  ->  reshape(conv(windows(x), w))
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t channelsOf(Value value) { return typeOf(value).getDimSize(1); }

bool mlir::ane::isOfPixels(ConvOp op) {
  auto isOne = [](int64_t value) { return value == 1; };
  return op.getGroups() == 1 &&
         llvm::all_of(typeOf(op.getWeight()).getShape().drop_front(2), isOne) &&
         op.hasUnitStrides() && !op.hasPadding();
}

static bool hasWindows(Operation *op) {
  auto conv = dyn_cast_or_null<ConvOp>(op);
  return conv && !isOfPixels(conv);
}

// Between the same channels of as many images.
static bool movesPixels(ReshapeOp op) {
  ArrayRef<int64_t> from = typeOf(op.getInput()).getShape();
  ArrayRef<int64_t> to = typeOf(op.getResult()).getShape();
  return from.size() == 4 && to.size() == 4 &&
         from.take_front(2) == to.take_front(2);
}

// `value` with the rows and columns of `like`.
static Value withPixelsOf(PatternRewriter &rewriter, Value value, Value like) {
  SmallVector<int64_t> shape(typeOf(like).getShape());
  shape[1] = channelsOf(value);
  return reshaped(rewriter, value.getLoc(), value, shape);
}

static Value convolve(PatternRewriter &rewriter, ConvOp op, Value image) {
  RankedTensorType type = withDim(typeOf(image), 1, channelsOf(op.getResult()));
  auto copy = cast<ConvOp>(rewriter.clone(*op));
  rewriter.modifyOpInPlace(copy, [&] {
    copy.getInputMutable().assign(image);
    copy.getResult().setType(typeOf(op.getResult()).clone(type.getShape()));
  });
  return copy;
}

/// Not back and forth where a layer has as many channels on both sides.
static LogicalResult imageAboveLayer(ReshapeOp op, PatternRewriter &rewriter) {
  auto conv = op.getInput().getDefiningOp<ConvOp>();
  if (!conv || !conv->hasOneUse() || !movesPixels(op) || !isOfPixels(conv) ||
      llvm::none_of(op->getUsers(), hasWindows))
    return rewriter.notifyMatchFailure(op, "no windows behind a layer");
  if (channelsOf(conv.getInput()) > channelsOf(conv.getResult()))
    return rewriter.notifyMatchFailure(op, "more channels in front");
  Value image = withPixelsOf(rewriter, conv.getInput(), op.getResult());
  rewriter.replaceOp(op, convolve(rewriter, conv, image));
  return success();
}

static LogicalResult tokensBelowLayer(ConvOp op, PatternRewriter &rewriter) {
  auto tokens = op.getInput().getDefiningOp<ReshapeOp>();
  if (!tokens || !movesPixels(tokens) || !isOfPixels(op) ||
      !hasWindows(tokens.getInput().getDefiningOp()))
    return rewriter.notifyMatchFailure(op, "no windows in front of a layer");
  if (channelsOf(op.getInput()) <= channelsOf(op.getResult()))
    return rewriter.notifyMatchFailure(op, "no fewer channels behind");
  Value result = convolve(rewriter, op, tokens.getInput());
  rewriter.replaceOp(op, withPixelsOf(rewriter, result, op.getResult()));
  return success();
}

void mlir::ane::populatePixelPatterns(RewritePatternSet &patterns) {
  addPatterns<imageAboveLayer, tokensBelowLayer>(patterns);
}
