//===- ComputeCanonicalization.cpp - Simpler ways to compute --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folders and patterns of the ops that compute. Only what is right for every
// value, and what needs no bytes of weights: the rest is ane-fold and ane-fuse.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane;

/// The value of a splat of floats.
static std::optional<double> getSplat(Attribute attr) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat() || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  APFloat value = dense.getSplatValue<APFloat>();
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static bool isConstantSplat(Value value, double expected) {
  Attribute attr;
  return matchPattern(value, m_Constant(&attr)) && getSplat(attr) == expected;
}

//===----------------------------------------------------------------------===//
// Convolution and matrix multiplication
//===----------------------------------------------------------------------===//

namespace {
/// A bias of zeros and a scale of ones do nothing.
struct DropNeutralVectors : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    bool bias = op.getBias() && isConstantSplat(op.getBias(), 0);
    bool scale = op.getScale() && isConstantSplat(op.getScale(), 1);
    if (!bias && !scale)
      return rewriter.notifyMatchFailure(op, "no neutral bias or scale");
    rewriter.modifyOpInPlace(op, [&] {
      if (bias)
        op.getBiasMutable().clear();
      if (scale)
        op.getScaleMutable().clear();
    });
    return success();
  }
};

/// matmul(transpose(x), y) -> matmul(x, y) {transpose_lhs}, and so for rhs.
struct TransposeIntoMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  /// What is transposed when `value` swaps the last two dimensions only.
  static Value swapped(Value value) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose)
      return {};
    ArrayRef<int64_t> perm = transpose.getPerm();
    int64_t rank = perm.size();
    for (int64_t i = 0; i < rank - 2; ++i)
      if (perm[i] != i)
        return {};
    return perm[rank - 2] == rank - 1 ? transpose.getInput() : Value();
  }

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = swapped(op.getLhs()), rhs = swapped(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand is transposed");
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs);
        op.setTransposeLhs(!op.getTransposeLhs());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs);
        op.setTransposeRhs(!op.getTransposeRhs());
      }
    });
    return success();
  }
};
} // namespace

void ConvOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropNeutralVectors>(context);
}

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<TransposeIntoMatmul>(context);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static bool isCommutative(ElementwiseKind kind) {
  switch (kind) {
  case ElementwiseKind::Add:
  case ElementwiseKind::Mul:
  case ElementwiseKind::Max:
  case ElementwiseKind::Min:
    return true;
  case ElementwiseKind::Sub:
  case ElementwiseKind::Div:
  case ElementwiseKind::Pow:
    return false;
  }
  llvm_unreachable("all kinds are handled");
}

/// f(x, neutral) = x.
static double getRightNeutral(ElementwiseKind kind) {
  switch (kind) {
  case ElementwiseKind::Add:
  case ElementwiseKind::Sub:
    return 0;
  case ElementwiseKind::Mul:
  case ElementwiseKind::Div:
  case ElementwiseKind::Pow:
    return 1;
  case ElementwiseKind::Max:
    return -std::numeric_limits<double>::infinity();
  case ElementwiseKind::Min:
    return std::numeric_limits<double>::infinity();
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether f(x, value) = x for an `x` of `type`. A bound beyond f16 becomes an
/// infinity there: clamps of f32 without a bound on one side have such.
static bool isRightNeutral(ElementwiseKind kind, std::optional<double> value,
                           Type type) {
  constexpr double roundsToInfinity = 65520;
  if (!value)
    return false;
  if (type.isF16() && kind == ElementwiseKind::Max)
    return *value <= -roundsToInfinity;
  if (type.isF16() && kind == ElementwiseKind::Min)
    return *value >= roundsToInfinity;
  return *value == getRightNeutral(kind);
}

OpFoldResult ElementwiseOp::fold(FoldAdaptor adaptor) {
  if (!getScale().isExactlyValue(1.0) || !getBias().isZero() ||
      getActivationAttr())
    return {};
  auto hasResultType = [&](Value value) {
    return value.getType() == getType();
  };
  auto isNeutral = [&](Attribute value) {
    return isRightNeutral(getKind(), getSplat(value),
                          getElementTypeOrSelf(getType()));
  };
  if (isNeutral(adaptor.getRhs()) && hasResultType(getLhs()))
    return getLhs();
  if (isCommutative(getKind()) && isNeutral(adaptor.getLhs()) &&
      hasResultType(getRhs()))
    return getRhs();
  bool idempotent =
      getKind() == ElementwiseKind::Max || getKind() == ElementwiseKind::Min;
  if (idempotent && getLhs() == getRhs())
    return getLhs();
  if (!idempotent)
    return {};
  // max(max(x, y), x)
  for (auto [whole, part] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())}) {
    auto inner = whole.getDefiningOp<ElementwiseOp>();
    if (inner && inner.getKind() == getKind() && hasResultType(whole) &&
        inner.getScale().isExactlyValue(1.0) && inner.getBias().isZero() &&
        !inner.getActivationAttr() &&
        (inner.getLhs() == part || inner.getRhs() == part))
      return whole;
  }
  return {};
}

