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
//   scores  = cap(K x Q) + mask          channels are keys; some have no cap
//   most    = maximum of channels        a pass of the NEs
//   powers  = 2^(log2 e (scores - most) - shift)
//   share   = 1 / (ones x powers)        a convolution with one output channel
//   result  = (V x powers) share         on D channels, not on all keys
//
// A sink is one more score and power, but has no value to be mixed.
//
// A mask that arrives with the data and has one number for each key is another
// term of the products: a column of the keys, and a row of ones of the queries.
//
// What is added for each row and each column of pixels that are keys, as with
// relative positions in two directions, is such terms, too: rows of the queries
// beside columns of the keys with a one for the pixels of the row or column.
//
// Of many images, such as windows, whose heads are channels of one, each image
// is a row: parts of the channels are heads, and only keys are transposed.
//
// Where a constant mask leaves some queries only a part of the keys, there are
// strips of queries, each with its keys (AttentionMask.h).
//
// Where L2 does not hold the scores of all queries, blocks of keys are taken,
// for all queries or for long strips of them, twice: once for the maximum and
// once for the powers, whose products with a block of values are added. The
// second time the product gives scores - most itself, which the maximum as
// another row of the queries does beside a column of -1 of the keys, and before
// the scores are rounded.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Attention/Passes.h"
#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ExpandAttention.h"

