//===- MoveScales.cpp - Scale what is multiplied, not the product ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries and keys of attention have products that f16 does not hold, although
// it holds the scores, which are these products times 1 / sqrt(d). The same
// goes for a layer that is scaled down after its sum. It costs nothing to
// scale one factor instead: a weight, or the smaller one of two tensors.
//
//===----------------------------------------------------------------------===//

#include "Rescale.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEMOVESCALES
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// number * value, by a product or a quotient.
struct ScaledDown {
  Value data;
  double number;
};

} // namespace

static std::optional<ScaledDown> scaledDownOf(Operation *op) {
  auto elementwise = dyn_cast<ElementwiseOp>(op);
  if (!elementwise || !elementwise.isPlain() ||
      !getElementTypeOrSelf(elementwise.getType()).isF16())
    return std::nullopt;
  auto number = withNumber(elementwise);
  if (!number)
    return std::nullopt;
  double factor = number->number;
  if (elementwise.getKind() == ElementwiseKind::Div && !number->isNumberFirst)
    factor = 1 / factor;
  else if (elementwise.getKind() != ElementwiseKind::Mul)
    return std::nullopt;
  if (!(std::fabs(factor) < 1) || factor == 0)
    return std::nullopt;
  return ScaledDown{number->data, factor};
}

/// The product that `value` is, but for a constant summand and its order.
static Operation *productOf(Value value) {
  constexpr int longestWay = 6;
  for (int i = 0; i < longestWay; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasOneUse())
      return nullptr;
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return matmul.getActivationAttr() ? nullptr : op;
    if (auto conv = dyn_cast<ConvOp>(op))
      return conv.getActivationAttr() || conv.getScale() ? nullptr : op;
    if (isa<ReshapeOp, TransposeOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    auto add = dyn_cast<ElementwiseOp>(op);
    if (!add || !add.isPlain() || add.getKind() != ElementwiseKind::Add)
      return nullptr;
    bool isFirst = add.getLhs().getDefiningOp<ConstantOp>() != nullptr;
    if (isFirst == (add.getRhs().getDefiningOp<ConstantOp>() != nullptr))
      return nullptr;
    value = isFirst ? add.getRhs() : add.getLhs();
  }
  return nullptr;
}

namespace {

class Mover {
public:
  Mover(func::FuncOp function, const RangeAnalysis &ranges)
      : ranges(ranges), builder(function.getContext()) {}

  bool move(Operation *op) {
    auto scaled = scaledDownOf(op);
    Operation *product = scaled ? productOf(scaled->data) : nullptr;
    if (!product || ranges.get(product->getResult(0)).fitsHalf())
      return false;
    if (!scaleFactor(product, scaled->number))
      return false;
    // Summands on the way are scaled as well.
    for (Value value = scaled->data; value != product->getResult(0);) {
      Operation *step = value.getDefiningOp();
      bool isConstantFirst = step->getOperand(0).getDefiningOp<ConstantOp>();
      if (auto add = dyn_cast<ElementwiseOp>(step)) {
        unsigned place = isConstantFirst ? 0 : 1;
        builder.setInsertionPoint(add);
        add->setOperand(place, times(add->getOperand(place), scaled->number));
        value = add->getOperand(!place);
      } else {
        value = step->getOperand(0);
      }
    }
    op->getResult(0).replaceAllUsesWith(scaled->data);
    return true;
  }

private:
  // Of a constant the product is one as well; folding computes it.
  Value times(Value value, double number) {
    return AneBuilder(builder, value.getLoc()).mul(value, number);
  }

  bool scaleFactor(Operation *product, double number) {
    builder.setInsertionPoint(product);
    if (auto conv = dyn_cast<ConvOp>(product)) {
      if (!keepsDigits(conv.getWeight(), number) ||
          (conv.getBias() && !keepsDigits(conv.getBias(), number)))
        return false;
      conv.getWeightMutable().assign(times(conv.getWeight(), number));
      if (conv.getBias())
        conv.getBiasMutable().assign(times(conv.getBias(), number));
      return true;
    }
    auto matmul = cast<MatmulOp>(product);
    bool isLeft = typeOf(matmul.getLhs()).getNumElements() <=
                  typeOf(matmul.getRhs()).getNumElements();
    if (keepsDigits(matmul.getRhs(), number))
      isLeft = false;
    else if (keepsDigits(matmul.getLhs(), number))
      isLeft = true;
    OpOperand &factor = matmul->getOpOperand(isLeft ? 0 : 1);
    factor.set(times(factor.get(), number));
    return true;
  }

  /// Whether `value` is constant and has all of its digits when it is scaled:
  /// it is not rounded yet, or the factor is a power of two.
  static bool keepsDigits(Value value, double number) {
    int exponent;
    bool isPower = std::frexp(number, &exponent) == 0.5;
    while (Operation *op = value.getDefiningOp()) {
      if (isa<ConstantOp>(op))
        return isPower || getElementTypeOrSelf(value.getType()).isF32();
      if (!isa<ReshapeOp, TransposeOp>(op))
        return false;
      value = op->getOperand(0);
    }
    return false;
  }

  const RangeAnalysis &ranges;
  OpBuilder builder;
};

/// c * (a b + d) with a number c below 1 becomes (c a) b + c d.
struct MoveScales : public mlir::ane::impl::ANEMoveScalesBase<MoveScales> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<LoweringTarget> lowering = getLoweringTarget(function, flavour);
    if (failed(lowering))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    if (lowering->policy->sequences.tokensAreColumns)
      function.walk([&](ElementwiseOp op) {
        auto scaled = scaledDownOf(op);
        if (scaled && productOf(scaled->data))
          ops.push_back(op);
      });
    // Ranges are of no use to most networks.
    if (ops.empty())
      return markAllAnalysesPreserved();
    RangeAnalysis ranges(function);
    Mover mover(function, ranges);
    for (Operation *op : ops)
      if (mover.move(op)) {
        op->erase();
        ++moved;
      }
  }
};

} // namespace
