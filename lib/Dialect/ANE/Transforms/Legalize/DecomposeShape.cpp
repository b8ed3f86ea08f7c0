//===- DecomposeShape.cpp - Reductions, borders and columns ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile DMA moves rows freely and columns not at all. What moves columns is
// the padding of a convolution with a single one in its kernel: it shifts an
// image to the right (padding in front) or to the left (taps in front).
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// An image with a border of zeros, or no value if no kernel is large enough.
// The kernel has one tap more than the border on both sides together, so that
// the padding of the convolution stays below its size.
static Value padImage(OpBuilder &builder, Location loc, Value image,
                      ArrayRef<int64_t> border,
                      const ::ane::hw::GenerationInfo &info) {
  auto [top, bottom, left, right] =
      std::make_tuple(border[0], border[1], border[2], border[3]);
  int64_t rows = top + bottom + 1, columns = left + right + 1;
  if (rows > info.maxKernelHeight || columns > info.maxKernelWidth)
    return {};
  RankedTensorType type = typeOf(image);
  type = withDim(type, 2, type.getDimSize(2) + top + bottom);
  type = withDim(type, 3, type.getDimSize(3) + left + right);
  ConvSpec spec;
  spec.top = spec.bottom = rows - 1;
  spec.left = spec.right = columns - 1;
  return convolveOneHot(builder, loc, image, rows, columns, bottom, right, spec,
                        type);
}

static LogicalResult padToConv(PadOp op, PatternRewriter &rewriter,
                               const DecomposeOptions &options) {
  if (!isImage(op.getInput()) || !op.getValue().isZero())
    return failure();
  ArrayRef<int64_t> low = op.getLow(), high = op.getHigh();
  if (low[0] || low[1] || high[0] || high[1])
    return failure();
  Value padded =
      padImage(rewriter, op.getLoc(), op.getInput(),
               {low[2], high[2], low[3], high[3]}, options.generation);
  if (!padded)
    return failure();
  rewriter.replaceOp(op, padded);
  return success();
}

/// Columns from anywhere: from the last column that the DMA reaches, then
/// shifted to the left by convolutions.
static LogicalResult sliceColumns(SliceOp op, PatternRewriter &rewriter,
                                  const DecomposeOptions &options) {
  int64_t aligned = options.generation.dmaAlign / sizeof(uint16_t);
  if (!isImage(op.getInput()) || !op.hasUnitStrides() ||
      op.getOffsets()[3] % aligned == 0)
    return failure();
  int64_t rest = op.getOffsets()[3] % aligned;
  SmallVector<int64_t> offsets(op.getOffsets()), sizes(op.getSizes());
  offsets[3] -= rest;
  sizes[3] += rest;
  Value image = sliced(rewriter, op.getLoc(), op.getInput(), offsets, sizes);
  while (rest) {
    int64_t shift =
        std::min<int64_t>(rest, options.generation.maxKernelWidth - 1);
    RankedTensorType type = typeOf(image);
    image = convolveOneHot(rewriter, op.getLoc(), image, 1, shift + 1, 0, shift,
                           ConvSpec(),
                           withDim(type, 3, type.getDimSize(3) - shift));
    rest -= shift;
  }
  rewriter.replaceOp(op, image);
  return success();
}

/// Every stride along rows or columns that is 2 in both of them.
static LogicalResult sliceStride(SliceOp op, PatternRewriter &rewriter) {
  ArrayRef<int64_t> strides = op.getStrides();
  if (!isImage(op.getInput()) || strides[0] != 1 || strides[1] != 1)
    return failure();
  // A direction with one element has any stride.
  int64_t rows = op.getSizes()[2] == 1 ? strides[3] : strides[2];
  int64_t columns = op.getSizes()[3] == 1 ? rows : strides[3];
  if (rows != columns || rows < 2 || !llvm::isPowerOf2_64(rows))
    return failure();
  SmallVector<int64_t> sizes(op.getSizes());
  for (unsigned i : {2u, 3u})
    sizes[i] = (sizes[i] - 1) * rows + 1;
  Value box =
      sliced(rewriter, op.getLoc(), op.getInput(), op.getOffsets(), sizes);
  rewriter.replaceOp(op, subsample(rewriter, op.getLoc(), box, rows));
  return success();
}

