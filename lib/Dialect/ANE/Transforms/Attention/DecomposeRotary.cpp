//===- DecomposeRotary.cpp - Rotary embeddings ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write the rotation of pairs (x[i], x[i + n / 2]) as
//
//   x * cos + concat(-high, low) * sin      low, high: the halves of x
//
// which would negate half of x and copy all of it. The halves of the result are
//
//   low * cos_low - high * sin_low  and  high * cos_high + low * sin_high
//
// and read the halves of x where they are. Rounding is the same. If the pairs
// are along rows, rows become channels, as attention takes its heads: the
// halves are then written side by side, and as many heads at a time as L2
// holds.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

ElementwiseOp sourceOf(Value value, ElementwiseKind kind) {
  auto op = value.getDefiningOp<ElementwiseOp>();
  return op && op.getKind() == kind && !op.getActivation() &&
                 op.getBias().isZero()
             ? op
             : ElementwiseOp();
}

/// Half of a tensor along the axis of the rotation, perhaps negated.
struct Half {
  Value of;
  int64_t first;
  bool isNegated;

  static std::optional<Half> read(Value value, unsigned axis) {
    bool isNegated = false;
    if (auto negation = value.getDefiningOp<ActivationOp>();
        negation && negation.getFunction().getKind() == ActivationKind::Neg) {
      value = negation.getInput();
      isNegated = true;
    } else if (ElementwiseOp product = sourceOf(value, ElementwiseKind::Mul);
               product && product.getScale().isExactlyValue(1) &&
               getSplatValue(product.getRhs()) == -1.0f) {
      value = product.getLhs();
      isNegated = true;
    }
    auto slice = value.getDefiningOp<SliceOp>();
    if (!slice || !llvm::all_equal(slice.getStrides()) ||
        slice.getStrides()[0] != 1)
      return std::nullopt;
    RankedTensorType whole = typeOf(slice.getInput());
    int64_t count = typeOf(slice).getDimSize(axis);
    if (withDim(whole, axis, count) != typeOf(slice) ||
        2 * count != whole.getDimSize(axis))
      return std::nullopt;
    return Half{slice.getInput(), slice.getOffsets()[axis], isNegated};
  }
};

struct Rotary : public OpRewritePattern<ElementwiseOp> {
  Rotary(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation) {}

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != ElementwiseKind::Add || op.getActivation() ||
        !isImage(op.getResult()))
      return failure();
    for (auto [straight, turned] : {std::pair(op.getLhs(), op.getRhs()),
                                    std::pair(op.getRhs(), op.getLhs())}) {
      ElementwiseOp byCos = sourceOf(straight, ElementwiseKind::Mul);
      ElementwiseOp bySin = sourceOf(turned, ElementwiseKind::Mul);
      if (!byCos || !bySin || !byCos->hasOneUse() || !bySin->hasOneUse())
        continue;
      for (bool isLeft : {true, false}) {
        Value swapped = isLeft ? bySin.getLhs() : bySin.getRhs();
        auto concat = swapped.getDefiningOp<ConcatOp>();
        if (!concat || !concat->hasOneUse() || concat.getInputs().size() != 2)
          continue;
        if (succeeded(rewrite(rewriter, op, byCos, bySin, concat)))
          return success();
      }
    }
    return failure();
  }

