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

#include "llvm/ADT/STLExtras.h"

#include <type_traits>

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
    Value tap = sliced(builder, loc, image, {0, 0, row, column}, sizes,
                       {1, 1, strides[0], strides[1]});
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

/// The weight with all taps as one dimension, in the order groups, output
/// channels, taps, input channels. Before the taps it has groups and output
/// channels, then the input channels of a group; one that is transposed has the
/// channels the other way round.
static Value matrixOf(OpBuilder &builder, Location loc, Value weight,
                      int64_t groups, bool isTransposed) {
  ArrayRef<int64_t> sizes = typeOf(weight).getShape();
  Value parts =
      reshaped(builder, loc, weight,
               {groups, sizes[0] / groups, sizes[1], sizes[2] * sizes[3]});
  Value matrix = permuted(builder, loc, parts,
                          isTransposed ? ArrayRef<int64_t>{0, 2, 3, 1}
                                       : ArrayRef<int64_t>{0, 1, 3, 2});
  ArrayRef<int64_t> to = typeOf(matrix).getShape();
  return reshaped(builder, loc, matrix, {1, to[0], to[1], to[2] * to[3]});
}

/// Of `op`, a ConvOp or a ConvTransposeOp.
template <typename OpT>
static RuntimeConv describe(OpBuilder &builder, OpT op,
                            const ::ane::hw::GenerationInfo &info) {
  constexpr bool isTransposed = std::is_same_v<OpT, ConvTransposeOp>;
  Location loc = op.getLoc();
  ArrayRef<int64_t> dilations = op.getDilations();
  RankedTensorType weight = typeOf(op.getWeight());
  Value image = op.getInput();
  SmallVector<int64_t> pad(op.getPad()), strides(op.getStrides());
  SmallVector<std::pair<int64_t, int64_t>> taps;
  for (int64_t row = 0; row < weight.getDimSize(2); ++row)
    for (int64_t column = 0; column < weight.getDimSize(3); ++column)
      taps.emplace_back(row * dilations[0], column * dilations[1]);
  if (isTransposed) {
    for (unsigned i : {0u, 1u}) {
      image = spreadDim(builder, loc, image, 2 + i, strides[i], info);
      int64_t reach = (weight.getDimSize(2 + i) - 1) * dilations[i];
      for (int64_t &side : MutableArrayRef(pad).slice(size_t(2) * i, 2))
        side = reach - side;
    }
    strides.assign(2, 1);
    std::reverse(taps.begin(), taps.end()); // the first reaches furthest
  }
  return {padded(builder, loc, image, {0, 0, pad[0], pad[2]},
                 {0, 0, pad[1], pad[3]}),
          matrixOf(builder, loc, op.getWeight(), op.getGroups(), isTransposed),
          std::move(taps), std::move(strides), typeOf(op.getResult())};
}

template <typename OpT>
static LogicalResult runtimeConvToProduct(OpT op, PatternRewriter &rewriter,
                                          const DecomposeOptions &options) {
  if (!isImage(op.getResult()) || !isImage(op.getWeight()))
    return rewriter.notifyMatchFailure(op, "is no convolution of images");
  if (isConstant(op.getWeight()))
    return rewriter.notifyMatchFailure(op, "has a constant weight");
  if (op.getBias() || op.getScale() || op.getActivationAttr())
    return rewriter.notifyMatchFailure(op, "has an epilogue");
  rewriter.replaceOp(
      op, describe(rewriter, op, options.generation)
              .build(rewriter, op.getLoc(), options.generation.maxWidth));
  return success();
}

void mlir::ane::populateRuntimeConvPatterns(RewritePatternSet &patterns,
                                            const DecomposeOptions &options) {
  addPatterns<runtimeConvToProduct<ConvOp>,
              runtimeConvToProduct<ConvTransposeOp>>(patterns, options,
                                                     /*benefit=*/4);
}
