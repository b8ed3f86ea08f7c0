//===- FuseSlices.cpp - Convolutions of which parts are used --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources multiply tokens by the weights of queries, keys and values in one
// product, and by those of a gate and what it lets through, and cut the result.
// The parts go different ways: one through a function, another into a product
// as coefficients. Convolutions of their own take the function into their
// epilogue, store the coefficients as they are read, and need not be there at
// the same time. They have the same products.
//
//   slice(conv(x, w))            ->  conv(x, slice(w))
//   slice(reshape(conv(x, w)))   ->  reshape(conv(x, slice(w)))
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Channels of a convolution that a slice of it consists of.
struct ChannelRange {
  int64_t first, count;
  bool operator==(const ChannelRange &other) const {
    return first == other.first && count == other.count;
  }
  bool overlaps(const ChannelRange &other) const {
    return first < other.first + other.count && other.first < first + count;
  }
};

} // namespace

// Channels have `pixels` elements each and come first in what is cut.
static std::optional<ChannelRange> channelsOf(SliceOp slice, int64_t pixels) {
  ArrayRef<int64_t> shape = typeOf(slice.getInput()).getShape();
  int64_t rank = shape.size(), dim = 0;
  while (dim < rank && slice.getSizes()[dim] == shape[dim] && shape[dim] == 1)
    ++dim;
  int64_t behind = 1;
  for (int64_t i = dim + 1; i < rank; behind *= shape[i++])
    if (slice.getSizes()[i] != shape[i])
      return std::nullopt;
  if (dim == rank || slice.getStrides()[dim] != 1 || behind % pixels != 0)
    return std::nullopt;
  return ChannelRange{slice.getOffsets()[dim] * behind / pixels,
                      slice.getSizes()[dim] * behind / pixels};
}

static bool splitsRank(Operation *user) {
  return isa<ReshapeOp>(user) && typeOf(user->getResult(0)).getRank() > 4;
}

static bool hasFunction(const std::pair<SliceOp, ChannelRange> &part) {
  return llvm::any_of(part.first->getUsers(), llvm::IsaPred<ActivationOp>);
}

static bool isReadable(Value value) {
  FailureOr<ConstantView> view = ConstantView::get(value);
  return succeeded(view) && view->isReadable() &&
         isa<FloatType>(typeOf(value).getElementType());
}

/// All that is used of the convolution; none if it is not disjoint parts.
static SmallVector<std::pair<SliceOp, ChannelRange>> partsOf(ConvOp op) {
  // Less are too few for the engines.
  constexpr int64_t least = 16;
  RankedTensorType type = typeOf(op.getResult());
  int64_t pixels = type.getDimSize(2) * type.getDimSize(3);
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers()) {
    if (isa<ReshapeOp>(user))
      llvm::append_range(users, user->getUsers());
    else
      users.push_back(user);
  }
  SmallVector<std::pair<SliceOp, ChannelRange>> parts;
  for (Operation *user : users) {
    auto slice = dyn_cast<SliceOp>(user);
    std::optional<ChannelRange> range;
    if (slice)
      range = channelsOf(slice, pixels);
    if (!range || range->count < least ||
        llvm::any_of(
            parts,
            [&](const auto &part) {
              return !(part.second == *range) && part.second.overlaps(*range);
            }))
      return {};
    parts.push_back({slice, *range});
  }
  llvm::sort(parts, [](const auto &a, const auto &b) {
    return a.second.first < b.second.first;
  });
  return parts;
}

static Value convolve(PatternRewriter &rewriter, ConvOp op,
                      ChannelRange range) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands{op.getInput()};
  for (Value constant : llvm::drop_begin(op->getOperands())) // for ane-fold
    operands.push_back(sliceDim(rewriter, constant.getLoc(), constant, 0,
                                range.first, range.count));
  auto part = cast<ConvOp>(rewriter.clone(*op));
  part->setOperands(operands);
  part.getResult().setType(withDim(typeOf(op.getResult()), 1, range.count));
  return part;
}

static LogicalResult sliceOfConv(ConvOp op, PatternRewriter &rewriter) {
  RankedTensorType type = typeOf(op.getResult());
  if (type.getRank() != 4 || type.getDimSize(0) != 1 || op.getGroups() != 1)
    return rewriter.notifyMatchFailure(op, "several images or groups");
  SmallVector<std::pair<SliceOp, ChannelRange>> parts = partsOf(op);
  if (parts.empty())
    return rewriter.notifyMatchFailure(op, "not all users cut channels");
  // Elsewhere a part is a view, and its convolution would read the image
  // again. Rows are windows of tokens where channels become heads.
  bool isOfTokens =
      (type.getDimSize(2) == 1 || llvm::all_of(op->getUsers(), splitsRank)) &&
      type.getDimSize(3) > 1;
  if (!isOfTokens && !llvm::any_of(parts, hasFunction))
    return rewriter.notifyMatchFailure(op, "no part is better off");
  for (Value constant : {op.getWeight(), op.getBias(), op.getScale()})
    if (constant && !isReadable(constant))
      return rewriter.notifyMatchFailure(op, "weights cannot be read");
  SmallVector<std::pair<ChannelRange, Value>> made;
  for (auto &[slice, channels] : parts) {
    ChannelRange range = channels;
    auto *found = llvm::find_if(
        made, [&](const auto &other) { return other.first == range; });
    Value part =
        found == made.end() ? convolve(rewriter, op, range) : found->second;
    if (found == made.end())
      made.push_back({range, part});
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOp(slice, reshaped(rewriter, slice.getLoc(), part,
                                       shapeOf(slice.getResult())));
  }
  return success();
}

/// A number goes in front of the reshape to heads, where weights take it.
static LogicalResult scalarOfReshape(ElementwiseOp op,
                                     PatternRewriter &rewriter) {
  std::optional<WithNumber> operand = withNumber(op);
  auto reshape =
      operand ? operand->data.getDefiningOp<ReshapeOp>() : ReshapeOp();
  auto conv = reshape ? reshape.getInput().getDefiningOp<ConvOp>() : ConvOp();
  if (!conv || !conv->hasOneUse() || !reshape->hasOneUse() ||
      op.getActivation() || op.getType() != reshape.getType())
    return rewriter.notifyMatchFailure(op, "no number for a convolution");
  Location loc = op.getLoc();
  Value operands[] = {conv,
                      AneBuilder(rewriter, loc).number(operand->number, conv)};
  if (operand->isNumberFirst)
    std::swap(operands[0], operands[1]);
  Value result = ElementwiseOp::create(
      rewriter, loc, conv.getType(), op.getKind(), operands[0], operands[1],
      op.getScale(), op.getBias(), ActivationAttr());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), result);
  return success();
}

void mlir::ane::populateSlicePatterns(RewritePatternSet &patterns,
                                      Pass::Statistic &count) {
  addPatterns<sliceOfConv>(patterns, count);
  addPatterns<scalarOfReshape>(patterns);
}
