//===- DecomposeAttention.cpp - Attention with keys as channels -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of two computed matrices one becomes coefficients, which the engines read
// from DRAM. In softmax(Q K) V the scores and weights are the large ones, so
// keys and values are the coefficients, each written once in the form that the
// engines take, and everything between them is an image: queries are columns,
// heads are rows, and what is summed over (the inner dimension, then the keys)
// is channels.
//
//   scores  = K x Q                      channels are keys
//   most    = maximum of channels        a pass of the NEs
//   powers  = 2^(log2 e (scores - most) - shift)
//   share   = 1 / (ones x powers)        a convolution with one output channel
//   result  = (V x powers) share         on D channels, not on all keys
//
// The shift keeps sums of many powers within f16; it cancels.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "Legalize.h"
#include "ane/HW/Layout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// [N, H, rows, columns]; `isTransposed` when what is summed over is not where
/// an image has its channels.
struct Matrices {
  Value value;
  bool isTransposed = false;
  ArrayRef<int64_t> shape() const { return typeOf(value).getShape(); }
  int64_t count() const { return shape()[0] * shape()[1]; }
};

/// softmax(Q K) V.
struct Attention {
  MatmulOp product; ///< the second one
  Matrices queries; ///< [.., depth, queries]
  Matrices keys;    ///< [.., keys, depth]
  Matrices values;  ///< [.., width, keys]
  bool isResultTransposed = false;
  int64_t images, heads, numQueries, numKeys, depth, width;
  /// Keys and values of all heads of an image are the same.
  bool isShared = false;
};

} // namespace

static int64_t rowsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 3 : 2];
}
static int64_t columnsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 2 : 3];
}

static std::optional<Attention> match(MatmulOp product) {
  Attention found;
  found.product = product;
  bool isLeft = bool(product.getLhs().getDefiningOp<SoftmaxOp>());
  Value weights = isLeft ? product.getLhs() : product.getRhs();
  auto softmax = weights.getDefiningOp<SoftmaxOp>();
  if (!softmax || !softmax->hasOneUse() || product.getActivation())
    return std::nullopt;
  bool areKeysLast =
      isLeft ? !product.getTransposeLhs() : product.getTransposeRhs();
  auto scores = softmax.getInput().getDefiningOp<MatmulOp>();
  if (int64_t(softmax.getAxis()) != (areKeysLast ? 3 : 2) || !scores ||
      !scores->hasOneUse() || scores.getActivation())
    return std::nullopt;
  // Rows of the left matrix and columns of the right one are tokens.
  bool leftInRows = !scores.getTransposeLhs();
  bool rightInRows = scores.getTransposeRhs();
  found.queries = {areKeysLast ? scores.getLhs() : scores.getRhs(),
                   areKeysLast ? leftInRows : rightInRows};
  found.keys = {areKeysLast ? scores.getRhs() : scores.getLhs(),
                !(areKeysLast ? rightInRows : leftInRows)};
  found.values = {isLeft ? product.getRhs() : product.getLhs(),
                  isLeft ? !product.getTransposeRhs()
                         : product.getTransposeLhs()};
  found.isResultTransposed = isLeft;
  ArrayRef<int64_t> shape = typeOf(product).getShape();
  found.images = shape[0];
  found.heads = shape[1];
  found.numQueries = columnsOf(found.queries);
  found.numKeys = rowsOf(found.keys);
  found.depth = rowsOf(found.queries);
  found.width = rowsOf(found.values);
  for (const Matrices *matrices : {&found.queries, &found.keys, &found.values})
    if (matrices->value.getDefiningOp<ConstantOp>() ||
        matrices->shape()[0] != found.images)
      return std::nullopt;
  found.isShared = found.heads > 1 && found.keys.shape()[1] == 1;
  int64_t others = found.isShared ? 1 : found.heads;
  if (found.queries.shape()[1] != found.heads ||
      found.keys.shape()[1] != others || found.values.shape()[1] != others)
    return std::nullopt;
  return found;
}

// As many lanes as the tile DMA stores side by side, the kernel buffer holds
// and there are rows for.
static int64_t lanesFor(int64_t rows, int64_t depth,
                        const ::ane::hw::GenerationInfo &info) {
  int64_t lanes = 8;
  while (lanes > 1 && (rows % lanes || rows < lanes * int64_t(info.neCount) ||
                       lanes * depth > int64_t(info.maxWidth)))
    lanes /= 2;
  return lanes;
}

namespace {

struct AttentionByKeys : public OpRewritePattern<MatmulOp> {
  AttentionByKeys(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/4), info(options.generation) {}

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (!isImage(op.getResult()))
      return failure();
    std::optional<Attention> attention = match(op);
    if (!attention ||
        std::max(attention->numKeys, attention->depth) > int64_t(info.maxWidth))
      return failure();
    rewriter.replaceOp(op, build(rewriter, *attention));
    return success();
  }

private:
  // Channels are what is summed over, rows are heads.
  static Value image(OpBuilder &builder, Location loc, const Matrices &from) {
    ArrayRef<int64_t> shape = from.shape();
    Value value = reshaped(builder, loc, from.value,
                           {1, from.count(), shape[2], shape[3]});
    return permuted(builder, loc, value,
                    from.isTransposed ? ArrayRef<int64_t>{0, 3, 1, 2}
                                      : ArrayRef<int64_t>{0, 2, 1, 3});
  }

