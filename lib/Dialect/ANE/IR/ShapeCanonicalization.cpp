//===- ShapeCanonicalization.cpp - Simpler ways to move elements ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folders and patterns of the ops of ShapeOps.cpp. Two in a row become one, one
// that moves nothing goes, and a splat stays a splat. No bytes are copied here:
// ane-fold moves the elements of real constants.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

/// A splat under another shape, else nothing.
static Attribute resizeSplat(Attribute attr, Type type) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return {};
  return dense.resizeSplat(cast<ShapedType>(type));
}

//===----------------------------------------------------------------------===//
// ane.transpose
//===----------------------------------------------------------------------===//

static bool isIdentity(ArrayRef<int64_t> perm) {
  for (auto [to, from] : llvm::enumerate(perm))
    if (static_cast<int64_t>(to) != from)
      return false;
  return true;
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(getPerm()))
    return getInput();
  if (auto inner = getInput().getDefiningOp<TransposeOp>()) {
    auto perm = llvm::map_to_vector(
        getPerm(), [&](int64_t from) { return inner.getPerm()[from]; });
    setPerm(perm);
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return resizeSplat(adaptor.getInput(), getType());
}

namespace {
/// A transpose that only moves dimensions of 1 keeps the order of the elements.
struct TransposeOfOnesToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!IndexMap(shapeOf(op.getInput()), op.getPerm()).isInOrder())
      return rewriter.notifyMatchFailure(op, "elements change their order");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<TransposeOfOnesToReshape>(context);
}

//===----------------------------------------------------------------------===//
// ane.reshape
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    if (inner.getInput().getType() == getType())
      return inner.getInput();
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  // The same bytes under another type.
  Attribute input = adaptor.getInput();
  auto type = cast<ShapedType>(getType());
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(input))
    return dense.reshape(type);
  if (auto resource = dyn_cast_if_present<DenseResourceElementsAttr>(input))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &,
                                            MLIRContext *) {}

//===----------------------------------------------------------------------===//
// ane.slice
//===----------------------------------------------------------------------===//

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput(); // a box of the whole size is the whole
  if (auto inner = getInput().getDefiningOp<SliceOp>()) {
    SmallVector<int64_t> offsets, strides;
    for (size_t i = 0; i < getOffsets().size(); ++i) {
      offsets.push_back(inner.getOffsets()[i] +
                        getOffsets()[i] * inner.getStrides()[i]);
      // Of a single element the stride says nothing; 1 cannot overflow.
      strides.push_back(
          getSizes()[i] == 1 ? 1 : getStrides()[i] * inner.getStrides()[i]);
    }
    setOffsets(offsets);
    setStrides(strides);
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return resizeSplat(adaptor.getInput(), getType());
}

// Along `axis`, and from which elements on they are not taken.
static std::pair<int64_t, int64_t> rangeAlong(SliceOp op, int64_t axis) {
  int64_t first = op.getOffsets()[axis];
  return {first, first + (op.getSizes()[axis] - 1) * op.getStrides()[axis] + 1};
}

// Whether another slice takes from elements [begin, end), which are whole
// operands: one of them would be an operand of two concats, and copied to one.
static bool isShared(ConcatOp concat, SliceOp op, int64_t begin, int64_t end) {
  return llvm::any_of(concat->getUsers(), [&](Operation *user) {
    auto other = dyn_cast<SliceOp>(user);
    if (!other || other == op)
      return false;
    auto [first, last] = rangeAlong(other, concat.getAxis());
    return first < end && last > begin;
  });
}

