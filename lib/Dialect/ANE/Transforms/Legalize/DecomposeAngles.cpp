//===- DecomposeAngles.cpp - Sines of positions times frequencies ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rotary embeddings and time steps take the sine of p f, where p is an input
// and f are constants. f16 rounds the product to 11 bits, of which an angle of
// 500 has none left that tell where in a turn it is. p itself is exact, and so
// is what follows: p is
//
//   p = 2048 a + 64 b + m + r        a, b <= 31, m <= 63, |r| < 1
//
// with the sign of p in all digits. Of w f / 2 pi, for the weight w of a digit,
// only what is left of whole turns counts. In three parts,
//
//   high, a multiple of 1/32 up to 1/2     low, one of 1/1024 up to 1/64 rest
//
// the sums of digits times high, and of digits times low, have 11 bits, so f16
// holds them exactly; whole turns are taken off them, then the small rest comes
// to it. The angle is right to 2e-3, as what a sine is computed of has to be.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "mlir/IR/IRMapping.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEREDUCEANGLES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

static bool moves(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, SliceOp, TileOp, ConcatOp>(op);
}

static bool isSine(ActivationAttr function) {
  return function && (function.getKind() == ActivationKind::Sin ||
                      function.getKind() == ActivationKind::Cos);
}

/// The function that an op of two operands applies to what it computes.
static ActivationAttr functionOf(Operation *op) {
  return op->getAttrOfType<ActivationAttr>("activation");
}

/// Whether nothing but sines are made of `value`, and at least one. A constant
/// may come to it.
static bool isAngle(Value value, unsigned depth = 0) {
  constexpr unsigned maxSteps = 16;
  if (value.use_empty() || depth == maxSteps)
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto function = dyn_cast<ActivationOp>(user))
      return isSine(function.getFunction());
    if (auto sum = dyn_cast<ElementwiseOp>(user)) {
      bool isSum = sum.getKind() == ElementwiseKind::Add ||
                   sum.getKind() == ElementwiseKind::Sub;
      if (!isSum || !sum.getScale().isExactlyValue(1.0) ||
          !user->getOperand(1 - use.getOperandNumber())
               .getDefiningOp<ConstantOp>())
        return false;
      if (ActivationAttr function = functionOf(user))
        return isSine(function);
    } else if (!moves(user)) {
      return false;
    }
    return isAngle(user->getResult(0), depth + 1);
  });
}

/// Whether sines are made of `product`, by itself or by all its users.
static bool makesAngles(Operation *product) {
  if (ActivationAttr function = functionOf(product))
    return isSine(function);
  return isAngle(product->getResult(0));
}

/// Whether `value` is an input, so that all of its bits are right. What is
/// computed has an error of its own size that a product does not add to.
static bool isGiven(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<CastOp, ReshapeOp, TransposeOp, SliceOp, TileOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

/// That of f32 may have more bits than f16, which is all that enters.
static void warnOfBits(Operation *product, Value position) {
  Value source = position;
  while (Operation *op = source.getDefiningOp())
    source = op->getOperand(0);
  auto argument = cast<BlockArgument>(source);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !typeOf(source).getElementType().isF32())
    return;
  auto name = function.getArgAttrOfType<StringAttr>(
      argument.getArgNumber(), ANEDialect::getNameAttrName());
  InFlightDiagnostic warning = product->emitWarning()
                               << "'" << product->getName()
                               << "' op makes angles of input ";
  if (name)
    warning << "'" << name.getValue() << "'";
  else
    warning << "#" << argument.getArgNumber();
  warning << ", which enters as f16: whole numbers above 2048 lose their last "
             "bits there; keep it below, or give the sines as inputs";
}

/// The operand of `op` that constants multiply, element by element.
static std::optional<unsigned> positionOf(Operation *op) {
  if (auto product = dyn_cast<ElementwiseOp>(op)) {
    if (product.getKind() != ElementwiseKind::Mul)
      return std::nullopt;
  } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    // A column times a row.
    RankedTensorType lhs = typeOf(matmul.getLhs());
    int64_t dim = lhs.getRank() - (matmul.getTransposeLhs() ? 2 : 1);
    if (lhs.getDimSize(dim) != 1)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  for (unsigned index : {0u, 1u})
    if (op->getOperand(1 - index).getDefiningOp<ConstantOp>() &&
        isGiven(op->getOperand(index)))
      return index;
  return std::nullopt;
}