/// An image of its own size.
static LogicalResult resizeToNothing(ResizeOp op, PatternRewriter &rewriter) {
  if (op.getInput().getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, op.getInput());
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Channels of which L2 holds a row, as the task of their maximum needs it.
static int64_t channelsOfTask(Value value, const DecomposeOptions &options) {
  int64_t row = llvm::alignTo(typeOf(value).getDimSize(3) * sizeof(uint16_t),
                              options.generation.l2Align);
  int64_t padding =
      int64_t(3) * options.generation.l2Align; // against bank conflicts
  return std::max<int64_t>(2,
                           (options.generation.l2SourceBytes - padding) / row);
}

/// The maximum of those of parts of at most `most` channels.
static Value reduceParts(PatternRewriter &rewriter, ReduceOp op, int64_t most) {
  Location loc = op.getLoc();
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t step = evenStep(channels, most);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < channels; first += step) {
    Value part = sliceDim(rewriter, loc, op.getInput(), 1, first,
                          std::min(step, channels - first));
    parts.push_back(ReduceOp::create(rewriter, loc, op.getType(), op.getKind(),
                                     part, op.getAxes()));
  }
  return ReduceOp::create(rewriter, loc, op.getType(), op.getKind(),
                          concatDim(rewriter, loc, parts, 1), op.getAxes());
}

/// Whether one task reduces these axes.
static bool hasTask(ReduceOp op, ArrayRef<int64_t> axes,
                    const DecomposeOptions &options) {
  bool isOfChannels = options.policy.sequences.reducesChannels &&
                      op.getKind() == ReduceKind::Max &&
                      axes == ArrayRef<int64_t>{1} && !op.getActivationAttr();
  return axes == ArrayRef<int64_t>{3} || axes == ArrayRef<int64_t>{2, 3} ||
         isOfChannels;
}

/// A function that is not in the task of the reduction comes after it.
static bool splitActivation(ReduceOp op, bool isNative,
                            PatternRewriter &rewriter) {
  ActivationAttr function = op.getActivationAttr();
  if (!function || (isNative && op.getKind() != ReduceKind::Min &&
                    (function.getKind() == ActivationKind::Reciprocal ||
                     function.getKind() == ActivationKind::Rsqrt)))
    return false;
  auto plain = cast<ReduceOp>(rewriter.clone(*op));
  plain.removeActivationAttr();
  rewriter.replaceOpWithNewOp<ActivationOp>(op, op.getType(), plain, function);
  return true;
}

// Images are more channels, or become channels.
static Value reduceImages(OpBuilder &builder, ReduceOp op,
                          ArrayRef<int64_t> axes) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = typeOf(op.getInput()).getShape();
  bool areJoined = llvm::is_contained(axes, 1);
  Value value = areJoined
                    ? reshaped(builder, loc, op.getInput(),
                               {1, shape[0] * shape[1], shape[2], shape[3]})
                    : permuted(builder, loc, op.getInput(), {1, 0, 2, 3});
  SmallVector<int64_t> others = {1};
  llvm::copy_if(axes, std::back_inserter(others),
                [](int64_t axis) { return axis > 1; });
  value = ReduceOp::create(builder, loc, op.getKind(), value, others,
                           op.getActivationAttr());
  return areJoined ? value : permuted(builder, loc, value, {1, 0, 2, 3});
}

