//===- FuseWindows.cpp - Padding and cropping into windows ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution or pooling pads by itself, and it may leave rows at the end
// that no window reaches. So a pad in front of it goes into its attributes, and
// a slice that only cuts off such rows goes away. The latter is how sources
// make strides divide that do not (TOSA wants them to).
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr double lowestHalf = -65504;

/// Rows or columns that a window spans.
static int64_t getWindow(Operation *op, int axis) {
  return getDimMap(op, 0, 2 + axis).getSpan();
}

/// The padding of `op` and that of `pad` together, when it is all in the image
/// and smaller than the window.
template <typename OpT>
static std::optional<SmallVector<int64_t, 4>> addPadding(OpT op, PadOp pad) {
  SmallVector<int64_t, 4> sum(op.getPad());
  for (int dim = 0; dim < 2; ++dim)
    if (pad.getLow()[dim] || pad.getHigh()[dim])
      return std::nullopt;
  for (size_t axis = 0; axis < 2; ++axis) {
    sum[2 * axis] += pad.getLow()[2 + axis];
    sum[2 * axis + 1] += pad.getHigh()[2 + axis];
    if (sum[2 * axis] >= getWindow(op, axis) ||
        sum[2 * axis + 1] >= getWindow(op, axis))
      return std::nullopt;
  }
  return sum;
}

/// Padding of a maximum never wins; so must this one.
static bool neverWins(PadOp pad) {
  double value = pad.getValue().convertToFloat();
  return value <= lowestHalf || (value <= 0 && isNonNegative(pad.getInput()));
}

static bool isPadding(ConvOp, PadOp pad) { return pad.getValue().isZero(); }

/// The elements of `pad` count in an average, so all padding must.
static bool isPadding(PoolOp op, PadOp pad) {
  if (op.getKind() != PoolKind::Average)
    return neverWins(pad);
  return pad.getValue().isZero() &&
         (!op.hasPadding() || op.getCountIncludePad());
}

template <typename OpT>
static LogicalResult padIntoWindow(OpT op, PatternRewriter &rewriter) {
  auto pad = op.getInput().template getDefiningOp<PadOp>();
  if (!pad || !pad->hasOneUse())
    return rewriter.notifyMatchFailure(op, "no pad of its own");
  if (!isPadding(op, pad))
    return rewriter.notifyMatchFailure(op, "the value of the pad matters");
  auto padding = addPadding(op, pad);
  if (!padding)
    return rewriter.notifyMatchFailure(op, "padding reaches a whole window");
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(pad.getInput());
    op.setPad(*padding);
    if constexpr (std::is_same_v<OpT, PoolOp>)
      if (op.getKind() == PoolKind::Average)
        op.setCountIncludePad(true);
  });
  return success();
}

/// window(transpose(pad(x))) -> window(pad(transpose(x))), and so for a slice:
/// the image may come with its channels last.
template <typename OpT>
static LogicalResult transposeFirst(TransposeOp op, PatternRewriter &rewriter) {
  auto cut = op.getInput().getDefiningOp<OpT>();
  if (!cut || !cut->hasOneUse() || !op->hasOneUse())
    return rewriter.notifyMatchFailure(op, "nothing of its own in front");
  if (!isa<ConvOp, PoolOp>(*op->user_begin()) ||
      op->use_begin()->getOperandNumber() != 0)
    return rewriter.notifyMatchFailure(op, "no window behind");
  Value turned = permuted(rewriter, op.getLoc(), cut.getInput(), op.getPerm());
  DimGroups dims{inverse(op.getPerm()), int64_t(op.getPerm().size())};
  rewriter.replaceOp(op, createRegrouped(rewriter, cut, turned, dims));
  return success();
}

/// window(slice(x)) -> window(x) where the slice cuts off what no window
/// reaches.
template <typename OpT>
static LogicalResult cropIntoWindow(OpT op, PatternRewriter &rewriter) {
  auto slice = op.getInput().template getDefiningOp<SliceOp>();
  if (!slice)
    return rewriter.notifyMatchFailure(op, "no slice");
  RankedTensorType whole = typeOf(slice.getInput());
  for (int dim = 0; dim < 4; ++dim) {
    if (slice.getOffsets()[dim] != 0 || slice.getStrides()[dim] != 1)
      return rewriter.notifyMatchFailure(op, "the slice moves elements");
    if (slice.getSizes()[dim] == whole.getDimSize(dim))
      continue;
    // Rows that come back take the place of padding, so there must be none.
    if (dim < 2 || op.getPad()[2 * (dim - 2) + 1] != 0)
      return rewriter.notifyMatchFailure(op, "the slice cuts what is read");
    int axis = dim - 2;
    int64_t last =
        whole.getDimSize(dim) + op.getPad()[2 * axis] - getWindow(op, axis);
    if (last / op.getStrides()[axis] + 1 !=
        typeOf(op.getResult()).getDimSize(dim))
      return rewriter.notifyMatchFailure(op, "a window more would fit");
  }
  rewriter.modifyOpInPlace(
      op, [&] { op.getInputMutable().assign(slice.getInput()); });
  return success();
}

void mlir::ane::populateWindowPatterns(RewritePatternSet &patterns,
                                       Pass::Statistic &count) {
  addPatterns<transposeFirst<PadOp>, transposeFirst<SliceOp>>(patterns);
  addPatterns<padIntoWindow<ConvOp>, padIntoWindow<PoolOp>,
              cropIntoWindow<ConvOp>, cropIntoWindow<PoolOp>>(patterns, count);
}
