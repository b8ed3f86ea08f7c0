//===- DecomposeColumns.cpp - Convolutions of a row in strips -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an image with one row, such as sound, L2 has to hold all columns of the
// source of a convolution. Where it cannot, what lies between two convolutions
// would go through DRAM, and the second one would be cut by its input channels
// into sums. Here both are computed for strips of columns.
//
// Columns start at multiples of an alignment, windows do not. So a strip has
// an alignment more on either side, is padded like the whole image, and what
// the padding makes wrong is cut off with the columns that are too many.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Layout.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t columnsOf(Value value) { return typeOf(value).getDimSize(3); }

// Of a column, all channels.
static int64_t columnBytes(Value value) {
  return typeOf(value).getDimSize(1) * int64_t(sizeof(uint16_t));
}

static int64_t kernelWidth(ConvOp conv) {
  return typeOf(conv.getWeight()).getDimSize(3);
}

// A row, and `stride` columns of the source for one of the result.
static bool isOfRow(ConvOp conv) {
  auto isConstant = [](Value value) {
    return !value || value.getDefiningOp<ConstantOp>();
  };
  return conv && isImage(conv.getInput()) && isImage(conv.getResult()) &&
         typeOf(conv.getInput()).getDimSize(0) == 1 &&
         typeOf(conv.getInput()).getDimSize(2) == 1 &&
         typeOf(conv).getDimSize(2) == 1 && isConstant(conv.getWeight()) &&
         isConstant(conv.getBias()) && isConstant(conv.getScale()) &&
         conv.hasUnitDilations() && typeOf(conv.getWeight()).getRank() == 4 &&
         typeOf(conv.getWeight()).getDimSize(2) == 1 &&
         columnsOf(conv.getResult()) * conv.getStrides()[1] ==
             columnsOf(conv.getInput());
}

// The same of some columns.
static Value convolveColumns(OpBuilder &builder, ConvOp conv, Value input) {
  IRMapping mapping;
  mapping.map(conv.getInput(), input);
  Value part = builder.clone(*conv, mapping)->getResult(0);
  part.setType(
      withDim(typeOf(conv), 3, columnsOf(input) / conv.getStrides()[1]));
  return part;
}

namespace {

struct SplitColumns : public OpRewritePattern<ConvOp> {
  SplitColumns(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation),
        align(info.dmaAlign / sizeof(uint16_t)) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    auto first = op.getInput().getDefiningOp<ConvOp>();
    // What a padding makes wrong is less than the alignment.
    if (!isOfRow(op) || !isOfRow(first) || !first->hasOneUse() ||
        kernelWidth(first) + kernelWidth(op) >= align ||
        kernelWidth(first) + kernelWidth(op) == 2 ||
        first.getStrides()[1] * op.getStrides()[1] > 2)
      return failure();
    int64_t bytes = columnBytes(op.getInput()) * columnsOf(op.getInput());
    int64_t columns = columnsOf(op.getResult());
    std::optional<int64_t> step = columnsOfStrip(first, op);
    if (bytes <= int64_t(info.l2SourceBytes) || !step)
      return failure();
    SmallVector<Value> strips;
    for (int64_t left = 0; left < columns; left += *step)
      strips.push_back(
          stripOf(rewriter, first, op, left, std::min(*step, columns - left)));
    rewriter.replaceOp(op, concatDim(rewriter, op.getLoc(), strips, 3));
    return success();
  }

private:
  // Of the fewest strips such that L2 holds what either convolution reads and
  // writes; what lies after the sources is left for tiles.
  std::optional<int64_t> columnsOfStrip(ConvOp first, ConvOp op) const {
    int64_t stride = op.getStrides()[1];
    int64_t between = columnBytes(op.getInput()) * stride;
    int64_t source =
        columnBytes(first.getInput()) * stride * first.getStrides()[1];
    int64_t column = between + std::max(source, columnBytes(op.getResult()));
    int64_t columns = columnsOf(op.getResult());
    for (int64_t strips = 2;; ++strips) {
      int64_t step =
          ::ane::hw::alignTo(llvm::divideCeil(columns, strips), align);
      if (step < 4 * align)
        return std::nullopt;
      // Only strips that are neither first nor last have both borders.
      int64_t most = std::min(columns, step + (strips > 2 ? 2 : 1) * align);
      if (most * column <= int64_t(info.l2SourceBytes))
        return step;
    }
  }

  Value stripOf(OpBuilder &builder, ConvOp first, ConvOp op, int64_t left,
                int64_t count) const {
    Location loc = op.getLoc();
    int64_t stride = first.getStrides()[1] * op.getStrides()[1];
    int64_t begin = std::max<int64_t>(0, left - align);
    int64_t end = std::min(columnsOf(op.getResult()), left + count + align);
    Value input = sliceDim(builder, loc, first.getInput(), 3, begin * stride,
                           (end - begin) * stride);
    Value strip =
        convolveColumns(builder, op, convolveColumns(builder, first, input));
    return sliceDim(builder, loc, strip, 3, left - begin, count);
  }

  const ::ane::hw::GenerationInfo &info;
  int64_t align; ///< columns
};

} // namespace

void mlir::ane::populateDecomposeColumnsPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.tiling.cutsColumns)
    patterns.add<SplitColumns>(patterns.getContext(), options);
}
