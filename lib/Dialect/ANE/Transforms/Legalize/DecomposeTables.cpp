//===- DecomposeTables.cpp - Arguments that suit tables -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table has 33 samples whose distance is a power of two. silu and gelu bend
// most near zero and are lines soon: steps of 1/2 and of 1/4 are wider than
// they have to be, half of that would leave out what still bends. A convolution
// can give 4/3 of the argument for nothing, since its weights are constants,
// and the function takes it back (alpha of the activation): then the steps are
// 3/4 as wide, and the error of most results is 9/16. Lines on the right have
// the slope 3/4, which f16 can say. A function alone has its factor, in f16,
// from the NEs that look it up (TaskEmitter::bypass).
//
// Even so a table of x g(x) is off by some thousandths near zero, whatever x
// is: layers of small values lose them, and each layer adds to it. A table of
// g(x) and a product are off by a thousandth of the value. This takes two
// passes more, so it is done where the size of the argument is not known.
// Behind a norm, and behind the weights that multiply one, it is about 1, and
// the error of the table is a few thousandths of the result (separateGates).
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include <cmath>
#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANESEPARATEGATES
#define GEN_PASS_DEF_ANESTRETCHTABLES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

static constexpr float largestHalf = 65504;

bool mlir::ane::isBentNearZero(ActivationAttr function) {
  return infoOf(function.getKind()).canStretch && function.getAlpha() == 0;
}

namespace {

/// Each constant once, as several convolutions may share it, or the same part
/// of it.
class Stretcher {
public:
  /// Nothing where that is no constant of numbers, or too large for f16.
  Value operator()(Value value) {
    FailureOr<ConstantView> view = ConstantView::get(value);
    if (failed(view) ||
        !(view->getElementType().isF16() || view->getElementType().isF32()))
      return {};
    auto [found, isNew] =
        known.try_emplace({view->getData(), view->getShape().vec(),
                           view->getStrides().vec(), value.getParentBlock()});
    if (isNew)
      found->second = stretched(value, *view);
    return found->second;
  }

private:
  static Value stretched(Value value, const ConstantView &view) {
    std::vector<float> numbers = view.readFloats();
    for (float &number : numbers) {
      number *= tableStretch;
      if (std::fabs(number) > largestHalf)
        return {};
    }
    keepEmptySums(numbers, view.getShape());
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    auto make =
        view.getElementType().isF16() ? arrayConstant : unroundedConstant;
    return make(builder, value.getLoc(), view.getShape(), numbers);
  }

  // Rows of weights without a sum leave the mean of what they multiply out
  // (AbsorbCentring.cpp). They go on to do so.
  static void keepEmptySums(MutableArrayRef<float> numbers,
                            ArrayRef<int64_t> shape) {
    constexpr double isNothing = 1e-6;
    if (shape.size() != 4)
      return;
    size_t count = numbers.size() / shape[0];
    for (size_t first = 0; first < numbers.size(); first += count) {
      MutableArrayRef<float> row = numbers.slice(first, count);
      double sum = 0, size = 0;
      for (float number : row) {
        sum += number;
        size += std::fabs(number);
      }
      if (size > 0 && std::fabs(sum) <= isNothing * size)
        (void)roundKeepingSum(row); // none is too large
    }
  }