#include "Attention.h"
#include "AttentionMask.h"
#include "AttentionPlanes.h"
#include "AttentionSizes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Norms/AttentionPowers.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEDECOMPOSEATTENTION
#include "ane/Dialect/ANE/Transforms/Attention/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct AttentionByKeys : public OpRewritePattern<AttentionOp> {
  AttentionByKeys(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context, /*benefit=*/4), info(options.generation),
        sizes(options.generation) {}

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Attention> attention = getAttention(op, rewriter);
    if (failed(attention))
      return failure();
    if (std::max(attention->numKeys, attention->depth) > int64_t(info.maxWidth))
      return rewriter.notifyMatchFailure(op,
                                         "its keys are wider than a tensor");
    if (!attention->terms.empty() &&
        !sizes.isAligned(*attention, attention->numKeys,
                         countTerms(*attention)))
      return rewriter.notifyMatchFailure(op,
                                         "its terms start where no row can");
    Operation *before = op->getPrevNode();
    Value result = build(rewriter, *attention);
    markColumns(before, op);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value partOf(OpBuilder &builder, Location loc, Value mask,
                      unsigned dim, int64_t first, int64_t count) {
    if (!mask || typeOf(mask).getDimSize(dim) == 1)
      return mask;
    return sliceDim(builder, loc, mask, dim, first, count);
  }

  static int64_t countTerms(const Attention &from) {
    int64_t count = 0;
    for (const KeyTerm &term : from.terms)
      count += term.count;
    return count;
  }

  Value build(OpBuilder &builder, const Attention &from) const {
    Location loc = from.getLoc();
    if (sizes.needsBlocks(from))
      return buildInBlocks(builder, from);
    if (areHeadsChannels(from))
      return buildByHead(builder, from);
    SmallVector<Value> parts;
    for (Value part : attendRows(builder, from, /*areWindows=*/false)) {
      int64_t count = typeOf(part).getDimSize(2);
      part = permuted(builder, loc, part, {0, 2, 1, 3});
      parts.push_back(reshaped(builder, loc, part,
                               {1, count * from.width, 1, from.numQueries}));
    }
    return joinHeads(builder, from, parts);
  }

  // Images are rows, heads are channels: as the layers in front and after have
  // them.
  Value buildByHead(OpBuilder &builder, const Attention &from) const {
    Location loc = from.getLoc();
    SmallVector<Value> heads;
    for (int64_t head = 0; head < from.heads; ++head)
      heads.push_back(
          concatDim(builder, loc,
                    attendRows(builder, attentionOfHead(builder, from, head),
                               /*areWindows=*/true),
                    2));
    Value result =
        reshaped(builder, loc, concatDim(builder, loc, heads, 1),
                 {from.heads, from.width, from.images, from.numQueries});
    return permuted(builder, loc, result,
                    from.isResultTransposed ? ArrayRef<int64_t>{2, 0, 3, 1}
                                            : ArrayRef<int64_t>{2, 0, 1, 3});
  }

  // A mask that arrives with the data is often infinite. Where it is small
  // beside the scores, none of them is with what is as good as that.
  static Attention withBoundedMask(OpBuilder &builder, Location loc,
                                   Attention from) {
    constexpr int64_t isSmall = 4;
    if (!from.mask || from.numQueries == 1 ||
        from.mask.getDefiningOp<ConstantOp>() ||
        isSmall * typeOf(from.mask).getNumElements() >
            from.images * from.heads * from.numKeys * from.numQueries)
      return from;
    SmallVector<int64_t> one(typeOf(from.mask).getRank(), 1);
    from.mask = binary(builder, loc, ElementwiseKind::Max, from.mask,
                       splatConstant(builder, loc, one, maskedScore));
    return from;
  }

  // The keys, and after their columns what is added to their scores. Of a
  // number of keys that does not suit the lanes, those of whole tasks come
  // first.
  SmallVector<Planes> planesOfKeys(OpBuilder &builder, const Attention &from,
                                   bool hasMaskTerm) const {
    Location loc = from.getLoc();
    int64_t terms = hasMaskTerm + countTerms(from), keys = from.numKeys;
    int64_t first = sizes.firstKeys(keys);
    auto lanesOf = [&](int64_t count) {
      return lanesFor(count, from.depth + terms, info);
    };
    auto isAligned = [&](int64_t count) {
      return terms == 0 || sizes.isAligned(from, count, terms);
    };
    bool isCut = first < keys && lanesOf(first) > lanesOf(keys) &&
                 keys < 4 * from.numQueries && isAligned(first) &&
                 isAligned(keys - first);
    SmallVector<Planes> planes;
    for (int64_t begin = 0, count; begin < keys; begin += count) {
      count = isCut && begin == 0 ? first : keys - begin;
      int64_t lanes = lanesOf(count);
      auto partOfKeys = [&](const Matrices &matrices) {
        unsigned dim = matrices.isTransposed ? 3 : 2;
        Matrices part = {
            sliceDim(builder, loc, matrices.value, dim, begin, count),
            matrices.isTransposed};
        return planesOf(builder, loc, part, lanes);
      };
      Value part = partOfKeys(from.keys);
      if (hasMaskTerm)
        part = withTerms(builder, loc, part,
                         partOfKeys(maskRow(builder, loc, from)));
      if (!from.terms.empty())
        part = withTerms(builder, loc, part,
                         partOfKeys(keysOfTerms(builder, loc, from)));
      planes.push_back({part, lanes});
    }
    return planes;
  }

  // Of all heads, some rows each.
  SmallVector<Value> attendRows(OpBuilder &builder, const Attention &all,
                                bool areWindows) const {
    Location loc = all.getLoc();
    const Attention from = withBoundedMask(builder, loc, all);
    bool hasMaskTerm = sizes.takesMaskAsTerm(from);
    std::optional<int64_t> valueLanes;
    if (!takesValuesAsImage(from))
      valueLanes = lanesOfValues(from);
    SmallVector<Planes> keys = planesOfKeys(builder, from, hasMaskTerm);
    Value values = valueLanes
                       ? planesOf(builder, loc, from.values, *valueLanes)
                       : imageOf(builder, loc,
                                 {from.values.value, /*isTransposed=*/false});
    Value queries = imageOf(builder, loc, from.queries);
    std::optional<AttentionMask> constant = AttentionMask::read(
        from.mask, from.areKeysLast, from.numKeys, from.numQueries);
    Mask mask = {hasMaskTerm ? Value() : maskImage(builder, loc, from),
                 constant, from.cap, sinkImage(builder, loc, from)};
    mask.isBounded = (!from.mask || from.mask != all.mask ||
                      (mask.constant && mask.constant->isBounded())) &&
                     (!from.sink || isFinite(from.sink));
    if (hasMaskTerm)
      queries = withOnes(builder, loc, queries);
    if (!from.terms.empty())
      queries = withKeyTerms(builder, loc, queries, from);
    int64_t strip = sizes.columnsOfMasked(from, mask.constant);
    int64_t heads = from.images * from.heads;
    int64_t step = sizes.headsAtOnce(from, strip, areWindows, mask.isBounded);
    SmallVector<Value> parts;
    for (int64_t first = 0, count; first < heads; first += count) {
      count = std::min(step, heads - first);
      if (from.isShared)
        count = std::min(count, from.heads - first % from.heads);
      int64_t group = from.isShared ? first / from.heads : first;
      int64_t groups = from.isShared ? 1 : count;
      Value rows = sliceDim(builder, loc, queries, 2, first, count);
      SmallVector<Planes> seen;
      for (auto [planes, lanes] : keys)
        seen.push_back(
            {sliceDim(builder, loc, planes, 2, group, groups), lanes});
      ProductOperand taken = {sliceDim(builder, loc, values, 2, group, groups),
                              valueLanes};
      parts.push_back(attendStrips(builder, loc, rows,
                                   mask.part(builder, loc, 2, first, count),
                                   seen, taken, strip));
    }
    return parts;
  }

  static Value joinHeads(OpBuilder &builder, const Attention &from,
                         ArrayRef<Value> parts) {
    Location loc = from.getLoc();
    Value result =
        reshaped(builder, loc, concatDim(builder, loc, parts, 1),
                 {from.images, from.heads, from.width, from.numQueries});
    if (from.isResultTransposed)
      result = permuted(builder, loc, result, {0, 1, 3, 2});
    return result;
  }

  /// What is added to scores, as an image and as numbers, the function in front
  /// of that, and another score after them.
  struct Mask {
    Value image;
    const std::optional<AttentionMask> &constant;
    ActivationAttr cap;
    Value sink;
    bool isBounded = true; ///< there are no infinite scores

    // Of some rows or columns.
    Mask part(OpBuilder &builder, Location loc, unsigned dim, int64_t first,
              int64_t count) const {
      return {partOf(builder, loc, image, dim, first, count), constant, cap,
              partOf(builder, loc, sink, dim, first, count), isBounded};
    }
  };

  // A channel after those of the keys, of all heads and queries.
  static Value sinkImage(OpBuilder &builder, Location loc,
                         const Attention &from) {
    if (!from.sink)
      return {};
    Value rows = reshaped(builder, loc, from.sink,
                          {1, from.images * from.heads, from.numQueries, 1});
    return permuted(builder, loc, rows, {0, 3, 1, 2});
  }

  SeenKeys seenKeys(const Mask &mask, int64_t firstQuery, int64_t count,
                    int64_t numKeys) const {
    if (mask.constant)
      return mask.constant->keysOf(firstQuery, count, sizes.keysOfTask());
    return {0, numKeys, 0, mask.image ? numKeys : 0};
  }

  // Strips of at most `most` queries so that L2 holds the scores and what
  // becomes of them.
  Value attendStrips(OpBuilder &builder, Location loc, Value queries,
                     const Mask &mask, ArrayRef<Planes> keys,
                     const ProductOperand &values, int64_t most) const {
    RankedTensorType type = typeOf(queries);
    int64_t numKeys = 0;
    for (const Planes &planes : keys)
      numKeys += planes.countRows();
    int64_t width = type.getDimSize(3);
    int64_t step = std::min(
        most, sizes.columnsOfStrip(width, numKeys * type.getDimSize(2)));
    SmallVector<Value> strips;
    for (int64_t left = 0, count; left < width; left += step) {
      count = std::min(step, width - left);
      Value columns = sliceDim(builder, loc, queries, 3, left, count);
      strips.push_back(attend(builder, loc, columns,
                              mask.part(builder, loc, 3, left, count), keys,
                              values, seenKeys(mask, left, count, numKeys)));
    }
    return concatDim(builder, loc, strips, 3);
  }

  // With the mask, where it changes them: blocks of at most `step` keys.
  SmallVector<Value> maskedScores(OpBuilder &builder, Location loc,
                                  Value queries, const Mask &mask,
                                  ArrayRef<Planes> keys, const SeenKeys &seen,
                                  int64_t step) const {
    SmallVector<Value> scores;
    std::tuple<int64_t, int64_t, bool> parts[] = {
        {seen.first, seen.firstChanged, false},
        {seen.firstChanged, seen.endChanged, true},
        {seen.endChanged, seen.end, false}};
    for (auto [begin, end, isChanged] : parts)
      for (int64_t first = begin, count; first < end; first += count) {
        // Of the planes that have the first of them.
        const Planes *planes = keys.begin();
        int64_t before = 0;
        for (; first >= before + planes->countRows(); ++planes)
          before += planes->countRows();
        auto [image, lanes] = *planes;
        count =
            std::min({step, end - first, before + planes->countRows() - first});
        Value part =
            multiplyWith(builder, loc, queries,
                         sliceDim(builder, loc, image, 1,
                                  (first - before) / lanes, count / lanes),
                         lanes);
        if (mask.cap)
          part = ActivationOp::create(builder, loc, part.getType(), part,
                                      mask.cap);
        if (isChanged)
          part = binary(builder, loc, ElementwiseKind::Add, part,
                        partOf(builder, loc, mask.image, 1, first, count));
        scores.push_back(part);
      }
    return scores;
  }

  Value attend(OpBuilder &builder, Location loc, Value queries,
               const Mask &mask, ArrayRef<Planes> keys,
               const ProductOperand &values, const SeenKeys &seen) const {
    MLIRContext *context = builder.getContext();
    int64_t numValues = seen.end - seen.first;
    int64_t numKeys = numValues + bool(mask.sink);
    RankedTensorType ofColumns = withDim(typeOf(queries), 1, 1);
    // An infinite score times 0 is not 0.
    bool areProducts =
        mask.isBounded &&
        arePowersProducts(withDim(ofColumns, 1, numKeys).getShape(), info);
    SmallVector<Value> scores =
        maskedScores(builder, loc, queries, mask, keys, seen,
                     areProducts ? sizes.keysOfTask() : numKeys);
    if (mask.sink)
      scores.push_back(mask.sink);
    if (mask.sink && areProducts) {
      Value last = concatDim(builder, loc, ArrayRef(scores).take_back(2), 1);
      scores.pop_back();
      scores.back() = last;
    }
    Value powers =
        areProducts ? powersByProducts(builder, loc, scores, info)
                    : powersOf(builder, loc, concatDim(builder, loc, scores, 1),
                               /*dim=*/1);
    Value share = convolve(builder, loc, powers,
                           splatConstant(builder, loc, {1, numKeys, 1, 1}, 1),
                           ConvSpec(), ofColumns);
    share.getDefiningOp<ConvOp>().setActivationAttr(
        ActivationAttr::get(context, ActivationKind::Reciprocal, 0));
    Value mixed =
        mix(builder, loc, sliceDim(builder, loc, powers, 1, 0, numValues),
            values, seen.first);
    return binary(builder, loc, ElementwiseKind::Mul, mixed, share);
  }

  // Values that are an image have the powers as coefficients.
  static Value mix(OpBuilder &builder, Location loc, Value powers,
                   const ProductOperand &values, int64_t firstKey) {
    int64_t numKeys = typeOf(powers).getDimSize(1);
    if (auto lanes = values.lanes)
      return multiplyWith(builder, loc, powers,
                          sliceDim(builder, loc, values.value, 3,
                                   firstKey * *lanes, numKeys * *lanes),
                          *lanes);
    Value seen = sliceDim(builder, loc, values.value, 1, firstKey, numKeys);
    Value coefficients = permuted(builder, loc, powers, {0, 3, 2, 1});
    Value mixed = multiplyWith(builder, loc, seen, coefficients, /*lanes=*/1);
    return permuted(builder, loc, mixed, {0, 3, 2, 1});
  }

  // Values that lie as a cache has them, keys in rows, would be transposed to
  // be coefficients. For few queries their powers are transposed instead.
  static bool takesValuesAsImage(const Attention &from) {
    return from.values.isTransposed && !from.isShared &&
           4 * from.numQueries <= from.width;
  }

  // Values with one lane are coefficients as a convolution writes them, in
  // place of a copy of all keys through DRAM. There are more tasks then, each
  // of which reads the powers again; those of few queries are short.
  int64_t lanesOfValues(const Attention &from) const {
    bool areFew = from.numKeys >= 4 * from.numQueries;
    return areFew && !from.values.isTransposed
               ? 1
               : lanesFor(from.width, from.numKeys, info);
  }

  //===--------------------------------------------------------------------===//
  // Blocks of keys
  //===--------------------------------------------------------------------===//

  /// What coefficients of a head are made of, and its queries.
  struct Head {
    SmallVector<Planes> keys;
    Planes values;
    Value queries;
  };

  Value buildInBlocks(OpBuilder &builder, const Attention &from) const {
    Location loc = from.getLoc();
    int64_t waiting = sizes.countWaiting(from);
    SmallVector<Planes> terms = termPlanes(builder, from);
    SmallVector<Head> heads;
    SmallVector<Value> parts;
    for (int64_t head = 0; head < from.heads; ++head) {
      int64_t left = from.heads - head;
      AttentionSizes::Steps steps =
          sizes.stepsOf(from, left > waiting ? 0 : left);
      addHeads(builder, from, left > waiting ? 1 : from.heads - heads.size(),
               steps.parts, terms, heads);
      auto &[keys, values, queries] = heads[head];
      SmallVector<Value> strips;
      for (int64_t first = 0, count; first < from.numQueries; first += count) {
        count = std::min(steps.columns, from.numQueries - first);
        strips.push_back(attendBlocks(
            builder, loc, sliceDim(builder, loc, queries, 3, first, count),
            keys, values, steps));
      }
      parts.push_back(concatDim(builder, loc, strips, 3));
    }
    return joinHeads(builder, from, parts);
  }

  // The next ones. Their queries come last: they wait in L2.
  void addHeads(OpBuilder &builder, const Attention &from, int64_t count,
                int64_t parts, ArrayRef<Planes> terms,
                SmallVector<Head> &heads) const {
    Location loc = from.getLoc();
    int64_t lanes = lanesFor(from.width / parts, from.numKeys, info);
    int64_t first = heads.size(), end = first + count;
    std::optional<Matrices> alone;
    for (int64_t head = first; head < end; ++head) {
      if (head > 0 && from.isShared) {
        heads.push_back(heads.front());
        continue;
      }
      Head next;
      Matrices keys = headOf(builder, loc, from.keys, head);
      Matrices values = headOf(builder, loc, from.values, head);
      // Strips of what all three are made of are read once.
      if (count == 1)
        alone = headOf(builder, loc, from.queries, head);
      next.keys = keyPlanes(builder, loc, keys, terms);
      next.values = {planesOf(builder, loc, values, lanes), lanes};
      heads.push_back(next);
    }
    for (int64_t head = first; head < end; ++head) {
      Value &queries = heads[head].queries;
      queries =
          imageOf(builder, loc,
                  alone ? *alone : headOf(builder, loc, from.queries, head));
      if (from.isMaskOfKeys)
        queries = withOnes(builder, loc, queries);
    }
  }

  // One matrix of all: of some channels of the convolution that makes them, so
  // that it need not wait until its head is at hand.
  static Matrices headOf(OpBuilder &builder, Location loc, const Matrices &all,
                         int64_t head) {
    ArrayRef<int64_t> shape = all.shape();
    ConvOp conv = convOf(all);
    if (!conv)
      return {sliceDim(builder, loc, all.value, 1, head, 1), all.isTransposed};
    IRMapping mapping;
    for (Value constant : {conv.getWeight(), conv.getBias()})
      if (constant)
        mapping.map(constant, sliceDim(builder, loc, constant, 0,
                                       head * shape[2], shape[2]));
    Value part = builder.clone(*conv, mapping)->getResult(0);
    part.setType(withDim(typeOf(conv), 1, shape[2]));
    return {reshaped(builder, loc, part, {1, 1, shape[2], shape[3]}),
            all.isTransposed};
  }

  // What stands after the columns of keys, for blocks of `numKeys`: the mask
  // and -1.
  SmallVector<Planes> termPlanes(OpBuilder &builder,
                                 const Attention &from) const {
    Location loc = from.getLoc();
    SmallVector<Planes> result;
    for (int64_t first = 0, count; first < from.numKeys; first += count) {
      count = sizes.firstKeys(from.numKeys - first);
      int64_t lanes = lanesFor(count, from.queryChannels(), info);
      if (!from.isMaskOfKeys) {
        result.push_back(
            {splatConstant(builder, loc, {1, count / lanes, 1, lanes}, -1),
             lanes});
        continue;
      }
      Value mask = sliceDim(builder, loc, maskRow(builder, loc, from).value, 3,
                            first, count);
      Value more = splatConstant(builder, loc, {1, 1, 1, count}, -1);
      Matrices terms = {concatDim(builder, loc, {mask, more}, 2),
                        /*isTransposed=*/true};
      result.push_back({planesOf(builder, loc, terms, lanes), lanes});
    }
    return result;
  }

  static SmallVector<Planes> keyPlanes(OpBuilder &builder, Location loc,
                                       const Matrices &keys,
                                       ArrayRef<Planes> terms) {
    SmallVector<Planes> result;
    int64_t first = 0;
    for (auto [behind, lanes] : terms) {
      int64_t count = typeOf(behind).getDimSize(1) * lanes;
      Matrices part = {sliceDim(builder, loc, keys.value,
                                keys.isTransposed ? 3 : 2, first, count),
                       keys.isTransposed};
      result.push_back(
          {withTerms(builder, loc, planesOf(builder, loc, part, lanes), behind),
           lanes});
      first += count;
    }
    return result;
  }

  // Of the planes as many columns as the queries have channels.
  static Value scoresOf(OpBuilder &builder, Location loc, Value queries,
                        ArrayRef<Planes> group) {
    int64_t depth = typeOf(queries).getDimSize(1);
    SmallVector<Value> scores;
    for (auto [block, lanes] : group)
      scores.push_back(multiplyWith(
          builder, loc, queries,
          sliceDim(builder, loc, block, 3, 0, depth * lanes), lanes));
    return concatDim(builder, loc, scores, 1);
  }

  // Of products task by task, so that L2 holds the scores of one.
  Value powersBelow(OpBuilder &builder, Location loc, Value input,
                    ArrayRef<Planes> group, bool areProducts) const {
    if (!areProducts) {
      Value below = scoresOf(builder, loc, input, group);
      return ActivationOp::create(
          builder, loc, below.getType(), below,
          ActivationAttr::get(builder.getContext(), ActivationKind::Exp, 0));
    }
    SmallVector<Value> powers;
    for (const SmallVector<Planes> &task :
         groupsOf(builder, loc, group, sizes.keysOfTask()))
      powers.push_back(
          powersInRows(builder, loc, scoresOf(builder, loc, input, task)));
    return concatDim(builder, loc, powers, 1);
  }

  // The queries, and after their channels the maximum of their scores and the
  // shift.
  static Value withMost(OpBuilder &builder, Location loc, Value queries,
                        ArrayRef<Planes> keys, int64_t numKeys, int64_t step) {
    RankedTensorType ofColumns = withDim(typeOf(queries), 1, 1);
    auto largestOf = [&](Value value) -> Value {
      return ReduceOp::create(builder, loc, ofColumns, ReduceKind::Max, value,
                              ArrayRef<int64_t>{1});
    };
    SmallVector<Value> maxima;
    for (ArrayRef<Planes> group : groupsOf(builder, loc, keys, step))
      maxima.push_back(largestOf(scoresOf(builder, loc, queries, group)));
    constexpr float ln2 = 0.693147181f;
    int64_t shift = llvm::Log2_64(numKeys) / 2;
    Value most = largestOf(concatDim(builder, loc, maxima, 1));
    most = binary(builder, loc, ElementwiseKind::Add, most,
                  splatConstant(builder, loc, {1, 1, 1, 1}, shift * ln2));
    return concatDim(builder, loc, {queries, most}, 1);
  }

  Value attendBlocks(OpBuilder &builder, Location loc, Value queries,
                     ArrayRef<Planes> keys, Planes values,
                     const AttentionSizes::Steps &steps) const {
    MLIRContext *context = builder.getContext();
    auto [image, lanes] = values;
    int64_t numKeys = typeOf(image).getDimSize(3) / lanes, first = 0;
    RankedTensorType ofColumns = withDim(typeOf(queries), 1, 1);
    Value input = withMost(builder, loc, queries, keys, numKeys, steps.keys);
    int64_t width = typeOf(image).getDimSize(1) / steps.parts;
    SmallVector<Value> sums(
        steps.parts); // mixed values; after the last, powers
    for (ArrayRef<Planes> group : groupsOf(builder, loc, keys, steps.keys)) {
      Value powers = powersBelow(builder, loc, input, group, steps.areProducts);
      int64_t count = typeOf(powers).getDimSize(1);
      Value block =
          sliceDim(builder, loc, image, 3, first * lanes, count * lanes);
      for (auto [i, sum] : llvm::enumerate(sums)) {
        Value part = multiplyWith(
            builder, loc, powers,
            sliceDim(builder, loc, block, 1, i * width, width), lanes);
        if (int64_t(i) + 1 == steps.parts) {
          Value ones = splatConstant(builder, loc, {1, count, 1, 1}, 1);
          Value total =
              convolve(builder, loc, powers, ones, ConvSpec(), ofColumns);
          part = concatDim(builder, loc, {part, total}, 1);
        }
        sum =
            sum ? binary(builder, loc, ElementwiseKind::Add, sum, part) : part;
      }
      first += count;
    }
    Value share = ActivationOp::create(
        builder, loc, ofColumns,
        sliceDim(builder, loc, sums.back(), 1, width * lanes, 1),
        ActivationAttr::get(context, ActivationKind::Reciprocal, 0));
    for (Value &sum : sums)
      sum = binary(builder, loc, ElementwiseKind::Mul,
                   sliceDim(builder, loc, sum, 1, 0, width * lanes), share);
    return concatDim(builder, loc, sums, 1);
  }

  const ::ane::hw::GenerationInfo &info;
  AttentionSizes sizes;
};

} // namespace

void mlir::ane::populateDecomposeAttentionPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.sequences.keysAreChannels)
    patterns.add<AttentionByKeys>(patterns.getContext(), options);
}

namespace {
struct DecomposeAttention
    : DecomposePass<
          DecomposeAttention,
          mlir::ane::impl::ANEDecomposeAttentionBase<DecomposeAttention>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (failed(rewrite(options,
                       {populateDecomposeAttentionPatterns,
                        populateFewQueriesPatterns, populateRotaryPatterns})))
      return failure();
    expandAttention(getOperation());
    return success();
  }
};
} // namespace
