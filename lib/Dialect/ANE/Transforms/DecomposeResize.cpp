//===- DecomposeResize.cpp - Images of another size -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No register repeats a pixel or puts zeros between two. But every row of the
// result is a sum of rows of the source with known weights, and so is every
// column: two products with constant matrices.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"

using namespace mlir;
using namespace mlir::ane;

// Dimension `dim` (2 or 3) of an image times a matrix, which has a row for each
// element of the result.
static Value multiplyDim(OpBuilder &builder, Location loc, Value image,
                         unsigned dim, int64_t size, ArrayRef<float> matrix) {
  int64_t from = typeOf(image).getDimSize(dim);
  Value weights = arrayConstant(builder, loc, {1, 1, size, from}, matrix);
  RankedTensorType type = withDim(typeOf(image), dim, size);
  if (dim == 2)
    return MatmulOp::create(builder, loc, type, weights, image,
                            /*transpose_lhs=*/false, /*transpose_rhs=*/false,
                            ActivationAttr());
  return MatmulOp::create(builder, loc, type, image, weights,
                          /*transpose_lhs=*/false, /*transpose_rhs=*/true,
                          ActivationAttr());
}

namespace {

struct ResizeToProducts : public OpRewritePattern<ResizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ResizeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (!isImage(op.getResult()) || op.getInput().getType() == type)
      return failure();
    std::optional<SmallVector<ResizeTap>> taps[] = {getResizeTaps(op, 2),
                                                    getResizeTaps(op, 3)};
    if (!taps[0] || !taps[1])
      return failure();
    // What shrinks goes first.
    Value value = op.getInput();
    bool columnsFirst = type.getDimSize(3) < typeOf(value).getDimSize(3);
    for (unsigned dim : {columnsFirst ? 3u : 2u, columnsFirst ? 2u : 3u}) {
      int64_t from = typeOf(value).getDimSize(dim), size = type.getDimSize(dim);
      if (from == size)
        continue;
      SmallVector<float> matrix(from * size, 0.0f);
      for (auto [i, tap] : llvm::enumerate(*taps[dim - 2])) {
        matrix[i * from + tap.index] += 1 - tap.weight;
        if (tap.weight != 0)
          matrix[i * from + tap.index + 1] += tap.weight;
      }
      value = multiplyDim(rewriter, op.getLoc(), value, dim, size, matrix);
    }
    if (value.getType() != type)
      return failure();
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// A transposed convolution with a stride is one without on an image with zeros
/// between its pixels.
struct TransposedStride : public OpRewritePattern<ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()) || op.getStrides() == ArrayRef<int64_t>{1, 1})
      return failure();
    Value value = op.getInput();
    for (unsigned dim : {2u, 3u}) {
      int64_t from = typeOf(value).getDimSize(dim);
      int64_t stride = op.getStrides()[dim - 2];
      int64_t size = (from - 1) * stride + 1;
      if (size == from)
        continue;
      SmallVector<float> matrix(from * size, 0.0f);
      for (int64_t i = 0; i < from; ++i)
        matrix[i * stride * from + i] = 1;
      value = multiplyDim(rewriter, op.getLoc(), value, dim, size, matrix);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(value);
      op.setStrides({1, 1});
    });
    return success();
  }
};

/// Windows of a transposed convolution that meet without overlap are products
/// with each pixel: a 1x1 convolution whose channels are then pixels of a
/// window. Nothing is multiplied with zeros, and rows of the result are
/// computed from rows of the source.
struct TransposedWindows : public OpRewritePattern<ConvTransposeOp> {
  TransposedWindows(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    constexpr int64_t factor = 2;
    ArrayRef<int64_t> weight = typeOf(op.getWeight()).getShape();
    RankedTensorType type = typeOf(op.getResult());
    if (!isImage(op.getResult()) || op.getGroups() != 1 || op.getScale() ||
        op.getStrides() != ArrayRef<int64_t>{factor, factor} ||
        weight.drop_front(2) != ArrayRef<int64_t>{factor, factor} ||
        llvm::any_of(op.getPad(), [](int64_t pad) { return pad != 0; }) ||
        type.getDimSize(0) != 1)
      return failure();
    FailureOr<SmallVector<float>> values = readConstant(op.getWeight());
    FailureOr<SmallVector<float>> bias = SmallVector<float>();
    if (op.getBias())
      bias = readConstant(op.getBias());
    if (failed(values) || failed(bias))
      return failure();
    Location loc = op.getLoc();
    int64_t in = weight[0], out = weight[1], taps = factor * factor;
    SmallVector<float> turned(values->size()), biases;
    for (int64_t i = 0; i < in; ++i)
      for (int64_t o = 0; o < out * taps; ++o)
        turned[o * in + i] = (*values)[i * out * taps + o];
    for (float value : *bias)
      biases.append(taps, value);
    int64_t height = typeOf(op.getInput()).getDimSize(2);
    int64_t width = typeOf(op.getInput()).getDimSize(3);
    auto typed = [&](ArrayRef<int64_t> shape) {
      return RankedTensorType::get(shape, type.getElementType());
    };
    Value value = ConvOp::create(
        rewriter, loc, typed({1, out * taps, height, width}), op.getInput(),
        unroundedConstant(rewriter, loc, {out * taps, in, 1, 1}, turned),
        biases.empty() ? Value()
                       : unroundedConstant(rewriter, loc, {out * taps}, biases),
        /*scale=*/Value(), rewriter.getDenseI64ArrayAttr({1, 1}),
        rewriter.getDenseI64ArrayAttr({0, 0, 0, 0}),
        rewriter.getDenseI64ArrayAttr({1, 1}), rewriter.getI64IntegerAttr(1),
        op.getActivationAttr());
    value = InterleaveOp::create(
        rewriter, loc, typed({1, out * factor, height, width * factor}), value,
        factor);
    value = ReshapeOp::create(
        rewriter, loc, typed({out, factor, height, width * factor}), value);
    value = TransposeOp::create(rewriter, loc,
                                typed({out, height, factor, width * factor}),
                                value, ArrayRef<int64_t>{0, 2, 1, 3});
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, value);
    return success();
  }
};

} // namespace

void mlir::ane::populateDecomposeResizePatterns(RewritePatternSet &patterns,
                                                const DecomposeOptions &) {
  patterns.add<ResizeToProducts, TransposedStride, TransposedWindows>(
      patterns.getContext());
}
