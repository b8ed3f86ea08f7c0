//===- DecomposeResize.cpp - Images of another size -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No register repeats a pixel. But every row of the
// result is a sum of rows of the source with known weights, and so is every
// column: two products with constant matrices, or with parts of them where they
// are mostly zeros.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// The product with rows `taps` of a matrix, of whose columns those from `first`
// on are elements of `image`; for rows, these are its channels.
static Value multiplyDim(OpBuilder &builder, Location loc, Value image,
                         unsigned dim, ArrayRef<ResizeTap> taps,
                         int64_t first) {
  int64_t from = typeOf(image).getDimSize(dim), size = taps.size();
  SmallVector<float> matrix(from * size, 0.0f);
  for (auto [i, tap] : llvm::enumerate(taps)) {
    if (tap.index < 0)
      continue;
    float *row = &matrix[i * from + tap.index - first];
    row[0] += 1 - tap.weight;
    if (tap.weight != 0)
      row[1] += tap.weight;
  }
  RankedTensorType type = withDim(typeOf(image), dim, size);
  if (dim == 1) {
    Value product =
        convolve(builder, loc, image,
                 arrayConstant(builder, loc, {size, from, 1, 1}, matrix),
                 ConvSpec(), type);
    product.getDefiningOp()->setAttr(ANEDialect::getBandedAttrName(),
                                     builder.getUnitAttr());
    return product;
  }
  Value weights = arrayConstant(builder, loc, {1, 1, size, from}, matrix);
  return MatmulOp::create(builder, loc, type, image, weights,
                          /*transpose_lhs=*/false, /*transpose_rhs=*/true,
                          ActivationAttr());
}

// The product of a part of the rows, with what of the image they take.
static Value multiplyPart(OpBuilder &builder, Location loc, Value image,
                          unsigned dim, ArrayRef<ResizeTap> taps,
                          int64_t granule) {
  int64_t from = typeOf(image).getDimSize(dim), first = from - 1, end = 1;
  for (const ResizeTap &tap : taps)
    if (tap.index >= 0) {
      first = std::min(first, tap.index);
      end = std::max(end, tap.index + (tap.weight != 0 ? 2 : 1));
    }
  // A row starts where the engine can address it.
  first -= first % granule;
  end = std::min(from, int64_t(llvm::alignTo(end, granule)));
  Value part = sliceDim(builder, loc, image, dim, first,
                        std::max<int64_t>(end - first, 1));
  return multiplyDim(builder, loc, part, dim, taps, first);
}

// Channels or columns.
static Value resample(OpBuilder &builder, Location loc, Value image,
                      unsigned dim, ArrayRef<ResizeTap> taps,
                      const ::ane::hw::GenerationInfo &info) {
  // Nearly all of a large matrix is zeros, and each takes its bytes and time:
  // parts of it with fewer elements, but rows that are worth a task.
  constexpr int64_t maxElements = int64_t(1) << 20, elementsOfPart = 1 << 18;
  int64_t from = typeOf(image).getDimSize(dim), size = taps.size();
  if (from * size <= maxElements)
    return multiplyDim(builder, loc, image, dim, taps, /*first=*/0);
  int64_t granule = info.dmaAlign / sizeof(uint16_t);
  int64_t rows = std::sqrt(double(elementsOfPart) * size / from);
  rows = std::max<int64_t>(rows / granule, 1) * granule;
  SmallVector<Value> parts;
  for (int64_t row = 0; row < size; row += rows)
    parts.push_back(multiplyPart(builder, loc, image, dim,
                                 taps.slice(row, std::min(rows, size - row)),
                                 granule));
  return concatDim(builder, loc, parts, dim);
}

Value mlir::ane::resampleDim(OpBuilder &builder, Location loc, Value image,
                             unsigned dim, ArrayRef<ResizeTap> taps,
                             const ::ane::hw::GenerationInfo &info) {
  if (dim != 2)
    return resample(builder, loc, image, dim, taps, info);
  // Rows are channels by a view.
  Value rows = permuted(builder, loc, image, {0, 2, 1, 3});
  return permuted(builder, loc, resample(builder, loc, rows, 1, taps, info),
                  {0, 2, 1, 3});
}

Value mlir::ane::spreadDim(OpBuilder &builder, Location loc, Value image,
                           unsigned dim, int64_t stride,
                           const ::ane::hw::GenerationInfo &info) {
  int64_t size = typeOf(image).getDimSize(dim);
  if (stride == 1 || size == 1)
    return image;
  SmallVector<ResizeTap> taps((size - 1) * stride + 1, {-1, 0.0f});
  for (int64_t i = 0; i < size; ++i)
    taps[i * stride].index = i;
  return resampleDim(builder, loc, image, dim, taps, info);
}

static Value resampled(OpBuilder &builder, Location loc, Value value,
                       unsigned dim, ArrayRef<ResizeTap> taps,
                       RankedTensorType type, const DecomposeOptions &options) {
  if (typeOf(value).getDimSize(dim) == type.getDimSize(dim))
    return value;
  return resampleDim(builder, loc, value, dim, taps, options.generation);
}

static LogicalResult resizeToProducts(ResizeOp op, PatternRewriter &rewriter,
                                      const DecomposeOptions &options) {
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
  bool columnsFirst =
      type.getDimSize(3) < typeOf(value).getDimSize(3) ||
      (options.policy.planar.resizesColumnsFirst &&
       type.getDimSize(2) >= typeOf(value).getDimSize(2) &&
       2 * type.getNumElements() > int64_t(options.generation.l2SourceBytes));
  Location loc = op.getLoc();
  if (!columnsFirst) {
    for (unsigned dim : {2u, 3u})
      value =
          resampled(rewriter, loc, value, dim, *taps[dim - 2], type, options);
  } else {
    // Strips of rows begin after what needs all columns, with what else is
    // computed of them.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(value);
    value = resampled(rewriter, loc, value, 3, *taps[1], type, options);
    if (typeOf(value).getDimSize(2) != type.getDimSize(2)) {
      value = permuted(rewriter, loc, value, {0, 2, 1, 3});
      rewriter.setInsertionPoint(op);
      value = resample(rewriter, loc, value, 1, *taps[0], options.generation);
      value = permuted(rewriter, loc, value, {0, 2, 1, 3});
    }
  }
  if (value.getType() != type)
    return failure();
  rewriter.replaceOp(op, value);
  return success();
}

void mlir::ane::populateDecomposeResizePatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  addPatterns<resizeToProducts>(patterns, options);
}