namespace {
/// A slice that takes from some operands of a concat needs only these.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat)
      return rewriter.notifyMatchFailure(op, "no concat");
    int64_t axis = concat.getAxis();
    auto [first, last] = rangeAlong(op, axis);
    SmallVector<Value> needed;
    int64_t position = 0, start = 0, stop = 0;
    for (Value input : concat.getInputs()) {
      int64_t end =
          position + cast<RankedTensorType>(input.getType()).getDimSize(axis);
      if (first < end && last > position && end > position) {
        if (needed.empty())
          start = position;
        needed.push_back(input);
        stop = end;
      }
      position = end;
    }
    if (needed.size() == concat.getInputs().size())
      return rewriter.notifyMatchFailure(op, "every operand is needed");
    // Where others need the whole, it is written to memory anyway: with copies
    // of what is a part of something else.
    bool isCopied = needed.size() > 1 || needed[0].getDefiningOp<SliceOp>();
    if (isCopied && llvm::any_of(concat->getUsers(), [](Operation *user) {
          return !isa<SliceOp>(user);
        }))
      return rewriter.notifyMatchFailure(op, "the concat stays");
    if (needed.size() > 1 && isShared(concat, op, start, stop))
      return rewriter.notifyMatchFailure(op, "operands would be copied");
    Value source = needed.front();
    if (needed.size() > 1)
      source = ConcatOp::create(rewriter, concat.getLoc(), needed, axis);
    SmallVector<int64_t> offsets(op.getOffsets());
    offsets[axis] -= start;
    rewriter.replaceOpWithNewOp<SliceOp>(op, source, offsets, op.getSizes(),
                                         op.getStrides());
    return success();
  }
};

/// Slices that are put together only to be cut across and put together again, as
/// where an image is rolled along two dimensions: cut across at once, each element
/// is copied once.
struct SliceAcrossConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat || !llvm::all_of(concat.getInputs(), [](Value input) {
          return bool(input.getDefiningOp<SliceOp>());
        }))
      return rewriter.notifyMatchFailure(op, "no concat of slices");
    int64_t axis = concat.getAxis();
    if (!llvm::all_of(concat->getUsers(), [&](Operation *user) {
          auto slice = dyn_cast<SliceOp>(user);
          return slice && slice.getSizes()[axis] == sizeAlong(concat, axis) &&
                 llvm::all_of(slice->getUsers(), llvm::IsaPred<ConcatOp>);
        }))
      return rewriter.notifyMatchFailure(op, "others need what is together");
    SmallVector<Value> parts;
    for (Value input : concat.getInputs()) {
      SmallVector<int64_t> sizes(op.getSizes());
      sizes[axis] = sizeAlong(input, axis);
      parts.push_back(SliceOp::create(rewriter, op.getLoc(), input,
                                      op.getOffsets(), sizes, op.getStrides()));
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, parts, axis);
    return success();
  }

private:
  static int64_t sizeAlong(Value value, int64_t axis) {
    return cast<RankedTensorType>(value.getType()).getDimSize(axis);
  }
};
} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<SliceAcrossConcat, SliceOfConcat>(context);
}

//===----------------------------------------------------------------------===//
// ane.concat
//===----------------------------------------------------------------------===//

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  return {};
}

namespace {
/// concat(concat(x, y), z) -> concat(x, y, z) along the same axis.
struct FlattenConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatOp>();
      // With other users the inner one is written to memory anyway.
      if (inner && inner.getAxis() == op.getAxis() && inner->hasOneUse())
        llvm::append_range(inputs, inner.getInputs());
      else
        inputs.push_back(input);
    }
    if (inputs.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no concat along the same axis");
    rewriter.replaceOpWithNewOp<ConcatOp>(op, inputs, op.getAxis());
    return success();
  }
};
} // namespace

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FlattenConcat>(context);
}

//===----------------------------------------------------------------------===//
// ane.pad
//===----------------------------------------------------------------------===//

OpFoldResult TileOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

namespace {
/// pad(pad(x)) with the same value.
struct MergePads : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<PadOp>();
    if (!inner || !inner.getValue().bitwiseIsEqual(op.getValue()))
      return rewriter.notifyMatchFailure(op, "no pad with the same value");
    auto sum = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
      SmallVector<int64_t> result(a);
      for (auto [to, from] : llvm::zip_equal(result, b))
        to += from;
      return result;
    };
    rewriter.replaceOpWithNewOp<PadOp>(
        op, inner.getInput(), sum(inner.getLow(), op.getLow()),
        sum(inner.getHigh(), op.getHigh()), op.getValue());
    return success();
  }
};
} // namespace

void PadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<MergePads>(context);
}
