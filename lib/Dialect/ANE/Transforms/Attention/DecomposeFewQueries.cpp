//===- DecomposeFewQueries.cpp - Attention without keys and values --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of few queries to many tokens that are not theirs, such as the last ones of a
// decoder to all of an encoder, most of the work would be to compute keys and
// values of the tokens X, for one product each. A product is associative:
//
//   scores = Q (Wk X)     = (Q Wk) X
//   result = (Wv X) P + b = Wv (X P) + b     weights P have a sum of 1
//
// so queries of all heads go through the weights of their keys first, and what
// the weights mix of X goes through those of the values. A bias of the keys
// adds the same number to all scores of a query, which softmax does not see.
//
// X, [1, features, 1, tokens], is the larger matrix and stays as it lies: the
// image that queries are coefficients for, then the coefficients of an image of
// their powers. Channels of the scores are the queries of all heads:
//
//   scores = K x X + mask        [1, queries of heads, 1, tokens]
//   most   = maximum of a row
//   powers = 2^(log2 e (scores - most) - shift)
//   mixed  = (X x powers^T) / sum of a row
//
// Where X comes in rows and is turned for the keys alone, these rows are the image
// of the second product, too, so that nobody has to keep what is turned.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "Attention.h"
#include "AttentionPlanes.h"
#include "ane/Dialect/ANE/Transforms/Norms/AttentionPowers.h"

using namespace mlir;
using namespace mlir::ane;

// [heads, from, to] of weights that make heads of `channels`.
static Value transposedOfHeads(OpBuilder &builder, Location loc, ConvOp conv,
                               ArrayRef<float> weight, int64_t heads) {
  int64_t in = typeOf(conv.getInput()).getDimSize(1);
  int64_t depth = typeOf(conv).getDimSize(1) / heads;
  SmallVector<float> turned(weight.size());
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t row = 0; row < depth; ++row)
      for (int64_t column = 0; column < in; ++column)
        turned[(head * in + column) * depth + row] =
            weight[(head * depth + row) * in + column];
  return unroundedConstant(builder, loc, {heads * in, depth, 1, 1}, turned);
}

namespace {

struct AttentionOfFewQueries : public OpRewritePattern<AttentionOp> {
  AttentionOfFewQueries(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/5), info(options.generation) {}

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Attention> from = getAttention(op, rewriter);
    if (failed(from))
      return failure();
    if (!from->terms.empty() || from->sink || from->images != 1 ||
        from->isShared || from->cap || !from->keys.isTransposed ||
        from->values.isTransposed ||
        (from->mask && typeOf(from->mask).getNumElements() != from->numKeys))
      return rewriter.notifyMatchFailure(op, "is not of tokens in columns");
    ConvOp keys = convOf(from->keys), values = convOf(from->values);
    if (!keys || !values || !isOfTokens(keys) || !isOfTokens(values) ||
        !isLess(*from, keys, values))
      return rewriter.notifyMatchFailure(op, "keys and values are less work");
    FailureOr<SmallVector<float>> weight = readConstant(keys.getWeight());
    if (failed(weight))
      return failure();
    Operation *before = op->getPrevNode();
    Value result = build(rewriter, *from, keys, *weight, values);
    markColumns(before, op);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static bool isOfTokens(ConvOp conv) {
    return conv.isByPixel() && !conv.getActivation();
  }

  static int64_t featuresOf(ConvOp conv) {
    return typeOf(conv.getInput()).getDimSize(1);
  }

  // Half as many products as the keys and values take. Few tokens are not worth
  // the passes for small matrices.
  bool isLess(const Attention &from, ConvOp keys, ConvOp values) const {
    int64_t features = featuresOf(keys) + featuresOf(values);
    return 2 * from.numQueries * features <=
               from.depth * featuresOf(keys) +
                   from.width * featuresOf(values) &&
           from.numKeys >= 4 * from.heads * from.numQueries &&
           std::max(from.numKeys, features) <= int64_t(info.maxWidth);
  }

  // What is summed over in rows.
  Planes coefficients(OpBuilder &builder, Location loc, Value rows) const {
    ArrayRef<int64_t> shape = typeOf(rows).getShape();
    int64_t lanes = lanesFor(shape[1], shape[3], info);
    if (lanes == 1)
      return {rows, lanes};
    RankedTensorType type = withDim(withDim(typeOf(rows), 1, shape[1] / lanes),
                                    3, shape[3] * lanes);
    return {InterleaveOp::create(builder, loc, type, rows, lanes), lanes};
  }

