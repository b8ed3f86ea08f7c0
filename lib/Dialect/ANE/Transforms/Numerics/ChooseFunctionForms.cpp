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

#include "llvm/Support/DebugLog.h"

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
      if (act && !getForms(act.getKind()).empty() &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF16())
        found.emplace_back(op, act);
    });
    if (found.empty())
      return;
    RangeAnalysis ranges(function);
    for (auto [op, act] : found) {
      StringRef name = stringifyActivationKind(act.getKind());
      auto given = op->getAttrOfType<StringAttr>(kFormAttrName);
      const FunctionForm *form =
          given ? findForm(act.getKind(), given.getValue())
                : chooseForm(act, getFormUse(op, act, &ranges), goal);
      if (!form) {
        InFlightDiagnostic error = op->emitOpError("has ane.form = ")
                                   << given << ", but the forms of " << name
                                   << " are ";
        llvm::interleaveComma(getForms(act.getKind()), error,
                              [&](const FunctionForm &each) {
                                error << "'" << each.name << "'";
                              });
        error << "; use one of them, or remove the attribute";
        return signalPassFailure();
      }
      LDBG() << name << " at " << op->getLoc() << ": " << form->name;
      op->setAttr(kFormAttrName, StringAttr::get(&getContext(), form->name));
      ++counts[(name + "." + form->name).str()];
      ++chosen;
    }
  }

  static ActivationAttr getFunction(Operation *op) {
    if (op->getNumResults() != 1)
      return {};
    return op->getAttrOfType<ActivationAttr>(
        isa<ActivationOp>(op) ? "function" : "activation");
  }
};

} // namespace
