//===- ChooseFunctionForms.cpp - How functions are computed ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice is made while ranges hold, and done when ops are taken apart.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/ANE/Utils/TableFunction.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

#define DEBUG_TYPE "ane-choose-function-forms"

namespace mlir::ane {
#define GEN_PASS_DEF_ANECHOOSEFUNCTIONFORMS
#define GEN_PASS_DEF_ANESETACCURACYGOAL
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct SetAccuracyGoal
    : public mlir::ane::impl::ANESetAccuracyGoalBase<SetAccuracyGoal> {
  using Base::Base;

  void runOnOperation() override {
    if (!parseAccuracyGoal(goal)) {
      getOperation().emitError("unknown accuracy goal '")
          << goal << "'; it is fast, balanced or best";
      return signalPassFailure();
    }
    getOperation()->setAttr(kAccuracyGoalAttrName,
                            StringAttr::get(&getContext(), goal));
  }
};

struct ChooseFunctionForms
    : public mlir::ane::impl::ANEChooseFunctionFormsBase<ChooseFunctionForms> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<LoweringTarget> lowering = getLoweringTarget(module, flavour);
    if (failed(lowering))
      return signalPassFailure();
    std::map<std::string, int64_t> counts;
    if (lowering->policy->planar.separatesGates)
      for (func::FuncOp function : module.getOps<func::FuncOp>())
        choose(function, getAccuracyGoal(module), counts);
    if (counts.empty())
      return markAllAnalysesPreserved();
    Builder builder(&getContext());
    SmallVector<NamedAttribute> entries;
    for (auto &[name, count] : counts)
      entries.emplace_back(name, builder.getI64IntegerAttr(count));
    module->setAttr(kFunctionFormsAttrName, builder.getDictionaryAttr(entries));
  }

private:
  void choose(func::FuncOp function, AccuracyGoal goal,
              std::map<std::string, int64_t> &counts) {
    SmallVector<std::pair<Operation *, ActivationAttr>> found;
    function.walk([&](Operation *op) {
      auto act = getFunction(op);
      if (act && (getForms(act).size() > 1 || op->hasAttr(kFormAttrName)) &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF16())
        found.emplace_back(op, act);
    });
    auto activations = function.getOps<ActivationOp>();
    bool hasTables = llvm::any_of(activations, [](ActivationOp op) {
      return tableFunctionOf(op.getFunction().getKind()).has_value();
    });
    if (found.empty() && !hasTables)
      return;
    RangeAnalysis ranges(function);
    for (auto [op, act] : found) {
      StringRef name = stringifyActivationKind(act.getKind());
      FormUse use = getFormUse(op, act, &ranges);
      FailureOr<const FunctionForm *> given = getGivenForm(op, act);
      if (failed(given))
        return signalPassFailure();
      const FunctionForm *form = *given ? *given : chooseForm(act, use, goal);
      LDBG() << name << " at " << op->getLoc() << ": " << form->name;
      op->setAttr(kFormAttrName, StringAttr::get(&getContext(), form->name));
      ++counts[(name + "." + form->name).str()];
      ++chosen;
    }
    for (ActivationOp op : activations)
      check(op, ranges);
  }

  // Errors of tables are beside their largest results. Where all that there are
  // or all that count are small, they are a large part.
  static void check(ActivationOp op, const RangeAnalysis &ranges) {
    constexpr double worthAWord = 0x1p-6;
    ActivationAttr act = op.getFunction();
    if (!tableFunctionOf(act.getKind()) ||
        !getElementTypeOrSelf(op.getType()).isF16())
      return;
    NumberRange argument = ranges.get(op.getInput());
    if (argument.isEmpty() || argument.isAssumed() ||
        !std::isfinite(argument.low) || !std::isfinite(argument.high))
      return;
    const FunctionForm *form = *getGivenForm(op, act);
    if (!form)
      form = getForms(act).front();
    FormUse use = getFormUse(op, act, nullptr);
    use.argument = argument;
    double share = getShareOfError(*form, act, use);
    if (share <= worthAWord)
      return;
    markNumeric(op.emitWarning())
        << op->getName() << ": " << stringifyActivationKind(act.getKind())
        << " of " << llvm::formatv("{0:e3}", argument.low).str() << " to "
        << llvm::formatv("{0:e3}", argument.high).str() << " is off by up to "
        << llvm::formatv("{0:P0}", share).str()
        << (use.bringsOutSmall
                ? " of its small results, of which a root, a logarithm or an "
                  "inverse is taken"
                : " of its largest result")
        << ", because a table is exact beside 1; compute it by exp, or keep "
           "the argument where the function is larger";
  }

  static ActivationAttr getFunction(Operation *op) {
    if (op->getNumResults() != 1)
      return {};
    return op->getAttrOfType<ActivationAttr>(
        isa<ActivationOp>(op) ? "function" : "activation");
  }
};

} // namespace