// Squares overflow f16 soon, so they stay inside a pass of the planar engine:
// what is reduced goes to the end.
static Value reduceSquares(OpBuilder &builder, ReduceOp op,
                           ArrayRef<int64_t> axes) {
  Location loc = op.getLoc();
  SmallVector<int64_t> perm, rows(4, 1);
  for (int64_t dim = 0; dim < 4; ++dim)
    if (!llvm::is_contained(axes, dim))
      perm.push_back(dim);
  size_t kept = perm.size();
  llvm::append_range(perm, axes);
  Value value = permuted(builder, loc, op.getInput(), perm);
  ArrayRef<int64_t> shape = shapeOf(value);
  // One image of kept elements; all that goes is in its rows.
  for (size_t dim = 0; dim < 3; ++dim)
    rows[dim < kept ? 1 : 2] *= shape[dim];
  rows[3] = shape[3];
  value = ReduceOp::create(builder, loc, op.getKind(),
                           reshaped(builder, loc, value, rows), {2, 3},
                           op.getActivationAttr());
  return reshaped(builder, loc, value, shapeOf(op.getResult()));
}

// Maxima or sums of halves until one row or channel is left. An odd one joins
// at the end.
static Value reduceHalves(OpBuilder &builder, Location loc,
                          ElementwiseKind kind, Value value, unsigned dim) {
  SmallVector<Value> odd;
  for (int64_t size; (size = typeOf(value).getDimSize(dim)) > 1;) {
    int64_t half = size / 2;
    if (size % 2)
      odd.push_back(sliceDim(builder, loc, value, dim, size - 1, 1));
    Value low = sliceDim(builder, loc, value, dim, 0, half);
    Value high = sliceDim(builder, loc, value, dim, half, half);
    value = binary(builder, loc, kind, low, high);
  }
  for (Value rest : odd)
    value = binary(builder, loc, kind, value, rest);
  return value;
}

static Value sumStrip(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<float> shares) {
  RankedTensorType type = typeOf(value);
  int64_t channels = type.getDimSize(1);
  ConvSpec spec;
  spec.groups = channels;
  SmallVector<int64_t> shape{channels, 1, type.getDimSize(2), 1};
  SmallVector<float> weights;
  for (int64_t channel = 0; channel != channels; ++channel)
    llvm::append_range(weights, shares);
  return convolve(builder, loc, value,
                  arrayConstant(builder, loc, shape, weights), spec,
                  withDim(type, 2, 1));
}

// Sums of as many rows as a kernel covers stay in the accumulator. Those of
// taller images are rows again, and are summed up in turn: each sum is
// rounded once, so the error is that of two or three roundings, not of one
// for each strip. A mean divides by powers of two, which is exact, until one
// kernel covers what is left.
static Value reduceRows(OpBuilder &builder, Location loc, ReduceKind kind,
                        Value value, const DecomposeOptions &options) {
  if (kind == ReduceKind::Max)
    return reduceHalves(builder, loc, ElementwiseKind::Max, value, 2);
  double share =
      kind == ReduceKind::Mean ? 1.0 / typeOf(value).getDimSize(2) : 1;
  for (;;) {
    int64_t rows = typeOf(value).getDimSize(2);
    int64_t step = evenStep(rows, options.generation.maxKernelHeight);
    if (step == rows)
      return sumStrip(builder, loc, value, sharesInHalf(share * rows, rows));
    double partShare = kind == ReduceKind::Mean
                           ? std::exp2(-double(llvm::Log2_64_Ceil(step)))
                           : 1;
    share /= partShare;
    SmallVector<Value> sums;
    for (int64_t first = 0; first < rows; first += step) {
      int64_t count = std::min(step, rows - first);
      sums.push_back(sumStrip(builder, loc,
                              sliceDim(builder, loc, value, 2, first, count),
                              sharesInHalf(partShare * count, count)));
    }
    value = concatDim(builder, loc, sums, 2);
  }
}

static Value reduceChannels(OpBuilder &builder, Location loc, ReduceKind kind,
                            Value value) {
  RankedTensorType type = typeOf(value);
  int64_t channels = type.getDimSize(1);
  if (kind == ReduceKind::Max)
    return reduceHalves(builder, loc, ElementwiseKind::Max, value, 1);
  float factor = kind == ReduceKind::Mean ? 1.0f / channels : 1.0f;
  return convolve(builder, loc, value,
                  splatConstant(builder, loc, {1, channels, 1, 1}, factor),
                  ConvSpec(), withDim(type, 1, 1));
}