  // Queries through the weights of keys: [1, queries of heads, 1, features].
  static Value queriesOf(OpBuilder &builder, Location loc,
                         const Attention &from, ConvOp keys,
                         ArrayRef<float> weight) {
    int64_t features = featuresOf(keys);
    Value queries = from.queries.value;
    if (from.queries.isTransposed)
      queries = permuted(builder, loc, queries, {0, 1, 3, 2});
    queries = reshaped(builder, loc, queries,
                       {1, from.heads * from.depth, 1, from.numQueries});
    ConvSpec spec;
    spec.groups = from.heads;
    queries =
        convolve(builder, loc, queries,
                 transposedOfHeads(builder, loc, keys, weight, from.heads),
                 spec, withDim(typeOf(queries), 1, from.heads * features));
    queries = reshaped(builder, loc, queries,
                       {1, from.heads, features, from.numQueries});
    queries = permuted(builder, loc, queries, {0, 1, 3, 2});
    return reshaped(builder, loc, queries,
                    {1, from.heads * from.numQueries, 1, features});
  }

  // [1, heads, features, queries].
  Value mixedOf(OpBuilder &builder, const Attention &from, Value scores,
                Value tokens, bool comeInRows) const {
    Location loc = from.getLoc();
    MLIRContext *context = builder.getContext();
    RankedTensorType ofRows = withDim(typeOf(scores), 3, 1);
    Value powers = powersOf(builder, loc, scores, /*dim=*/3);
    Value share = ReduceOp::create(
        builder, loc, ofRows, ReduceKind::Sum, powers, ArrayRef<int64_t>{3},
        ActivationAttr::get(context, ActivationKind::Reciprocal, 0));
    int64_t features = typeOf(tokens).getDimSize(1);
    auto exchanged = [&](Value value) {
      return permuted(builder, loc, value, {0, 3, 2, 1});
    };
    if (comeInRows) {
      auto [planes, lanes] = coefficients(builder, loc, powers);
      Value mixed =
          multiplyWith(builder, loc, exchanged(tokens), planes, lanes);
      mixed = binary(builder, loc, ElementwiseKind::Mul, mixed, share);
      mixed = reshaped(builder, loc, mixed,
                       {1, from.heads, from.numQueries, features});
      return permuted(builder, loc, mixed, {0, 1, 3, 2});
    }
    Value mixed =
        multiplyWith(builder, loc, exchanged(powers), tokens, /*lanes=*/1);
    mixed = binary(builder, loc, ElementwiseKind::Mul, mixed, exchanged(share));
    mixed = reshaped(builder, loc, mixed,
                     {1, features, from.heads, from.numQueries});
    return permuted(builder, loc, mixed, {0, 2, 1, 3});
  }

  Value build(OpBuilder &builder, const Attention &from, ConvOp keys,
              ArrayRef<float> weight, ConvOp values) const {
    Location loc = from.getLoc();
    Value tokens = values.getInput();
    bool comeInRows = dataTransposeOf(tokens) &&
                      llvm::all_of(tokens.getUsers(), [&](Operation *user) {
                        return user == keys || user == values;
                      });
    Value queries = queriesOf(builder, loc, from, keys, weight);
    auto [planes, lanes] = coefficients(builder, loc, queries);
    Value scores = multiplyWith(builder, loc, keys.getInput(), planes, lanes);
    if (from.mask)
      scores = binary(
          builder, loc, ElementwiseKind::Add, scores,
          constantReshaped(builder, loc, from.mask, {1, 1, 1, from.numKeys}));
    Value mixed = mixedOf(builder, from, scores, tokens, comeInRows);
    mixed = reshaped(builder, loc, mixed,
                     {1, from.heads * featuresOf(values), 1, from.numQueries});
    Value weights = values.getWeight();
    ConvSpec spec;
    spec.groups = from.heads;
    Value result = convolve(builder, loc, mixed, weights, spec,
                            withDim(typeOf(mixed), 1, from.heads * from.width));
    if (values.getBias())
      result.getDefiningOp<ConvOp>().getBiasMutable().assign(values.getBias());
    result = reshaped(builder, loc, result,
                      {1, from.heads, from.width, from.numQueries});
    return from.isResultTransposed
               ? permuted(builder, loc, result, {0, 1, 3, 2})
               : result;
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateFewQueriesPatterns(RewritePatternSet &patterns,
                                           const DecomposeOptions &options) {
  if (options.policy.sequences.keysAreChannels)
    patterns.add<AttentionOfFewQueries>(patterns.getContext(), options);
}
