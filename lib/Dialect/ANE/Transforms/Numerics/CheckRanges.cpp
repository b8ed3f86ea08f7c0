//===- CheckRanges.cpp - Values that f16 does not hold --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANECHECKRANGES
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// Below it f16 rounds to more than a hundredth.
static constexpr double minLargest = smallestHalf * 64;

namespace {

enum class Loss { None, Above, Below, NaN };

struct CheckRanges : public mlir::ane::impl::ANECheckRangesBase<CheckRanges> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal() || !isAnythingSaid(function))
      return;
    RangeAnalysis ranges(function);
    function.walk([&](Operation *op) {
      if (!isa_and_present<ANEDialect>(op->getDialect()) ||
          op->getNumResults() != 1 || isa<ConstantOp>(op) ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isF16())
        return;
      NumberRange range = ranges.get(op->getResult(0));
      Loss loss = lossOf(range);
      // A function brings back what it is of too late.
      auto before = ranges.getBeforeActivation(op);
      if (loss == Loss::None && before && lossOf(*before) != Loss::NaN)
        std::tie(range, loss) = std::make_pair(*before, lossOf(*before));
      if (loss == Loss::None && isInverse(op) && range.most() > maxInverse &&
          !range.isAssumed())
        loss = Loss::Above;
      if (loss == Loss::None)
        return;
      // Somebody in front has been told.
      for (Value operand : op->getOperands())
        if (operand.getDefiningOp() && !operand.getDefiningOp<ConstantOp>() &&
            lossOf(ranges.get(operand)) == loss)
          return;
      warn(op, range, loss);
    });
    // What data shows holds for this form of the network alone.
    function.walk([](Operation *op) {
      op->removeAttr(kRangeAttrName);
      op->removeAttr(kMeanRatioAttrName);
    });
  }

private:
  static bool isAnythingSaid(func::FuncOp function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (function.getArgAttr(i, kRangeAttrName))
        return true;
    return function
        .walk([](Operation *op) {
          return op->hasAttr(kRangeAttrName) ? WalkResult::interrupt()
                                             : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // Divisors whose inverses are near the largest half have few digits: theirs
  // may be beyond it.
  static constexpr double maxInverse = largestHalf * (1 - 0x1p-5);

  static bool isInverse(Operation *op) {
    if (auto act = dyn_cast<ActivationOp>(op))
      return act.getFunction().getKind() == ActivationKind::Reciprocal;
    auto elementwise = dyn_cast<ElementwiseOp>(op);
    return elementwise && elementwise.getKind() == ElementwiseKind::Div;
  }

  static Loss lossOf(const NumberRange &range) {
    if (range.isEmpty() || range.isAssumed())
      return Loss::None;
    if (range.most() > largestHalf)
      return Loss::Above;
    if (range.mayBeNaN)
      return Loss::NaN;
    if (range.most() > 0 && range.most() < minLargest)
      return Loss::Below;
    return Loss::None;
  }

  static void warn(Operation *op, const NumberRange &range, Loss loss) {
    std::string most;
    llvm::raw_string_ostream(most) << llvm::format("%.4g", range.most());
    InFlightDiagnostic warning = markNumeric(op->emitWarning());
    warning << op->getName() << ": values ";
    switch (loss) {
    case Loss::Above:
      if (std::isinf(range.most()))
        warning << "may be infinite";
      else
        warning << "may reach " << most
                << " in magnitude, but f16 holds up to 65504";
      warning << "; scale the operands down and the result up";
      break;
    case Loss::NaN:
      warning << "may be NaN, because the argument of a root, a logarithm or a "
                 "quotient may be outside its domain; limit the argument";
      break;
    default:
      warning
          << "are at most " << most
          << " in magnitude, but f16 has its full precision from 6.1e-05 on "
             "only; scale the operands up and the result down";
    }
    warning << (range.source == RangeSource::Data
                    ? ""
                    : ", or say more with --range or --calibrate");
  }
};
} // namespace