/// Innermost first: what is left for C has the fewest pixels.
static Value reduceInTurn(PatternRewriter &rewriter, ReduceOp op,
                          ArrayRef<int64_t> axes,
                          const DecomposeOptions &options) {
  Location loc = op.getLoc();
  Value value = op.getInput();
  if (axes.back() == 3) {
    bool both = llvm::is_contained(axes, 2);
    SmallVector<int64_t> inner =
        both ? SmallVector<int64_t>{2, 3} : SmallVector<int64_t>{3};
    value = ReduceOp::create(rewriter, loc, op.getKind(), value, inner);
    axes = axes.drop_back(inner.size());
  }
  if (llvm::is_contained(axes, 2))
    value = reduceRows(rewriter, loc, op.getKind(), value, options);
  if (llvm::is_contained(axes, 1))
    value = reduceChannels(rewriter, loc, op.getKind(), value);
  return value;
}

/// One group of axes after the other: {2, 3} and {3} are what the planar engine
/// has, {2} goes by kernels or maxima of rows, {1} by kernels or maxima of
/// halves.
static LogicalResult decomposeReduce(ReduceOp op, PatternRewriter &rewriter,
                                     const DecomposeOptions &options) {
  if (!isImage(op.getInput()))
    return failure();
  ReduceKind kind = op.getKind();
  bool isOfSquares =
      kind == ReduceKind::SumSquare || kind == ReduceKind::MeanSquare;
  SmallVector<int64_t> axes;
  // A dimension of 1 is reduced already.
  for (int64_t axis : op.getAxes())
    if (typeOf(op.getInput()).getDimSize(axis) != 1)
      axes.push_back(axis);
  Location loc = op.getLoc();
  // Squares of a column are summed as those of a plane.
  if (isOfSquares && axes == ArrayRef<int64_t>{2} &&
      op.getAxes() == ArrayRef<int64_t>{2, 3})
    axes.push_back(3);
  // The root of squares stays with them: before it they may be beyond f16. Of
  // one column there is a sum that changes nothing.
  bool hasRoot = options.policy.sequences.normsChannelsInPlace && isOfSquares &&
                 op.getActivation() &&
                 op.getActivation()->getKind() == ActivationKind::Rsqrt;
  if (axes.empty() && hasRoot && typeOf(op.getInput()).getDimSize(3) == 1)
    axes.push_back(3);
  if (axes.empty()) {
    Value value = op.getInput();
    if (isOfSquares)
      value = binary(rewriter, loc, ElementwiseKind::Mul, value, value);
    rewriter.replaceOp(op,
                       activated(rewriter, loc, value, op.getActivationAttr()));
    return success();
  }
  if (axes.front() == 0) {
    rewriter.replaceOp(op, reduceImages(rewriter, op, axes));
    return success();
  }
  bool isNative = hasTask(op, axes, options);
  if (!hasRoot && splitActivation(op, isNative, rewriter))
    return success();
  if (isOfSquares && !isNative) {
    rewriter.replaceOp(op, reduceSquares(rewriter, op, axes));
    return success();
  }
  if (kind == ReduceKind::Min) {
    // min x = -max -x
    AneBuilder make(rewriter, loc);
    Value negative = make.activate(op.getInput(), ActivationKind::Neg);
    Value most =
        ReduceOp::create(rewriter, loc, ReduceKind::Max, negative, axes);
    rewriter.replaceOp(op, make.activate(most, ActivationKind::Neg));
    return success();
  }
  if (!isNative) {
    rewriter.replaceOp(op, reduceInTurn(rewriter, op, axes, options));
    return success();
  }
  if (axes == ArrayRef<int64_t>{1})
    if (int64_t most = channelsOfTask(op.getInput(), options);
        typeOf(op.getInput()).getDimSize(1) > most) {
      rewriter.replaceOp(op, reduceParts(rewriter, op, most));
      return success();
    }
  if (axes == op.getAxes())
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setAxes(axes); });
  return success();
}

void mlir::ane::populateDecomposeShapePatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<decomposeReduce, padToConv, sliceColumns, resizeToNothing,
              sliceStride>(patterns, options);
}
