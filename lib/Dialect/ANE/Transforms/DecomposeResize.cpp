//===- DecomposeResize.cpp - Images of another size -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No register repeats a pixel. But every row of the
// result is a sum of rows of the source with known weights, and so is every
// column: two products with constant matrices.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"

using namespace mlir;
using namespace mlir::ane;

Value mlir::ane::multiplyDim(OpBuilder &builder, Location loc, Value image,
                             unsigned dim, int64_t size,
                             ArrayRef<float> matrix) {
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
  ResizeToProducts(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context),
        mostRowsFirst(options.policy.plansTiles
                          ? options.generation.l2SourceBytes
                          : INT64_MAX) {}

  LogicalResult matchAndRewrite(ResizeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getResult());
    if (!isImage(op.getResult()) || op.getInput().getType() == type)
      return failure();
    std::optional<SmallVector<ResizeTap>> taps[] = {getResizeTaps(op, 2),
                                                    getResizeTaps(op, 3)};
    if (!taps[0] || !taps[1])
      return failure();
    // What shrinks goes first, else columns of what leaves L2: rows become
    // channels by a view, columns move, and should before there are more.
    Value value = op.getInput();
    bool columnsFirst = type.getDimSize(3) < typeOf(value).getDimSize(3) ||
                        (type.getDimSize(2) >= typeOf(value).getDimSize(2) &&
                         2 * type.getNumElements() > mostRowsFirst);
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

  int64_t mostRowsFirst; ///< bytes
};

} // namespace

void mlir::ane::populateDecomposeResizePatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  patterns.add<ResizeToProducts>(patterns.getContext(), options);
}