/// Whether an op of two tensors uses the result, at once or after functions of
/// one: it repeats by itself. Else the task that repeats computes the op, too.
static bool isRepeatedByUsers(Operation *op, unsigned depth = 0) {
  constexpr unsigned maxDepth = 4;
  return depth < maxDepth &&
         llvm::any_of(
             op->getUsers(),
             [&](Operation *user) {
               auto pair = dyn_cast<ElementwiseOp>(user);
               if (pair && !matchPattern(pair.getLhs(), m_Constant()) &&
                   !matchPattern(pair.getRhs(), m_Constant()))
                 return true;
               return isa<ActivationOp, ElementwiseOp>(user) &&
                      isRepeatedByUsers(user, depth + 1);
             });
}

namespace {
/// Constants stand on the right where the order does not matter.
struct ConstantToTheRight : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (!isCommutative(op.getKind()) ||
        !matchPattern(op.getLhs(), m_Constant()) ||
        matchPattern(op.getRhs(), m_Constant()))
      return rewriter.notifyMatchFailure(op, "no constant on the left alone");
    rewriter.modifyOpInPlace(op, [&] {
      Value lhs = op.getLhs(), rhs = op.getRhs();
      op.getLhsMutable().assign(rhs);
      op.getRhsMutable().assign(lhs);
    });
    return success();
  }
};

/// f(repeat(x), number) = repeat(f(x, number)): a norm computes with one number
/// for each channel, and exporters repeat these before.
struct RepeatResult : OpRewritePattern<ElementwiseOp> {
  RepeatResult(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    auto tile = op.getLhs().getDefiningOp<TileOp>();
    DenseElementsAttr number;
    if (!tile || !isRepeatedByUsers(op) ||
        tile.getType().getShape() != op.getType().getShape() ||
        !matchPattern(op.getRhs(), m_Constant(&number)) || !number.isSplat())
      return rewriter.notifyMatchFailure(op, "no repeated value and a number");
    auto from = cast<RankedTensorType>(tile.getInput().getType());
    SmallVector<int64_t> one(from.getRank(), 1);
    Value right = ConstantOp::create(
        rewriter, op.getLoc(), number.resizeSplat(number.getType().clone(one)));
    Value result = ElementwiseOp::create(
        rewriter, op.getLoc(), op.getType().clone(from.getShape()),
        op.getKindAttr(), tile.getInput(), right, op.getScaleAttr(),
        op.getBiasAttr(), op.getActivationAttr());
    rewriter.replaceOpWithNewOp<TileOp>(op, op.getType(), result,
                                        tile.getRepeatsAttr());
    return success();
  }
};

/// Exporters repeat what an elementwise op repeats by itself. Without, a norm
/// and the quotient by it are next to each other.
struct RepeatedOperand : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> result = cast<RankedTensorType>(op.getType()).getShape();
    for (unsigned index : {0u, 1u}) {
      auto tile = op->getOperand(index).getDefiningOp<TileOp>();
      if (!tile)
        continue;
      auto from = cast<RankedTensorType>(tile.getInput().getType()).getShape();
      auto other = cast<RankedTensorType>(op->getOperand(1 - index).getType())
                       .getShape();
      bool isBroadcast = from.size() == other.size();
      for (size_t dim = 0; isBroadcast && dim < from.size(); ++dim)
        isBroadcast = tile.getRepeats()[dim] == 1 ||
                      (from[dim] == 1 && other[dim] == result[dim]);
      if (!isBroadcast)
        continue;
      rewriter.modifyOpInPlace(op,
                               [&] { op->setOperand(index, tile.getInput()); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is repeated");
  }
};
} // namespace

void ElementwiseOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<ConstantToTheRight, RepeatedOperand, RepeatResult>(context);
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

/// The bounds of a function that is the identity between them.
static std::optional<std::pair<double, double>> getBounds(ActivationAttr act) {
  if (act.getKind() == ActivationKind::Clamp)
    return std::make_pair(act.getAlpha(), act.getBeta());
  if (act.getKind() == ActivationKind::Relu)
    return std::make_pair(0.0, std::numeric_limits<double>::infinity());
  return std::nullopt;
}

OpFoldResult ActivationOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<ActivationOp>();
  if (!inner)
    return {};
  ActivationKind outer = getFunction().getKind();
  // relu(relu(x)), abs(sigmoid(x))
  if ((outer == ActivationKind::Relu || outer == ActivationKind::Abs) &&
      inner.getFunction().isNeverNegative())
    return getInput();
  // -(-x)
  if (outer == ActivationKind::Neg &&
      inner.getFunction().getKind() == ActivationKind::Neg)
    return inner.getInput();
  return {};
}

namespace {
/// clamp(clamp(x)) -> clamp(x): the outer one clamps the bounds of the inner
/// one.
struct MergeClamps : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ActivationOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no activation before this one");
    auto first = getBounds(inner.getFunction()),
         second = getBounds(op.getFunction());
    if (!first || !second)
      return rewriter.notifyMatchFailure(op, "not two clamps");
    auto bound = [&](double value) {
      return std::min(std::max(value, second->first), second->second);
    };
    double low = bound(first->first), high = bound(first->second);
    auto merged = low == 0 && std::isinf(high)
                      ? ActivationAttr::get(getContext(), ActivationKind::Relu)
                      : ActivationAttr::get(getContext(), ActivationKind::Clamp,
                                            low, high);
    rewriter.replaceOpWithNewOp<ActivationOp>(op, inner.getInput(), merged);
    return success();
  }
};

/// f(repeat(x)) = repeat(f(x))
struct RepeatFunction : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    auto tile = op.getInput().getDefiningOp<TileOp>();
    if (!tile || !isRepeatedByUsers(op))
      return rewriter.notifyMatchFailure(op, "no repeated value");
    auto from = cast<RankedTensorType>(tile.getInput().getType());
    auto type = cast<RankedTensorType>(op.getType());
    auto result =
        ActivationOp::create(rewriter, op.getLoc(), type.clone(from.getShape()),
                             tile.getInput(), op.getFunctionAttr());
    result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOpWithNewOp<TileOp>(op, type, result,
                                        tile.getRepeatsAttr());
    return success();
  }
};
} // namespace

void ActivationOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<MergeClamps, RepeatFunction>(context);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// Every value of `from` is one of `to`.
static bool isExact(Type from, Type to) {
  if (from.isF16())
    return to.isF32();
  return from.isInteger(8) && to.isF16();
}

bool CastOp::isWidening() {
  return getElementTypeOrSelf(getInput()).isF16() &&
         getElementTypeOrSelf(getType()).isF32();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // There and back again: x f16 -> f32 -> f16.
  auto inner = getInput().getDefiningOp<CastOp>();
  if (inner && inner.getInput().getType() == getType() &&
      isExact(getElementTypeOrSelf(inner.getInput()),
              getElementTypeOrSelf(inner)))
    return inner.getInput();
  if (isWidening())
    return {};
  // A splat is one element.
  std::optional<double> splat = getSplat(adaptor.getInput());
  auto type = cast<RankedTensorType>(getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!splat || !element)
    return {};
  return DenseElementsAttr::get(type,
                                FloatAttr::get(element, *splat).getValue());
}