  /// By the elements that it has.
  std::map<std::tuple<const char *, std::vector<int64_t>, std::vector<int64_t>,
                      Block *>,
           Value>
      known;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions as products
//===----------------------------------------------------------------------===//

/// Tokens: what is a row, or has no rows. Their layers are those of
/// transformers, where what a function of products gives is added to a sum of
/// many layers.
static bool isOfTokens(RankedTensorType type) {
  return type.getRank() != 4 ||
         (type.getDimSize(2) == 1 && type.getDimSize(3) != 1);
}

/// Whether `value` is what a norm gives, or weights make of that: about 1.
static bool hasKnownSize(Value value) {
  constexpr int maxSteps = 12;
  bool isMultiplied = false;
  for (int step = 0; step != maxSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<LayerNormOp, RmsNormOp, SoftmaxOp>(op))
      return true;
    if (isa_and_nonnull<ReshapeOp, TransposeOp, SliceOp, CastOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (auto pair = dyn_cast_or_null<ElementwiseOp>(op)) {
      // Factors and offsets of the norm, biases.
      bool isRight = bool(pair.getLhs().getDefiningOp<ConstantOp>());
      Value other = isRight ? pair.getLhs() : pair.getRhs();
      if (!other.getDefiningOp<ConstantOp>() || pair.getActivationAttr())
        return false;
      value = isRight ? pair.getRhs() : pair.getLhs();
      continue;
    }
    auto conv = dyn_cast_or_null<ConvOp>(op);
    auto matmul = dyn_cast_or_null<MatmulOp>(op);
    if (isMultiplied || !(conv || matmul) ||
        op->getAttrOfType<ActivationAttr>("activation"))
      return false;
    isMultiplied = true;
    value = matmul && matmul.getLhs().getDefiningOp<ConstantOp>()
                ? matmul.getRhs()
                : op->getOperand(0);
  }
  return false;
}

namespace {

/// f(x) = x g(x), with x from `low` on.
struct Gate {
  ActivationKind kind = ActivationKind::Sigmoid;
  double alpha = 0, beta = 0;
  double factor = 1; ///< of the argument of g
  std::optional<float> low;
  bool isExact = false; ///< whether g has no curve
};

} // namespace

static std::optional<Gate> gateOf(ActivationAttr function) {
  constexpr float lowestOfElu = -8;
  Gate gate;
  switch (function.getKind()) {
  case ActivationKind::Silu:
    gate.kind = ActivationKind::Sigmoid;
    return gate;
  case ActivationKind::GeluSigmoid:
    gate.kind = ActivationKind::Sigmoid;
    gate.factor = 1.702;
    return gate;
  case ActivationKind::HardSwish:
    gate.kind = ActivationKind::HardSigmoid;
    gate.alpha = 1.0 / 6;
    gate.beta = 0.5;
    gate.isExact = true;
    return gate;
  case ActivationKind::Elu:
    gate.kind = ActivationKind::EluFactor;
    gate.alpha = function.getAlpha();
    gate.low = lowestOfElu;
    return gate;
  default:
    return std::nullopt;
  }
}

/// `kind` of `value` and a number.
static Value withNumber(OpBuilder &builder, Location loc, ElementwiseKind kind,
                        Value value, double number) {
  SmallVector<int64_t> ones(typeOf(value).getRank(), 1);
  return binary(builder, loc, kind, value,
                unroundedConstant(builder, loc, ones, float(number)));
}

static void separateGate(Operation *op, StringRef name, const Gate &gate) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Value x = op->getResult(0);
  if (isa<ActivationOp>(op))
    x = op->getOperand(0);
  else
    op->removeAttr(name);
  SmallPtrSet<Operation *, 4> own;
  auto add = [&](Value value) {
    own.insert(value.getDefiningOp());
    return value;
  };
  if (gate.low)
    x = add(withNumber(builder, loc, ElementwiseKind::Max, x, *gate.low));
  Value argument = x;
  if (gate.factor != 1)
    argument =
        add(withNumber(builder, loc, ElementwiseKind::Mul, x, gate.factor));
  Value opened = add(ActivationOp::create(
      builder, loc, argument.getType(), argument,
      ActivationAttr::get(op->getContext(), gate.kind, gate.alpha, gate.beta)));
  Value product = add(binary(builder, loc, ElementwiseKind::Mul, x, opened));
  op->getResult(0).replaceAllUsesExcept(product, own);
  if (isa<ActivationOp>(op))
    op->erase();
}

namespace {
struct SeparateGates
    : DecomposePass<SeparateGates,
                    mlir::ane::impl::ANESeparateGatesBase<SeparateGates>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (!options.policy.planar.separatesGates)
      return success();
    SmallVector<std::pair<Operation *, StringRef>> found;
    getOperation()->walk([&](Operation *op) {
      StringRef name = isa<ActivationOp>(op) ? "function" : "activation";
      auto function = op->getAttrOfType<ActivationAttr>(name);
      if (!function || op->getNumResults() != 1)
        return;
      std::optional<Gate> gate = gateOf(function);
      if (!gate || !typeOf(op->getResult(0)).getElementType().isF16())
        return;
      // Weights in front of the function, or whatever it is alone of.
      bool isMultiplied = isa<ConvOp, MatmulOp>(op);
      if (!gate->isExact &&
          (isOfTokens(typeOf(op->getResult(0))) ||
           hasKnownSize(op->getOperand(
               isMultiplied && op->getOperand(0).getDefiningOp<ConstantOp>()))))
        return;
      found.push_back({op, name});
    });
    rewritten += found.size();
    for (auto [op, name] : found)
      separateGate(op, name, *gateOf(op->getAttrOfType<ActivationAttr>(name)));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
struct StretchTables
    : DecomposePass<StretchTables,
                    mlir::ane::impl::ANEStretchTablesBase<StretchTables>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (!options.policy.planar.stretchesTables)
      return success();
    Stretcher stretched;
    getOperation()->walk([&](ConvOp conv) {
      ActivationAttr function = conv.getActivationAttr();
      if (!function || !isBentNearZero(function) || conv.getScale())
        return;
      Value weight = stretched(conv.getWeight());
      Value bias = conv.getBias() ? stretched(conv.getBias()) : Value();
      if (!weight || bool(bias) != bool(conv.getBias()))
        return;
      conv.getWeightMutable().assign(weight);
      if (bias)
        conv.getBiasMutable().assign(bias);
      ++rewritten;
      conv.setActivationAttr(ActivationAttr::get(
          conv.getContext(), function.getKind(), tableStretch));
    });
    return success();
  }
};
} // namespace