namespace {

class AngleReducer : AneBuilder {
public:
  AngleReducer(OpBuilder &builder, Operation *product, unsigned position)
      : AneBuilder(builder, product->getLoc()), product(product),
        position(position) {
    builder.setInsertionPoint(product);
  }

  LogicalResult run() {
    FailureOr<SmallVector<float>> known =
        readConstant(product->getOperand(1 - position));
    if (failed(known))
      return failure();
    double scale = 1, bias = 0;
    if (auto op = dyn_cast<ElementwiseOp>(product)) {
      scale = op.getScale().convertToDouble();
      bias = op.getBias().convertToDouble();
    }
    for (float frequency : *known)
      turns.push_back(scale * frequency / (2 * M_PI));
    warnOfBits(product, product->getOperand(position));
    Value angle = reduce(product->getOperand(position));
    if (double rest = std::remainder(bias, 2 * M_PI))
      angle = sum(angle, number(rest, angle));
    if (ActivationAttr function = functionOf(product))
      angle =
          ActivationOp::create(builder, loc, angle.getType(), angle, function);
    product->getResult(0).replaceAllUsesWith(angle);
    product->erase();
    return success();
  }

private:
  Value reduce(Value p) {
    // Exact: factors are powers of two, differences have fewer bits.
    auto [a, rest] = takeDigit(p, 2048);
    auto [b, less] = takeDigit(rest, 64);
    Value m = activate(less, ActivationKind::Trunc);
    Value r = activate(less, ActivationKind::Fraction);
    const std::pair<Value, double> digits[] = {{a, 2048}, {b, 64}, {m, 1}};
    Value high, low, small;
    for (auto [digit, weight] : digits) {
      SmallVector<float> ofHigh, ofLow, ofRest;
      for (double turn : turns) {
        double part = std::remainder(weight * turn, 1);
        ofHigh.push_back(std::round(part * 32) / 32);
        part -= ofHigh.back();
        ofLow.push_back(std::round(part * 1024) / 1024);
        ofRest.push_back(part - ofLow.back());
      }
      high = sum(high, times(digit, ofHigh));
      low = sum(low, times(digit, ofLow));
      small = sum(small, times(digit, ofRest));
    }
    small =
        sum(small, times(r, SmallVector<float>(turns.begin(), turns.end())));
    Value turn = sum(activate(high, ActivationKind::Fraction),
                     activate(low, ActivationKind::Fraction));
    turn = activate(turn, ActivationKind::Fraction);
    // From -1/2 to 1/2.
    Value whole = activate(scaled(turn, 2), ActivationKind::Trunc);
    return scaled(sum(sub(turn, whole), small), 2 * M_PI);
  }

  /// trunc(p / weight), and what is left of p.
  std::pair<Value, Value> takeDigit(Value p, double weight) {
    Value digit = activate(scaled(p, 1 / weight), ActivationKind::Trunc);
    return {digit, sub(p, scaled(digit, weight))};
  }

  Value scaled(Value value, double factor) {
    return binary(ElementwiseKind::Mul, value, factor);
  }

  Value sum(Value lhs, Value rhs) { return lhs ? add(lhs, rhs) : rhs; }

  /// The product once more, of a digit and other constants.
  Value times(Value digit, ArrayRef<float> constants) {
    Value before = product->getOperand(1 - position);
    IRMapping mapping;
    mapping.map(product->getOperand(position), digit);
    mapping.map(
        before,
        unroundedConstant(builder, loc, typeOf(before).getShape(), constants));
    Operation *part = builder.clone(*product, mapping);
    part->removeAttr("activation");
    if (auto op = dyn_cast<ElementwiseOp>(part)) {
      op.setScaleAttr(builder.getF32FloatAttr(1));
      op.setBiasAttr(builder.getF32FloatAttr(0));
    }
    return part->getResult(0);
  }

  Operation *product;
  unsigned position;
  SmallVector<double> turns;
};

} // namespace

namespace {
struct ReduceAngles
    : DecomposePass<ReduceAngles,
                    mlir::ane::impl::ANEReduceAnglesBase<ReduceAngles>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (!options.policy.planar.reducesAngles)
      return success();
    SmallVector<Operation *> products;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && isa<ElementwiseOp, MatmulOp>(op) &&
          positionOf(op) && makesAngles(op))
        products.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (Operation *product : products)
      rewritten +=
          succeeded(AngleReducer(builder, product, *positionOf(product)).run());
    return success();
  }
};
} // namespace
