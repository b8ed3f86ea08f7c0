//===- DecomposeTransposed.cpp - Transposed convolutions ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without a stride the gradient of a correlation is a correlation with the
// kernel turned. With one, the results fall into as many phases as the stride
// has, and those of a phase come from the same taps: result y is the sum over k
// of input i times tap k where i stride + k dilation = y + pad, so tap k is of
// phase (k dilation - pad) mod stride. Each phase becomes channels of a
// convolution, which are then columns and rows: no zero between two pixels is
// ever made or multiplied, and rows of the result come from rows of the source.
//
// DecomposePhases does better with one group: a convolution for each phase
// has no taps that only others need. Where columns cannot be stored so
// (interleave_r1), there are zeros between the pixels, from products with
// constant matrices.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/Padding.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Along one dimension.
struct Phases {
  int64_t stride, dilation, pad, kernel, size, results;
  int64_t low = 0, high = 0; ///< inputs that a result needs, from its own

  Phases(ConvTransposeOp op, unsigned i)
      : stride(op.getStrides()[i]), dilation(op.getDilations()[i]),
        pad(op.getPad()[size_t(2) * i]),
        kernel(typeOf(op.getWeight()).getDimSize(2 + i)),
        size(typeOf(op.getInput()).getDimSize(2 + i)),
        results(typeOf(op.getResult()).getDimSize(2 + i)) {
    low = kernel ? offset(kernel - 1) : 0;
    high = offset(0);
  }

  /// Which results tap `k` is part of.
  int64_t phase(int64_t k) const {
    int64_t rest = (k * dilation - pad) % stride;
    return rest < 0 ? rest + stride : rest;
  }
  /// Of the input that is multiplied with it.
  int64_t offset(int64_t k) const {
    return (phase(k) + pad - k * dilation) / stride;
  }
  int64_t taps() const { return high - low + 1; }
  /// Results of each phase.
  int64_t positions() const { return llvm::divideCeil(results, stride); }
};

} // namespace

// Cin x (Cout / groups) x Kh x Kw as (Cout rows columns) x (Cin / groups).
static Value weightOf(OpBuilder &builder, ConvTransposeOp op,
                      ArrayRef<float> values, const Phases &rows,
                      const Phases &columns) {
  ArrayRef<int64_t> from = typeOf(op.getWeight()).getShape();
  int64_t groups = op.getGroups(), perGroup = from[0] / groups;
  SmallVector<int64_t> to{from[1] * groups * rows.stride * columns.stride,
                          perGroup, rows.taps(), columns.taps()};
  SmallVector<float> result(ShapedType::getNumElements(to), 0.0f);
  for (int64_t i = 0; i != from[0]; ++i)
    for (int64_t o = 0; o != from[1]; ++o)
      for (int64_t y = 0; y != from[2]; ++y)
        for (int64_t x = 0; x != from[3]; ++x) {
          int64_t channel = i / perGroup * from[1] + o;
          channel = (channel * rows.stride + rows.phase(y)) * columns.stride +
                    columns.phase(x);
          int64_t row = (channel * perGroup + i % perGroup) * rows.taps() +
                        rows.offset(y) - rows.low;
          result[row * columns.taps() + columns.offset(x) - columns.low] =
              values[((i * from[1] + o) * from[2] + y) * from[3] + x];
        }
  return unroundedConstant(builder, op.getLoc(), to, result);
}

// The inputs that the results need: those outside the image as padding of the
// convolution where it has that much, and none that it does not need.
static Value bring(OpBuilder &builder, Location loc, Value image,
                   ArrayRef<Phases> dims, SmallVectorImpl<int64_t> &pad) {
  SmallVector<int64_t> taps;
  for (auto [i, phases] : llvm::enumerate(dims)) {
    int64_t first = phases.low, last = phases.positions() - 1 + phases.high;
    int64_t begin = std::max<int64_t>(0, first);
    int64_t end = std::min(phases.size - 1, last);
    image = sliceDim(builder, loc, image, 2 + i, begin, end - begin + 1);
    pad.append({begin - first, last - end});
    taps.push_back(phases.taps());
  }
  return padBeyondWindow(builder, loc, image, taps, pad);
}

static Value toImage(OpBuilder &builder, Location loc, Value phases,
                     int64_t rows, int64_t columns) {
  RankedTensorType type = typeOf(phases);
  int64_t out = type.getDimSize(1) / (rows * columns);
  int64_t height = type.getDimSize(2), width = type.getDimSize(3) * columns;
  if (columns != 1)
    phases = InterleaveOp::create(builder, loc,
                                  type.clone({1, out * rows, height, width}),
                                  phases, columns);
  if (rows == 1)
    return phases;
  phases = reshaped(builder, loc, phases, {out, rows, height, width});
  phases = permuted(builder, loc, phases, {0, 2, 1, 3});
  return reshaped(builder, loc, phases, {1, out, height * rows, width});
}