private:
  /// What both products look like, and their other factors.
  struct Factors {
    ElementwiseOp byCos, bySin;
    Value cos, sin;
  };

  LogicalResult rewrite(PatternRewriter &rewriter, ElementwiseOp op,
                        ElementwiseOp byCos, ElementwiseOp bySin,
                        ConcatOp concat) const {
    unsigned axis = concat.getAxis();
    std::optional<Half> above = Half::read(concat.getInputs()[0], axis);
    std::optional<Half> below = Half::read(concat.getInputs()[1], axis);
    if (!above || !below || above->of != below->of || above->first == 0 ||
        below->first != 0 ||
        (byCos.getLhs() != above->of && byCos.getRhs() != above->of))
      return failure();
    auto factorOf = [](ElementwiseOp product, Value other) {
      return product.getLhs() == other ? product.getRhs() : product.getLhs();
    };
    Value x = above->of;
    Value cos = factorOf(byCos, x), sin = factorOf(bySin, concat);
    ArrayRef<int64_t> shape = typeOf(op).getShape();
    if (typeOf(x).getShape() != shape || typeOf(concat).getShape() != shape ||
        typeOf(cos).getDimSize(axis) != shape[axis] ||
        typeOf(sin).getDimSize(axis) != shape[axis])
      return failure();
    Location loc = op.getLoc();
    Factors by = {byCos, bySin, cos, sin};
    bool isTurned = axis == 2 && shape[1] > 1;
    if (!isTurned) {
      rewriter.replaceOp(op, rotate(rewriter, op, x, by, axis, above->isNegated,
                                    below->isNegated));
      return success();
    }
    constexpr int64_t asChannels[] = {0, 2, 1, 3};
    for (Value *value : {&x, &by.cos, &by.sin})
      *value = permuted(rewriter, loc, *value, asChannels);
    SmallVector<Value> strips;
    int64_t heads = shape[1], step = headsOfStrip(typeOf(x));
    for (int64_t first = 0; first < heads; first += step) {
      int64_t count = std::min(step, heads - first);
      Factors part = by;
      for (Value *value : {&part.cos, &part.sin})
        if (typeOf(*value).getDimSize(2) == heads)
          *value = sliceDim(rewriter, loc, *value, 2, first, count);
      strips.push_back(rotate(rewriter, op,
                              sliceDim(rewriter, loc, x, 2, first, count), part,
                              /*axis=*/1, above->isNegated, below->isNegated));
    }
    rewriter.replaceOp(op, permuted(rewriter, loc,
                                    concatDim(rewriter, loc, strips, 2),
                                    asChannels));
    return success();
  }

  // All of them where L2 holds them, both products of a half and the result.
  // Else one: L2 takes wide tensors of the PE only with a single row.
  int64_t headsOfStrip(RankedTensorType type) const {
    int64_t bytes = halfBytesOf(type);
    return 3 * bytes <= int64_t(info.l2SourceBytes) ? type.getDimSize(2) : 1;
  }

  static Value rotate(OpBuilder &builder, ElementwiseOp like, Value x,
                      const Factors &by, unsigned axis, bool isAboveNegated,
                      bool isBelowNegated) {
    Location loc = like.getLoc();
    int64_t count = typeOf(x).getDimSize(axis) / 2;
    auto product = [&](ElementwiseOp like, int64_t first, Value factor,
                       int64_t from) {
      Value half = sliceDim(builder, loc, x, axis, first, count);
      Value factors = sliceDim(builder, loc, factor, axis, from, count);
      Value result = binary(builder, loc, ElementwiseKind::Mul, half, factors);
      result.getDefiningOp<ElementwiseOp>().setScaleAttr(like.getScaleAttr());
      return result;
    };
    SmallVector<Value> halves;
    for (bool isSecond : {false, true}) {
      int64_t here = isSecond ? count : 0, there = count - here;
      bool isNegated = isSecond ? isBelowNegated : isAboveNegated;
      Value byCos = product(by.byCos, here, by.cos, here);
      Value bySin = product(by.bySin, there, by.sin, here);
      Value half = binary(
          builder, loc, isNegated ? ElementwiseKind::Sub : ElementwiseKind::Add,
          byCos, bySin);
      auto sum = half.getDefiningOp<ElementwiseOp>();
      sum.setScaleAttr(like.getScaleAttr());
      sum.setBiasAttr(like.getBiasAttr());
      halves.push_back(half);
    }
    return concatDim(builder, loc, halves, axis);
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateRotaryPatterns(RewritePatternSet &patterns,
                                       const DecomposeOptions &options) {
  if (options.policy.sequences.keysAreChannels)
    patterns.add<Rotary>(patterns.getContext(), options);
}
