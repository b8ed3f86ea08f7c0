//===- DecomposeRuntimeConv.cpp - Convolutions whose weights are data -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine takes the weights of a convolution from the program (conv_r3), but
// multiplies matrices that are computed. A convolution is such a product: with
// the image once for each tap, moved by the place of the tap and sampled by the
// stride, as channels, and the taps of the weight in the same order. One
// product has all taps in one sum, so nothing is rounded between them.
//
//   columns   N x groups x (taps * Cin / groups) x pixels
//   weight    1 x groups x (Cout / groups) x (taps * Cin / groups)
//
// A transposed convolution is one of the image with zeros between its pixels,
// in which the taps come in the opposite order.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// A convolution without epilogue.
struct RuntimeConv {
  Value image;  ///< with its padding
  Value matrix; ///< the weight, 1 x groups x Cout / groups x taps * channels
  SmallVector<std::pair<int64_t, int64_t>> taps; ///< first row and column
  SmallVector<int64_t> strides;
  RankedTensorType type;

  Value build(OpBuilder &builder, Location loc, int64_t maxWidth) const;
};

} // namespace

/// Whether an op has a weight that is computed and nothing else to do.
template <typename OpT> static bool isPlainRuntimeConv(OpT op) {
  return isImage(op.getResult()) && isImage(op.getWeight()) &&
         !isConstant(op.getWeight()) && !op.getBias() && !op.getScale() &&
         !op.getActivationAttr();
}

static Value padded(OpBuilder &builder, Location loc, Value image,
                    ArrayRef<int64_t> pad) {
  if (llvm::all_of(pad, [](int64_t size) { return size == 0; }))
    return image;
  SmallVector<int64_t> shape(typeOf(image).getShape());
  shape[2] += pad[0] + pad[1];
  shape[3] += pad[2] + pad[3];
  return PadOp::create(builder, loc, typeOf(image).clone(shape), image,
                       ArrayRef<int64_t>{0, 0, pad[0], pad[2]},
                       ArrayRef<int64_t>{0, 0, pad[1], pad[3]},
                       llvm::APFloat(0.0f));
}

Value RuntimeConv::build(OpBuilder &builder, Location loc,
                         int64_t maxWidth) const {
  RankedTensorType from = typeOf(image);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t images = shape[0], rows = shape[2], columns = shape[3];
  int64_t groups = typeOf(matrix).getDimSize(1);
  int64_t outputs = typeOf(matrix).getDimSize(2);
  int64_t channels = from.getDimSize(1) / groups;
  int64_t sum = channels * static_cast<int64_t>(taps.size());
  SmallVector<Value> moved;
  for (auto [row, column] : taps) {
    SmallVector<int64_t> sizes{images, from.getDimSize(1), rows, columns};
    Value tap = image;
    if (ArrayRef(sizes) != from.getShape())
      tap = SliceOp::create(builder, loc, from.clone(sizes), image,
                            ArrayRef<int64_t>{0, 0, row, column}, sizes,
                            ArrayRef<int64_t>{1, 1, strides[0], strides[1]});
    moved.push_back(reshaped(builder, loc, tap,
                             {images * groups, channels, rows, columns}));
  }
  Value stacked = concatDim(builder, loc, moved, 1);
  // The pixels are a row of a matrix.
  int64_t step = std::max<int64_t>(1, maxWidth / columns);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < rows; first += step) {
    int64_t count = std::min(step, rows - first), pixels = count * columns;
    Value part =
        reshaped(builder, loc, sliceDim(builder, loc, stacked, 2, first, count),
                 {images, groups, sum, pixels});
    part = MatmulOp::create(builder, loc,
                            from.clone({images, groups, outputs, pixels}),
                            matrix, part, /*transpose_lhs=*/false,
                            /*transpose_rhs=*/false, ActivationAttr());
    parts.push_back(reshaped(builder, loc, part,
                             {images, groups * outputs, count, columns}));
  }
  return concatDim(builder, loc, parts, 2);
}

