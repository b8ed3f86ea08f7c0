//===- FuseSums.cpp - Sums of convolutions into one -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a residual network changes its size, both branches end in a pointwise
// convolution and the planar engine adds them. One convolution over the
// channels of both sources has the same products and no addition: the engines
// accumulate further, in more bits than a tensor has. The sources are written
// side by side in the first place.
//
// One of the branches has a stride. The pixels that it reads become a tensor of
// their own, in the place beside the other source. Without a stride that would
// be a tensor that the other branch reads, too; strips of such blocks move more
// then (ResNet-50 61 MB instead of 54).
//
// For a branch that is no convolution, or for larger windows, it would take
// products that are not there (an identity, a window full of zeros), and these
// take longer than the addition.
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

using namespace mlir;
using namespace mlir::ane;

static bool isConstantOp(Value value) {
  return isa_and_present<ConstantOp>(value.getDefiningOp());
}

// A convolution of single pixels that nobody else uses.
static ConvOp getBranch(Value value) {
  auto conv = value.getDefiningOp<ConvOp>();
  if (!conv || !conv->hasOneUse() || conv.getActivationAttr() ||
      conv.getScale() || conv.getGroups() != 1 ||
      !isConstantOp(conv.getWeight()) ||
      (conv.getBias() && !isConstantOp(conv.getBias())) || conv.hasPadding() ||
      !conv.hasUnitKernel() || typeOf(conv.getInput()).getRank() != 4)
    return {};
  return conv;
}

// Whether a task writes the value, so that it can write it to another place.
static bool isComputed(Value value) {
  return isa_and_present<ConvOp, ConvTransposeOp, PoolOp, ElementwiseOp,
                         ActivationOp>(value.getDefiningOp());
}

// Every pixel that a branch reads.
static Value getPixels(PatternRewriter &rewriter, ConvOp conv) {
  if (conv.hasUnitStrides())
    return conv.getInput();
  Value image = conv.getInput();
  for (unsigned i : {0u, 1u})
    image = sliceDim(rewriter, conv.getLoc(), image, 2 + i, /*first=*/0,
                     typeOf(conv.getResult()).getDimSize(2 + i),
                     conv.getStrides()[i]);
  return image;
}

static Value addBiases(PatternRewriter &rewriter, Location loc, Value a,
                       Value b) {
  FailureOr<ConstantView> first = ConstantView::get(a),
                          second = ConstantView::get(b);
  if (failed(first) || failed(second) || !first->isReadable() ||
      !second->isReadable())
    return {};
  std::vector<float> sum = first->readFloats();
  for (auto [value, other] : llvm::zip_equal(sum, second->readFloats()))
    value += other;
  return unroundedConstant(rewriter, loc, {int64_t(sum.size())}, sum);
}

/// conv(x, v) + conv(y, w) -> conv(concat(x, y), concat(v, w))
static LogicalResult sumIntoConv(ElementwiseOp op, PatternRewriter &rewriter) {
  if (op.getKind() != ElementwiseKind::Add || !op.isUnscaled())
    return rewriter.notifyMatchFailure(op, "no plain sum");
  ConvOp a = getBranch(op.getLhs()), b = getBranch(op.getRhs());
  if (!a || !b || a.getType() != b.getType() || a.getType() != op.getType())
    return rewriter.notifyMatchFailure(
        op, "not of two pointwise convolutions of its own");
  if (typeOf(a.getWeight()).getElementType() !=
      typeOf(b.getWeight()).getElementType())
    return rewriter.notifyMatchFailure(op, "weights of different types");
  for (ConvOp conv : {a, b})
    if (conv.hasUnitStrides() && !isComputed(conv.getInput()))
      return rewriter.notifyMatchFailure(op, "a source would be copied");
  if (!a.hasUnitStrides() == !b.hasUnitStrides())
    return rewriter.notifyMatchFailure(op, "not of different sizes");
  Value bias = a.getBias() ? a.getBias() : b.getBias();
  if (a.getBias() && b.getBias()) {
    bias = addBiases(rewriter, op.getLoc(), a.getBias(), b.getBias());
    if (!bias)
      return rewriter.notifyMatchFailure(op, "biases cannot be read");
  }
  Location loc = rewriter.getFusedLoc({op.getLoc(), a.getLoc(), b.getLoc()});
  Value first = getPixels(rewriter, a), second = getPixels(rewriter, b);
  ConvSpec spec;
  spec.bias = bias;
  spec.activation = op.getActivationAttr();
  rewriter.replaceOp(
      op, convolve(rewriter, loc, concatDim(rewriter, loc, {first, second}, 1),
                   concatDim(rewriter, loc, {a.getWeight(), b.getWeight()}, 1),
                   spec, typeOf(op.getResult())));
  return success();
}

void mlir::ane::populateSumPatterns(RewritePatternSet &patterns,
                                    Pass::Statistic &count) {
  addPatterns<sumIntoConv>(patterns, count);
}