/// Its channels are those of all phases: rows, then columns.
static LogicalResult transposedToPhases(ConvTransposeOp op,
                                        PatternRewriter &rewriter) {
  if (!isImage(op.getResult()) || op.hasUnitStrides() ||
      (op.getStrides()[1] != 1 && !isInterleaveFactor(op.getStrides()[1])))
    return failure();
  FailureOr<SmallVector<float>> weight = readConstant(op.getWeight());
  FailureOr<SmallVector<float>> bias = SmallVector<float>(), scale = bias;
  if (op.getBias())
    bias = readConstant(op.getBias());
  if (op.getScale())
    scale = readConstant(op.getScale());
  if (failed(weight) || failed(bias) || failed(scale))
    return failure();
  Location loc = op.getLoc();
  Phases rows(op, 0), columns(op, 1);
  int64_t area = rows.stride * columns.stride;
  auto ofPhases = [&](ArrayRef<float> values) -> Value {
    if (values.empty())
      return {};
    SmallVector<float> repeated;
    for (float value : values)
      repeated.append(area, value);
    return unroundedConstant(rewriter, loc, {int64_t(repeated.size())},
                             repeated);
  };
  Value taps = weightOf(rewriter, op, *weight, rows, columns);
  Value factors = ofPhases(*scale), summands = ofPhases(*bias);
  SmallVector<Value> images;
  for (int64_t n = 0, count = typeOf(op.getInput()).getDimSize(0); n < count;
       ++n) {
    Value image = sliceDim(rewriter, loc, op.getInput(), 0, n, 1);
    SmallVector<int64_t> pad;
    image = bring(rewriter, loc, image, {rows, columns}, pad);
    RankedTensorType type =
        typeOf(image).clone({1, typeOf(op.getResult()).getDimSize(1) * area,
                             rows.positions(), columns.positions()});
    Value phases =
        ConvOp::create(rewriter, loc, type, image, taps, summands, factors,
                       ArrayRef<int64_t>{1, 1}, pad, ArrayRef<int64_t>{1, 1},
                       op.getGroups(), op.getActivationAttr());
    phases = toImage(rewriter, loc, phases, rows.stride, columns.stride);
    phases = sliceDim(rewriter, loc, phases, 2, 0, rows.results);
    images.push_back(sliceDim(rewriter, loc, phases, 3, 0, columns.results));
  }
  rewriter.replaceOp(op, concatDim(rewriter, loc, images, 0));
  return success();
}

/// Zeros between the pixels.
static LogicalResult transposedStride(ConvTransposeOp op,
                                      PatternRewriter &rewriter,
                                      const DecomposeOptions &options) {
  if (!isImage(op.getResult()) || op.hasUnitStrides())
    return failure();
  Value value = op.getInput();
  for (unsigned dim : {2u, 3u})
    value = spreadDim(rewriter, op.getLoc(), value, dim,
                      op.getStrides()[dim - 2], options.generation);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(value);
    op.setStrides({1, 1});
  });
  return success();
}

/// Stride 1: channels exchanged, the kernel turned by 180 degrees, and K - 1 -
/// pad around the image.
static LogicalResult transposedToConv(ConvTransposeOp op,
                                      PatternRewriter &rewriter) {
  if (!op.hasUnitStrides() || !isImage(op.getResult()))
    return failure();
  FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
  if (failed(values))
    return failure();
  ArrayRef<int64_t> from = typeOf(op.getWeight()).getShape();
  int64_t groups = op.getGroups(), perGroup = from[0] / groups;
  SmallVector<int64_t> to{from[1] * groups, perGroup, from[2], from[3]};
  int64_t taps = from[2] * from[3];
  SmallVector<float> turned(values->size());
  for (int64_t i = 0; i != from[0]; ++i)
    for (int64_t o = 0; o != from[1]; ++o)
      for (int64_t tap = 0; tap != taps; ++tap) {
        int64_t channel = i / perGroup * from[1] + o;
        turned[(channel * perGroup + i % perGroup + 1) * taps - 1 - tap] =
            (*values)[(i * from[1] + o) * taps + tap];
      }
  // The verifier has padding smaller than the window.
  SmallVector<int64_t> pad;
  for (auto [side, amount] : llvm::enumerate(op.getPad()))
    pad.push_back((from[2 + side / 2] - 1) * op.getDilations()[side / 2] -
                  amount);
  rewriter.replaceOpWithNewOp<ConvOp>(
      op, op.getType(), op.getInput(),
      unroundedConstant(rewriter, op.getLoc(), to, turned), op.getBias(),
      op.getScale(), op.getStridesAttr(), rewriter.getDenseI64ArrayAttr(pad),
      op.getDilationsAttr(), op.getGroupsAttr(), op.getActivationAttr());
  return success();
}

void mlir::ane::populateDecomposeTransposedPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<transposedStride, transposedToConv>(patterns, options);
  if (options.policy.conv.splitsPhases)
    addPatterns<transposedToPhases>(patterns, options, /*benefit=*/2);
}