/// First rows and columns of the taps of `weight`.
static SmallVector<std::pair<int64_t, int64_t>>
tapsOf(RankedTensorType weight, ArrayRef<int64_t> dilations) {
  SmallVector<std::pair<int64_t, int64_t>> taps;
  for (int64_t row = 0; row < weight.getDimSize(2); ++row)
    for (int64_t column = 0; column < weight.getDimSize(3); ++column)
      taps.emplace_back(row * dilations[0], column * dilations[1]);
  return taps;
}

/// `weight`, whose dimensions are `shape` with all taps as one, in the order
/// groups, output channels, taps, input channels.
static Value matrixOf(OpBuilder &builder, Location loc, Value weight,
                      ArrayRef<int64_t> shape, ArrayRef<int64_t> perm) {
  Value matrix =
      permuted(builder, loc, reshaped(builder, loc, weight, shape), perm);
  ArrayRef<int64_t> sizes = typeOf(matrix).getShape();
  return reshaped(builder, loc, matrix,
                  {1, sizes[0], sizes[1], sizes[2] * sizes[3]});
}

namespace {

struct RuntimeConvToProduct : public OpRewritePattern<ConvOp> {
  RuntimeConvToProduct(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/4),
        maxWidth(options.generation.maxWidth) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPlainRuntimeConv(op))
      return failure();
    Location loc = op.getLoc();
    RankedTensorType weight = typeOf(op.getWeight());
    int64_t groups = op.getGroups(), outputs = weight.getDimSize(0) / groups;
    int64_t area = weight.getDimSize(2) * weight.getDimSize(3);
    RuntimeConv conv{padded(rewriter, loc, op.getInput(), op.getPad()),
                     matrixOf(rewriter, loc, op.getWeight(),
                              {groups, outputs, weight.getDimSize(1), area},
                              {0, 1, 3, 2}),
                     tapsOf(weight, op.getDilations()),
                     llvm::to_vector(op.getStrides()), typeOf(op.getResult())};
    rewriter.replaceOp(op, conv.build(rewriter, loc, maxWidth));
    return success();
  }

  int64_t maxWidth;
};

struct RuntimeTransposedToProduct : public OpRewritePattern<ConvTransposeOp> {
  RuntimeTransposedToProduct(MLIRContext *context,
                             const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/4), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPlainRuntimeConv(op))
      return failure();
    Location loc = op.getLoc();
    RankedTensorType weight = typeOf(op.getWeight());
    int64_t groups = op.getGroups(), inputs = weight.getDimSize(0) / groups;
    int64_t area = weight.getDimSize(2) * weight.getDimSize(3);
    Value image = op.getInput();
    SmallVector<int64_t> pad(op.getPad());
    for (unsigned i : {0u, 1u}) {
      image = spread(rewriter, loc, image, 2 + i, op.getStrides()[i]);
      int64_t reach = (weight.getDimSize(2 + i) - 1) * op.getDilations()[i];
      for (int64_t &side : MutableArrayRef(pad).slice(2 * i, 2))
        side = reach - side;
    }
    // The first tap reaches furthest.
    auto taps = tapsOf(weight, op.getDilations());
    std::reverse(taps.begin(), taps.end());
    RuntimeConv conv{padded(rewriter, loc, image, pad),
                     matrixOf(rewriter, loc, op.getWeight(),
                              {groups, inputs, weight.getDimSize(1), area},
                              {0, 2, 3, 1}),
                     taps,
                     {1, 1},
                     typeOf(op.getResult())};
    rewriter.replaceOp(op, conv.build(rewriter, loc, info.maxWidth));
    return success();
  }

private:
  /// `stride` - 1 zeros between the elements of a dimension.
  Value spread(OpBuilder &builder, Location loc, Value image, unsigned dim,
               int64_t stride) const {
    int64_t size = typeOf(image).getDimSize(dim);
    if (stride == 1 || size == 1)
      return image;
    SmallVector<ResizeTap> taps((size - 1) * stride + 1, {-1, 0.0f});
    for (int64_t i = 0; i < size; ++i)
      taps[i * stride] = {i, 0.0f};
    return resampleDim(builder, loc, image, dim, taps, info);
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateRuntimeConvPatterns(RewritePatternSet &patterns,
                                            const DecomposeOptions &options) {
  patterns.add<RuntimeConvToProduct, RuntimeTransposedToProduct>(
      patterns.getContext(), options);
}