  // Rows of heads as planes of `lanes` channels.
  static Value planes(OpBuilder &builder, Location loc, const Matrices &from,
                      int64_t lanes) {
    Value rows = image(builder, loc, from);
    if (lanes == 1)
      return rows;
    RankedTensorType type = typeOf(rows);
    type = withDim(withDim(type, 1, type.getDimSize(1) / lanes), 3,
                   type.getDimSize(3) * lanes);
    return InterleaveOp::create(builder, loc, type, rows, lanes);
  }

  static Value multiply(OpBuilder &builder, Location loc, Value input,
                        Value coefficients, int64_t lanes) {
    RankedTensorType type = typeOf(input);
    type = withDim(type, 1, typeOf(coefficients).getDimSize(1) * lanes);
    return RuntimeConvOp::create(builder, loc, type, input, coefficients,
                                 lanes);
  }

  Value build(OpBuilder &builder, const Attention &from) const {
    Location loc = MatmulOp(from.product).getLoc();
    int64_t keyLanes = lanesFor(from.numKeys, from.depth, info);
    int64_t valueLanes = lanesFor(from.width, from.numKeys, info);
    Value keys = planes(builder, loc, from.keys, keyLanes);
    Value values = planes(builder, loc, from.values, valueLanes);
    Value queries = image(builder, loc, from.queries);
    // Heads whose scores take a part of L2 together. At least two parts, so
    // that the result has its rows where the caller wants them.
    int64_t heads = from.images * from.heads;
    int64_t bytes =
        from.numKeys * ::ane::hw::alignTo(2 * from.numQueries, info.l2Align);
    int64_t step = std::clamp<int64_t>(info.l2SourceBytes / 4 / bytes, 1,
                                       std::max<int64_t>(1, heads / 2));
    if (from.isShared)
      step = std::min(step, from.heads);
    SmallVector<Value> parts;
    for (int64_t first = 0, count; first < heads; first += count) {
      count = std::min(step, heads - first);
      if (from.isShared)
        count = std::min(count, from.heads - first % from.heads);
      int64_t group = from.isShared ? first / from.heads : first;
      int64_t groups = from.isShared ? 1 : count;
      Value part = attendStrips(
          builder, loc, sliceDim(builder, loc, queries, 2, first, count),
          {sliceDim(builder, loc, keys, 2, group, groups), keyLanes},
          {sliceDim(builder, loc, values, 2, group, groups), valueLanes});
      part = permuted(builder, loc, part, {0, 2, 1, 3});
      parts.push_back(reshaped(builder, loc, part,
                               {1, count * from.width, 1, from.numQueries}));
    }
    Value result =
        reshaped(builder, loc, concatDim(builder, loc, parts, 1),
                 {from.images, from.heads, from.width, from.numQueries});
    if (from.isResultTransposed)
      result = permuted(builder, loc, result, {0, 1, 3, 2});
    return result;
  }

  using Planes = std::pair<Value, int64_t>;

  // Strips of queries so that L2 holds the scores and what becomes of them.
  Value attendStrips(OpBuilder &builder, Location loc, Value queries,
                     Planes keys, Planes values) const {
    RankedTensorType type = typeOf(queries);
    int64_t numKeys = typeOf(keys.first).getDimSize(1) * keys.second;
    int64_t align = info.dmaAlign / sizeof(uint16_t);
    int64_t width = type.getDimSize(3);
    int64_t room = info.l2SourceBytes / 20 * 9 / (2 * numKeys);
    int64_t most = std::max(align, room / type.getDimSize(2) / align * align);
    int64_t step = ::ane::hw::alignTo(
        llvm::divideCeil(width, llvm::divideCeil(width, most)), align);
    SmallVector<Value> strips;
    for (int64_t left = 0; left < width; left += step)
      strips.push_back(attend(builder, loc,
                              sliceDim(builder, loc, queries, 3, left,
                                       std::min(step, width - left)),
                              keys, values));
    return concatDim(builder, loc, strips, 3);
  }

  static Value attend(OpBuilder &builder, Location loc, Value queries,
                      Planes keys, Planes values) {
    MLIRContext *context = builder.getContext();
    Value scores = multiply(builder, loc, queries, keys.first, keys.second);
    int64_t numKeys = typeOf(scores).getDimSize(1);
    RankedTensorType ofColumns = withDim(typeOf(scores), 1, 1);
    Value most = ReduceOp::create(builder, loc, ofColumns, ReduceKind::Max,
                                  scores, ArrayRef<int64_t>{1});
    constexpr float log2e = 1.44269504f;
    int64_t shift = llvm::Log2_64(numKeys) / 2;
    Value below = binary(builder, loc, ElementwiseKind::Sub, scores, most);
    auto difference = below.getDefiningOp<ElementwiseOp>();
    difference.setScaleAttr(builder.getF32FloatAttr(log2e));
    difference.setBiasAttr(builder.getF32FloatAttr(-shift));
    Value powers = ActivationOp::create(
        builder, loc, below.getType(), below,
        ActivationAttr::get(context, ActivationKind::Exp2, 0));
    Value share = convolve(builder, loc, powers,
                           splatConstant(builder, loc, {1, numKeys, 1, 1}, 1),
                           ConvSpec(), ofColumns);
    share.getDefiningOp<ConvOp>().setActivationAttr(
        ActivationAttr::get(context, ActivationKind::Reciprocal, 0));
    Value mixed = multiply(builder, loc, powers, values.first, values.second);
    return binary(builder, loc, ElementwiseKind::Mul, mixed, share);
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateDecomposeAttentionPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.sequences.keysAreChannels)
    patterns.add<AttentionByKeys>(patterns.getContext(), options);
}
