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
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include <cmath>
#include <map>

namespace mlir::ane {
#define GEN_PASS_DEF_ANESTRETCHTABLES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

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
      ActivationAttr larger = function
                                  ? mlir::ane::stretched(function, tableStretch)
                                  : ActivationAttr();
      // Other weights are rounded again, an error of every pixel alike. The odd
      // part of a gate is there to have none of these.
      if (!larger || conv.getScale() ||
          function.getKind() == ActivationKind::ScaledTanh)
        return;
      Value weight = stretched(conv.getWeight());
      Value bias = conv.getBias() ? stretched(conv.getBias()) : Value();
      if (!weight || bool(bias) != bool(conv.getBias()))
        return;
      conv.getWeightMutable().assign(weight);
      if (bias)
        conv.getBiasMutable().assign(bias);
      ++rewritten;
      conv.setActivationAttr(larger);
    });
    return success();
  }
};
} // namespace
